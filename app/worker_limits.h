// What the import worker may do.
#pragma once

#include "app/import_worker.h"

namespace limber::app {

// From here on this process may use so much memory and CPU, writes no file, leaves no core dump and ends with its
// parent; where the system can (Landlock, namespaces, seccomp) it reads only below `readableFolder`, has no network and
// starts no process.
// False where a limit that every system has could not be set.
[[nodiscard]] bool limitThisProcess(const WorkerLimits& limits, const std::filesystem::path& readableFolder);

} // namespace limber::app
