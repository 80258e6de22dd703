#include "tests/support/saved_check.h"

#include "core/io/gltf_limber_extras.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace limber::test {

namespace {

using document::Document;
using document::DocumentState;
using document::MeshData;

constexpr float kByte = 1 / 255.0f; // the coarsest step that weights are rounded to

bool sameRow(std::span<const skin::Influence> a, std::span<const skin::Influence> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool sameRows(const skin::SkinWeights& a, const skin::SkinWeights& b, float tolerance) {
    if (a.vertexCount() != b.vertexCount())
        return false;
    for (std::size_t v = 0; v < a.vertexCount(); ++v) {
        if (a.row(v).empty())
            continue; // a file cannot say so
        for (const skin::Influence& i : a.row(v))
            if (std::abs(i.weight - b.weight(v, i.slot)) > tolerance)
                return false;
        for (const skin::Influence& i : b.row(v))
            if (std::abs(i.weight - a.weight(v, i.slot)) > tolerance)
                return false;
    }
    return true;
}

// Of the offsets that are not zero: a file has zeros for all the others.
bool sameOffsets(const shape::Shape& a, const shape::Shape& b, std::size_t vertices, float tolerance) {
    for (std::uint32_t v = 0; v < vertices; ++v)
        if ((a.delta(v) - b.delta(v)).norm() > tolerance * (1 + a.delta(v).norm()))
            return false;
    return true;
}

bool sameShapeList(const MeshData& a, const MeshData& b) {
    return std::equal(a.shapes.begin(), a.shapes.end(), b.shapes.begin(), b.shapes.end(),
                      [](const auto& x, const auto& y) { return x.id == y.id; });
}

// Limber's own state of a mesh, its shapes' names included.
bool sameState(const MeshData& a, const MeshData& b) {
    if (!sameShapeList(a, b) || io::meshExtras(a) != io::meshExtras(b))
        return false;
    for (std::size_t s = 0; s < a.shapes.size(); ++s)
        if (a.shapes[s].name != b.shapes[s].name)
            return false;
    return true;
}

bool sameTargets(const MeshData& a, const MeshData& b) {
    if (!sameShapeList(a, b))
        return false;
    for (std::size_t s = 0; s < a.shapes.size(); ++s)
        if (a.shapes[s].vertices != b.shapes[s].vertices || a.shapes[s].deltas != b.shapes[s].deltas ||
            a.shapes[s].normalDeltas != b.shapes[s].normalDeltas)
            return false;
    return true;
}

double diagonal(const DocumentState& state) {
    const Document doc(state);
    const document::Preview nothing;
    document::Evaluator evaluator(doc, nothing);
    return evaluator.bounds().isEmpty() ? 1 : evaluator.bounds().diagonal().norm();
}

bool anyIntegerRounding(const DocumentState& doc, const DocumentState& back) {
    for (std::size_t m = 0; m < doc.meshes.size(); ++m)
        if (!sameRows(doc.meshes[m].weights, back.meshes[m].weights, 1e-5f))
            return true;
    return false;
}

// What the weights of a clip are once the shapes of its mesh are those of `doc`; empty where it does not hold shapes.
std::vector<float> mappedValues(const rig::Channel& channel, const DocumentState& source, const DocumentState& doc) {
    for (std::size_t i = 0; i < doc.instances.size(); ++i) {
        const auto &before = source.meshes[doc.instances[i].mesh.index()],
                   &after = doc.meshes[doc.instances[i].mesh.index()];
        if (doc.instances[i].node != channel.joint || before.shapes.size() != channel.width)
            continue;
        std::vector<float> values;
        for (std::size_t row = 0; row < channel.values.size(); row += channel.width)
            for (const shape::Shape& s : after.shapes) {
                const std::size_t column = before.shapeIndex(s.id);
                values.push_back(column < channel.width ? channel.values[row + column] : 0.0f);
            }
        return values;
    }
    return channel.values;
}

// A file cannot say that a vertex has no weights: it gets a joint there, and delta mush would take its neighbours
// along. `state` without the mush of those meshes that have such vertices in `doc`.
DocumentState withoutSpreading(DocumentState state, const DocumentState& doc) {
    for (std::size_t m = 0; m < doc.meshes.size(); ++m) {
        const skin::SkinWeights& weights = doc.meshes[m].weights;
        for (std::size_t v = 0; v < weights.vertexCount() && state.meshes[m].skinning.mush.on; ++v)
            state.meshes[m].skinning.mush.on = !weights.row(v).empty();
    }
    return state;
}

} // namespace

Touched::Touched(const DocumentState& before, const DocumentState& after) {
    for (std::size_t j = 0; j < after.skeleton.size(); ++j) {
        if (!math::identical(before.pose[j], after.pose[j]))
            posed.insert(j);
        if (before.skeleton[JointId(j)].name != after.skeleton[JointId(j)].name)
            named.insert(j);
        if (before.locked[j] != after.locked[j])
            nodeExtras.insert(j);
    }
    for (std::size_t m = 0; m < after.meshes.size(); ++m) {
        const MeshData &a = before.meshes[m], &b = after.meshes[m];
        const bool asked = a.writesRepairs != b.writesRepairs;
        bool rows = asked && !b.repairedRows.empty();
        for (std::size_t v = 0; v < b.weights.vertexCount() && !rows; ++v)
            rows = !sameRow(a.weights.row(v), b.weights.row(v));
        if (rows)
            weights.insert(m);
        if (a.geometry.normals != b.geometry.normals || (asked && !b.repairedNormals.empty()))
            normals.insert(m);
        if (a.paintedMaps != b.paintedMaps)
            maps.insert(m);
        if (!sameTargets(a, b))
            targets.insert(m);
        if (!sameShapeList(a, b))
            columns.insert(m);
        if (!sameState(a, b))
            meshState.insert(m);
    }
    for (std::size_t i = 0; i < after.instances.size(); ++i)
        if (before.instances[i].shapeWeights != after.instances[i].shapeWeights)
            meshState.insert(after.instances[i].mesh.index());
    for (std::size_t s = 0; s < after.skins.size(); ++s)
        if (before.skins[s].joints.size() != after.skins[s].joints.size())
            skins.insert(s);
    anyPose = !posed.empty();
}

std::string lostInFile(const DocumentState& a, const DocumentState& b) {
    if (a.pose.size() > b.pose.size())
        return "joints";
    for (std::size_t j = 0; j < a.pose.size(); ++j) {
        const double size = std::max(1.0, a.pose[j].matrix().cwiseAbs().maxCoeff());
        if (math::distance(a.pose[j], b.pose[j]) > 1e-4 * size)
            return "the pose of joint " + std::to_string(j) + ", by " +
                   std::to_string(math::distance(a.pose[j], b.pose[j]));
        if (a.locked[j] != b.locked[j])
            return "the lock of joint " + std::to_string(j);
        if (a.skeleton[JointId(j)].name != b.skeleton[JointId(j)].name)
            return "the name of joint " + std::to_string(j);
    }
    for (std::size_t m = 0; m < a.meshes.size(); ++m) {
        const MeshData &x = a.meshes[m], &y = b.meshes[m];
        if (!sameRows(x.weights, y.weights, kByte))
            return "weights of mesh " + std::to_string(m);
        for (std::size_t v = 0; v < x.geometry.vertexCount(); ++v)
            if ((x.geometry.normals[v] - y.geometry.normals[v]).norm() > 1e-5f)
                return "normals of mesh " + std::to_string(m);
        if (x.skinning != y.skinning)
            return "the method of mesh " + std::to_string(m);
        if (x.paintedMaps != y.paintedMaps)
            return "a painted map of mesh " + std::to_string(m);
        if (x.shapes.size() != y.shapes.size() || x.drivers.size() != y.drivers.size())
            return "the number of shapes or drivers of mesh " + std::to_string(m);
        for (std::size_t s = 0; s < x.shapes.size(); ++s)
            if (x.shapes[s].name != y.shapes[s].name || x.shapes[s].muted != y.shapes[s].muted ||
                !sameOffsets(x.shapes[s], y.shapes[s], x.geometry.vertexCount(), 1e-6f))
                return "shape " + std::to_string(s) + " of mesh " + std::to_string(m);
    }
    for (std::size_t i = 0; i < a.instances.size(); ++i)
        if (a.instances[i].shapeWeights != b.instances[i].shapeWeights)
            return "the sliders of instance " + std::to_string(i);
    for (std::size_t s = 0; s < a.skins.size(); ++s)
        if (a.skins[s].joints != b.skins[s].joints)
            return "the joints of skin " + std::to_string(s);
    return {};
}

std::string changedClip(const DocumentState& source, const DocumentState& doc, const DocumentState& back) {
    std::size_t kept = 0; // clips of nothing but removed shapes are gone
    for (const rig::Clip& clip : source.clips) {
        std::vector<std::pair<const rig::Channel*, std::vector<float>>> expected;
        for (const rig::Channel& channel : clip.channels) {
            const bool weights = channel.path == rig::Channel::Path::Weights;
            std::vector<float> values = weights ? mappedValues(channel, source, doc) : channel.values;
            if (!values.empty() || channel.values.empty())
                expected.emplace_back(&channel, std::move(values));
        }
        if (expected.empty() && !clip.channels.empty())
            continue;
        if (kept >= back.clips.size() || back.clips[kept].channels.size() != expected.size())
            return "the channels of clip " + clip.name;
        for (std::size_t c = 0; c < expected.size(); ++c) {
            const rig::Channel &was = *expected[c].first, &is = back.clips[kept].channels[c];
            if (was.joint != is.joint || was.path != is.path || was.interpolation != is.interpolation ||
                was.times != is.times || expected[c].second != is.values)
                return "channel " + std::to_string(c) + " of clip " + clip.name;
        }
        ++kept;
    }
    return kept == back.clips.size() ? std::string() : "the number of clips";
}

std::string surfaceMoved(const DocumentState& a, const DocumentState& b) {
    const Document docA(withoutSpreading(a, a)), docB(withoutSpreading(b, a));
    const document::Preview nothing;
    document::Evaluator evaluatorA(docA, nothing), evaluatorB(docB, nothing);
    const double allowed = (anyIntegerRounding(a, b) ? 2e-2 : 1e-4) * diagonal(a);
    for (std::size_t i = 0; i < docA.instanceCount(); ++i) {
        const auto pa = evaluatorA.positions(InstanceId(i)), pb = evaluatorB.positions(InstanceId(i));
        const auto& weights = docA.mesh(docA.instance(InstanceId(i)).mesh).weights;
        for (std::size_t v = 0; v < pa.size(); ++v) {
            if (docA.isSkinned(InstanceId(i)) && weights.row(v).empty())
                continue;
            if (const double d = (pa[v] - pb[v]).cast<double>().norm(); !(d <= allowed))
                return "instance " + std::to_string(i) + ", vertex " + std::to_string(v) + " moved by " +
                       std::to_string(d);
        }
    }
    return {};
}

} // namespace limber::test
