#include "tests/fuzz/mutant_run.h"

#include "app/import_worker.h"
#include "tests/fuzz/exercise.h"

#include <QTemporaryDir>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace limber::fuzz {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kWorkSeconds = 10;
constexpr std::chrono::seconds kWallLimit(60);

struct Record {
    std::atomic<bool> done = false;
    Outcome outcome = Outcome::Crashed;
    double seconds = 0;
    char text[400] = "";
};

// Shared by the processes: one record a mutant.
class Records {
public:
    explicit Records(std::size_t count)
        : size_(count * sizeof(Record)),
          memory_(::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)),
          records_(new (memory_) Record[count]) {}
    ~Records() { ::munmap(memory_, size_); }
    Records(const Records&) = delete;
    Records& operator=(const Records&) = delete;
    Record& operator[](std::size_t at) { return records_[at]; }

private:
    std::size_t size_;
    void* memory_;
    Record* records_;
};

void write(const fs::path& path, const FileBytes& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

// The asset's folder, and beside it one that nothing may look into.
struct Place {
    QTemporaryDir root;
    fs::path asset, outside;

    explicit Place(const MutantSeed& seed) {
        asset = fs::path(root.path().toStdString()) / "asset";
        outside = fs::path(root.path().toStdString()) / "outside";
        fs::create_directories(asset);
        fs::create_directories(outside);
        write(outside / "secret.bin", FileBytes(1 << 20));
        for (const char* link : {"link", "link5"})
            fs::create_symlink("../outside/secret.bin", asset / link);
        fs::create_symlink("../outside", asset / "linked");
        static_cast<void>(::mkfifo((asset / "pipe").c_str(), 0600));
        for (const auto& [name, bytes] : seed.beside)
            write(asset / name, bytes);
    }
    [[nodiscard]] std::vector<std::string> traps() const {
        const std::string secret = (outside / "secret.bin").string();
        return {"../outside/secret.bin",
                secret,
                "file://" + secret,
                "link",
                "pipe",
                "linked/secret.bin",
                "%2e%2e/outside/secret.bin",
                "http://127.0.0.1/secret.bin",
                "./link",
                "..\\outside\\secret.bin"};
    }
};

// Tells what was opened that should not be.
class Watch {
public:
    explicit Watch(const Place& place) : queue_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
        outside_ = ::inotify_add_watch(queue_, place.outside.c_str(), IN_OPEN | IN_ACCESS);
        pipe_ = ::inotify_add_watch(queue_, (place.asset / "pipe").c_str(), IN_OPEN | IN_ACCESS);
    }
    ~Watch() { ::close(queue_); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    [[nodiscard]] bool works() const { return queue_ >= 0 && outside_ >= 0 && pipe_ >= 0; }
    [[nodiscard]] bool sawSomething() {
        char events[4096];
        bool any = false;
        while (::read(queue_, events, sizeof events) > 0)
            any = true;
        return any;
    }

private:
    int queue_, outside_ = -1, pipe_ = -1;
};

Result<io::LoadedFile> open(const fs::path& path, FileKind kind, unsigned importSeconds) {
    if (kind == FileKind::Gltf)
        return app::openFile(path);
    app::WorkerLimits limits;
    limits.cpuSeconds = std::min(limits.cpuSeconds, importSeconds);
    return app::importInWorker(path, {}, limits);
}

std::pair<Outcome, std::string> judge(const Result<io::LoadedFile>& file) {
    if (!file) {
        const Error& error = file.error();
        const bool told = error.code == ErrorCode::InputRefused && error.text.size() > 10 && !error.where.empty();
        return {told ? Outcome::Refused : Outcome::Wrong, error.message()};
    }
    if (const std::string wrong = exercise(*file); !wrong.empty())
        return {Outcome::Wrong, wrong};
    return {file->repairs.empty() ? Outcome::Opened : Outcome::Repaired, ""};
}

void limitThisProcess() {
#ifndef LIMBER_SANITIZED
    constexpr rlim_t kMemory = rlim_t(6) << 30;
    const rlimit memory{kMemory, kMemory};
    ::setrlimit(RLIMIT_AS, &memory);
#endif
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
}

// Ends this process by SIGPROF when one mutant takes too much work.
void startTimer() {
    const itimerval limit{{0, 0}, {kWorkSeconds, 0}};
    ::setitimer(ITIMER_PROF, &limit, nullptr);
}

class Runner {
public:
    Runner(const MutantSeed& seed, std::uint64_t first, std::size_t count, unsigned importSeconds)
        : seed_(seed), place_(seed), mutator_(seed.bytes, seed.kind, place_.traps()), first_(first), count_(count + 1),
          records_(count + 1), path_(place_.asset / seed.name), importSeconds_(importSeconds) {}

    MutantTally run(const fs::path& kept) {
        for (std::size_t at = 0; at < count_;) {
            const pid_t child = ::fork();
            if (child == 0)
                work(at);
            at = waitFor(child, at);
        }
        return tally(kept);
    }

private:
    // The child: every mutant from `at` on.
    [[noreturn]] void work(std::size_t at) {
        limitThisProcess();
        Watch watch(place_);
        for (; at < count_; ++at) {
            write(path_, bytesOf(at));
            startTimer();
            const auto start = Clock::now();
            auto [outcome, text] = watch.works() ? judge(open(path_, seed_.kind, importSeconds_))
                                                 : std::pair(Outcome::Wrong, std::string("inotify does not work here"));
            if (watch.sawSomething())
                outcome = Outcome::LeftFolder;
            else if (at == 0 && outcome == Outcome::Refused)
                outcome = Outcome::Wrong;
            Record& record = records_[at];
            record.outcome = outcome;
            record.seconds = std::chrono::duration<double>(Clock::now() - start).count();
            std::strncpy(record.text, text.c_str(), sizeof record.text - 1);
            record.done = true;
        }
        ::_exit(0);
    }

    // Returns where the next process goes on.
    std::size_t waitFor(pid_t child, std::size_t at) {
        auto since = Clock::now();
        for (;;) {
            int status = 0;
            const bool ended = ::waitpid(child, &status, WNOHANG) == child;
            const std::size_t before = at;
            while (at < count_ && records_[at].done)
                ++at;
            if (at != before)
                since = Clock::now();
            if (!ended && Clock::now() - since < kWallLimit) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                continue;
            }
            if (!ended) {
                ::kill(child, SIGKILL);
                ::waitpid(child, &status, 0);
            }
            if (at < count_)
                blame(records_[at++], ended, status);
            return at;
        }
    }

    static void blame(Record& record, bool ended, int status) {
        const bool stopped = !ended || (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF);
        record.outcome = stopped ? Outcome::Hung : Outcome::Crashed;
        if (WIFSIGNALED(status))
            std::strncpy(record.text, ::strsignal(WTERMSIG(status)), sizeof record.text - 1);
    }

    // 0 is the seed itself.
    [[nodiscard]] std::uint64_t numberOf(std::size_t at) const { return at == 0 ? kSeedItself : first_ + at - 1; }
    [[nodiscard]] FileBytes bytesOf(std::size_t at) const {
        return at == 0 ? seed_.bytes : mutator_.make(numberOf(at));
    }

    MutantTally tally(const fs::path& kept) {
        MutantTally tally;
        for (std::size_t at = 0; at < count_; ++at) {
            const Record& record = records_[at];
            if (at > 0)
                ++tally.counts[static_cast<std::size_t>(record.outcome)];
            if (record.seconds > tally.slowestSeconds) {
                tally.slowestSeconds = record.seconds;
                tally.slowest = numberOf(at);
            }
            if (record.outcome < Outcome::Wrong)
                continue;
            tally.failures.push_back({numberOf(at), record.outcome, record.text});
            if (!kept.empty())
                write(kept / (fs::path(seed_.name).stem().string() + '_' + std::to_string(numberOf(at)) +
                              path_.extension().string()),
                      bytesOf(at));
        }
        return tally;
    }

    const MutantSeed& seed_;
    Place place_;
    Mutator mutator_;
    std::uint64_t first_;
    std::size_t count_;
    Records records_;
    fs::path path_;
    unsigned importSeconds_;
};

} // namespace

const char* nameOf(Outcome outcome) {
    constexpr const char* kNames[kOutcomes] = {"refused", "repaired", "opened",         "wrong",
                                               "crashed", "hung",     "left the folder"};
    return kNames[static_cast<std::size_t>(outcome)];
}

void MutantTally::add(const MutantTally& other) {
    for (std::size_t k = 0; k < kOutcomes; ++k)
        counts[k] += other.counts[k];
    failures.insert(failures.end(), other.failures.begin(), other.failures.end());
}

MutantTally runMutants(const MutantSeed& seed, std::uint64_t first, std::size_t count, const fs::path& kept,
                       unsigned importSeconds) {
    return Runner(seed, first, count, importSeconds).run(kept);
}

} // namespace limber::fuzz
