#include "core/io/assimp_import.h"

#include "core/io/assimp_animation.h"
#include "core/io/assimp_files.h"
#include "core/io/assimp_geometry.h"
#include "core/io/assimp_materials.h"

#include <assimp/BaseImporter.h>
#include <assimp/Importer.hpp>
#include <assimp/ProgressHandler.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <map>
#include <utility>

namespace limber::io {

namespace fs = std::filesystem;

namespace {

class Progress : public Assimp::ProgressHandler {
public:
    explicit Progress(const ImportProgress& report) : report_(report) {}
    bool Update(float fraction) override {
        if (report_ && fraction >= 0)
            report_(0.8 * std::min(1.0, double(fraction)), "Reading");
        return true;
    }

private:
    const ImportProgress& report_;
};

Error refused(const fs::path& path, std::string text) {
    return {ErrorCode::InputRefused, std::move(text), path.string()};
}

// What Assimp says, in words that tell what to do.
std::string reasonFor(const std::string& error) {
    if (error.find("old format version") != error.npos)
        return "FBX older than 7.1 is not supported: save it again as FBX 2011 or newer.";
    if (error.find("bad alloc") != error.npos)
        return "The importer needs more memory for this file than it may have; the file is damaged or too large.";
    const std::string text = error.empty() ? "the importer gave no reason" : error;
    return "The file cannot be read (" + text + "); export it again, or convert it to glTF (.glb).";
}

std::string lowerExtension(const fs::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

// Assimp reads these, but loses the skeleton or is not the one who should.
Status prepareImporter(Assimp::Importer& importer, const fs::path& path) {
    const std::string extension = lowerExtension(path);
    if (extension == ".iqm")
        return refused(
            path, "IQM files are not supported, their skeletons cannot be read: convert it to glTF (.glb) or FBX.");
    for (const char* own : {"glb", "gltf", "iqm"})
        while (Assimp::BaseImporter* reader = importer.GetImporter(own))
            importer.UnregisterLoader(reader);
    if (extension.empty() || !importer.IsExtensionSupported(extension.c_str()))
        return refused(path,
                       "Limber has no importer for this kind of file: convert it to glTF (.glb), FBX or Collada.");
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_REMOVE_EMPTY_BONES, false);
    return {};
}

struct ConvertedMesh {
    BuildPrimitive primitive;
    int skin = -1;
    std::vector<std::string> shapeNames;
    GeometryReport report;
};

class SceneConverter {
public:
    SceneConverter(const aiScene& source, const fs::path& asset) : source_(source), asset_(asset) {}

    Result<ImportedScene> run() {
        addNodes();
        convertMaterials(source_, asset_, out_);
        for (unsigned m = 0; m < source_.mNumMeshes; ++m)
            if (const Status s = addMesh(*source_.mMeshes[m]); !s)
                return s.error();
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            placeMeshes(*nodes_[n], static_cast<int>(n));
        if (out_.scene.meshes.empty())
            return refused(asset_, "There is no mesh in this file, so there is nothing to show or to pose.");
        convertAnimations(source_, map_, out_);
        straightenAnimatedNodes();
        if (aiString generator; source_.mMetaData && source_.mMetaData->Get("SourceAsset_Generator", generator))
            out_.scene.generator = toString(generator);
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
        if (mesh.mNumBones > 0)
            converted.skin = assignSkin(mesh, converted.primitive);
        meshes_.push_back(std::move(converted));
        return {};
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
                return meshes_[g.front()].skin == meshes_[m].skin &&
                       meshes_[g.front()].shapeNames == meshes_[m].shapeNames;
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
            }
        }
    }

    int meshOf(const std::vector<unsigned>& group, const std::string& nodeName, int carrier) {
        const auto known = meshOfGroup_.find(group);
        if (known != meshOfGroup_.end())
            return known->second;
        BuildMesh mesh;
        mesh.name = toString(source_.mMeshes[group.front()]->mName);
        if (mesh.name.empty())
            mesh.name = nodeName;
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
        const auto note = [&](std::size_t count, const char* code, const char* text) {
            if (count > 0)
                out_.notes.push_back({code, "mesh \"" + mesh + "\"", std::to_string(count) + text, count});
        };
        note(report.renormalised, "IMPORT_WEIGHTS_NORMALISED",
             " vertices had weights that did not sum to one; they are normalised.");
        note(report.unweighted, "IMPORT_VERTICES_UNWEIGHTED",
             " vertices had no weights; they follow the node that carries the mesh, as in the file.");
        note(report.badWeights, "IMPORT_WEIGHTS_LEFT_OUT", " weights were negative or not numbers and are left out.");
        note(report.skippedFaces, "IMPORT_FACES_LEFT_OUT", " lines and points are left out; only surfaces are shown.");
        if (report.droppedNormals)
            out_.notes.push_back({"IMPORT_NORMALS_REPLACED", "mesh \"" + mesh + "\"",
                                  "Some normals had no length; smooth normals are computed instead."});
    }

    const aiScene& source_;
    const fs::path& asset_;
    ImportedScene out_;
    SceneMap map_;
    std::vector<const aiNode*> nodes_; // by node index, as far as they come from the source
    std::vector<ConvertedMesh> meshes_;
    std::map<std::vector<unsigned>, int> meshOfGroup_;
};

} // namespace

Result<ImportedScene> importWithAssimp(const fs::path& path, const ImportProgress& progress) {
    std::error_code error;
    const fs::path asset = fs::canonical(path, error);
    if (error)
        return refused(path, "The file cannot be opened: " + error.message() + ".");
    Assimp::Importer importer;
    if (const Status s = prepareImporter(importer, asset); !s)
        return s.error();
    importer.SetIOHandler(new ConfinedFiles(asset.parent_path())); // the importer owns both
    importer.SetProgressHandler(new Progress(progress));
    const aiScene* scene = importer.ReadFile(asset.string(), aiProcess_Triangulate);
    if (!scene || !scene->mRootNode)
        return refused(path, reasonFor(importer.GetErrorString()));
    if (progress)
        progress(0.8, "Converting");
    return SceneConverter(*scene, asset).run();
}

} // namespace limber::io
