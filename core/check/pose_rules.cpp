#include "core/check/poses.h"
#include "core/check/rules.h"
#include "core/check/wording.h"
#include "core/document/intents.h"

#include <algorithm>

namespace limber::check {

namespace {

using document::Document;

// What the file has off its bind pose and the current pose has so too.
std::vector<JointId> offBind(const Document& doc) {
    const std::vector<JointId> file = fileFromBind(doc).joints, current = currentFromBind(doc).joints;
    std::vector<JointId> both;
    std::set_intersection(file.begin(), file.end(), current.begin(), current.end(), std::back_inserter(both));
    return both;
}

} // namespace

// A joint that the user has put at bind, or out of a bind that the file kept, is no fault of the file.
Findings findPoseOffBind(const Document& doc, const Options&) {
    std::vector<JointId> joints = offBind(doc);
    if (joints.empty())
        return {};
    Finding f;
    f.severity = Severity::Info;
    f.where = placeOf(doc, joints);
    f.count = joints.size();
    const bool untouched = currentFromFile(doc).joints.empty();
    f.text =
        "The file's pose is not the bind pose: " + described(doc, fileFromBind(doc)) +
        ". The file pose is where its nodes stand, the bind pose where the skin was attached; the current pose is " +
        (untouched ? "the file's" : "neither throughout") +
        ". Programs that bind to the nodes, not to the skin, deform the mesh; put the joints at bind where that "
        "is meant to be the rest.";
    f.fix = "Put joints at bind";
    f.joints = std::move(joints);
    return {f};
}

document::Edit fixPoseOffBind(const Document& doc, const Finding&, Notes&) {
    return document::resetPose(doc, offBind(doc), document::PoseTarget::Bind);
}

} // namespace limber::check
