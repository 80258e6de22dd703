#include "core/io/gltf_checks.h"

namespace limber::io {

namespace {

// The weights of a node, or else of its mesh, or else zeros: one for each target.
std::vector<double> shapeWeights(ReadContext& context, std::size_t node, std::size_t mesh) {
    const std::size_t count = context.targetCounts[mesh];
    const Json& nodeJson = context.json["nodes"][node];
    const Json& meshJson = context.json["meshes"][mesh];
    const std::string where = member(nodeJson, "weights") ? place("nodes", node) : place("meshes", mesh);
    auto weights = numbersMember(member(nodeJson, "weights") ? nodeJson : meshJson, "weights", 0, where);
    if (!weights)
        return std::vector<double>(count, 0.0);
    weights->resize(count, 0.0);
    return *weights;
}

} // namespace

void readInstances(ReadContext& context) {
    for (std::size_t n = 0; n < context.nodes.size(); ++n) {
        const NodeFacts& facts = context.nodes[n];
        if (!facts.mesh || !facts.inScene)
            continue;
        const document::MeshData& mesh = context.state.meshes[*facts.mesh];
        document::Instance instance;
        instance.node = JointId(n);
        instance.mesh = MeshId(*facts.mesh);
        instance.name = context.state.skeleton[instance.node].name;
        if (instance.name.empty())
            instance.name = mesh.geometry.name;
        if (facts.skin && !mesh.weights.empty())
            instance.skin = SkinId(*facts.skin);
        else if (facts.skin)
            context.note("NODE_SKIN_WITH_NON_SKINNED_MESH", place("nodes", n),
                         "The node gives a skin to a mesh without weights; the mesh follows the node instead.");
        instance.shapeWeights = shapeWeights(context, n, *facts.mesh);
        context.state.instances.push_back(std::move(instance));
    }
}

document::DocumentState readDocument(const GltfSource& source, std::vector<Repair>& repairs, bool complete) {
    ReadContext context(source, repairs);
    context.complete = complete;
    FaultList faults(repairs);
    if (complete)
        checkStructure(source, faults);
    readNodes(context);
    readMeshes(context, complete);
    readSkeleton(context);
    readInstances(context);
    readLimberExtras(context);
    if (complete) {
        readMaterials(context);
        readClips(context, faults);
        checkRange(context);
        checkData(context, faults);
        checkMeshes(context, faults);
    }
    return std::move(context.state);
}

} // namespace limber::io
