// The import worker: the program itself, started again to read a file with Assimp where a crash, a hang or a flood of
// memory costs a message and not the document. Parent and worker speak core/io/worker_protocol.h over a pipe.
#pragma once

#include "app/open_file.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace limber::app {

inline constexpr std::string_view kImportWorkerOption = "--import-worker";

struct WorkerLimits {
    unsigned cpuSeconds = 60;                           // fewer for small files
    unsigned wallSeconds = 120;                         // kept by the parent
    std::uint64_t memoryBytes = std::uint64_t(2) << 30; // address space; not limited in sanitizer builds
};

// The worker's side, all of it: `arguments` are what follows kImportWorkerOption (path, seconds of CPU, bytes of
// memory). Limits the process, reads the file, writes frames to standard output. Returns the exit code.
int runImportWorker(std::span<char* const> arguments);

// The parent's side: starts the worker, waits for it, and reads the GLB it sends with the checked reader.
// Blocks; answers a cancel within 200 ms and a dead worker at once. The worker is gone when this returns.
// InputRefused with the reason, or Cancelled.
[[nodiscard]] Result<io::LoadedFile> importInWorker(const std::filesystem::path& path, const OpenProgress& progress,
                                                    const WorkerLimits& limits = {});

} // namespace limber::app
