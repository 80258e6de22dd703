#include "app/import_process.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

extern char** environ;

namespace limber::app {

namespace fs = std::filesystem;

namespace {

fs::path workerProgram() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    const fs::path beside = self.parent_path() / "limber";
    if (!error && self != beside && fs::is_regular_file(beside, error))
        return beside;
    return "/proc/self/exe"; // stays the running program even if its file was replaced meanwhile
}

Error failed(int code) {
    return {ErrorCode::Failed, std::string("The import worker cannot be started: ") + std::strerror(code) + ".", ""};
}

// Standard input and errors go nowhere, standard output into the pipe, nothing else is inherited.
int spawn(const fs::path& program, std::vector<std::string>& arguments, int pipeEnd, pid_t& pid) {
    std::vector<char*> argv;
    for (std::string& a : arguments)
        argv.push_back(a.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, pipeEnd, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const int rc = posix_spawn(&pid, program.c_str(), &actions, &attributes, argv.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return rc;
}

} // namespace

Result<ImportProcess> ImportProcess::start(std::vector<std::string> arguments) {
    const fs::path program = workerProgram();
    arguments.insert(arguments.begin(), "limber");
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0)
        return failed(errno);
    pid_t pid = -1;
    const int rc = spawn(program, arguments, ends[1], pid);
    ::close(ends[1]);
    if (rc != 0) {
        ::close(ends[0]);
        return failed(rc);
    }
    return ImportProcess(pid, ends[0]);
}

ImportProcess::ImportProcess(ImportProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pipe_(std::exchange(other.pipe_, -1)) {}

ImportProcess::~ImportProcess() {
    kill();
    finish(std::chrono::milliseconds(0));
    if (pipe_ >= 0)
        ::close(pipe_);
}

ImportProcess::Read ImportProcess::read(std::span<std::byte> buffer, std::size_t& count,
                                        std::chrono::milliseconds patience) {
    count = 0;
    pollfd ready{pipe_, POLLIN, 0};
    const int rc = ::poll(&ready, 1, static_cast<int>(patience.count()));
    if (rc == 0 || (rc < 0 && errno == EINTR))
        return Read::Nothing;
    const ssize_t n = ::read(pipe_, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR)
        return Read::Nothing;
    if (n <= 0)
        return Read::End;
    count = static_cast<std::size_t>(n);
    return Read::Data;
}

void ImportProcess::kill() {
    if (pid_ > 0)
        ::kill(pid_, SIGKILL);
}

bool ImportProcess::isIdle() {
    char text[512];
    const std::string name = "/proc/" + std::to_string(pid_) + "/stat";
    const int file = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? 0 : ::read(file, text, sizeof text - 1);
    ::close(file);
    text[std::max<ssize_t>(size, 0)] = '\0';
    // The state follows the name, in brackets that the name may hold too; the times are the 14th and 15th entry.
    const char* const nameEnd = std::strrchr(text, ')');
    char state = 0;
    unsigned long user = 0, system = 0;
    if (!nameEnd ||
        std::sscanf(nameEnd + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state, &user, &system) != 3)
        return false;
    const bool worked = std::exchange(cpuTicks_, user + system) != user + system;
    return !worked && (state == 'S' || state == 'T' || state == 't');
}

ImportProcess::End ImportProcess::finish(std::chrono::milliseconds patience) {
    if (pid_ <= 0)
        return {};
    const auto deadline = std::chrono::steady_clock::now() + patience;
    int status = 0;
    rusage used{};
    while (::wait4(pid_, &status, WNOHANG, &used) == 0) {
        if (std::chrono::steady_clock::now() >= deadline) {
            kill();
            while (::wait4(pid_, &status, 0, &used) < 0 && errno == EINTR) {
            }
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    pid_ = -1;
    const auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
    return {status, seconds(used.ru_utime) + seconds(used.ru_stime)};
}

} // namespace limber::app
