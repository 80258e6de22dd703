// The names by which files of poses and weights call joints (pose_file.h, weights_file.h): "arm" where one joint alone
// is called so, else "#12", position 12 in the list of joints that any skin names, in ascending order.
#pragma once

#include "core/base/result.h"
#include "core/document/document.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace limber::io {

// The joints that any skin names, ascending.
[[nodiscard]] std::vector<JointId> skinJoints(const document::DocumentState& state);

class JointNames {
public:
    // Keeps a reference. O(joints).
    explicit JointNames(const document::DocumentState& state);

    [[nodiscard]] const std::vector<JointId>& joints() const { return joints_; }
    [[nodiscard]] std::string nameOf(JointId joint) const; // one of joints()
    // Usage, with the name as the place: no joint is called so, or several are.
    [[nodiscard]] Result<JointId> find(const std::string& name) const;

private:
    const document::DocumentState& state_;
    std::vector<JointId> joints_;
    std::unordered_multimap<std::string, JointId> byName_;
};

} // namespace limber::io
