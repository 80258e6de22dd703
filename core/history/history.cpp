#include "core/history/history.h"

namespace limber::history {

document::ChangeSet History::perform(document::Document& doc, document::Edit edit) {
    if (edit.empty())
        return {};
    document::ChangeSet changes = doc.apply(edit);
    record(std::move(edit));
    return changes;
}

void History::record(document::Edit edit) {
    if (edit.empty())
        return;
    while (edits_.size() > cursor_) {
        bytes_ -= edits_.back().bytes();
        edits_.pop_back();
    }
    if (clean_ && *clean_ > cursor_)
        clean_.reset();

    edits_.push_back(std::move(edit));
    bytes_ += edits_.back().bytes();
    cursor_ = edits_.size();
    while (bytes_ > budget_ && edits_.size() > 1) {
        bytes_ -= edits_.front().bytes();
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
    return doc.revert(edits_[--cursor_]);
}

document::ChangeSet History::redo(document::Document& doc) {
    if (!canRedo())
        return {};
    return doc.apply(edits_[cursor_++]);
}

void History::clear() {
    edits_.clear();
    cursor_ = 0;
    clean_ = 0;
    bytes_ = 0;
}

} // namespace limber::history
