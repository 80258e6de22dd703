#include "core/history/journal.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace limber::history {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t kSmallEdit = std::size_t(1) << 19; // bytes; encoded and written in under a millisecond
constexpr auto kSyncPause = 300ms;                       // between two fsync

// Written without a buffer of ours: what write() returned from outlives the process.
class OutFile {
public:
    explicit OutFile(const fs::path& path) : file_(openNew(path)) {
        if (file_)
            std::setvbuf(file_, nullptr, _IONBF, 0);
    }
    ~OutFile() {
        if (file_)
            std::fclose(file_);
    }
    OutFile(const OutFile&) = delete;
    OutFile& operator=(const OutFile&) = delete;

    [[nodiscard]] bool isOpen() const { return file_ != nullptr; }
    [[nodiscard]] bool write(std::span<const std::byte> bytes) {
        return std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size();
    }
    [[nodiscard]] bool sync() {
#if defined(__unix__) || defined(__APPLE__)
        return ::fsync(::fileno(file_)) == 0;
#else
        return std::fflush(file_) == 0;
#endif
    }

private:
    // For the user alone: edits are nobody else's business.
    static std::FILE* openNew(const fs::path& path) {
#if defined(__unix__) || defined(__APPLE__)
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
        std::FILE* const stream = file < 0 ? nullptr : ::fdopen(file, "wb");
        if (file >= 0 && !stream)
            ::close(file);
        return stream;
#else
        return std::fopen(path.string().c_str(), "wb");
#endif
    }

    std::FILE* file_;
};

std::string reason(int number = errno) {
    switch (number) {
    case ENOSPC:
        return "The disk is full.";
    case EACCES:
    case EPERM:
        return "You are not allowed to write there.";
    case EROFS:
        return "The disk is read-only.";
    default:
        return std::generic_category().message(number) + ".";
    }
}

struct Task {
    enum class Kind { Begin, Append, End };
    Kind kind = Kind::Append;
    JournalHeader header;
    std::vector<JournalEntry> entries;
    bool fromJournal = false; // they name vertices as the file does already
    fs::path replaced;
};

} // namespace

class Journal::Writer {
public:
    Writer(fs::path path, std::function<void(const std::string&)> onFailure)
        : path_(std::move(path)), onFailure_(std::move(onFailure)), thread_([this] { work(); }),
          syncThread_([this] { keepSynced(); }) {}

    ~Writer() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        changed_.notify_all();
        thread_.join();
        syncThread_.join();
    }

    // Of one thread alone. Waking another takes longer on a busy machine than writing a small edit does, so such a task
    // is done at once where nothing is before it.
    void add(Task task, bool small) {
        {
            const std::lock_guard lock(mutex_);
            if (!small || added_ != done_) {
                queue_.push_back(std::move(task));
                ++added_;
                changed_.notify_all();
                return;
            }
        }
        handle(task);
    }

    void flush() {
        std::shared_ptr<OutFile> file;
        {
            std::unique_lock lock(mutex_);
            written_.wait(lock, [this] { return done_ == added_; });
            file = file_;
        }
        if (file && !file->sync())
            fail(reason());
    }

private:
    void work() {
        std::unique_lock lock(mutex_);
        while (true) {
            changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
            if (queue_.empty())
                return;
            const Task task = std::move(queue_.front());
            queue_.pop_front();
            lock.unlock();
            handle(task);
            lock.lock();
            ++done_;
            written_.notify_all();
        }
    }

    // Errors of memory end the journal like those of the disk.
    void handle(const Task& task) {
        try {
            switch (task.kind) {
            case Task::Kind::Begin:
                return begin(task);
            case Task::Kind::Append:
                return append(task);
            case Task::Kind::End:
                return remove();
            }
        } catch (const std::exception& e) {
            fail(e.what());
        }
    }

    void begin(const Task& task) {
        failed_ = told_ = false;
        header_ = task.header;
        if (task.entries.empty())
            return remove();
        if (!create(task))
            return remove(); // it tells of another file
        if (task.replaced.empty())
            return;
        std::error_code unused;
        if (file_->sync())
            fs::remove(task.replaced, unused);
        else
            fail(reason());
    }

    // Whole under another name before it takes the old one's place.
    bool create(const Task& task) {
        const fs::path fresh = fs::path(path_).concat(".new");
        std::error_code error;
        if (write(fresh, task))
            return true;
        fs::remove(fresh, error);
        return false;
    }

    bool write(const fs::path& fresh, const Task& task) {
        std::error_code error;
        fs::create_directories(path_.parent_path(), error);
        if (error)
            return fail(reason(error.value()));
        const auto file = std::make_shared<OutFile>(fresh);
        if (!file->isOpen() || !file->write(encodeHeader(header_)))
            return fail(reason());
        number_ = 0;
        if (!write(*file, task))
            return false;
        fs::rename(fresh, path_, error);
        if (error)
            return fail(reason(error.value()));
        keep(file);
        return true;
    }

    void append(const Task& task) {
        if (failed_)
            return;
        if (!file_) {
            create(task);
        } else if (write(*file_, task)) {
            const std::lock_guard lock(mutex_);
            unsynced_ = true;
            changed_.notify_all();
        }
    }

    bool write(OutFile& file, const Task& task) {
        for (JournalEntry entry : task.entries) {
            if (entry.edit && !task.fromJournal)
                entry.edit = document::withFileVertices(std::move(entry.edit), header_.orders);
            const auto bytes = encodeEntry(entry, number_);
            if (!bytes)
                return fail(bytes.error().text);
            if (!file.write(*bytes))
                return fail(reason());
            ++number_;
        }
        return true;
    }

    void remove() {
        keep(nullptr);
        std::error_code unused;
        fs::remove(path_, unused);
    }

    bool fail(const std::string& why) {
        failed_ = true;
        if (!told_.exchange(true) && onFailure_)
            onFailure_(why);
        return false;
    }

    void keep(std::shared_ptr<OutFile> file) {
        const std::lock_guard lock(mutex_);
        file_ = std::move(file);
        unsynced_ = file_ != nullptr;
        changed_.notify_all();
    }

    void keepSynced() {
        std::unique_lock lock(mutex_);
        while (!stopping_) {
            changed_.wait(lock, [this] { return stopping_ || unsynced_; });
            if (std::exchange(unsynced_, false) && file_) {
                const std::shared_ptr<OutFile> file = file_;
                lock.unlock();
                const bool kept = file->sync();
                const std::string why = kept ? std::string() : reason();
                lock.lock();
                if (!kept && file == file_) { // one that was replaced meanwhile is nobody's loss
                    lock.unlock();
                    fail(why);
                    lock.lock();
                }
            }
            changed_.wait_for(lock, kSyncPause, [this] { return stopping_; });
        }
    }

    const fs::path path_;
    const std::function<void(const std::string&)> onFailure_;

    // Of the thread that handles a task: one at a time does.
    JournalHeader header_;
    std::uint32_t number_ = 0;

    std::mutex mutex_;
    std::condition_variable changed_, written_;
    std::deque<Task> queue_;
    std::uint64_t added_ = 0, done_ = 0;
    std::shared_ptr<OutFile> file_; // changed by the thread that handles a task
    bool unsynced_ = false, stopping_ = false;
    std::atomic<bool> failed_ = false, told_ = false;
    std::thread thread_, syncThread_;
};

Journal::Journal(fs::path file, std::function<void(const std::string& why)> onFailure)
    : writer_(std::make_unique<Writer>(std::move(file), std::move(onFailure))) {}

Journal::~Journal() = default;

void Journal::begin(JournalHeader header, std::vector<Step> steps, fs::path replaced) {
    known_ = cursor_ = 0;
    begun_ = true;
    std::vector<JournalEntry> entries;
    for (const Step& step : steps)
        entries.push_back(toEntry(step));
    writer_->add({Task::Kind::Begin, std::move(header), std::move(entries), false, std::move(replaced)}, false);
}

void Journal::resume(JournalHeader header, std::vector<JournalEntry> entries, fs::path replaced) {
    known_ = cursor_ = 0;
    begun_ = true;
    for (const JournalEntry& entry : entries)
        count(entry.kind);
    writer_->add({Task::Kind::Begin, std::move(header), std::move(entries), true, std::move(replaced)}, false);
}

void Journal::append(const Step& step) {
    if (!begun_)
        return;
    const bool small = step.edit->bytes() < kSmallEdit;
    writer_->add({Task::Kind::Append, {}, {toEntry(step)}, false, {}}, small);
}

void Journal::end() {
    begun_ = false;
    writer_->add({Task::Kind::End, {}, {}, false, {}}, false);
}

void Journal::flush() {
    writer_->flush();
}

// A step from before the journal is not known to its reader.
JournalEntry Journal::toEntry(const Step& step) {
    using Kind = JournalEntry::Kind;
    JournalEntry entry{Kind::Edit, step.edit};
    if (step.kind == Step::Kind::Undo)
        entry = cursor_ > 0 ? JournalEntry{Kind::Undo, nullptr} : JournalEntry{Kind::UndoOlder, step.edit};
    else if (step.kind == Step::Kind::Redo && cursor_ < known_)
        entry = {Kind::Redo, nullptr};
    count(entry.kind);
    return entry;
}

void Journal::count(JournalEntry::Kind kind) {
    switch (kind) {
    case JournalEntry::Kind::Edit:
        known_ = ++cursor_;
        break;
    case JournalEntry::Kind::Undo:
        --cursor_;
        break;
    case JournalEntry::Kind::Redo:
        ++cursor_;
        break;
    case JournalEntry::Kind::UndoOlder:
        ++known_;
        break;
    }
}

} // namespace limber::history
