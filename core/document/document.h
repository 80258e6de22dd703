// A rigged scene in memory: plain state with one gate, apply(Edit).
// Vertices are named by their place in memory, which is the file's unless the mesh has an order of its own
// (file_order.h), everything else by id. Mesh space is that of the file's vertices; world is right-handed, Y up, in the
// file's units.
#pragma once

#include "core/base/ids.h"
#include "core/document/change_set.h"
#include "core/mesh/mesh.h"
#include "core/mesh/weld.h"
#include "core/rig/clip.h"
#include "core/rig/skeleton.h"
#include "core/shape/pose_driver.h"
#include "core/shape/shape.h"
#include "core/skin/skin_weights.h"
#include "core/skin/skinning.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace limber::document {

struct Edit;

// An image as its encoded bytes: core never decodes.
struct Image {
    std::string name;
    std::string mimeType;
    std::shared_ptr<const std::vector<std::byte>> bytes; // may be null where the file could not be read
};

struct Texture {
    int image = -1;   // index into images
    int texCoord = 0; // only set 0 is shown
    bool repeatU = true, repeatV = true;
    bool nearest = false;
    std::array<double, 5> transform{0, 0, 0, 1, 1}; // KHR_texture_transform: offset, rotation (radians), scale
};

struct Material {
    enum class Alpha { Opaque, Mask, Blend };
    std::string name;
    std::array<double, 4> baseColor{1, 1, 1, 1}; // linear RGBA factor
    Texture baseColorTexture;
    Alpha alpha = Alpha::Opaque;
    double alphaCutoff = 0.5;
    bool doubleSided = false;
    bool unlit = false;
};

// Geometry with what is painted and sculpted on it.
struct MeshData {
    mesh::Mesh geometry;
    mesh::LazyWeld lazyWeld;          // of the rest positions, see weld()
    skin::SkinWeights weights;        // empty where the mesh has none; slots of the skin of its instances
    std::vector<shape::Shape> shapes; // in the file's order, new ones last
    skin::Skinning skinning;
    std::array<std::vector<float>, skin::kPaintedMapCount> paintedMaps; // [V] each, empty: 1 everywhere
    std::vector<shape::PoseDriver> drivers; // of this mesh's shapes; a shape is in one sample at most
    std::uint32_t nextShapeId = 0;
    // Vertices that the file has otherwise, ascending, mended when it was read: rows of weights (their sum is not one,
    // a value is not finite, ...) and normals (no length, or not of length one). An unedited file keeps its own values;
    // `writesRepairs` asks for the mended ones, of both.
    std::vector<std::uint32_t> repairedRows, repairedNormals;
    bool writesRepairs = false;

    // Of the rest positions. The first call makes it: 0.1 to 0.2 s for a million vertices.
    [[nodiscard]] const mesh::Weld& weld() const { return lazyWeld.of(geometry); }
    [[nodiscard]] const shape::Shape* findShape(ShapeId id) const;
    [[nodiscard]] std::size_t shapeIndex(ShapeId id) const; // shapes.size() where there is none
    [[nodiscard]] bool isDriven(ShapeId id) const;
    [[nodiscard]] const std::vector<float>& map(skin::PaintedMap which) const {
        return paintedMaps[static_cast<std::size_t>(which)];
    }
    [[nodiscard]] float mapValue(skin::PaintedMap which, std::uint32_t vertex) const {
        return map(which).empty() ? 1.0f : map(which)[vertex];
    }
};

struct Skin {
    std::string name;
    std::vector<JointId> joints;                     // slot -> joint
    rig::Transforms inverseBinds;                    // G, per slot
    rig::Affine bindShape = rig::Affine::Identity(); // M: model from mesh space
    bool sameBind = true;                            // all B_j G_j equal M

    [[nodiscard]] std::optional<std::uint32_t> slotOf(JointId j) const;
};

// A mesh placed by a node. With a skin, the node's own transform is ignored; without, the mesh follows its node.
struct Instance {
    std::string name; // of the node, or else of the mesh
    JointId node;
    MeshId mesh;
    SkinId skin;                      // not valid: rigid
    std::vector<double> shapeWeights; // [shapes of the mesh] sliders; a driven shape's is not used
};

struct DocumentState {
    // Compiled once: a source that copies a state would take a second longer for them.
    DocumentState();
    DocumentState(const DocumentState&);
    DocumentState(DocumentState&&) noexcept;
    DocumentState& operator=(const DocumentState&);
    DocumentState& operator=(DocumentState&&) noexcept;
    ~DocumentState();

    rig::Skeleton skeleton;
    rig::Pose pose;                   // Ul, per joint
    rig::Pose filePose;               // Ul as the file had it
    std::vector<std::uint8_t> locked; // per joint: its weights are not to be changed
    std::vector<MeshData> meshes;
    std::vector<Instance> instances;
    std::vector<Skin> skins;
    std::vector<Material> materials;
    std::vector<Image> images;
    std::vector<rig::Clip> clips;
};

class Document {
public:
    // Takes a complete, consistent state (its loader checked it).
    explicit Document(DocumentState state = {});

    [[nodiscard]] const DocumentState& state() const { return state_; }
    [[nodiscard]] const rig::Skeleton& skeleton() const { return state_.skeleton; }
    [[nodiscard]] const MeshData& mesh(MeshId id) const { return state_.meshes[id.index()]; }
    [[nodiscard]] const Instance& instance(InstanceId id) const { return state_.instances[id.index()]; }
    [[nodiscard]] const Skin& skin(SkinId id) const { return state_.skins[id.index()]; }
    // Moved by weights; else it follows its node.
    [[nodiscard]] bool isSkinned(InstanceId id) const {
        return instance(id).skin.valid() && !mesh(instance(id).mesh).weights.empty();
    }
    [[nodiscard]] std::size_t instanceCount() const { return state_.instances.size(); }

    // The one way to change a document. Precondition: the edit was made for this state.
    ChangeSet apply(const Edit& edit);
    ChangeSet revert(const Edit& edit);

    // Counts every apply and revert.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }

    // Of everything an edit can change: equal states have equal hashes (XXH3, 64 bit). O(document).
    [[nodiscard]] std::uint64_t hash() const;

private:
    DocumentState state_;
    std::uint64_t revision_ = 0;
};

} // namespace limber::document
