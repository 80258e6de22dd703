// The selected joints, in the order they were picked; the last is the active one.
#pragma once

#include "core/base/ids.h"

#include <vector>

namespace limber::document {

class Selection {
public:
    [[nodiscard]] const std::vector<JointId>& joints() const { return joints_; }
    [[nodiscard]] bool empty() const { return joints_.empty(); }
    [[nodiscard]] bool contains(JointId j) const;
    [[nodiscard]] JointId active() const { return joints_.empty() ? JointId{} : joints_.back(); }

    void clear() { joints_.clear(); }
    void set(JointId j) { joints_.assign(1, j); }
    void set(std::vector<JointId> joints) { joints_ = std::move(joints); } // the last becomes active
    void toggle(JointId j);                                                // adds as active, or removes
    friend bool operator==(const Selection&, const Selection&) = default;

private:
    std::vector<JointId> joints_;
};

} // namespace limber::document
