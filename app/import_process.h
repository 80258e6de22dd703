// A worker process with a pipe from its standard output.
#pragma once

#include "core/base/result.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace limber::app {

// Owns the process: whatever happens, it is ended and reaped by the destructor.
class ImportProcess {
public:
    // Starts the program named limber that stands beside the running one, or the running program itself.
    [[nodiscard]] static Result<ImportProcess> start(std::vector<std::string> arguments);
    ~ImportProcess();
    ImportProcess(ImportProcess&& other) noexcept;
    ImportProcess& operator=(ImportProcess&&) = delete;

    enum class Read { Data, Nothing, End };
    // Waits for output up to `patience` and puts it into `buffer`; `count` is how much.
    [[nodiscard]] Read read(std::span<std::byte> buffer, std::size_t& count, std::chrono::milliseconds patience);

    // Whether it neither works nor waits for a disk, at this moment, and has done nothing since the last call.
    [[nodiscard]] bool isIdle();

    struct End {
        int status = 0;        // as of waitpid
        double cpuSeconds = 0; // used in all
    };
    // Ends the process where it is still there after `patience`.
    End finish(std::chrono::milliseconds patience);
    void kill();

private:
    ImportProcess(pid_t pid, int pipe) : pid_(pid), pipe_(pipe) {}

    pid_t pid_ = -1;
    int pipe_ = -1;
    unsigned long cpuTicks_ = 0; // when isIdle() looked last
};

} // namespace limber::app
