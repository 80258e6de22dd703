#include "app/worker_limits.h"

#include "app/worker_calls.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace limber::app {

namespace {

// A stricter limit that the user has set stays: it cannot be raised.
bool setLimit(__rlimit_resource_t resource, std::uint64_t soft, std::uint64_t hard) {
    rlimit present{};
    if (::getrlimit(resource, &present) != 0)
        return false;
    const rlimit limit{std::min<rlim_t>(soft, present.rlim_max), std::min<rlim_t>(hard, present.rlim_max)};
    return ::setrlimit(resource, &limit) == 0;
}

// Files may be read below one folder and written nowhere. Kernels without Landlock go without.
void confineFiles(const std::filesystem::path& readableFolder) {
    constexpr std::uint64_t kReading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
    constexpr std::uint64_t kAll = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1; // all of the first version
    landlock_ruleset_attr rules{};
    rules.handled_access_fs = kAll;
    const auto ruleset = static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0));
    if (ruleset < 0)
        return;
    landlock_path_beneath_attr below{};
    below.allowed_access = kReading;
    below.parent_fd = ::open(readableFolder.c_str(), O_PATH | O_CLOEXEC);
    if (below.parent_fd >= 0 && ::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &below, 0) == 0)
        ::syscall(SYS_landlock_restrict_self, ruleset, 0);
    ::close(below.parent_fd);
    ::close(ruleset);
}

void leaveNetwork() {
    if (::unshare(CLONE_NEWNET) != 0)
        static_cast<void>(::unshare(CLONE_NEWUSER | CLONE_NEWNET)); // without root it takes a user namespace too
}

} // namespace

bool limitThisProcess(const WorkerLimits& limits, const std::filesystem::path& readableFolder) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // The second limit is a second later, should the first signal be caught.
    bool ok = setLimit(RLIMIT_CPU, limits.cpuSeconds, limits.cpuSeconds + 1) && setLimit(RLIMIT_CORE, 0, 0) &&
              setLimit(RLIMIT_FSIZE, 0, 0);
#ifndef LIMBER_SANITIZED // sanitizers reserve terabytes of address space
    ok = ok && setLimit(RLIMIT_AS, limits.memoryBytes, limits.memoryBytes);
#endif
    confineFiles(readableFolder);
    if (!limitSystemCalls()) // which is quicker than a namespace, and also closes the network
        leaveNetwork();
    return ok;
}

} // namespace limber::app
