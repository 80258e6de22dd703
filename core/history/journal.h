// What is written down of every edit, undo and redo while a document is open, so that a crash loses none of it.
//
// Calls are cheap. A small edit is written at once: it is with the kernel when append() returns, so it outlives the
// process. Large ones are encoded, compressed and written by a thread of the journal, in order; a second thread tells
// the disk to keep what was written. All calls come from one thread.
#pragma once

#include "core/history/journal_format.h"

#include <filesystem>
#include <functional>
#include <memory>

namespace limber::history {

class Journal {
public:
    // `file` is made with the first step and is removed by begin() and end(). `onFailure` is called from another
    // thread, once for each begin() at most: nothing more is written then, and the file ends with the last whole step.
    Journal(std::filesystem::path file, std::function<void(const std::string& why)> onFailure);
    // Finishes what is queued and leaves the file.
    ~Journal();
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    // Starts anew for a file that was just opened or saved; `steps` were made since then. The old file is replaced at
    // once by the new one, or removed where there are no steps. `replaced`, another journal that `steps` come from, is
    // removed when they are safe on the disk.
    void begin(JournalHeader header, std::vector<Step> steps = {}, std::filesystem::path replaced = {});
    // The same with the entries of a journal that was read (as they were read).
    void resume(JournalHeader header, std::vector<JournalEntry> entries, std::filesystem::path replaced);
    void append(const Step& step);
    void end(); // nothing is to be recovered any more

    void flush(); // waits until everything is on the disk

private:
    class Writer;
    [[nodiscard]] JournalEntry toEntry(const Step& step);
    void count(JournalEntry::Kind kind);

    std::unique_ptr<Writer> writer_;
    bool begun_ = false;
    // Where a reader of the journal is: its steps, and those of them that are done.
    std::size_t known_ = 0, cursor_ = 0;
};

} // namespace limber::history
