#include "core/io/joint_names.h"

#include <algorithm>
#include <charconv>

namespace limber::io {

std::vector<JointId> skinJoints(const document::DocumentState& state) {
    std::vector<JointId> joints;
    for (std::size_t j = 0; j < state.skeleton.size(); ++j)
        if (state.skeleton[JointId(j)].deforms)
            joints.emplace_back(j);
    return joints;
}

JointNames::JointNames(const document::DocumentState& state) : state_(state), joints_(skinJoints(state)) {
    for (const JointId j : joints_)
        byName_.emplace(state.skeleton[j].name, j);
}

std::string JointNames::nameOf(JointId joint) const {
    const std::string& name = state_.skeleton[joint].name;
    if (!name.empty() && byName_.count(name) == 1)
        return name;
    return "#" + std::to_string(std::lower_bound(joints_.begin(), joints_.end(), joint) - joints_.begin());
}

Result<JointId> JointNames::find(const std::string& name) const {
    if (const auto n = byName_.count(name); n == 1)
        return byName_.find(name)->second;
    else if (n > 1)
        return Error{ErrorCode::Usage,
                     "Several joints have this name; name the joint by its number instead, such as \"#12\".", name};
    std::size_t place = 0;
    const char* end = name.data() + name.size();
    if (name.size() > 1 && name[0] == '#')
        if (const auto [at, wrong] = std::from_chars(name.data() + 1, end, place);
            wrong == std::errc() && at == end && place < joints_.size())
            return joints_[place];
    return Error{ErrorCode::Usage, "The file has no joint of this name.", name};
}

} // namespace limber::io
