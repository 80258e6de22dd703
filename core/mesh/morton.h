// Keys of points by which neighbours in space mostly come near each other (G. M. Morton 1966: the bits of the
// coordinates take turns).
#pragma once

#include <Eigen/Geometry>

#include <algorithm>
#include <cstdint>

namespace limber::mesh {

class MortonKeys {
public:
    // `bits` of each coordinate, at most 21. The longest side of the box makes use of all; points outside of it have
    // the key of its border.
    MortonKeys(const Eigen::AlignedBox3f& box, int bits) : origin_(box.min().cast<double>()) {
        const double longest = (box.max().cast<double>() - origin_).maxCoeff();
        most_ = static_cast<double>((std::uint64_t{1} << bits) - 1);
        scale_ = longest > 0 ? most_ / longest : 0.0;
    }
    // Below 2^(3 bits).
    [[nodiscard]] std::uint64_t of(const Eigen::Vector3f& p) const {
        std::uint64_t key = 0;
        for (int axis = 0; axis < 3; ++axis)
            key |=
                spread(static_cast<std::uint64_t>(std::clamp((double(p[axis]) - origin_[axis]) * scale_, 0.0, most_)))
                << axis;
        return key;
    }

private:
    // The lowest 21 bits, each three places from the next.
    static std::uint64_t spread(std::uint64_t v) {
        v = (v | v << 32) & 0x001f00000000ffffull;
        v = (v | v << 16) & 0x001f0000ff0000ffull;
        v = (v | v << 8) & 0x100f00f00f00f00full;
        v = (v | v << 4) & 0x10c30c30c30c30c3ull;
        return (v | v << 2) & 0x1249249249249249ull;
    }

    Eigen::Vector3d origin_;
    double scale_ = 0, most_ = 0;
};

} // namespace limber::mesh
