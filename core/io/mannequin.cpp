#include "core/io/mannequin.h"

#include "core/io/mannequin/body_cage.h"
#include "core/io/mannequin/body_shapes.h"
#include "core/io/mannequin/idle_clip.h"
#include "core/io/mannequin/skeleton_plan.h"
#include "core/io/mannequin/skin_rules.h"

#include <Eigen/Geometry>

namespace limber::io {

namespace {

using namespace mannequin;

enum Material { Body, Joint, Accent, MaterialCount };

constexpr int kSubdivisions = 2;

HalfMesh makeHalf() {
    const BodyField field = makeBodyField();
    HalfMesh mesh = makeBodyCage();
    projectOnto(mesh, field, 4);
    for (int level = 0; level < kSubdivisions; ++level) {
        mesh = subdivide(mesh);
        projectOnto(mesh, field, 3);
        relax(mesh, field, level == 0 ? 4 : 10, 0.5);
    }
    projectOnto(mesh, field, 3);
    softenFolds(mesh, 8);
    return mesh;
}

// Bands run along whole edge loops of the cage.
Material materialOf(const Face& face) {
    const float row = face.meanRow();
    const auto within = [row](float low, float high) { return row > low && row < high; };
    switch (face.region) {
    case Region::Arm:
        return within(3, 4) || within(6, 6.5F) ? Joint : Body;
    case Region::Leg:
        return within(0, 0.75F) || within(4, 5) || within(8.5F, 9) ? Joint : Body;
    case Region::Torso:
        return within(0, 1.25F) ? Joint : within(1.25F, 1.5F) ? Accent : Body;
    default:
        return Body;
    }
}

// Both halves: the left one's points first, then the right one's that are not on the seam.
struct WholeBody {
    HalfMesh half = makeHalf();
    std::vector<Vector3d> normals = pointNormals(half);
    std::vector<std::vector<Weight>> weights = skinWeights(half);
    std::vector<int> mirrored; // of each left point; itself on the seam
    std::size_t count = 0;

    WholeBody() {
        count = half.points.size();
        for (std::size_t i = 0; i < half.points.size(); ++i)
            mirrored.push_back(half.seam[i] ? static_cast<int>(i) : static_cast<int>(count++));
    }
};

// Collects the vertices of one material in the order its faces meet them.
class PrimitiveMaker {
public:
    PrimitiveMaker(const WholeBody& body, Material material) : body_(body), index_(body.count, -1) {
        primitive_.material = material;
    }

    void addFace(const Face& face, bool right) {
        const auto& p = body_.half.points;
        const std::array<int, 4>& c = face.corners;
        // Along the shorter diagonal, on both sides the same.
        const bool first = (p[c[0]] - p[c[2]]).squaredNorm() <= (p[c[1]] - p[c[3]]).squaredNorm();
        const std::array<std::array<int, 3>, 2> halves =
            first ? std::array<std::array<int, 3>, 2>{{{c[0], c[1], c[2]}, {c[0], c[2], c[3]}}}
                  : std::array<std::array<int, 3>, 2>{{{c[0], c[1], c[3]}, {c[1], c[2], c[3]}}};
        for (const auto& t : halves)
            for (const int k : {0, right ? 2 : 1, right ? 1 : 2})
                primitive_.triangles.push_back(static_cast<std::uint32_t>(vertex(t[k], right)));
    }
    [[nodiscard]] BuildPrimitive take() { return std::move(primitive_); }

private:
    int vertex(int left, bool right) {
        int& index = index_[right ? body_.mirrored[left] : left];
        if (index >= 0)
            return index;
        index = static_cast<int>(primitive_.positions.size());
        const float sign = right ? -1.0F : 1.0F;
        Eigen::Vector3f p = body_.half.points[left].cast<float>(), n = body_.normals[left].cast<float>();
        if (!body_.half.seam[left]) {
            p.x() *= sign;
            n.x() *= sign;
        }
        primitive_.positions.push_back(p);
        primitive_.normals.push_back(n);
        std::vector<BuildInfluence> row;
        for (const Weight& w : body_.weights[left]) {
            const int joint = right && !body_.half.seam[left] ? skeletonPlan()[w.joint].mirror : w.joint;
            row.push_back({static_cast<std::uint32_t>(joint), static_cast<float>(w.amount)});
        }
        primitive_.influences.push_back(std::move(row));
        return index;
    }

    const WholeBody& body_;
    std::vector<int> index_;
    BuildPrimitive primitive_;
};

BuildMesh makeMesh() {
    const WholeBody body;
    BuildMesh mesh{"mannequin", {}};
    for (int m = 0; m < MaterialCount; ++m) {
        PrimitiveMaker maker(body, static_cast<Material>(m));
        bool used = false;
        for (const bool right : {false, true})
            for (const Face& face : body.half.faces)
                if (materialOf(face) == m) {
                    maker.addFace(face, right);
                    used = true;
                }
        if (used)
            mesh.primitives.push_back(maker.take());
    }
    return mesh;
}

void addSkeleton(SceneBuild& scene) {
    BuildSkin skin{"mannequin", {}, {}};
    const std::vector<JointPlan>& joints = skeletonPlan();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        BuildNode node;
        node.name = joints[i].name;
        node.parent = joints[i].parent;
        node.local = node.parent < 0 ? joints[i].modelFromJoint
                                     : joints[node.parent].modelFromJoint.inverse() * joints[i].modelFromJoint;
        scene.nodes.push_back(node);
        skin.joints.push_back(static_cast<int>(i));
        skin.inverseBinds.push_back(joints[i].modelFromJoint.inverse());
    }
    scene.skins.push_back(std::move(skin));
}

} // namespace

SceneBuild buildMannequin() {
    SceneBuild scene;
    scene.generator = "Limber";
    addSkeleton(scene);
    scene.meshes.push_back(makeMesh());
    BuildNode node;
    node.name = "mannequin";
    node.mesh = 0;
    node.skin = 0;
    scene.nodes.push_back(node);
    scene.materials = {
        {"body", {0.62, 0.53, 0.43, 1}, -1, 0, 0.60, false, false},
        {"joints", {0.075, 0.080, 0.090, 1}, -1, 0, 0.55, false, false},
        {"accent", {0.72, 0.36, 0.10, 1}, -1, 0, 0.55, false, false},
    };
    scene.clips.push_back(mannequin::makeIdleClip());
    return scene;
}

Result<std::vector<std::byte>> mannequinGlb() {
    return writeGlb(buildMannequin());
}

} // namespace limber::io
