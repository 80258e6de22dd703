// Which meshes of a document a sculpted OBJ shows.
#pragma once

#include "core/document/evaluator.h"
#include "core/io/obj_file.h"

namespace limber::app {

struct SculptedInstance {
    InstanceId instance;
    std::vector<Eigen::Vector3d> positions; // [V] world space
    std::vector<std::uint32_t> changed;     // vertices that are not where the pose puts them
};

// Objects are matched by order and size where the OBJ holds every instance, else by name and size. Instances that were
// not changed are left out. InputRefused: an object that fits no instance or several; Failed: nothing was changed, or
// two instances of one mesh were.
[[nodiscard]] Result<std::vector<SculptedInstance>>
matchSculpt(const document::Document& doc, document::Evaluator& evaluator, const std::vector<io::ObjObject>& objects);

} // namespace limber::app
