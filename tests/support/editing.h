// A document as the editor holds it: with a preview, an evaluator that follows every change, and a history.
#pragma once

#include "core/document/evaluator.h"
#include "core/history/history.h"

namespace limber::test {

struct Editing {
    document::Document doc;
    document::Preview preview;
    document::Evaluator evaluator{doc, preview};
    history::History history;

    explicit Editing(document::DocumentState state) : doc(std::move(state)) {}

    void follow(const document::ChangeSet& changes) { evaluator.invalidate(changes); }
    void perform(document::Edit edit) { follow(history.perform(doc, std::move(edit))); }
    // What a tool does at release.
    void commit(const std::string& label) {
        document::Edit edit = preview.toEdit(doc, label);
        follow(preview.clear());
        perform(std::move(edit));
    }
    void undo() { follow(history.undo(doc)); }
    void redo() { follow(history.redo(doc)); }

    [[nodiscard]] std::vector<Eigen::Vector3f> positions(InstanceId i) {
        const auto p = evaluator.positions(i);
        return {p.begin(), p.end()};
    }
    // By an evaluator that has seen nothing of what happened before.
    [[nodiscard]] std::vector<Eigen::Vector3f> freshPositions(InstanceId i) const {
        document::Evaluator fresh(doc, preview);
        const auto p = fresh.positions(i);
        return {p.begin(), p.end()};
    }
};

inline float largestDistance(const std::vector<Eigen::Vector3f>& a, const std::vector<Eigen::Vector3f>& b) {
    float largest = a.size() == b.size() ? 0 : 1e30f;
    for (std::size_t k = 0; k < a.size() && k < b.size(); ++k)
        largest = std::max(largest, (a[k] - b[k]).norm());
    return largest;
}

} // namespace limber::test
