#include "core/document/document.h"

#include "core/document/edit.h"
#include "core/document/patch_apply.h"

#include <algorithm>
#include <cassert>
#include <xxhash.h>

namespace limber::document {

const shape::Shape* MeshData::findShape(ShapeId id) const {
    const std::size_t index = shapeIndex(id);
    return index < shapes.size() ? &shapes[index] : nullptr;
}

std::size_t MeshData::shapeIndex(ShapeId id) const {
    return static_cast<std::size_t>(
        std::find_if(shapes.begin(), shapes.end(), [id](const shape::Shape& s) { return s.id == id; }) -
        shapes.begin());
}

bool MeshData::isDriven(ShapeId id) const {
    for (const shape::PoseDriver& driver : drivers)
        for (const shape::DriverSample& sample : driver.samples)
            if (sample.shape == id)
                return true;
    return false;
}

std::optional<std::uint32_t> Skin::slotOf(JointId j) const {
    const auto at = std::find(joints.begin(), joints.end(), j);
    if (at == joints.end())
        return std::nullopt;
    return static_cast<std::uint32_t>(at - joints.begin());
}

DocumentState::DocumentState() = default;
DocumentState::DocumentState(const DocumentState&) = default;
DocumentState::DocumentState(DocumentState&&) noexcept = default;
DocumentState& DocumentState::operator=(const DocumentState&) = default;
DocumentState& DocumentState::operator=(DocumentState&&) noexcept = default;
DocumentState::~DocumentState() = default;

Document::Document(DocumentState state) : state_(std::move(state)) {
    const std::size_t joints = state_.skeleton.size();
    assert(state_.pose.size() == joints && state_.filePose.size() == joints);
    if (state_.locked.size() != joints)
        state_.locked.assign(joints, 0);
}

ChangeSet Document::apply(const Edit& edit) {
    ChangeSet changes;
    for (const Patch& patch : edit.patches)
        applyPatch(state_, patch, Direction::Forward, changes);
    ++revision_;
    return changes;
}

ChangeSet Document::revert(const Edit& edit) {
    ChangeSet changes;
    for (auto patch = edit.patches.rbegin(); patch != edit.patches.rend(); ++patch)
        applyPatch(state_, *patch, Direction::Backward, changes);
    ++revision_;
    return changes;
}

namespace {

// Feeds values, not memory: padding and spare capacity must not count.
class Hasher {
public:
    Hasher() : state_(XXH3_createState()) { XXH3_64bits_reset(state_); }
    ~Hasher() { XXH3_freeState(state_); }
    Hasher(const Hasher&) = delete;
    Hasher& operator=(const Hasher&) = delete;

    void bytes(const void* data, std::size_t size) { XXH3_64bits_update(state_, data, size); }
    template <class T> void value(const T& v) {
        static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
        bytes(&v, sizeof v);
    }
    void text(const std::string& s) {
        value(s.size());
        bytes(s.data(), s.size());
    }
    void transform(const rig::Affine& m) {
        for (int c = 0; c < 4; ++c)
            bytes(m.matrix().col(c).data(), 3 * sizeof(double));
    }
    void vectors(const std::vector<Eigen::Vector3f>& v) {
        value(v.size());
        bytes(v.data(), v.size() * sizeof(Eigen::Vector3f));
    }
    [[nodiscard]] std::uint64_t digest() const { return XXH3_64bits_digest(state_); }

private:
    XXH3_state_t* state_;
};

void hashMesh(Hasher& h, const MeshData& mesh) {
    h.value(mesh.weights.vertexCount());
    for (std::size_t v = 0; v < mesh.weights.vertexCount(); ++v) {
        const auto row = mesh.weights.row(v);
        h.value(row.size());
        h.bytes(row.data(), row.size_bytes());
    }
    h.vectors(mesh.geometry.normals);
    h.value(static_cast<std::uint8_t>(mesh.writesRepairs));
    h.value(mesh.skinning.method);
    h.value(static_cast<std::uint8_t>(mesh.skinning.mush.on));
    h.value(mesh.skinning.mush.iterations);
    h.value(mesh.skinning.mush.lambda);
    for (const std::vector<float>& map : mesh.paintedMaps) {
        h.value(map.size());
        h.bytes(map.data(), map.size() * sizeof(float));
    }
    h.value(mesh.shapes.size());
    for (const shape::Shape& s : mesh.shapes) {
        h.value(s.id.value);
        h.text(s.name);
        h.value(static_cast<std::uint8_t>(s.muted));
        h.value(s.vertices.size());
        h.bytes(s.vertices.data(), s.vertices.size() * sizeof(std::uint32_t));
        h.vectors(s.deltas);
        h.vectors(s.normalDeltas);
    }
    h.value(mesh.drivers.size());
    for (const shape::PoseDriver& d : mesh.drivers) {
        h.value(d.joints.size());
        for (const JointId j : d.joints)
            h.value(j.value);
        h.value(d.widthScale);
        h.value(d.samples.size());
        for (const shape::DriverSample& s : d.samples) {
            h.value(s.shape.value);
            for (const Eigen::Quaterniond& q : s.rotations)
                h.bytes(q.coeffs().data(), 4 * sizeof(double));
        }
    }
}

} // namespace

std::uint64_t Document::hash() const {
    Hasher h;
    for (const rig::Affine& m : state_.pose)
        h.transform(m);
    h.bytes(state_.locked.data(), state_.locked.size());
    for (const rig::Joint& joint : state_.skeleton.joints())
        h.text(joint.name);
    for (const MeshData& mesh : state_.meshes)
        hashMesh(h, mesh);
    for (const Instance& instance : state_.instances) {
        h.value(instance.shapeWeights.size());
        h.bytes(instance.shapeWeights.data(), instance.shapeWeights.size() * sizeof(double));
    }
    for (const Skin& skin : state_.skins) {
        h.value(skin.joints.size());
        for (const JointId j : skin.joints)
            h.value(j.value);
        for (const rig::Affine& g : skin.inverseBinds)
            h.transform(g);
    }
    return h.digest();
}

} // namespace limber::document
