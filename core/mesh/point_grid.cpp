#include "core/mesh/point_grid.h"

#include "core/base/pieces.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace limber::mesh {

namespace {

constexpr std::uint32_t kNone = 0xffffffff, kStray = 0xfffffffe;
constexpr std::size_t kPiece = 16384;
// Share of a cell's edge by which a point may leave it. Searches look a little further than that, for rounding.
constexpr double kMargin = 0.5, kSearchMargin = 0.51;

} // namespace

void VertexBits::take(std::uint32_t first, std::uint32_t end, std::vector<std::uint32_t>& out) {
    for (std::size_t w = first / 64; w < (std::size_t(end) + 63) / 64; ++w) {
        for (std::uint64_t bits = words_[w]; bits != 0; bits &= bits - 1)
            out.push_back(static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(bits)));
        words_[w] = 0;
    }
}

std::uint32_t PointGrid::cellAt(const Eigen::Vector3f& p) const {
    const auto along = [&](int axis) {
        const float at = (p[axis] - low_[axis]) * inverseEdge_;
        const std::uint32_t last = cells_[static_cast<std::size_t>(axis)] - 1;
        return at > 0 ? static_cast<std::uint32_t>(std::min(at, static_cast<float>(last))) : 0u;
    };
    return (along(2) * cells_[1] + along(1)) * cells_[0] + along(0);
}

bool PointGrid::near(std::uint32_t cell, const Eigen::Vector3f& p) const {
    const std::uint32_t at[3] = {cell % cells_[0], cell / cells_[0] % cells_[1], cell / cells_[0] / cells_[1]};
    for (int axis = 0; axis < 3; ++axis) {
        const double off = (double(p[axis]) - double(low_[axis])) * double(inverseEdge_) - at[axis];
        if (!(off >= -kMargin && off <= 1 + kMargin))
            return false;
    }
    return true;
}

// As many cells as points: a surface fills few of them, so that those hold some points each.
void PointGrid::layOut(const Eigen::AlignedBox3f& box, std::size_t points) {
    low_ = box.min();
    const Eigen::Vector3d extent = (box.max().cast<double>() - box.min().cast<double>());
    const double least = std::max(extent.maxCoeff() * 1e-3, double(std::numeric_limits<float>::min()) * 1e6);
    double edge = std::cbrt(extent.cwiseMax(least).prod() / static_cast<double>(points));
    const auto count = [&](int axis) { return std::floor(extent[axis] / edge) + 1; };
    while (count(0) * count(1) * count(2) > 2.0 * static_cast<double>(points) + 64)
        edge *= 1.1;
    edge_ = static_cast<float>(edge);
    inverseEdge_ = 1 / edge_;
    for (int axis = 0; axis < 3; ++axis)
        cells_[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(count(axis));
}

void PointGrid::clear() {
    cellOf_.clear();
    strays_.clear();
}

void PointGrid::build(const Weld& weld, std::span<const Eigen::Vector3f> positions) {
    clear();
    Eigen::AlignedBox3f box;
    for (const Eigen::Vector3f& p : positions)
        box.extend(p);
    const std::size_t points = weld.pointCount();
    const double size = points == 0 ? 0 : (box.max().cast<double>() - box.min().cast<double>()).maxCoeff();
    if (!(size < 1e18)) // also where it is not a number
        return;
    layOut(box, std::max<std::size_t>(points, 1));

    cellOf_.resize(positions.size());
    inPieces(positions.size(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t v = first; v < end; ++v)
            cellOf_[v] = weld.firstVertex(weld.pointOfVertex[v]) == v ? cellAt(positions[v]) : kNone;
    });
    offsets_.assign(std::size_t(cells_[0]) * cells_[1] * cells_[2] + 2, 0);
    for (const std::uint32_t cell : cellOf_)
        if (cell != kNone)
            ++offsets_[cell + 2];
    for (std::size_t c = 2; c < offsets_.size(); ++c)
        offsets_[c] += offsets_[c - 1];
    // offsets_[c + 1] runs from the start of cell c to its end, which is where the next one starts.
    points_.resize(points);
    for (std::uint32_t v = 0; v < cellOf_.size(); ++v)
        if (cellOf_[v] != kNone)
            points_[offsets_[cellOf_[v] + 1]++] = v;
    found_.resize(positions.size());
    strays_.reserve(points / 8 + 64);
}

void PointGrid::moved(std::span<const Eigen::Vector3f> positions, std::span<const std::uint32_t> vertices) {
    for (const std::uint32_t v : vertices)
        if (const std::uint32_t cell = cellOf_[v]; cell < kStray && !near(cell, positions[v])) {
            cellOf_[v] = kStray;
            strays_.push_back(v);
        }
}

bool PointGrid::worn() const {
    return strays_.size() > points_.size() / 16 + 64;
}

void PointGrid::within(std::span<const Eigen::Vector3f> positions, const Eigen::Vector3f& center, float radius,
                       std::vector<std::uint32_t>& out) {
    out.clear();
    const float squaredRadius = radius * radius;
    std::uint32_t least = kNone, most = 0;
    const auto look = [&](std::uint32_t v) {
        if (!((positions[v] - center).squaredNorm() <= squaredRadius))
            return;
        found_.add(v);
        least = std::min(least, v);
        most = std::max(most, v);
    };
    // In units of cells. A cell's box is wider than itself on both sides, for points that have left it.
    const Eigen::Vector3d at = (center.cast<double>() - low_.cast<double>()) * double(inverseEdge_);
    const double reach = double(radius) * double(inverseEdge_);
    const auto range = [&](int axis, double half) {
        const double last = cells_[static_cast<std::size_t>(axis)] - 1.0;
        const double from = std::floor(at[axis] - half - kSearchMargin),
                     to = std::floor(at[axis] + half + kSearchMargin);
        if (!(from <= last && to >= 0))
            return std::pair<std::int64_t, std::int64_t>(0, -1);
        return std::pair<std::int64_t, std::int64_t>(std::max(from, 0.0), std::min(to, last));
    };
    const auto off = [&](int axis, std::int64_t cell) {
        const double low = double(cell) - kSearchMargin, high = double(cell) + 1 + kSearchMargin;
        return std::max({0.0, low - at[axis], at[axis] - high});
    };
    const double slack = 1e-3 + 1e-6 * reach; // of the exact test's floats
    const double squaredReach = (reach + slack) * (reach + slack);
    const auto [zFrom, zTo] = range(2, reach);
    const auto [yFrom, yTo] = range(1, reach);
    for (std::int64_t z = zFrom; z <= zTo; ++z)
        for (std::int64_t y = yFrom; y <= yTo; ++y) {
            const double rest = squaredReach - off(2, z) * off(2, z) - off(1, y) * off(1, y);
            if (rest < 0)
                continue;
            const auto [xFrom, xTo] = range(0, std::sqrt(rest));
            if (xFrom > xTo)
                continue;
            const std::size_t row = (static_cast<std::size_t>(z) * cells_[1] + static_cast<std::size_t>(y)) * cells_[0];
            const std::uint32_t end = offsets_[row + static_cast<std::size_t>(xTo) + 1];
            for (std::uint32_t k = offsets_[row + static_cast<std::size_t>(xFrom)]; k < end; ++k)
                look(points_[k]);
        }
    for (const std::uint32_t v : strays_)
        look(v);
    if (least <= most)
        found_.take(least, most + 1, out);
}

} // namespace limber::mesh
