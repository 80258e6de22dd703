// The joints of a skin in one pose as the kernels and the vertex shader read them, in float.
#pragma once

#include "core/skin/pose_map.h"

namespace limber::skin {

// Rows of [A | t].
using Matrix34f = Eigen::Matrix<float, 3, 4, Eigen::RowMajor>;
[[nodiscard]] Matrix34f toMatrix34f(const math::Affine& m);

// D, S M, o of a slot: nine vectors of four floats, laid out as the shader's storage buffer and textures have them.
struct RigidSlot {
    float rotation[4]; // unit quaternion x y z w of D
    float dual[4];     // dual part: half of translation times rotation, x y z w
    float rows[12];    // D as rows of [R | tau]
    float stretch[12]; // S M as rows
    float origin[4];   // o, and the sign of det A(T)
};
static_assert(sizeof(RigidSlot) == 36 * sizeof(float));

// How S M differs over the slots: what the first phase of the rigid methods costs.
enum class Stretch : std::uint8_t { None, Common, PerSlot };

class Palette {
public:
    // One slot; keeps the memory it has. `rigid()` is filled for the rigid methods only.
    void resize(std::size_t slots, Method method);
    void set(std::size_t slot, const SlotPose& pose);
    // After the last set(): finds out mirrored() and stretch(). O(slots).
    void finish();

    [[nodiscard]] Method method() const { return method_; }
    [[nodiscard]] std::size_t size() const { return linear_.size(); }
    [[nodiscard]] std::span<const Matrix34f> linear() const { return linear_; } // [slots] world from mesh
    [[nodiscard]] std::span<const RigidSlot> rigid() const { return rigid_; }   // [slots], empty for linear blend
    [[nodiscard]] std::span<const float> signs() const { return signs_; }       // [slots] of det A(T), 1 or -1
    [[nodiscard]] std::span<const float> sizes() const { return sizes_; }       // [slots] |A(T)|_F squared
    [[nodiscard]] bool mirrored() const { return mirrored_; }                   // any sign is -1
    [[nodiscard]] Stretch stretch() const { return stretch_; }

private:
    Method method_ = Method::Linear;
    std::vector<Matrix34f> linear_;
    std::vector<RigidSlot> rigid_;
    std::vector<float> signs_, sizes_;
    bool mirrored_ = false;
    Stretch stretch_ = Stretch::None;
};

} // namespace limber::skin
