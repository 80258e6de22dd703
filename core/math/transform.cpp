#include "core/math/transform.h"

#include <Eigen/SVD>

#include <algorithm>
#include <cmath>

namespace limber::math {

namespace {
constexpr double kSingularScale = 1e-8;
}

TransformParts decompose(const Affine& m, const Quaterniond& fallback) {
    TransformParts parts;
    parts.translation = m.translation();
    const Matrix3d a = m.linear();

    Matrix3d r = Matrix3d::Identity();
    Vector3d& s = parts.scale;
    Vector3d& k = parts.shear;

    // A = R K diag(s): K diag(s) is upper triangular, so this is a QR factorisation with positive diagonal.
    s.x() = a.col(0).norm();
    double xy = 0, xz = 0, yz = 0;
    Vector3d u = a.col(0), v = a.col(1), w = a.col(2);
    if (s.x() > 0)
        u /= s.x();
    xy = u.dot(v);
    v -= xy * u;
    s.y() = v.norm();
    if (s.y() > 0)
        v /= s.y();
    xz = u.dot(w);
    yz = v.dot(w);
    w -= xz * u + yz * v;
    s.z() = w.norm();
    if (s.z() > 0)
        w /= s.z();

    if (s.minCoeff() < kSingularScale) {
        parts.singular = true;
        parts.rotation = canonical(fallback);
        return parts;
    }
    k = Vector3d(xy / s.y(), xz / s.z(), yz / s.z());
    r.col(0) = u;
    r.col(1) = v;
    r.col(2) = w;
    if (r.determinant() < 0) {
        r.col(0) *= -1;
        s.x() *= -1;
        k.x() *= -1;
        k.y() *= -1;
    }
    parts.rotation = canonical(Quaterniond(r));
    return parts;
}

Affine compose(const TransformParts& parts) {
    Matrix3d k = Matrix3d::Identity();
    k(0, 1) = parts.shear.x();
    k(0, 2) = parts.shear.y();
    k(1, 2) = parts.shear.z();
    Affine m = Affine::Identity();
    m.linear() = parts.rotation.toRotationMatrix() * k * parts.scale.asDiagonal();
    m.translation() = parts.translation;
    return m;
}

Affine composeTrs(const Vector3d& t, const Quaterniond& r, const Vector3d& s) {
    Affine m = Affine::Identity();
    m.linear() = r.toRotationMatrix() * s.asDiagonal();
    m.translation() = t;
    return m;
}

Matrix3d nearestRotation(const Matrix3d& a) {
    const Eigen::JacobiSVD<Matrix3d> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    if (!(svd.singularValues()(0) > 0))
        return Matrix3d::Identity();
    Matrix3d u = svd.matrixU();
    if ((u * svd.matrixV().transpose()).determinant() < 0)
        u.col(2) *= -1;
    return u * svd.matrixV().transpose();
}

ShearSplit splitShear(const Matrix3d& a) {
    const Eigen::JacobiSVD<Matrix3d> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
    ShearSplit split{svd.matrixU(), svd.singularValues(), svd.matrixV()};
    if (split.outer.determinant() < 0) {
        split.outer.col(2) *= -1;
        split.scale.z() *= -1;
    }
    if (split.inner.determinant() < 0) {
        split.inner.col(2) *= -1;
        split.scale.z() *= -1;
    }
    split.inner.transposeInPlace();
    return split;
}

Quaterniond canonical(const Quaterniond& q) {
    Quaterniond n = q.normalized();
    const double lead = n.w() != 0 ? n.w() : n.x() != 0 ? n.x() : n.y() != 0 ? n.y() : n.z();
    if (lead < 0)
        n.coeffs() *= -1;
    return n;
}

Vector3d eulerXyzFromRotation(const Quaterniond& q) {
    const Matrix3d r = q.toRotationMatrix();
    const double sb = std::clamp(-r(2, 0), -1.0, 1.0);
    // At the poles only a+c or a-c is defined: put it all in c.
    if (std::abs(sb) > 1 - 1e-12)
        return {0.0, std::copysign(M_PI / 2, sb), std::atan2(-r(0, 1), r(1, 1))};
    return {std::atan2(r(2, 1), r(2, 2)), std::asin(sb), std::atan2(r(1, 0), r(0, 0))};
}

Quaterniond rotationFromEulerXyz(const Vector3d& anglesRad) {
    return canonical(Quaterniond(Eigen::AngleAxisd(anglesRad.z(), Vector3d::UnitZ()) *
                                 Eigen::AngleAxisd(anglesRad.y(), Vector3d::UnitY()) *
                                 Eigen::AngleAxisd(anglesRad.x(), Vector3d::UnitX())));
}

Affine rotationAbout(const Vector3d& pivot, const Vector3d& axis, double angleRad) {
    return Eigen::Translation3d(pivot) * Eigen::AngleAxisd(angleRad, axis) * Eigen::Translation3d(-pivot);
}

bool allFinite(const Affine& m) {
    return m.matrix().allFinite();
}

bool identical(const Affine& a, const Affine& b) {
    return (a.linear().array() == b.linear().array()).all() &&
           (a.translation().array() == b.translation().array()).all();
}

double distance(const Affine& a, const Affine& b) {
    return (a.matrix() - b.matrix()).cwiseAbs().maxCoeff();
}

} // namespace limber::math
