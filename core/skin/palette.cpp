#include "core/skin/palette.h"

#include <algorithm>

namespace limber::skin {

namespace {

using RowsOut = Eigen::Map<Matrix34f>;

bool sameStretch(const RigidSlot& a, const RigidSlot& b) {
    // Two slots differ by rounding alone where both come from one placement of the mesh. The translation t of S M is
    // o - P o + P t(M): rounding of each part, however far off they are, and nothing of it in the other columns.
    float size = 0, away = 0;
    for (std::size_t k = 0; k < 12; ++k)
        if (k % 4 < 3)
            size = std::max(size, std::abs(a.stretch[k]));
        else
            away = std::max({away, std::abs(a.stretch[k]), std::abs(b.stretch[k])});
    for (std::size_t k = 0; k < 3; ++k)
        away = std::max({away, size * std::abs(a.origin[k]), size * std::abs(b.origin[k])});
    for (std::size_t k = 0; k < 12; ++k)
        if (!(std::abs(a.stretch[k] - b.stretch[k]) <= 1e-6f * (k % 4 < 3 ? size : away)))
            return false;
    return true;
}

bool isIdentity(const RigidSlot& slot) {
    RigidSlot identity{};
    RowsOut(identity.stretch).setIdentity();
    return sameStretch(identity, slot);
}

} // namespace

Matrix34f toMatrix34f(const math::Affine& m) {
    return m.matrix().topRows<3>().cast<float>();
}

void Palette::resize(std::size_t slots, Method method) {
    method_ = method;
    linear_.resize(slots, Matrix34f::Identity());
    signs_.resize(slots, 1.0f);
    sizes_.resize(slots, 3.0f);
    rigid_.resize(method == Method::Linear ? 0 : slots);
}

void Palette::set(std::size_t slot, const SlotPose& pose) {
    linear_[slot] = toMatrix34f(pose.skin);
    signs_[slot] = static_cast<float>(pose.sign);
    sizes_[slot] = linear_[slot].leftCols<3>().squaredNorm();
    if (method_ == Method::Linear)
        return;
    RigidSlot& r = rigid_[slot];
    const Eigen::Quaterniond q(pose.rotation);
    const Eigen::Quaterniond t(0, pose.translation.x(), pose.translation.y(), pose.translation.z());
    Eigen::Map<Eigen::Vector4f>(r.rotation) = q.coeffs().cast<float>();
    Eigen::Map<Eigen::Vector4f>(r.dual) = (0.5 * (t * q).coeffs()).cast<float>();
    RowsOut rows(r.rows), stretch(r.stretch);
    rows.leftCols<3>() = pose.rotation.cast<float>();
    rows.col(3) = pose.translation.cast<float>();
    stretch = toMatrix34f(pose.stretch);
    Eigen::Map<Eigen::Vector4f>(r.origin) << pose.origin.cast<float>(), signs_[slot];
}

void Palette::finish() {
    mirrored_ = std::any_of(signs_.begin(), signs_.end(), [](float sign) { return sign < 0; });
    stretch_ = Stretch::None;
    if (rigid_.empty())
        return;
    const bool common = std::all_of(rigid_.begin(), rigid_.end(),
                                    [&](const RigidSlot& slot) { return sameStretch(rigid_.front(), slot); });
    stretch_ = !common ? Stretch::PerSlot : isIdentity(rigid_.front()) ? Stretch::None : Stretch::Common;
}

} // namespace limber::skin
