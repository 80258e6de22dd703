// Undo and redo: a list of edits with a cursor, a clean mark and a budget in bytes.
#pragma once

#include "core/document/edit.h"

#include <deque>
#include <optional>

namespace limber::history {

class History {
public:
    explicit History(std::size_t budgetBytes = std::size_t(512) << 20) : budget_(budgetBytes) {}

    // Applies the edit and remembers it; what could be redone is forgotten. An empty edit does nothing.
    // The oldest steps go when the budget is exceeded; the newest is always kept.
    document::ChangeSet perform(document::Document& doc, document::Edit edit);

    // Remembers an edit that is already applied.
    void record(document::Edit edit);

    [[nodiscard]] bool canUndo() const { return cursor_ > 0; }
    [[nodiscard]] bool canRedo() const { return cursor_ < edits_.size(); }
    document::ChangeSet undo(document::Document& doc); // nothing where canUndo() is false
    document::ChangeSet redo(document::Document& doc);

    [[nodiscard]] std::size_t size() const { return edits_.size(); }
    [[nodiscard]] std::size_t cursor() const { return cursor_; } // edits before it are done
    [[nodiscard]] const std::string& label(std::size_t step) const { return edits_[step].label; }
    [[nodiscard]] std::string undoLabel() const { return canUndo() ? edits_[cursor_ - 1].label : std::string(); }
    [[nodiscard]] std::string redoLabel() const { return canRedo() ? edits_[cursor_].label : std::string(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    void markClean() { clean_ = cursor_; }
    [[nodiscard]] bool isClean() const { return clean_ == cursor_; }
    void clear();

private:
    std::deque<document::Edit> edits_;
    std::size_t cursor_ = 0;
    std::optional<std::size_t> clean_ = 0; // empty: the saved state can no longer be reached
    std::size_t budget_;
    std::size_t bytes_ = 0;
};

} // namespace limber::history
