#include "core/skin/pose_map.h"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace limber::skin {

double largestStretch(const math::Affine& m) {
    // |A|_2 is the root of the largest eigenvalue of A^T A.
    const Eigen::Matrix3d square = m.linear().transpose() * m.linear();
    return std::sqrt(
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(square, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff());
}

SlotPose slotPose(const math::Affine& world, const math::Affine& bindWorld, const math::Affine& bindWorldInverse,
                  const math::Affine& inverseBind) {
    const math::Affine rigidAndStretch = world * bindWorldInverse;
    SlotPose s;
    s.skin = world * inverseBind;
    s.rotation = math::nearestRotation(rigidAndStretch.linear());
    s.origin = bindWorld.translation();
    s.translation = rigidAndStretch * s.origin - s.rotation * s.origin;
    math::Affine about = math::Affine::Identity();
    about.linear() = s.rotation.transpose() * rigidAndStretch.linear();
    about.translation() = s.origin - about.linear() * s.origin;
    s.stretch = about * (bindWorld * inverseBind);
    s.largestStretch = largestStretch(s.skin);
    s.sign = s.skin.linear().determinant() < 0 ? -1 : 1;
    return s;
}

namespace {

VertexMap linearMap(std::span<const Influence> row, std::span<const SlotPose> slots) {
    VertexMap map;
    map.a.setZero();
    map.jointScale = 0;
    bool any = false;
    for (const Influence& i : row) {
        if (i.weight <= kWeightEpsilon)
            continue;
        const double w = i.weight;
        map.a += w * slots[i.slot].skin.linear();
        map.b += w * slots[i.slot].skin.translation();
        map.jointScale += w * slots[i.slot].largestStretch;
        any = true;
    }
    return any ? map : VertexMap{};
}

} // namespace

VertexMap poseMap(std::span<const Influence> row, std::span<const SlotPose> slots, Method method, double share,
                  SphericalCentre centre) {
    (void)method, (void)share, (void)centre;
    return linearMap(row, slots);
}

Eigen::Vector3d transformNormal(const Eigen::Matrix3d& a, double sign, const Eigen::Vector3d& n,
                                const Eigen::Vector3d& fallback) {
    const Eigen::Vector3d c = math::cofactor<double>(a) * n;
    const double length = c.norm();
    if (length <= 1e-9 * a.squaredNorm())
        return fallback;
    return c * (sign / length);
}

PosedVertex posedReference(const Eigen::Vector3d& position, const Eigen::Vector3d& normal,
                           std::span<const Influence> row, std::span<const SlotPose> slots, Method method, double share,
                           SphericalCentre centre) {
    const VertexMap map = poseMap(row, slots, method, share, centre);
    const Influence* heaviest = nullptr;
    for (const Influence& i : row)
        if (i.weight > kWeightEpsilon && (!heaviest || i.weight > heaviest->weight))
            heaviest = &i;
    if (!heaviest)
        return {position, normal};
    const SlotPose& joint = slots[heaviest->slot];
    return {map(position),
            transformNormal(map.a, joint.sign, normal, math::nearestRotation(joint.skin.linear()) * normal)};
}

} // namespace limber::skin
