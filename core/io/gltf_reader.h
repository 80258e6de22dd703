// From a glTF tree to a document, in steps that each read one part. Every step throws a Refusal where the file cannot
// be read without guessing and lists in `repairs` what it mended.
#pragma once

#include "core/io/gltf_accessor.h"

namespace limber::io {

class FaultList; // gltf_faults.h

struct NodeFacts {
    std::optional<std::size_t> mesh, skin;
    bool inScene = false;
};

struct ReadContext {
    ReadContext(const GltfSource& tree, std::vector<Repair>& found)
        : source(tree), json(tree.json()), accessors(tree), repairs(found) {}

    const GltfSource& source;
    const Json& json;
    AccessorReader accessors;
    std::vector<Repair>& repairs;
    document::DocumentState state;

    bool complete = true;      // as asked of readDocument
    rig::Transforms nodeLocal; // N, per node, shear merged (gltf_shear.h)
    std::vector<JointId> parents;
    std::vector<NodeFacts> nodes;
    std::vector<std::optional<std::size_t>> jointLimits; // per mesh, see jointLimit (gltf_influences.h)
    std::vector<std::size_t> targetCounts;               // per mesh: its morph targets

    void note(std::string code, std::string where, std::string text, std::size_t count = 1) {
        repairs.push_back({std::move(code), std::move(where), std::move(text), count});
    }
};

// The whole document. The same tree gives the same document, bit for bit: saving compares with it.
// `complete` false leaves out what an edit cannot change (welds, generated normals, clips, images).
[[nodiscard]] document::DocumentState readDocument(const GltfSource& source, std::vector<Repair>& repairs,
                                                   bool complete = true);

// The steps, in the order they run.
void readNodes(ReadContext& context);
void readMeshes(ReadContext& context, bool complete);
void readSkeleton(ReadContext& context); // skins, bind pose, joints
void readMaterials(ReadContext& context);
void readClips(ReadContext& context, FaultList& faults);
void readInstances(ReadContext& context);
void readLimberExtras(ReadContext& context);

// How far from one the length of a direction and of a rotation may be: 10-bit quantization, as the validator has it.
inline constexpr double kUnitTolerance3 = 0.00674;
inline constexpr double kUnitTolerance4 = 0.00769;

// What no step above looks at, but saving follows: references of buffer views, accessors and scenes.
void checkReferences(ReadContext& context);
// What overflows the floats it is shown and saved in.
struct RangeFault {
    JointId node;
    const char* text;
};
[[nodiscard]] std::optional<RangeFault> rangeFault(const document::DocumentState& state);
void checkRange(const ReadContext& context);

// N of a node, in double from the numbers in the file.
[[nodiscard]] math::Affine readNodeLocal(const Json& node, const std::string& where, std::vector<Repair>* repairs);

// Names of the morph targets of a mesh: "Shape 1" ... where the file has none.
[[nodiscard]] std::vector<std::string> targetNames(const Json& mesh, std::size_t count);

} // namespace limber::io
