#include "core/rig/world_increment.h"

#include <cmath>

namespace limber::rig {

namespace {

// Relative to the matrix's own size, so that scenes in millimetres are not called singular.
bool invertible(const Affine& m) {
    const double size = m.linear().cwiseAbs().maxCoeff();
    return std::isfinite(size) && size > 0 && std::abs((m.linear() / size).determinant()) > 1e-12;
}

} // namespace

std::optional<Affine> applyWorldIncrement(const Affine& parentWorld, const Affine& bindLocal, const Affine& userLocal,
                                          const Affine& increment) {
    const Affine frame = parentWorld * bindLocal;
    if (!invertible(frame))
        return std::nullopt;
    return frame.inverse() * increment * frame * userLocal;
}

Affine keepTrs(const Affine& before, const Affine& after) {
    math::TransformParts parts = math::decompose(before);
    if (parts.singular)
        return after;
    math::TransformParts stretch;
    stretch.shear = parts.shear;
    stretch.scale = parts.scale;
    const math::Matrix3d ks = math::compose(stretch).linear();
    parts.rotation = math::canonical(math::Quaterniond(math::nearestRotation(after.linear() * ks.inverse())));
    parts.translation = after.translation();
    return math::compose(parts);
}

std::optional<Affine> userLocalFromWorld(const Affine& parentWorld, const Affine& bindLocal, const Affine& world) {
    const Affine frame = parentWorld * bindLocal;
    if (!invertible(frame))
        return std::nullopt;
    return frame.inverse() * world;
}

} // namespace limber::rig
