#include "core/check/joint_marks.h"

namespace limber::check {

namespace {

void markAncestors(const rig::Skeleton& skeleton, std::vector<std::uint8_t>& marks) {
    const std::span<const JointId> order = skeleton.order();
    for (auto j = order.rbegin(); j != order.rend(); ++j)
        if (const JointId parent = skeleton[*j].parent; parent.valid() && marks[j->index()])
            marks[parent.index()] = 1;
}

} // namespace

std::vector<std::uint8_t> skeletal(const document::Document& doc) {
    std::vector<std::uint8_t> marks(doc.skeleton().size(), 0);
    for (std::size_t j = 0; j < marks.size(); ++j)
        marks[j] = doc.skeleton()[JointId(j)].deforms;
    markAncestors(doc.skeleton(), marks);
    return marks;
}

std::vector<std::uint8_t> moving(const document::Document& doc) {
    std::vector<std::uint8_t> marks = skeletal(doc);
    for (std::size_t i = 0; i < doc.instanceCount(); ++i)
        if (!doc.isSkinned(InstanceId(i)))
            marks[doc.instance(InstanceId(i)).node.index()] = 1;
    markAncestors(doc.skeleton(), marks);
    return marks;
}

rig::Affine fileLocal(const document::Document& doc, JointId joint) {
    return doc.skeleton()[joint].bindLocal * doc.state().filePose[joint.index()];
}

} // namespace limber::check
