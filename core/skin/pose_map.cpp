#include "core/skin/pose_map.h"

#include "core/math/mirror.h"

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <algorithm>
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
    s.rotation = math::polarRotation(rigidAndStretch.linear(), math::isMirrored(rigidAndStretch.linear()));
    s.origin = bindWorld.translation();
    s.translation = rigidAndStretch * s.origin - s.rotation * s.origin;
    math::Affine about = math::Affine::Identity();
    about.linear() = s.rotation.transpose() * rigidAndStretch.linear();
    about.translation() = s.origin - about.linear() * s.origin;
    s.stretch = about * (bindWorld * inverseBind);
    s.largestStretch = largestStretch(s.skin);
    s.sign = math::isMirrored(s.skin.linear()) ? -1 : 1;
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

const Influence* heaviestOf(std::span<const Influence> row) {
    const Influence* heaviest = nullptr;
    for (const Influence& i : row)
        if (i.weight > kWeightEpsilon && (!heaviest || i.weight > heaviest->weight))
            heaviest = &i;
    return heaviest;
}

using Quaternion4 = Eigen::Vector4d; // x y z w

Quaternion4 rotationOf(const SlotPose& slot) {
    return Eigen::Quaterniond(slot.rotation).coeffs();
}

// The rotation that the signed sum of the joints' quaternions has, and the sum of their dual parts beside it.
struct BlendedMotion {
    Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
    Eigen::Vector3d translation = Eigen::Vector3d::Zero();
};

BlendedMotion blendMotions(std::span<const Influence> row, std::span<const SlotPose> slots, const Influence& pivot) {
    const Quaternion4 pivotRotation = rotationOf(slots[pivot.slot]);
    Quaternion4 real = Quaternion4::Zero(), dual = Quaternion4::Zero();
    for (const Influence& i : row) {
        if (i.weight <= kWeightEpsilon)
            continue;
        const SlotPose& slot = slots[i.slot];
        const Quaternion4 q = rotationOf(slot);
        const Eigen::Vector3d& t = slot.translation;
        const Quaternion4 d = 0.5 * (Eigen::Quaterniond(0, t.x(), t.y(), t.z()) * Eigen::Quaterniond(q)).coeffs();
        const double w = q.dot(pivotRotation) < 0 ? -double(i.weight) : double(i.weight);
        real += w * q;
        dual += w * d;
    }
    const double length = real.norm();
    if (length < 1e-9)
        return {slots[pivot.slot].rotation, slots[pivot.slot].translation};
    real /= length;
    dual /= length;
    const Eigen::Vector3d r = real.head<3>(), d = dual.head<3>();
    return {Eigen::Quaterniond(real).toRotationMatrix(), 2 * (real[3] * d - dual[3] * r + r.cross(d))};
}

// First phase: sum of w S M, and the sum of the weights.
struct Stretched {
    Eigen::Matrix3d a = Eigen::Matrix3d::Zero();
    Eigen::Vector3d b = Eigen::Vector3d::Zero();
    double weight = 0;
};

Stretched blendStretches(std::span<const Influence> row, std::span<const SlotPose> slots) {
    Stretched sum;
    for (const Influence& i : row) {
        if (i.weight <= kWeightEpsilon)
            continue;
        const double w = i.weight;
        sum.a += w * slots[i.slot].stretch.linear();
        sum.b += w * slots[i.slot].stretch.translation();
        sum.weight += w;
    }
    return sum;
}

Eigen::Vector3d centrePerVertex(std::span<const Influence> row, std::span<const SlotPose> slots, double total) {
    Eigen::Vector3d anchor = Eigen::Vector3d::Zero(), meanOfAnchor = Eigen::Vector3d::Zero();
    Eigen::Matrix3d mean = Eigen::Matrix3d::Zero();
    for (const Influence& i : row)
        if (i.weight > kWeightEpsilon) {
            anchor += i.weight / total * slots[i.slot].origin;
            mean += i.weight / total * slots[i.slot].rotation;
        }
    for (const Influence& i : row)
        if (i.weight > kWeightEpsilon)
            meanOfAnchor += i.weight / total * (slots[i.slot].rotation * anchor + slots[i.slot].translation);
    Eigen::Matrix3d n = kCentreTerm * Eigen::Matrix3d::Identity();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    for (const Influence& i : row) {
        if (i.weight <= kWeightEpsilon)
            continue;
        const SlotPose& slot = slots[i.slot];
        const Eigen::Matrix3d e = slot.rotation - mean;
        n += i.weight / total * e.transpose() * e;
        right -= i.weight / total * e.transpose() * (slot.rotation * anchor + slot.translation - meanOfAnchor);
    }
    return anchor + n.ldlt().solve(right);
}

// Three rows with the least squares solution and the singular values of many: Gram and Schmidt's way, modified, with
// the right side as the fourth column, is as exact as reflections.
struct Triangle {
    Eigen::Matrix3d rows = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
};

Triangle triangleOf(Eigen::MatrixX3d rows, Eigen::VectorXd right) {
    Triangle t;
    for (Eigen::Index k = 0; k < 3; ++k) {
        t.rows(k, k) = rows.col(k).norm();
        if (t.rows(k, k) == 0)
            continue;
        rows.col(k) /= t.rows(k, k);
        for (Eigen::Index other = k + 1; other < 3; ++other) {
            t.rows(k, other) = rows.col(k).dot(rows.col(other));
            rows.col(other) -= t.rows(k, other) * rows.col(k);
        }
        t.right[k] = rows.col(k).dot(right);
        right -= t.right[k] * rows.col(k);
    }
    return t;
}

// As published: rows (R_a - R_b) r = tau_b - tau_a of all pairs, about the mean bind origin (D5).
Eigen::Vector3d centrePerSet(std::span<const Influence> row, std::span<const SlotPose> slots) {
    std::vector<const SlotPose*> set;
    for (const Influence& i : row)
        if (i.weight > kWeightEpsilon)
            set.push_back(&slots[i.slot]);
    Eigen::Vector3d anchor = Eigen::Vector3d::Zero();
    for (const SlotPose* s : set)
        anchor += s->origin / static_cast<double>(set.size());
    const auto pairs = static_cast<Eigen::Index>(set.size() * (set.size() - 1) / 2);
    if (pairs == 0)
        return anchor;
    Eigen::MatrixX3d rows(3 * pairs, 3);
    Eigen::VectorXd right(3 * pairs);
    Eigen::Index at = 0;
    for (std::size_t a = 0; a < set.size(); ++a)
        for (std::size_t b = a + 1; b < set.size(); ++b, at += 3) {
            const Eigen::Matrix3d difference = set[a]->rotation - set[b]->rotation;
            rows.middleRows<3>(at) = difference;
            right.segment<3>(at) = set[b]->translation - set[a]->translation - difference * anchor;
        }
    const Triangle triangle = triangleOf(std::move(rows), std::move(right));
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(triangle.rows, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::Vector3d sigma = svd.singularValues();
    const double least = std::max(1e-6, 1e-6 * sigma[0]);
    const Eigen::Vector3d projected = svd.matrixU().transpose() * triangle.right;
    for (Eigen::Index k = 0; k < 3; ++k)
        if (sigma[k] >= least)
            anchor += svd.matrixV().col(k) * (projected[k] / sigma[k]);
    return anchor;
}

// x = R (x1 - W r) + sum w D r for the spherical blend, x = R x1 + W t for dual quaternions.
// W, the sum of the weights: where it is not one, the map is W times that of the weights divided by W, as a linear
// blend has it.
VertexMap rigidMap(std::span<const Influence> row, std::span<const SlotPose> slots, Method method,
                   SphericalCentre centre, const Influence& pivot) {
    const BlendedMotion motion = blendMotions(row, slots, pivot);
    const Stretched stretched = blendStretches(row, slots);
    VertexMap map;
    map.a = motion.rotation * stretched.a;
    map.b = motion.rotation * stretched.b;
    if (method == Method::DualQuaternion) {
        map.b += stretched.weight * motion.translation;
        return map;
    }
    const Eigen::Vector3d r =
        centre == SphericalCentre::PerSet ? centrePerSet(row, slots) : centrePerVertex(row, slots, stretched.weight);
    map.b -= stretched.weight * (motion.rotation * r);
    for (const Influence& i : row)
        if (i.weight > kWeightEpsilon)
            map.b += double(i.weight) * (slots[i.slot].rotation * r + slots[i.slot].translation);
    return map;
}

} // namespace

VertexMap poseMap(std::span<const Influence> row, std::span<const SlotPose> slots, Method method, double share,
                  SphericalCentre centre) {
    VertexMap map = linearMap(row, slots);
    const Influence* pivot = method == Method::Linear || share == 0 ? nullptr : heaviestOf(row);
    if (!pivot)
        return map;
    const VertexMap rigid = rigidMap(row, slots, method, centre, *pivot);
    map.a += share * (rigid.a - map.a);
    map.b += share * (rigid.b - map.b);
    return map;
}

Eigen::Vector3d transformNormal(const Eigen::Matrix3d& a, double sign, const Eigen::Vector3d& n,
                                const Eigen::Vector3d& fallback) {
    const Eigen::Vector3d c = math::cofactor<double>(a) * n;
    const double length = c.norm();
    if (length <= 1e-9 * a.squaredNorm())
        return fallback;
    return c * (sign / length);
}

Eigen::Vector4d transformTangent(const Eigen::Matrix3d& a, const Eigen::Vector3d& normal,
                                 const Eigen::Vector4d& tangent) {
    const Eigen::Vector3d carried = a * tangent.head<3>();
    Eigen::Vector3d flat = carried - normal * normal.dot(carried);
    if (flat.norm() <= 1e-9 * a.norm())
        flat = normal.unitOrthogonal();
    Eigen::Vector4d posed;
    posed << flat.normalized(), (a.determinant() < 0 ? -tangent.w() : tangent.w());
    return posed;
}

PosedVertex posedReference(const Eigen::Vector3d& position, const Eigen::Vector3d& normal,
                           std::span<const Influence> row, std::span<const SlotPose> slots, Method method, double share,
                           SphericalCentre centre) {
    const VertexMap map = poseMap(row, slots, method, share, centre);
    const Influence* heaviest = heaviestOf(row);
    if (!heaviest)
        return {position, normal};
    const SlotPose& joint = slots[heaviest->slot];
    return {map(position),
            transformNormal(map.a, joint.sign, normal,
                            joint.sign * (math::polarRotation(joint.skin.linear(), joint.sign < 0) * normal))};
}

} // namespace limber::skin
