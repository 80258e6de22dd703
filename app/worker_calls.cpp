#include "app/worker_calls.h"

#ifdef LIMBER_HAVE_SECCOMP

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <initializer_list>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace limber::app {

namespace {

class Filter {
public:
    Filter() : context_(::seccomp_init(SCMP_ACT_ALLOW)) {}
    ~Filter() {
        if (context_)
            ::seccomp_release(context_);
    }
    Filter(const Filter&) = delete;
    Filter& operator=(const Filter&) = delete;

    // A call that this architecture does not have needs no rule.
    void deny(std::initializer_list<int> calls, unsigned error = EPERM) {
        for (const int call : calls)
            add(call, error, {});
    }
    // Where the argument, under a mask, is `value`.
    void denyWhere(int call, unsigned argument, std::uint64_t mask, std::uint64_t value) {
        add(call, EPERM, {{argument, SCMP_CMP_MASKED_EQ, mask, value}});
    }
    // Where the argument is another than `value`.
    void denyOther(int call, unsigned argument, std::uint64_t value) {
        add(call, EPERM, {{argument, SCMP_CMP_NE, value, 0}});
    }

    bool load() {
        return ok_ && ::seccomp_attr_set(context_, SCMP_FLTATR_CTL_TSYNC, 1) == 0 && ::seccomp_load(context_) == 0;
    }

private:
    void add(int call, unsigned error, std::initializer_list<scmp_arg_cmp> where) {
        const int rc = context_ ? ::seccomp_rule_add_array(context_, SCMP_ACT_ERRNO(error), call,
                                                           static_cast<unsigned>(where.size()), where.begin())
                                : -ENOMEM;
        ok_ = ok_ && (rc == 0 || rc == -EDOM);
    }

    scmp_filter_ctx context_ = nullptr;
    bool ok_ = true;
};

void keepFiles(Filter& filter) {
    const auto forReading = [&](int call, unsigned flags) {
        filter.denyWhere(call, flags, O_ACCMODE, O_WRONLY);
        filter.denyWhere(call, flags, O_ACCMODE, O_RDWR);
        filter.denyWhere(call, flags, O_CREAT, O_CREAT);
        filter.denyWhere(call, flags, O_TRUNC, O_TRUNC);
    };
    forReading(SCMP_SYS(open), 1);
    forReading(SCMP_SYS(openat), 2);
    filter.deny({SCMP_SYS(openat2)}, ENOSYS); // its flags cannot be seen; callers fall back to openat
    filter.deny({SCMP_SYS(creat),        SCMP_SYS(truncate),  SCMP_SYS(ftruncate),    SCMP_SYS(fallocate),
                 SCMP_SYS(unlink),       SCMP_SYS(unlinkat),  SCMP_SYS(rename),       SCMP_SYS(renameat),
                 SCMP_SYS(renameat2),    SCMP_SYS(link),      SCMP_SYS(linkat),       SCMP_SYS(symlink),
                 SCMP_SYS(symlinkat),    SCMP_SYS(mkdir),     SCMP_SYS(mkdirat),      SCMP_SYS(rmdir),
                 SCMP_SYS(mknod),        SCMP_SYS(mknodat),   SCMP_SYS(chmod),        SCMP_SYS(fchmod),
                 SCMP_SYS(fchmodat),     SCMP_SYS(chown),     SCMP_SYS(fchown),       SCMP_SYS(lchown),
                 SCMP_SYS(fchownat),     SCMP_SYS(setxattr),  SCMP_SYS(lsetxattr),    SCMP_SYS(fsetxattr),
                 SCMP_SYS(removexattr),  SCMP_SYS(utime),     SCMP_SYS(lremovexattr), SCMP_SYS(fremovexattr),
                 SCMP_SYS(utimes),       SCMP_SYS(futimesat), SCMP_SYS(utimensat),    SCMP_SYS(open_by_handle_at),
                 SCMP_SYS(memfd_create), SCMP_SYS(mq_open),   SCMP_SYS(shmget),       SCMP_SYS(msgget),
                 SCMP_SYS(semget)});
}

void keepApart(Filter& filter) {
    const auto self = static_cast<std::uint64_t>(::getpid());
    filter.deny({SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(listen),
                 SCMP_SYS(accept), SCMP_SYS(accept4), SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(sendmmsg)});
    // Threads, but no processes; clone3 hides its flags, and threads are then made by clone.
    filter.denyWhere(SCMP_SYS(clone), 0, CLONE_THREAD, 0);
    filter.deny({SCMP_SYS(clone3)}, ENOSYS);
    filter.deny({SCMP_SYS(fork), SCMP_SYS(vfork), SCMP_SYS(execve), SCMP_SYS(execveat)});
    // abort() signals its own process.
    filter.denyOther(SCMP_SYS(tgkill), 0, self);
    filter.deny({SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo),
                 SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_getfd), SCMP_SYS(pidfd_send_signal), SCMP_SYS(ptrace),
                 SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp)});
    filter.denyOther(SCMP_SYS(prlimit64), 0, 0);
    filter.denyWhere(SCMP_SYS(ioctl), 1, 0xffffffff, TIOCSTI);
    filter.denyWhere(SCMP_SYS(ioctl), 1, 0xffffffff, TIOCLINUX);
}

void keepSystem(Filter& filter) {
    filter.deny({SCMP_SYS(mount),
                 SCMP_SYS(umount2),
                 SCMP_SYS(pivot_root),
                 SCMP_SYS(chroot),
                 SCMP_SYS(setns),
                 SCMP_SYS(unshare),
                 SCMP_SYS(bpf),
                 SCMP_SYS(perf_event_open),
                 SCMP_SYS(userfaultfd),
                 SCMP_SYS(keyctl),
                 SCMP_SYS(add_key),
                 SCMP_SYS(request_key),
                 SCMP_SYS(io_uring_setup),
                 SCMP_SYS(io_uring_enter),
                 SCMP_SYS(io_uring_register),
                 SCMP_SYS(init_module),
                 SCMP_SYS(finit_module),
                 SCMP_SYS(delete_module),
                 SCMP_SYS(kexec_load),
                 SCMP_SYS(kexec_file_load),
                 SCMP_SYS(reboot),
                 SCMP_SYS(swapon),
                 SCMP_SYS(swapoff),
                 SCMP_SYS(acct),
                 SCMP_SYS(settimeofday),
                 SCMP_SYS(clock_settime),
                 SCMP_SYS(adjtimex),
                 SCMP_SYS(sethostname),
                 SCMP_SYS(setdomainname),
                 SCMP_SYS(syslog),
                 SCMP_SYS(personality)});
}

} // namespace

bool limitSystemCalls() {
    Filter filter;
    keepFiles(filter);
    keepApart(filter);
    keepSystem(filter);
    return filter.load();
}

} // namespace limber::app

#else

namespace limber::app {

bool limitSystemCalls() {
    return false;
}

} // namespace limber::app

#endif
