#include "core/check/names.h"
#include "core/check/rules.h"
#include "core/check/wording.h"

#include <algorithm>
#include <map>

namespace limber::check {

namespace {

using document::Document;

std::vector<JointId> namelessJoints(const Document& doc) {
    std::vector<JointId> joints;
    for (std::size_t j = 0; j < doc.skeleton().size(); ++j)
        if (const rig::Joint& joint = doc.skeleton()[JointId(j)]; joint.deforms && joint.name.empty())
            joints.emplace_back(j);
    return joints;
}

// Nodes that share a name, a joint among them; by name.
std::map<std::string, std::vector<JointId>> sharedNames(const Document& doc) {
    std::map<std::string, std::vector<JointId>> nodes;
    for (std::size_t j = 0; j < doc.skeleton().size(); ++j)
        if (const std::string& name = doc.skeleton()[JointId(j)].name; !name.empty())
            nodes[name].emplace_back(j);
    std::erase_if(nodes, [&](const auto& entry) {
        const std::vector<JointId>& same = entry.second;
        return same.size() < 2 ||
               std::none_of(same.begin(), same.end(), [&](JointId j) { return doc.skeleton()[j].deforms; });
    });
    return nodes;
}

std::set<std::string> allNames(const Document& doc) {
    std::set<std::string> names;
    for (const rig::Joint& joint : doc.skeleton().joints())
        names.insert(joint.name);
    return names;
}

} // namespace

Findings findMissingNames(const Document& doc, const Options&) {
    std::vector<JointId> joints = namelessJoints(doc);
    if (joints.empty())
        return {};
    Finding f;
    f.where = placeOf(doc, joints);
    f.count = joints.size();
    f.text = counted(f.count, "joint has", "joints have") +
             " no name: clips and poses cannot be carried over to other skeletons, and every program makes up its own. "
             "Name them.";
    f.fix = "Name joints";
    f.joints = std::move(joints);
    return {f};
}

document::Edit fixMissingNames(const Document& doc, const Finding&, Notes&) {
    document::Edit edit;
    FreeNames names(allNames(doc));
    for (const JointId j : namelessJoints(doc))
        edit.patches.emplace_back(document::JointNamePatch{j, "", names.take("joint_" + std::to_string(j.index()))});
    return edit;
}

Findings findDuplicateNames(const Document& doc, const Options&) {
    const auto shared = sharedNames(doc);
    if (shared.empty())
        return {};
    Finding f;
    f.count = 0;
    for (const auto& [name, joints] : shared) {
        f.count += joints.size();
        f.joints.insert(f.joints.end(), joints.begin(), joints.end());
    }
    f.where = placeOf(doc, f.joints);
    std::sort(f.joints.begin(), f.joints.end());
    f.text = counted(shared.size(), "name is", "names are") + " shared by " + counted(f.count, "node") +
             ", joints among them. Limber tells them apart; programs that go by names mix them up or rename them. "
             "Give each a name of its own.";
    f.fix = "Make names unique";
    return {f};
}

// The first joint of a skin keeps the name: other files are likelier to mean that one.
document::Edit fixDuplicateNames(const Document& doc, const Finding&, Notes&) {
    document::Edit edit;
    FreeNames names(allNames(doc));
    for (const auto& [name, joints] : sharedNames(doc)) {
        const auto keeps =
            std::find_if(joints.begin(), joints.end(), [&](JointId j) { return doc.skeleton()[j].deforms; });
        for (auto j = joints.begin(); j != joints.end(); ++j)
            if (j != keeps)
                edit.patches.emplace_back(document::JointNamePatch{*j, name, names.take(name)});
    }
    return edit;
}

} // namespace limber::check
