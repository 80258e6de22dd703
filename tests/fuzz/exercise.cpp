#include "tests/fuzz/exercise.h"

#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/io/gltf_tree.h"
#include "tests/support/scatter.h"

#include <algorithm>

namespace limber::fuzz {

namespace {

using document::Document;
using document::DocumentState;

void play(DocumentState state) {
    constexpr std::size_t kClips = 2;
    const rig::Pose base = state.pose;
    for (std::size_t c = 0; c < std::min(kClips, state.clips.size()); ++c) {
        const rig::Clip& clip = state.clips[c];
        for (const double time : {-1.0, clip.duration / 3, clip.duration + 1}) {
            rig::sampleClip(clip, time, state.skeleton, base, state.pose);
            for (const rig::Channel& channel : clip.channels)
                if (channel.path == rig::Channel::Path::Weights)
                    static_cast<void>(rig::sampleChannel(channel, time));
        }
    }
    look(state);
    // What the file itself may not ask for.
    for (const skin::Method method : {skin::Method::DualQuaternion, skin::Method::Spherical}) {
        for (document::MeshData& mesh : state.meshes)
            mesh.skinning = {method, {method == skin::Method::Spherical, 2, 0.5}};
        look(state);
    }
}

void turnLastJoint(Document& doc) {
    if (doc.skeleton().size() == 0)
        return;
    const JointId joint(doc.skeleton().size() - 1);
    const rig::Affine turned = doc.state().pose[joint.index()] * Eigen::AngleAxisd(0.5, Eigen::Vector3d(0.6, 0, 0.8));
    doc.apply(document::setUserLocal(doc, joint, turned, "turn"));
}

void paintFirstRow(Document& doc, const document::Instance& instance) {
    const skin::SkinWeights& weights = doc.mesh(instance.mesh).weights;
    if (!instance.skin.valid() || weights.empty())
        return;
    document::WeightsPatch patch;
    patch.mesh = instance.mesh;
    patch.vertices = {0};
    for (skin::SkinWeights* row : {&patch.before, &patch.after})
        row->appendRow();
    patch.before.setRow(0, weights.row(0));
    patch.after.setRow(0, skin::Row{{0, 1.0f}});
    doc.apply({"paint", {std::move(patch)}});
}

void addShape(Document& doc, const document::Instance& instance) {
    document::ShapePatch patch;
    patch.mesh = instance.mesh;
    patch.index = doc.mesh(patch.mesh).shapes.size();
    patch.shape.id = ShapeId(doc.mesh(patch.mesh).nextShapeId);
    patch.shape.name = "added";
    patch.shape.vertices = {0};
    patch.shape.deltas = {{0.5f, 0, 0}};
    for (const document::Instance& other : doc.state().instances)
        if (other.mesh == patch.mesh)
            patch.instanceWeights.push_back(0.5);
    doc.apply({"sculpt", {std::move(patch)}});
}

void edit(Document& doc) {
    turnLastJoint(doc);
    const std::vector<document::Instance> instances = doc.state().instances;
    for (const document::Instance& instance : instances) {
        if (doc.mesh(instance.mesh).geometry.vertexCount() == 0)
            continue;
        paintFirstRow(doc, instance);
        addShape(doc, instance);
        break;
    }
}

std::size_t shapesOf(const DocumentState& state) {
    std::size_t shapes = 0;
    for (const document::MeshData& mesh : state.meshes)
        shapes += mesh.shapes.size();
    return shapes;
}

std::string reasonless(const Error& error, const char* what) {
    return error.text.empty() ? std::string(what) + " failed without a reason" : "";
}

std::string saveUnedited(const io::LoadedFile& file, const Document& doc) {
    const auto saved = io::writeGltf(*file.source, doc, io::Container::Glb);
    if (!saved)
        return reasonless(saved.error(), "Saving");
    if (file.source->container.glb && file.repairs.empty() && saved->bytes != file.source->original)
        return "An unedited .glb was not saved as it was";
    const auto again = io::loadGlb(saved->bytes, "");
    if (!again)
        return "The unedited save cannot be read: " + again.error().message();
    if (Document(again->state).hash() != doc.hash())
        return "The unedited save reads to something else";
    const auto text = io::writeGltf(*file.source, doc, io::Container::Gltf);
    return text ? "" : reasonless(text.error(), "Saving as .gltf");
}

// Whatever the order of the meshes in memory, the file keeps its own.
std::string saveScattered(const io::GltfSource& source, const Document& doc) {
    test::Random random;
    const auto saved = io::writeGltf(source, doc, io::Container::Glb);
    const auto moved = io::writeGltf(source, Document(test::scattered(doc.state(), random)), io::Container::Glb);
    return saved && moved && saved->bytes == moved->bytes ? "" : "The save depends on the order in memory";
}

} // namespace

void look(const DocumentState& state) {
    const Document doc(state);
    const document::Preview preview;
    document::Evaluator evaluator(doc, preview);
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        static_cast<void>(evaluator.positions(InstanceId(i)));
        static_cast<void>(evaluator.normals(InstanceId(i)));
        static_cast<void>(evaluator.rayCaster(InstanceId(i)));
    }
    static_cast<void>(evaluator.bounds());
    static_cast<void>(evaluator.bindDiagonal());
}

std::string saveAndRead(const io::GltfSource& source, const Document& doc) {
    const auto text = io::writeGltf(source, doc, io::Container::Gltf);
    const auto saved = io::writeGltf(source, doc, io::Container::Glb);
    if (!saved || !text)
        return reasonless(saved ? text.error() : saved.error(), "Saving the edits");
    const auto again = io::loadGlb(saved->bytes, "");
    if (!again)
        return "The edited save cannot be read: " + again.error().message();
    // Shear takes nodes of its own.
    if (again->state.skeleton.size() < doc.skeleton().size() ||
        again->state.meshes.size() != doc.state().meshes.size() || shapesOf(again->state) != shapesOf(doc.state()))
        return "The edited save lost a joint, a mesh or a shape";
    return "";
}

std::string exercise(const io::LoadedFile& file) {
    for (const io::Repair& repair : file.repairs)
        if (repair.text.empty())
            return "A repair without a text";
    look(file.state);
    play(file.state);
    Document doc(file.state);
    const std::string wrong = saveUnedited(file, doc);
    if (!wrong.empty())
        return wrong;
    edit(doc);
    const std::string lost = saveAndRead(*file.source, doc);
    return lost.empty() ? saveScattered(*file.source, doc) : lost;
}

} // namespace limber::fuzz
