#include "core/document/selection.h"

#include <algorithm>

namespace limber::document {

bool Selection::contains(JointId j) const {
    return std::find(joints_.begin(), joints_.end(), j) != joints_.end();
}

void Selection::toggle(JointId j) {
    const auto at = std::find(joints_.begin(), joints_.end(), j);
    if (at == joints_.end())
        joints_.push_back(j);
    else
        joints_.erase(at);
}

} // namespace limber::document
