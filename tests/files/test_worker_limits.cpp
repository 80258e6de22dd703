// What the import worker may not do, tried by a process that limits itself in the same way.
#include "app/worker_calls.h"
#include "app/worker_limits.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <fcntl.h>
#include <linux/landlock.h>
#include <netinet/in.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace limber;

namespace {

// True where the deed can be done; the working folder is the readable one, "given" lies in it.
using Deed = bool (*)();

bool opens(const char* file, int flags) {
    const int handle = ::open(file, flags, 0600);
    return handle >= 0 && ::close(handle) == 0;
}

bool hasChild(pid_t pid) {
    if (pid == 0)
        ::_exit(0);
    return pid > 0 && ::waitpid(pid, nullptr, 0) == pid;
}

bool runsAProgram() {
    int status = 0;
    const pid_t pid = ::vfork(); // NOLINT: nothing else runs in here
    if (pid == 0) {
        ::execl("/bin/true", "true", nullptr);
        ::_exit(1);
    }
    return pid > 0 && ::waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool becomesAProgram() {
    ::execl("/bin/true", "true", nullptr); // ends with 0 where it can
    return false;
}

bool connects(int family, int type) {
    const int handle = ::socket(family, type, 0);
    return handle >= 0 && ::close(handle) == 0;
}

bool givesOutput() {
    int ends[2];
    char byte = 'x';
    return ::pipe(ends) == 0 && ::write(ends[1], &byte, 1) == 1 && ::read(ends[0], &byte, 1) == 1;
}

bool makesAThread() {
    bool done = false;
    std::thread([&] { done = true; }).join();
    return done;
}

bool hasLandlock() {
    return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1;
}

// Whether the deed can be done by a process that is limited, or is not.
bool canDo(Deed deed, bool limited, const QString& folder) {
    const pid_t pid = ::fork();
    if (pid == 0) {
        const std::string path = folder.toStdString();
        if (::chdir(path.c_str()) != 0 || (limited && !app::limitThisProcess({}, path)))
            ::_exit(9);
        ::_exit(deed() ? 0 : 1);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

} // namespace

class TestWorkerLimits : public QObject {
    Q_OBJECT

private slots:
    void theWorkerCannot_data();
    void theWorkerCannot();
    void theWorkerCan_data();
    void theWorkerCan();
};

void TestWorkerLimits::theWorkerCannot_data() {
    QTest::addColumn<Deed>("deed");
    const auto row = [](const char* name, Deed deed) { QTest::newRow(name) << deed; };
    row("write a file", [] { return opens("given", O_WRONLY); });
    row("read and write a file", [] { return opens("given", O_RDWR); });
    row("make a file", [] { return opens("fresh", O_RDONLY | O_CREAT); });
    row("empty a file", [] { return ::truncate("given", 0) == 0; });
    row("rename a file", [] { return ::rename("given", "taken") == 0; });
    row("link a file", [] { return ::link("given", "taken") == 0; });
    row("delete a file", [] { return ::unlink("given") == 0; });
    row("make a folder", [] { return ::mkdir("folder", 0700) == 0; });
    row("change rights", [] { return ::chmod("given", 0777) == 0; });
    row("read a file elsewhere", [] { return opens("/etc/passwd", O_RDONLY); });
    row("open an internet connection", [] { return connects(AF_INET, SOCK_STREAM); });
    row("open a local connection", [] { return connects(AF_UNIX, SOCK_STREAM); });
    row("send datagrams", [] { return connects(AF_INET6, SOCK_DGRAM); });
    row("start a process", [] { return hasChild(::fork()); });
    row("start a program", runsAProgram);
    row("become a program", becomesAProgram);
    row("signal its parent", [] { return ::kill(::getppid(), 0) == 0; });
    row("be traced", [] { return ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0; });
}

void TestWorkerLimits::theWorkerCannot() {
    QFETCH(Deed, deed);
    if (QByteArray(QTest::currentDataTag()) == "read a file elsewhere" && !hasLandlock())
        QSKIP("this kernel has no Landlock");
    QTemporaryDir folder;
    QFile given(folder.filePath("given"));
    QVERIFY(given.open(QIODevice::WriteOnly) && given.write("text") == 4);
    given.close();
    QVERIFY2(!canDo(deed, true, folder.path()), "it could, although it was limited");
    QVERIFY2(canDo(deed, false, folder.path()), "it could not even without limits, so this shows nothing");
}

void TestWorkerLimits::theWorkerCan_data() {
    QTest::addColumn<Deed>("deed");
    const auto row = [](const char* name, Deed deed) { QTest::newRow(name) << deed; };
    row("read a file", [] { return opens("given", O_RDONLY); });
    row("write to a pipe", givesOutput);
    row("make a thread", makesAThread);
    row("take memory", [] { return std::vector<char>(std::size_t(300) << 20, 'x').back() == 'x'; });
}

void TestWorkerLimits::theWorkerCan() {
    QFETCH(Deed, deed);
    QTemporaryDir folder;
    QFile given(folder.filePath("given"));
    QVERIFY(given.open(QIODevice::WriteOnly) && given.write("text") == 4);
    given.close();
    QVERIFY(canDo(deed, true, folder.path()));
}

QTEST_GUILESS_MAIN(TestWorkerLimits)
#include "test_worker_limits.moc"
