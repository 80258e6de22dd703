// Undo and redo: a list of edits with a cursor, a clean mark and a budget in bytes.
#pragma once

#include "core/document/edit.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace limber::history {

// What happened to a document, told in order. The edit is the one that was made, taken back or made again; it never
// changes, so that others may keep it.
struct Step {
    enum class Kind { Edit, Undo, Redo };
    Kind kind = Kind::Edit;
    document::SharedEdit edit;
};

class History {
public:
    explicit History(std::size_t budgetBytes = std::size_t(512) << 20) : budget_(budgetBytes) {}

    // Applies the edit and remembers it; what could be redone is forgotten. An empty edit does nothing.
    // The oldest steps go when the budget is exceeded; the newest is always kept.
    document::ChangeSet perform(document::Document& doc, document::Edit edit);

    // Remembers an edit that is already applied.
    void record(document::Edit edit);
    void record(document::SharedEdit edit);
    // Remembers an edit that is already taken back, before all others. Precondition: nothing can be undone.
    void recordUndone(document::SharedEdit edit);

    [[nodiscard]] bool canUndo() const { return cursor_ > 0; }
    [[nodiscard]] bool canRedo() const { return cursor_ < edits_.size(); }
    document::ChangeSet undo(document::Document& doc); // nothing where canUndo() is false
    document::ChangeSet redo(document::Document& doc);

    [[nodiscard]] std::size_t size() const { return edits_.size(); }
    [[nodiscard]] std::size_t cursor() const { return cursor_; } // edits before it are done
    [[nodiscard]] const std::string& label(std::size_t step) const { return edits_[step]->label; }
    [[nodiscard]] std::string undoLabel() const { return canUndo() ? label(cursor_ - 1) : std::string(); }
    [[nodiscard]] std::string redoLabel() const { return canRedo() ? label(cursor_) : std::string(); }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

    void markClean() { clean_ = cursor_; }
    [[nodiscard]] bool isClean() const { return clean_ == cursor_; }
    [[nodiscard]] std::size_t budget() const { return budget_; }
    void setBudget(std::size_t bytes); // drops the oldest of what exceeds it
    void clear();

    // Told of every step at once, after it. One observer; it is not copied with the steps by takeSteps.
    void observe(std::function<void(const Step&)> observer) { observer_ = std::move(observer); }
    // Becomes the other's list, cursor and marks.
    void takeSteps(History other);

private:
    void trim();
    void tell(Step::Kind kind, const document::SharedEdit& edit) const {
        if (observer_)
            observer_({kind, edit});
    }

    std::deque<document::SharedEdit> edits_;
    std::size_t cursor_ = 0;
    std::optional<std::size_t> clean_ = 0; // empty: the saved state can no longer be reached
    std::size_t budget_;
    std::size_t bytes_ = 0;
    std::function<void(const Step&)> observer_;
};

} // namespace limber::history
