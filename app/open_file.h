// Opening any file: glTF by our own reader, everything else by the import worker, a process of its own.
#pragma once

#include "core/io/gltf_file.h"

#include <atomic>
#include <filesystem>
#include <functional>

namespace limber::app {

struct OpenProgress {
    std::function<void(double fraction, const std::string& stage)> report; // any thread; may be empty
    const std::atomic<bool>* cancelled = nullptr;                          // polled; may be null
};

// Blocks until done; call it from a worker thread in the window. Errors: InputRefused, Cancelled.
[[nodiscard]] Result<io::LoadedFile> openFile(const std::filesystem::path& path, const OpenProgress& progress = {});

// The sample character that is shown without a file.
[[nodiscard]] Result<io::LoadedFile> openMannequin();

} // namespace limber::app
