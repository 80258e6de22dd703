// POSE.json: user-local transforms of joints on top of the bind pose (files.md, "Command line").
#pragma once

#include "core/base/result.h"
#include "core/document/document.h"

#include <span>
#include <string>

namespace limber::io {

// Every joint at bind, then the listed transforms, by the names of joint_names.h. InputRefused: not JSON, wrong format
// or version, numbers missing or beyond float; Usage: a joint that the document does not have, or a name that several
// have.
[[nodiscard]] Result<rig::Pose> readPose(std::string_view json, const document::DocumentState& state);

// The present pose of all joints that are not at bind, by the names of joint_names.h.
[[nodiscard]] std::string writePose(const document::DocumentState& state);

} // namespace limber::io
