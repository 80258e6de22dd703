#include "core/history/history.h"

#include <cassert>
#include <utility>

namespace limber::history {

document::ChangeSet History::perform(document::Document& doc, document::Edit edit) {
    if (edit.empty())
        return {};
    document::ChangeSet changes = doc.apply(edit);
    record(std::move(edit));
    return changes;
}

void History::record(document::Edit edit) {
    if (!edit.empty())
        record(std::make_shared<const document::Edit>(std::move(edit)));
}

void History::record(document::SharedEdit edit) {
    while (edits_.size() > cursor_) {
        bytes_ -= edits_.back()->bytes();
        edits_.pop_back();
    }
    if (clean_ && *clean_ > cursor_)
        clean_.reset();

    edits_.push_back(std::move(edit));
    bytes_ += edits_.back()->bytes();
    cursor_ = edits_.size();
    const document::SharedEdit newest = edits_.back();
    trim();
    tell(Step::Kind::Edit, newest);
}

void History::recordUndone(document::SharedEdit edit) {
    assert(cursor_ == 0);
    bytes_ += edit->bytes();
    edits_.push_front(std::move(edit));
    if (clean_)
        ++*clean_;
}

// Only what is done goes from the front: what could be redone follows on it.
void History::trim() {
    while (bytes_ > budget_ && edits_.size() > 1 && cursor_ > 0) {
        bytes_ -= edits_.front()->bytes();
        edits_.pop_front();
        --cursor_;
        if (clean_ && *clean_ == 0)
            clean_.reset();
        else if (clean_)
            --*clean_;
    }
}

document::ChangeSet History::undo(document::Document& doc) {
    if (!canUndo())
        return {};
    const document::SharedEdit edit = edits_[--cursor_];
    document::ChangeSet changes = doc.revert(*edit);
    tell(Step::Kind::Undo, edit);
    return changes;
}

document::ChangeSet History::redo(document::Document& doc) {
    if (!canRedo())
        return {};
    const document::SharedEdit edit = edits_[cursor_++];
    document::ChangeSet changes = doc.apply(*edit);
    tell(Step::Kind::Redo, edit);
    return changes;
}

void History::setBudget(std::size_t bytes) {
    budget_ = bytes;
    trim();
}

void History::clear() {
    edits_.clear();
    cursor_ = 0;
    clean_ = 0;
    bytes_ = 0;
}

void History::takeSteps(History other) {
    edits_ = std::move(other.edits_);
    cursor_ = other.cursor_;
    clean_ = other.clean_;
    bytes_ = other.bytes_;
    trim();
}

} // namespace limber::history
