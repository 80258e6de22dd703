// The system calls that the import worker may make.
#pragma once

namespace limber::app {

// From here on calls of this process that write or change files, use the network, start processes or programs, signal
// or look into others, or change the system fail with EPERM; threads, memory and reading go on. Where Limber was built
// without libseccomp, or the kernel has no filters, nothing changes and this returns false.
bool limitSystemCalls();

} // namespace limber::app
