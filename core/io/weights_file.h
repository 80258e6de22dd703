// W.json: the weights of one mesh as text that other programs and people can read and write.
//   {"limber":"weights", "version":1, "mesh":NAME, "vertices":N, "joints":[NAME], "weights":[[[j,w], ...], ...]}
// One row a vertex, in the file's vertex order; j is a position in "joints", which are named as joint_names.h says.
#pragma once

#include "core/base/result.h"
#include "core/document/edit.h"

#include <string>
#include <string_view>

namespace limber::io {

struct WeightsFile {
    std::string mesh;
    std::vector<std::string> joints;
    skin::SkinWeights rows; // [V] slots are positions in `joints`; weights finite and not negative
};

// InputRefused with the place: not JSON, wrong format or version, missing or superfluous parts, a count that is not
// that of the rows, a joint out of range or twice in a row, a weight that is no number, negative or beyond float.
[[nodiscard]] Result<WeightsFile> readWeights(std::string_view json);

[[nodiscard]] std::string writeWeights(const WeightsFile& file);

// The weights of a mesh that an instance shows with a skin; joints without weight are left out.
[[nodiscard]] WeightsFile weightsOf(const document::DocumentState& state, MeshId mesh);

struct WeightsImport {
    document::Edit edit;        // empty where the mesh has these weights already
    std::size_t normalised = 0; // rows that did not sum to one
    std::size_t unweighted = 0; // rows without weights
    std::size_t appended = 0;   // joints that the skin lacked
};
// The edit that gives the mesh these weights. Joints that its skin lacks are appended. InputRefused: another number of
// vertices, a mesh without weights, a joint that the document does not have. Locks are not looked at.
[[nodiscard]] Result<WeightsImport> importWeights(const document::Document& doc, MeshId mesh, const WeightsFile& file);

} // namespace limber::io
