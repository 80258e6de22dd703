#include "core/io/assimp_world.h"

#include "core/rig/bind_pose.h"
#include "core/rig/world_node.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace limber::io {

namespace {

// FBX says which of its axes point right, up and to the front; Assimp passes that on without acting on it.
// Identity where nothing is said, or where it would turn the scene inside out.
math::Matrix3d yUp(const aiScene& source) {
    const std::array<const char*, 3> axes{"CoordAxis", "UpAxis", "FrontAxis"};
    const std::array<const char*, 3> signs{"CoordAxisSign", "UpAxisSign", "FrontAxisSign"};
    math::Matrix3d rows = math::Matrix3d::Zero();
    for (std::size_t r = 0; r < 3; ++r) {
        std::int32_t axis = -1, sign = 0;
        if (!source.mMetaData || !source.mMetaData->Get(axes[r], axis) || !source.mMetaData->Get(signs[r], sign) ||
            axis < 0 || axis > 2)
            return math::Matrix3d::Identity();
        rows(static_cast<Eigen::Index>(r), axis) = sign < 0 ? -1 : 1;
    }
    return rows.determinant() > 0.5 ? rows : math::Matrix3d::Identity();
}

// Centimetres in a unit of the file, as FBX counts; 100 where nothing (sane) is said.
double centimetresPerUnit(const aiScene& source) {
    constexpr double kMetre = 100, kSmallest = 1e-6, kLargest = 1e6;
    float narrow = 0;
    double unit = 0;
    if (!source.mMetaData)
        return kMetre;
    if (!source.mMetaData->Get("UnitScaleFactor", unit))
        unit = source.mMetaData->Get("UnitScaleFactor", narrow) ? double(narrow) : kMetre;
    return unit >= kSmallest && unit <= kLargest ? unit : kMetre;
}

std::string shortNumber(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 6).ptr;
    return {text, end};
}

rig::BindPose bindOf(const SceneBuild& scene) {
    rig::Transforms local;
    std::vector<JointId> parents;
    for (const BuildNode& node : scene.nodes) {
        local.push_back(node.local);
        parents.push_back(node.parent < 0 ? JointId() : JointId(static_cast<std::size_t>(node.parent)));
    }
    std::vector<rig::SkinBind> skins;
    for (const BuildSkin& skin : scene.skins) {
        rig::SkinBind bind;
        for (const int j : skin.joints)
            bind.joints.emplace_back(static_cast<std::size_t>(j));
        bind.inverseBinds.assign(skin.inverseBinds.begin(), skin.inverseBinds.end());
        skins.push_back(std::move(bind));
    }
    for (std::size_t n = 0; n < scene.nodes.size(); ++n)
        if (const BuildNode& node = scene.nodes[n]; node.skin >= 0 && node.mesh >= 0)
            if (JointId& carrier = skins[static_cast<std::size_t>(node.skin)].carrier; !carrier.valid())
                carrier = JointId(n);
    return rig::deriveBindPose(local, parents, skins);
}

// Takes the skinned meshes off the nodes that move.
class MeshMover {
public:
    explicit MeshMover(SceneBuild& scene) : scene_(scene), count_(scene.nodes.size()), needed_(count_, 0) {
        for (const BuildNode& node : scene_.nodes)
            if (node.parent >= 0)
                ++needed_[static_cast<std::size_t>(node.parent)];
        for (const BuildSkin& skin : scene_.skins)
            for (const int j : skin.joints)
                ++needed_[static_cast<std::size_t>(j)];
    }

    void run() {
        // From the end, as a node that only held another carrier is free once that is moved.
        for (std::size_t n = count_; n-- > 0;)
            if (carriesSkinned(n) && needed_[n] == 0)
                moveNode(n);
        for (std::size_t n = 0; n < count_; ++n)
            if (carriesSkinned(n) && needed_[n] > 0)
                moveMesh(n);
        std::erase_if(scene_.clips, [](const BuildClip& c) { return c.channels.empty(); });
    }

private:
    bool carriesSkinned(std::size_t n) const { return scene_.nodes[n].skin >= 0 && scene_.nodes[n].mesh >= 0; }

    void moveNode(std::size_t n) {
        BuildNode& node = scene_.nodes[n];
        if (node.parent >= 0)
            --needed_[static_cast<std::size_t>(node.parent)];
        node.parent = -1;
        node.local.setIdentity();
        for (BuildClip& clip : scene_.clips)
            std::erase_if(clip.channels, [&](const BuildChannel& c) {
                return c.node == static_cast<int>(n) && c.path != BuildChannel::Path::Weights;
            });
    }

    void moveMesh(std::size_t n) {
        const auto fresh = static_cast<int>(scene_.nodes.size());
        BuildNode& node = scene_.nodes[n];
        BuildNode carrier{isJoint(n) ? freeName(node.name + "_mesh") : node.name, -1, math::Affine::Identity(),
                          node.mesh, node.skin};
        node.mesh = node.skin = -1;
        scene_.nodes.push_back(std::move(carrier));
        for (BuildClip& clip : scene_.clips)
            for (BuildChannel& c : clip.channels)
                if (c.node == static_cast<int>(n) && c.path == BuildChannel::Path::Weights)
                    c.node = fresh;
    }

    [[nodiscard]] bool isJoint(std::size_t n) const {
        return std::any_of(scene_.skins.begin(), scene_.skins.end(), [&](const BuildSkin& skin) {
            return std::find(skin.joints.begin(), skin.joints.end(), static_cast<int>(n)) != skin.joints.end();
        });
    }

    // For what leaves a joint: programs find joints by their names.
    [[nodiscard]] std::string freeName(const std::string& wish) const {
        std::string name = wish;
        for (std::size_t k = 1;; name = wish + std::to_string(++k))
            if (std::none_of(scene_.nodes.begin(), scene_.nodes.end(),
                             [&](const BuildNode& n) { return n.name == name; }))
                return name;
    }

    SceneBuild& scene_;
    std::size_t count_;
    std::vector<std::size_t> needed_; // per node: its children and the places where skins name it
};

} // namespace

void standInMetres(const aiScene& source, bool rootIsMade, ImportedScene& target) {
    if (rootIsMade && !target.scene.nodes[0].local.linear().isIdentity(1e-9))
        target.scene.nodes[0].name = rig::kWorldNodeName;
    const double unit = centimetresPerUnit(source);
    const double scale = unit / 100;
    math::Affine toWorld = math::Affine::Identity();
    toWorld.linear() = scale * yUp(source);
    if (math::identical(toWorld, math::Affine::Identity()))
        return;
    const auto top = static_cast<int>(target.scene.nodes.size());
    for (BuildNode& node : target.scene.nodes)
        if (node.parent < 0)
            node.parent = top;
    target.scene.nodes.push_back({std::string(rig::kWorldNodeName), -1, toWorld, -1, -1});
    if (scale != 1)
        target.notes.push_back({"IMPORT_UNITS", "",
                                "The file is in " +
                                    (unit == 1 ? "centimetres" : "units of " + shortNumber(unit) + " centimetres") +
                                    ", scaled by " + shortNumber(scale) + " to metres.",
                                0});
}

void putSkinnedMeshesAtRoot(SceneBuild& scene) {
    const rig::BindPose before = bindOf(scene);
    MeshMover(scene).run();
    const rig::BindPose after = bindOf(scene);
    for (std::size_t s = 0; s < scene.skins.size(); ++s) {
        const math::Affine& own = before.bindShape[s];
        if (math::distance(own, after.bindShape[s]) > 1e-7 * own.matrix().cwiseAbs().maxCoeff())
            scene.skins[s].bindShape = own;
    }
}

} // namespace limber::io
