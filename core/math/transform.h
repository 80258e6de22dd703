// Affine transforms, their parts, and the rotation nearest to a matrix.
// Column vectors, right-handed, Y up, metres and radians. Matrices are named after where they lead: worldFromJoint.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace limber::math {

using Affine = Eigen::Affine3d;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

// M = Tr(translation) * R(rotation) * K(shear) * diag(scale); K is unit upper triangular with
// shear = (k_xy, k_xz, k_yz). The rotation is proper; a reflection is a negative scale.x.
struct TransformParts {
    Vector3d translation = Vector3d::Zero();
    Quaterniond rotation = Quaterniond::Identity(); // unit, w >= 0
    Vector3d shear = Vector3d::Zero();
    Vector3d scale = Vector3d::Ones();
    bool singular = false; // a scale below 1e-8: `rotation` is then the fallback

    [[nodiscard]] bool hasShear() const { return shear.cwiseAbs().maxCoeff() > 1e-6; }
};

// Gram-Schmidt on the columns. `fallback` is kept as the rotation when the matrix is singular.
[[nodiscard]] TransformParts decompose(const Affine& m, const Quaterniond& fallback = Quaterniond::Identity());
[[nodiscard]] Affine compose(const TransformParts& parts);

// Translation, rotation and scale without shear.
[[nodiscard]] Affine composeTrs(const Vector3d& t, const Quaterniond& r, const Vector3d& s);

// The rotation nearest to `a` (polar factor by SVD, proper also where det a < 0). Identity for a zero matrix.
[[nodiscard]] Matrix3d nearestRotation(const Matrix3d& a);

// A = U diag(sigma) V^T with both rotations proper: how two nodes without shear make one with it
// (outer: rotation U and scale sigma, inner: rotation V^T). The last singular value is negative where det A < 0.
struct ShearSplit {
    Matrix3d outer = Matrix3d::Identity();
    Vector3d scale = Vector3d::Ones();
    Matrix3d inner = Matrix3d::Identity();
};
[[nodiscard]] ShearSplit splitShear(const Matrix3d& a);

// Unit quaternion with w >= 0 (if w is 0, the first non-zero of x, y, z is positive).
[[nodiscard]] Quaterniond canonical(const Quaterniond& q);

// R = Rz(c) Ry(b) Rx(a), angles (a, b, c) in radians; b in [-pi/2, pi/2].
[[nodiscard]] Vector3d eulerXyzFromRotation(const Quaterniond& q);
[[nodiscard]] Quaterniond rotationFromEulerXyz(const Vector3d& anglesRad);

// Rotation by `angleRad` about the unit `axis` through `pivot`.
[[nodiscard]] Affine rotationAbout(const Vector3d& pivot, const Vector3d& axis, double angleRad);

// cof(A) = rows' cross products; parallel to the inverse transpose, defined for singular A too.
template <class S> [[nodiscard]] Eigen::Matrix<S, 3, 3> cofactor(const Eigen::Matrix<S, 3, 3>& a) {
    Eigen::Matrix<S, 3, 3> c;
    c.row(0) = a.row(1).cross(a.row(2));
    c.row(1) = a.row(2).cross(a.row(0));
    c.row(2) = a.row(0).cross(a.row(1));
    return c;
}

[[nodiscard]] bool allFinite(const Affine& m);
[[nodiscard]] bool identical(const Affine& a, const Affine& b); // every component equal

// Largest absolute difference of the components.
[[nodiscard]] double distance(const Affine& a, const Affine& b);

} // namespace limber::math
