#include "app/import_process.h"
#include "app/import_worker.h"
#include "core/io/asset_path.h"
#include "core/io/worker_protocol.h"

#include <algorithm>
#include <csignal>
#include <sys/wait.h>

namespace limber::app {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kPollInterval(50); // a cancel is seen after this at the latest
constexpr int kMostIdleLooks = 16;                     // one after each interval: 0.8 seconds

std::string formatOf(const fs::path& path) {
    const std::string extension = io::lowerExtension(path);
    return extension.empty() ? extension : extension.substr(1);
}

// A small file that takes long is damaged: nobody should wait the whole time for it.
WorkerLimits fitting(const fs::path& path, WorkerLimits limits) {
    constexpr std::uintmax_t kFirstSeconds = 8, kSecondsPerMegabyte = 5, kMegabyte = 1 << 20;
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error)
        limits.cpuSeconds = static_cast<unsigned>(
            std::min<std::uintmax_t>(limits.cpuSeconds, kFirstSeconds + size / kMegabyte * kSecondsPerMegabyte));
    return limits;
}

// Everything a worker said.
struct Conversation {
    std::vector<std::byte> scene;
    std::optional<std::string> failure;
    std::vector<io::Repair> notes;
    bool complete = false; // a scene or a failure came
};

class Client {
public:
    Client(const fs::path& path, const OpenProgress& progress, const WorkerLimits& limits)
        : path_(path), progress_(progress), limits_(fitting(path, limits)),
          deadline_(Clock::now() + std::chrono::seconds(limits.wallSeconds)) {}

    Result<io::LoadedFile> run() {
        auto process = ImportProcess::start({std::string(kImportWorkerOption), path_.string(),
                                             std::to_string(limits_.cpuSeconds), std::to_string(limits_.memoryBytes)});
        if (!process)
            return process.error();
        if (const Status s = listen(*process); !s)
            return s.error();
        const ImportProcess::End end =
            process->finish(said_.complete ? std::chrono::milliseconds(500) : std::chrono::seconds(2));
        if (said_.failure)
            return refused(*said_.failure);
        if (!said_.complete)
            return refused(reasonOfDeath(end));
        return takeScene();
    }

private:
    Error refused(std::string text) const { return {ErrorCode::InputRefused, std::move(text), path_.string()}; }

    Status listen(ImportProcess& process) {
        std::vector<std::byte> buffer(std::size_t(1) << 18);
        for (;;) {
            if (progress_.cancelled && progress_.cancelled->load())
                return Error{ErrorCode::Cancelled, "Opening was cancelled.", path_.string()};
            if (Clock::now() > deadline_)
                return refused("The importer did not finish within " + std::to_string(limits_.wallSeconds) +
                               " seconds; the file is damaged or too large.");
            std::size_t count = 0;
            switch (process.read(buffer, count, kPollInterval)) {
            case ImportProcess::Read::End:
                return {};
            case ImportProcess::Read::Nothing:
                // Looks are counted, not seconds: this process may have been stopped together with the worker.
                idleLooks_ = process.isIdle() ? idleLooks_ + 1 : 0;
                if (idleLooks_ >= kMostIdleLooks)
                    return refused(
                        "The importer stopped working without an answer, the file is probably damaged; export "
                        "it again, or convert it to glTF (.glb).");
                break;
            case ImportProcess::Read::Data:
                idleLooks_ = 0;
                if (!frames_.append(std::span(buffer).first(count)) || !takeFrames())
                    return refused("The importer was led astray by this file; the file is damaged.");
                break;
            }
            if (said_.complete)
                return {};
        }
    }

    bool takeFrames() {
        while (auto frame = frames_.next()) {
            switch (frame->kind) {
            case io::FrameKind::Progress:
                if (const auto p = io::parseProgress(*frame); p && progress_.report)
                    progress_.report(0.9 * p->fraction, p->stage);
                break;
            case io::FrameKind::Note: {
                auto note = io::parseNote(*frame);
                if (!note)
                    return false;
                said_.notes.push_back(
                    {std::move(note->code), std::move(note->where), std::move(note->text), note->count});
                break;
            }
            case io::FrameKind::Scene:
                said_.scene = std::move(frame->payload);
                said_.complete = true;
                break;
            case io::FrameKind::Failure:
                said_.failure = std::string(frame->text());
                said_.complete = true;
                break;
            }
        }
        return true;
    }

    std::string reasonOfDeath(const ImportProcess::End& end) const {
        const int signal = WIFSIGNALED(end.status) ? WTERMSIG(end.status) : 0;
        if (signal == SIGXCPU || (signal == SIGKILL && end.cpuSeconds >= limits_.cpuSeconds))
            return "The importer was stopped after " + std::to_string(limits_.cpuSeconds) +
                   " seconds of work; the file is damaged or too large.";
        if (signal == SIGKILL)
            return "The importer was ended by the system, perhaps because memory ran out: close other programs and try "
                   "again. Nothing else is affected.";
        if (signal != 0)
            return "The importer crashed on this file, which is probably damaged: export it again, or convert it to "
                   "glTF (.glb). Nothing else is affected.";
        return "The importer ended without an answer (exit code " + std::to_string(WEXITSTATUS(end.status)) + ").";
    }

    Result<io::LoadedFile> takeScene() {
        if (progress_.report)
            progress_.report(0.9, "Checking");
        auto loaded = io::loadGlb(std::move(said_.scene), formatOf(path_));
        if (!loaded) {
            Error error = loaded.error();
            error.where = path_.string() + (error.where.empty() ? "" : ": " + error.where);
            return error;
        }
        loaded->repairs.insert(loaded->repairs.begin(), said_.notes.begin(), said_.notes.end());
        return loaded;
    }

    const fs::path& path_;
    const OpenProgress& progress_;
    const WorkerLimits limits_;
    Clock::time_point deadline_;
    int idleLooks_ = 0; // in a row
    io::FrameReader frames_;
    Conversation said_;
};

} // namespace

Result<io::LoadedFile> importInWorker(const fs::path& path, const OpenProgress& progress, const WorkerLimits& limits) {
    return Client(path, progress, limits).run();
}

} // namespace limber::app
