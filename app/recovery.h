// What a window that ended without a goodbye has left: a journal of edits that were not saved.
#pragma once

#include "app/file_lock.h"
#include "app/file_stamp.h"
#include "app/open_file.h"
#include "core/history/replay.h"

#include <QDateTime>
#include <QString>

#include <optional>

namespace limber::app {

struct Recoverable {
    std::filesystem::path journal;
    history::JournalSummary summary;
    QDateTime lastChange;
    std::shared_ptr<QLockFile> lock; // while it lives, no other window offers the same

    [[nodiscard]] std::filesystem::path file() const { return summary.header.path; } // empty: the mannequin
};

// A journal of this process in the state folder, and its lock.
struct OwnJournal {
    std::filesystem::path file;
    std::unique_ptr<QLockFile> lock; // none where the folder cannot be written to
    std::string why = {};            // it cannot
};
[[nodiscard]] OwnJournal makeOwnJournal(const std::filesystem::path& stateFolder);

struct FoundJournals {
    std::vector<Recoverable> journals;
    bool more = false; // the process of another is being killed and not quite gone: look again soon
};
// The journals of processes that are gone, newest first; with `of`, those of that file. Removes those that hold no
// change. Sums the bytes of the journals it returns; of others it reads the start alone.
[[nodiscard]] FoundJournals findRecoverable(const std::filesystem::path& stateFolder,
                                            const std::optional<std::filesystem::path>& of = std::nullopt);
void discard(const Recoverable& journal);

// A file as it is opened: with what tells later whether it was changed, and what was recovered.
struct Opening {
    io::LoadedFile loaded;
    FileStamps stamps;                          // of the file and those it names; empty for the mannequin
    history::JournalHeader header;              // for a journal that begins with this file
    history::History history;                   // recovered
    std::vector<history::JournalEntry> entries; // what of the journal was put back
    std::size_t left = 0;                       // entries that could not be put back
    bool changed = false;                       // the file is not the journal's any more: nothing was put back
};

// Both block; call them from a worker thread in the window. Without a path: the mannequin.
[[nodiscard]] Result<Opening> openStamped(const std::optional<std::filesystem::path>& path,
                                          const OpenProgress& progress);
[[nodiscard]] Result<Opening> openRecovered(const Recoverable& journal, const OpenProgress& progress);

} // namespace limber::app
