#include "ui/viewport/picking.h"

#include "ui/editor/editor.h"
#include "ui/viewport/bone_shape.h"
#include "ui/viewport/camera.h"
#include "ui/viewport/drawn_joints.h"

#include <algorithm>
#include <unordered_map>

namespace limber::ui {

using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

constexpr double kTolerancePx = 4;

double distanceToSegment(const Vector2d& p, const Vector2d& a, const Vector2d& b, double& along) {
    const Vector2d d = b - a;
    const double squared = d.squaredNorm();
    along = squared > 0 ? std::clamp((p - a).dot(d) / squared, 0.0, 1.0) : 0;
    return (p - a - d * along).norm();
}

// Half width in pixels of the octahedron at a share of its length.
double widthAt(double along, double waistPx) {
    return waistPx * (along < kBoneWaistAt ? along / kBoneWaistAt : (1 - along) / (1 - kBoneWaistAt));
}

} // namespace

std::optional<SurfaceHit> pickSurface(Editor& editor, const mesh::Ray& ray) {
    editor.finishWarmUp();
    std::optional<SurfaceHit> best;
    for (std::size_t i = 0; i < editor.document().instanceCount(); ++i) {
        const InstanceId id(i);
        if (editor.view().hidden.contains(id))
            continue;
        const auto hit = editor.evaluator().rayCaster(id).cast(ray);
        if (hit && (!best || hit->distance < best->hit.distance))
            best = SurfaceHit{id, *hit};
    }
    return best;
}

JointId pickJoint(Editor& editor, const Camera& camera, const Vector2d& pixel) {
    if (!editor.view().skeleton)
        return {};
    const rig::Skeleton& skeleton = editor.document().skeleton();
    const SkeletonShape shape = skeletonShape(skeleton, editor.evaluator().world(), DrawnJoints::of(editor));
    const double nearest = camera.orthographic() ? -1e300 : camera.nearPlane();

    JointId best;
    double bestPx = kTolerancePx;
    for (const JointBall& ball : shape.balls) {
        const Vector3d at = camera.project(ball.center);
        if (at.z() <= nearest)
            continue;
        const double px =
            (at.head<2>() - pixel).norm() - drawnRadiusPx(camera, ball.center, ball.radius, kBallSmallestPx);
        if (px < bestPx) {
            bestPx = px;
            best = ball.joint;
        }
    }
    if (best.valid())
        return best;
    for (const Bone& bone : shape.bones) {
        const Vector3d head = camera.project(bone.head), tail = camera.project(bone.tail);
        if (std::min(head.z(), tail.z()) <= nearest)
            continue;
        double along = 0;
        const double distance = distanceToSegment(pixel, head.head<2>(), tail.head<2>(), along);
        const Vector3d waist = bone.head + (bone.tail - bone.head) * kBoneWaistAt;
        const double waistPx = drawnRadiusPx(camera, waist, bone.waist, kBoneSmallestPx);
        const double px = distance - widthAt(along, waistPx);
        if (px < bestPx) {
            bestPx = px;
            best = bone.joint;
        }
    }
    return best;
}

JointId strongestJoint(Editor& editor, const SurfaceHit& hit) {
    const document::Document& doc = editor.document();
    const document::Instance& instance = doc.instance(hit.instance);
    const document::MeshData& mesh = doc.mesh(instance.mesh);
    if (!instance.skin.valid() || mesh.weights.empty()) {
        const std::vector<std::uint8_t>& drawn = DrawnJoints::of(editor);
        for (JointId j = instance.node; j.valid(); j = doc.skeleton()[j].parent)
            if (drawn[j.index()])
                return j;
        return instance.node;
    }
    const skin::SkinWeights& weights = editor.evaluator().weights(instance.mesh);
    std::unordered_map<std::uint32_t, float> sums;
    for (std::size_t corner = 0; corner < 3; ++corner) {
        const std::uint32_t vertex = mesh.geometry.triangles[hit.hit.triangle * 3u + corner];
        for (const skin::Influence& i : weights.row(vertex))
            sums[i.slot] += i.weight * hit.hit.barycentric[static_cast<Eigen::Index>(corner)];
    }
    const auto best =
        std::max_element(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const document::Skin& skin = doc.skin(instance.skin);
    if (best == sums.end() || best->first >= skin.joints.size())
        return {};
    return skin.joints[best->first];
}

} // namespace limber::ui
