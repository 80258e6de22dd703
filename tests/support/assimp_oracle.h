// Where Assimp itself says that the triangles of a scene are, and where a document has them.
#pragma once

#include "core/document/evaluator.h"
#include "core/io/assimp_geometry.h"

#include <assimp/scene.h>

#include <algorithm>
#include <map>
#include <vector>

namespace limber::tests {

// Corner positions of all triangles, one triangle after the other.
using Soup = std::vector<Eigen::Vector3d>;

// Assimp's own evaluation, in double: x = sum w W_j Offset_j v, or W v for a mesh without bones.
class AssimpPose {
public:
    // At the file's own pose, or at `ticks` of an animation.
    explicit AssimpPose(const aiScene& scene, const aiAnimation* animation = nullptr, double ticks = 0)
        : scene_(scene) {
        for (unsigned c = 0; animation && c < animation->mNumChannels; ++c)
            animated_.emplace(scene.mRootNode->FindNode(animation->mChannels[c]->mNodeName),
                              sample(*animation->mChannels[c], ticks));
        addNode(*scene.mRootNode, math::Affine::Identity());
    }

    Soup soup;
    std::size_t nodes = 0;

private:
    // Between the keys around `ticks`, held at the ends.
    template <class Key, class Mix> static auto between(const Key* keys, unsigned count, double ticks, Mix mix) {
        unsigned next = 0;
        while (next < count && keys[next].mTime < ticks)
            ++next;
        if (next == 0 || next == count)
            return keys[next == 0 ? 0 : count - 1].mValue;
        const Key &a = keys[next - 1], &b = keys[next];
        return mix(a.mValue, b.mValue, static_cast<float>((ticks - a.mTime) / (b.mTime - a.mTime)));
    }

    static math::Affine sample(const aiNodeAnim& channel, double ticks) {
        const auto lerp = [](const aiVector3D& a, const aiVector3D& b, float t) { return a + (b - a) * t; };
        const auto slerp = [](const aiQuaternion& a, const aiQuaternion& b, float t) {
            aiQuaternion q;
            aiQuaternion::Interpolate(q, a, b, t);
            return q.Normalize();
        };
        const aiVector3D p = between(channel.mPositionKeys, channel.mNumPositionKeys, ticks, lerp);
        const aiVector3D s = between(channel.mScalingKeys, channel.mNumScalingKeys, ticks, lerp);
        const aiQuaternion q = between(channel.mRotationKeys, channel.mNumRotationKeys, ticks, slerp);
        return math::composeTrs({p.x, p.y, p.z}, Eigen::Quaterniond(q.w, q.x, q.y, q.z).normalized(), {s.x, s.y, s.z});
    }

    math::Affine local(const aiNode& node) const {
        const auto it = animated_.find(&node);
        return it == animated_.end() ? io::toAffine(node.mTransformation) : it->second;
    }

    math::Affine world(const aiNode* node) const {
        math::Affine w = math::Affine::Identity();
        for (; node; node = node->mParent)
            w = local(*node) * w;
        return w;
    }

    void addNode(const aiNode& node, const math::Affine& parent) {
        const math::Affine own = parent * local(node);
        ++nodes;
        for (const bool skinned : {false, true}) // the importer's order: what follows the node first
            for (unsigned i = 0; i < node.mNumMeshes; ++i)
                if (const aiMesh& mesh = *scene_.mMeshes[node.mMeshes[i]]; mesh.HasBones() == skinned)
                    addMesh(mesh, own);
        for (unsigned c = 0; c < node.mNumChildren; ++c)
            addNode(*node.mChildren[c], own);
    }

    void addMesh(const aiMesh& mesh, const math::Affine& node) {
        std::vector<Eigen::Vector3d> sums(mesh.mNumVertices, Eigen::Vector3d::Zero());
        std::vector<double> weights(mesh.mNumVertices, 0.0);
        const auto vertex = [&](unsigned v) {
            return Eigen::Vector3d(mesh.mVertices[v].x, mesh.mVertices[v].y, mesh.mVertices[v].z);
        };
        for (unsigned b = 0; b < mesh.mNumBones; ++b) {
            const aiBone& bone = *mesh.mBones[b];
            const math::Affine skin = world(scene_.mRootNode->FindNode(bone.mName)) * io::toAffine(bone.mOffsetMatrix);
            for (unsigned w = 0; w < bone.mNumWeights; ++w) {
                const double weight = std::max(0.0, double(bone.mWeights[w].mWeight));
                const unsigned v = bone.mWeights[w].mVertexId;
                sums[v] += weight * (skin * vertex(v));
                weights[v] += weight;
            }
        }
        for (unsigned f = 0; f < mesh.mNumFaces; ++f)
            if (const aiFace& face = mesh.mFaces[f]; face.mNumIndices == 3)
                for (unsigned k = 0; k < 3; ++k) {
                    const unsigned v = face.mIndices[k];
                    soup.push_back(weights[v] > 0 ? Eigen::Vector3d(sums[v] / weights[v]) : node * vertex(v));
                }
    }

    const aiScene& scene_;
    std::map<const aiNode*, math::Affine> animated_;
};

// Instances in the order of their nodes; a node that the importer added counts as the one whose name it has.
// Meshes of one node come in their own order.
inline Soup documentSoup(document::DocumentState state, std::size_t sourceNodes) {
    const auto place = [&](const document::Instance& i) {
        JointId node(0);
        const std::string& own = state.skeleton[i.node].name; // of a joint's mesh: the joint's, with "_mesh"
        const auto isFrom = [&](const std::string& name) { return own == name || own == name + "_mesh"; };
        while (i.node.index() >= sourceNodes && node != i.node && !isFrom(state.skeleton[node].name))
            node = JointId(node.index() + 1);
        return i.node.index() < sourceNodes ? i.node : node;
    };
    std::stable_sort(state.instances.begin(), state.instances.end(), [&](const auto& a, const auto& b) {
        return place(a) != place(b) ? place(a) < place(b) : a.mesh < b.mesh;
    });
    const document::Document doc(std::move(state));
    const document::Preview preview;
    document::Evaluator evaluator(doc, preview);
    Soup soup;
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        const auto positions = evaluator.positions(InstanceId(i));
        for (const std::uint32_t v : doc.mesh(doc.instance(InstanceId(i)).mesh).geometry.triangles)
            soup.push_back(positions[v].cast<double>());
    }
    return soup;
}

inline double diagonal(const Soup& soup) {
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& p : soup)
        box.extend(p);
    return box.diagonal().norm();
}

} // namespace limber::tests
