#include "core/io/assimp_scene.h"

#include "core/io/asset_path.h"
#include "core/io/assimp_animation.h"
#include "core/io/assimp_geometry.h"
#include "core/io/assimp_losses.h"
#include "core/io/assimp_materials.h"
#include "core/io/assimp_names.h"
#include "core/io/assimp_skeletons.h"
#include "core/io/assimp_world.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace limber::io {

namespace fs = std::filesystem;

namespace {

struct ConvertedMesh {
    BuildPrimitive primitive;
    int skin = -1;
    std::vector<std::string> shapeNames; // as Assimp names them
    std::optional<FbxShapePlan> plan;
    GeometryReport report;
};

class SceneConverter {
public:
    SceneConverter(const aiScene& source, const fs::path& asset)
        : source_(source), asset_(asset), fbx_(source, asset, out_.notes) {}

    Result<ImportedScene> run(const ImportProgress& progress) {
        addNodes();
        convertMaterials(source_, asset_, out_);
        map_.fbx = fbx_.shapes();
        for (unsigned m = 0; m < source_.mNumMeshes; ++m) {
            if (progress)
                progress(double(m) / source_.mNumMeshes, "Converting");
            if (const Status s = addMesh(*source_.mMeshes[m]); !s)
                return s.error();
        }
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            placeMeshes(*nodes_[n], static_cast<int>(n));
        if (out_.scene.meshes.empty())
            return Error{ErrorCode::InputRefused,
                         "There is no mesh in this file, so there is nothing to show or to pose.", asset_.string()};
        convertAnimations(source_, map_, out_);
        straightenAnimatedNodes();
        noteLosses(source_, asset_, out_);
        noteLostSkeletons(asset_, out_);
        standInMetres(source_, rootIsMade(), out_);
        putSkinnedMeshesAtRoot(out_.scene);
        if (aiString generator; source_.mMetaData && source_.mMetaData->Get("SourceAsset_Generator", generator))
            out_.scene.generator = toString(generator);
        makeNamesUtf8(out_);
        return std::move(out_);
    }

private:
    // Parents before children, children in their order.
    void addNodes() {
        std::vector<std::pair<const aiNode*, int>> open{{source_.mRootNode, -1}};
        while (!open.empty()) {
            const auto [node, parent] = open.back();
            open.pop_back();
            const int index = addNode(toString(node->mName), parent, toAffine(node->mTransformation));
            map_.nodeByName.emplace(toString(node->mName), index);
            nodes_.push_back(node);
            for (unsigned c = node->mNumChildren; c-- > 0;)
                open.emplace_back(node->mChildren[c], index);
        }
        followParentPointers();
    }

    // Assimp's tree can contradict itself (Half-Life models): all bones are then children of one node, and only their
    // parent pointers know the skeleton. The pointers are what transforms are made with.
    void followParentPointers() {
        std::unordered_map<const aiNode*, int> indices;
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            indices.emplace(nodes_[n], static_cast<int>(n));
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            const auto told = indices.find(nodes_[n]->mParent);
            int& parent = out_.scene.nodes[n].parent;
            if (told != indices.end() && told->second != parent && !isBelow(told->second, static_cast<int>(n)))
                parent = told->second;
        }
    }

    // Whether the importer has put the first node there, to turn the scene: these formats have none.
    bool rootIsMade() const {
        const std::string extension = lowerExtension(asset_);
        return extension == ".dae" || extension == ".md5mesh" || extension == ".mdl";
    }

    // Whether `node` is `ancestor` or below it.
    bool isBelow(int node, int ancestor) const {
        while (node >= 0 && node != ancestor)
            node = out_.scene.nodes[std::size_t(node)].parent;
        return node == ancestor;
    }

    int addNode(std::string name, int parent, math::Affine local) {
        if (!math::allFinite(local)) {
            out_.notes.push_back({"IMPORT_NODE_NOT_FINITE", "node \"" + name + "\"",
                                  "Its transform was not made of numbers and is replaced by none."});
            local.setIdentity();
        }
        out_.scene.nodes.push_back({std::move(name), parent, local, -1, -1});
        return static_cast<int>(out_.scene.nodes.size()) - 1;
    }

    Status addMesh(const aiMesh& mesh) {
        ConvertedMesh converted;
        const int material = mesh.mMaterialIndex < source_.mNumMaterials ? int(mesh.mMaterialIndex) : -1;
        const bool textured = material >= 0 && out_.scene.materials[std::size_t(material)].baseColorImage >= 0;
        auto primitive = convertMesh(mesh, !textured, converted.report);
        if (!primitive)
            return primitive.error();
        converted.primitive = std::move(primitive).value();
        converted.primitive.material = material;
        for (const BuildShape& s : converted.primitive.shapes)
            converted.shapeNames.push_back(s.name);
        converted.plan = fbx_.planOf(mesh);
        if (converted.plan)
            nameBySliders(*converted.plan, converted.primitive.shapes, toString(mesh.mName));
        else
            nameInBetweens(converted.primitive.shapes);
        if (mesh.mNumBones > 0)
            converted.skin = assignSkin(mesh, converted.primitive);
        meshes_.push_back(std::move(converted));
        return {};
    }

    void nameBySliders(const FbxShapePlan& plan, std::vector<BuildShape>& shapes, const std::string& mesh) {
        for (std::size_t s = 0; s < shapes.size(); ++s)
            shapes[s].name = plan.names[s];
        if (plan.inBetweens > 0)
            out_.notes.push_back(
                {"IMPORT_IN_BETWEENS", "mesh \"" + mesh + "\"",
                 std::to_string(plan.inBetweens) +
                     " in-between shapes are shapes of their own now, named by their percentage. Clips "
                     "move them as before; the slider of the whole shape does not.",
                 0});
    }

    // In-betweens arrive as further shapes of the same name, the whole shape last.
    void nameInBetweens(std::vector<BuildShape>& shapes) {
        std::size_t place = 0, named = 0;
        for (std::size_t s = 0; s + 1 < shapes.size(); ++s) {
            const bool inBetween = !shapes[s].name.empty() && shapes[s].name == shapes[s + 1].name;
            place = inBetween ? place + 1 : 0;
            if (!inBetween)
                continue;
            shapes[s].name += " (in-between " + std::to_string(place) + ")";
            ++named;
        }
        if (named > 0)
            out_.notes.push_back({"IMPORT_IN_BETWEENS", "shape \"" + shapes.back().name + "\"",
                                  std::to_string(named) +
                                      " in-between shapes are shapes of their own now, which clips and "
                                      "the whole shape do not move.",
                                  named});
    }

    struct Bone {
        int node;
        math::Affine offset;
    };

    int nodeOfBone(const aiBone& bone) {
        const std::string name = toString(bone.mName);
        const auto known = map_.nodeByName.find(name);
        if (known != map_.nodeByName.end())
            return known->second;
        const math::Affine offset = toAffine(bone.mOffsetMatrix);
        const bool invertible = math::allFinite(offset) && std::abs(offset.linear().determinant()) > 1e-30;
        const int node = addNode(name, -1, invertible ? offset.inverse() : math::Affine::Identity());
        map_.nodeByName.emplace(name, node);
        out_.notes.push_back({"IMPORT_BONE_WITHOUT_NODE", "bone \"" + name + "\"",
                              "The skeleton does not have it; it is added where it was bound."});
        return node;
    }

    // Joins a skin that shares joints and agrees about all of them, else makes one. Turns the influences' bone
    // numbers into slots of it.
    int assignSkin(const aiMesh& mesh, BuildPrimitive& primitive) {
        std::vector<Bone> bones;
        for (unsigned b = 0; b < mesh.mNumBones; ++b) {
            Bone bone{nodeOfBone(*mesh.mBones[b]), toAffine(mesh.mBones[b]->mOffsetMatrix)};
            if (!math::allFinite(bone.offset))
                bone.offset.setIdentity();
            bones.push_back(bone);
        }
        int skin = 0;
        while (skin < int(out_.scene.skins.size()) && !agrees(out_.scene.skins[std::size_t(skin)], bones))
            ++skin;
        if (skin == int(out_.scene.skins.size()))
            out_.scene.skins.emplace_back();
        BuildSkin& target = out_.scene.skins[std::size_t(skin)];
        std::vector<std::uint32_t> slotOfBone;
        for (const Bone& bone : bones) {
            auto it = std::find(target.joints.begin(), target.joints.end(), bone.node);
            if (it == target.joints.end()) {
                target.joints.push_back(bone.node);
                target.inverseBinds.push_back(bone.offset);
                it = target.joints.end() - 1;
            }
            slotOfBone.push_back(static_cast<std::uint32_t>(it - target.joints.begin()));
        }
        for (auto& row : primitive.influences)
            for (BuildInfluence& i : row)
                i.joint = slotOfBone[i.joint];
        return skin;
    }

    static bool agrees(const BuildSkin& skin, const std::vector<Bone>& bones) {
        bool shared = false;
        for (const Bone& bone : bones) {
            const auto it = std::find(skin.joints.begin(), skin.joints.end(), bone.node);
            if (it == skin.joints.end())
                continue;
            const math::Affine& own = skin.inverseBinds[std::size_t(it - skin.joints.begin())];
            if (math::distance(own, bone.offset) > 1e-5 * (1e-6 + own.matrix().cwiseAbs().maxCoeff()))
                return false;
            shared = true;
        }
        return shared;
    }

    // The meshes of a node, joined where they share skin and shapes. Rigid ones stay on the node, for they follow it;
    // further groups get nodes of their own below.
    void placeMeshes(const aiNode& node, int index) {
        std::vector<std::vector<unsigned>> groups;
        for (unsigned i = 0; i < node.mNumMeshes; ++i) {
            const unsigned m = node.mMeshes[i];
            if (m >= meshes_.size() || meshes_[m].primitive.triangles.empty())
                continue;
            const auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& g) {
                return meshes_[g.front()].skin == meshes_[m].skin && hasSameShapes(meshes_[g.front()], meshes_[m]);
            });
            if (same != groups.end())
                same->push_back(m);
            else
                groups.push_back({m});
        }
        std::stable_sort(groups.begin(), groups.end(), [&](const auto& a, const auto& b) {
            return (meshes_[a.front()].skin < 0) > (meshes_[b.front()].skin < 0);
        });
        for (std::size_t g = 0; g < groups.size(); ++g) {
            const ConvertedMesh& first = meshes_[groups[g].front()];
            const int carrier = g == 0 ? index : addNode(toString(node.mName), index, math::Affine::Identity());
            const int mesh = meshOf(groups[g], toString(node.mName), carrier);
            out_.scene.nodes[std::size_t(carrier)].mesh = mesh;
            out_.scene.nodes[std::size_t(carrier)].skin = first.skin;
            if (!first.shapeNames.empty()) {
                map_.shapedNodesByName[toString(node.mName)].push_back(carrier);
                map_.shapeNamesOfNode[carrier] = first.shapeNames;
                if (first.plan)
                    map_.planOfNode.emplace(carrier, *first.plan);
            }
        }
    }

    static bool hasSameShapes(const ConvertedMesh& a, const ConvertedMesh& b) {
        const bool samePlan = a.plan.has_value() == b.plan.has_value() && (!a.plan || a.plan->mesh == b.plan->mesh);
        return samePlan && a.shapeNames == b.shapeNames;
    }

    int meshOf(const std::vector<unsigned>& group, const std::string& nodeName, int carrier) {
        const auto known = meshOfGroup_.find(group);
        if (known != meshOfGroup_.end())
            return known->second;
        BuildMesh mesh;
        mesh.name = toString(source_.mMeshes[group.front()]->mName);
        if (mesh.name.empty())
            mesh.name = nodeName;
        if (meshes_[group.front()].plan)
            mesh.shapeWeights = meshes_[group.front()].plan->weights;
        for (const unsigned m : group) {
            mesh.primitives.push_back(meshes_[m].primitive);
            reportGeometry(mesh.name, meshes_[m].report);
            if (meshes_[m].report.unweighted > 0)
                bindRest(mesh.primitives.back(), meshes_[m].skin, carrier);
        }
        out_.scene.meshes.push_back(std::move(mesh));
        return meshOfGroup_[group] = static_cast<int>(out_.scene.meshes.size()) - 1;
    }

    // In these formats a vertex without weights moves with the node of its mesh: that node becomes a joint.
    void bindRest(BuildPrimitive& primitive, int skin, int carrier) {
        BuildSkin& target = out_.scene.skins[std::size_t(skin)];
        const auto slotOf = [&](int node) {
            const auto it = std::find(target.joints.begin(), target.joints.end(), node);
            return static_cast<std::size_t>(it - target.joints.begin());
        };
        std::size_t slot = slotOf(carrier);
        const bool isBone = slot < target.joints.size();
        if (isBone && !math::identical(target.inverseBinds[slot], math::Affine::Identity())) {
            // Bound elsewhere already; a child of it can be bound here.
            carrier = addNode(out_.scene.nodes[std::size_t(carrier)].name, carrier, math::Affine::Identity());
            slot = target.joints.size();
        }
        if (slot == target.joints.size()) {
            target.joints.push_back(carrier);
            target.inverseBinds.push_back(math::Affine::Identity());
        }
        for (auto& row : primitive.influences)
            if (row.empty())
                row.push_back({static_cast<std::uint32_t>(slot), 1.0f});
    }

    // A clip moves parts of a transform, so an animated node must be made of parts.
    void straightenAnimatedNodes() {
        std::vector<char> done(out_.scene.nodes.size(), 0);
        for (const BuildClip& clip : out_.scene.clips)
            for (const BuildChannel& channel : clip.channels) {
                BuildNode& node = out_.scene.nodes[std::size_t(channel.node)];
                if (std::exchange(done[std::size_t(channel.node)], 1))
                    continue;
                math::TransformParts parts = math::decompose(node.local);
                if (!parts.hasShear())
                    continue;
                parts.shear.setZero();
                node.local = math::compose(parts);
                out_.notes.push_back({"IMPORT_SHEAR_DROPPED", "node \"" + node.name + "\"",
                                      "An animated node cannot be sheared; its shear is left out."});
            }
    }

    void reportGeometry(const std::string& mesh, const GeometryReport& report) {
        const auto note = [&](std::size_t count, const char* code, const char* one, const char* many,
                              const char* text) {
            if (count > 0)
                out_.notes.push_back({code, "mesh \"" + mesh + "\"",
                                      std::to_string(count) + ' ' + (count == 1 ? one : many) + text, count});
        };
        note(report.renormalised, "IMPORT_WEIGHTS_NORMALISED", "vertex", "vertices",
             " had weights that did not sum to one; these are normalised.");
        note(report.unweighted, "IMPORT_VERTICES_UNWEIGHTED", "vertex", "vertices",
             " had no weights; what has none follows the node that carries the mesh, as in the file.");
        note(report.badWeights, "IMPORT_WEIGHTS_LEFT_OUT", "weight was", "weights were",
             " negative or not a number; such weights are left out.");
        note(report.skippedFaces, "IMPORT_FACES_LEFT_OUT", "line or point is", "lines and points are",
             " left out; only surfaces are shown.");
        note(report.droppedUvSets, "IMPORT_UV_SETS_LEFT_OUT", "further set", "further sets",
             " of texture coordinates left out.");
        note(report.droppedColorSets, "IMPORT_COLORS_LEFT_OUT", "set", "sets",
             " of vertex colours left out: only the first is taken, and none under a texture.");
        if (report.droppedNormals)
            out_.notes.push_back({"IMPORT_NORMALS_REPLACED", "mesh \"" + mesh + "\"",
                                  "Some normals had no length; smooth normals are computed instead."});
    }

    const aiScene& source_;
    const fs::path& asset_;
    ImportedScene out_;
    FbxShapeNames fbx_;
    SceneMap map_;
    std::vector<const aiNode*> nodes_; // by node index, as far as they come from the source
    std::vector<ConvertedMesh> meshes_;
    std::map<std::vector<unsigned>, int> meshOfGroup_;
};

} // namespace

Result<ImportedScene> convertScene(const aiScene& source, const fs::path& asset, const ImportProgress& progress) {
    return SceneConverter(source, asset).run(progress);
}

} // namespace limber::io
