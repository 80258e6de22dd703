#include "core/skin/ring_smoother.h"

#include "core/base/pieces.h"

#include <cassert>

namespace limber::skin {

namespace {

constexpr std::size_t kPiece = 4096;

} // namespace

RingSmoother::RingSmoother(const mesh::Weld& weld, std::uint32_t steps, std::size_t most)
    : weld_(weld), steps_(steps), most_(most), slots_(weld.pointCount(), kNone) {
    points_.reserve(weld.pointCount()); // the ring that is one too many is listed, too
    ends_.reserve(2 * std::size_t(steps) + 1);
    places_.reserve(most);
    buffer_.reserve(most);
    offsets_.reserve(most + 1);
    items_.reserve(weld.neighbours.items.size());
}

bool RingSmoother::list(std::span<const std::uint32_t> vertices) {
    for (const std::uint32_t p : points_)
        slots_[p] = kNone;
    points_.clear();
    ends_.clear();
    const auto add = [&](std::uint32_t p) {
        if (slots_[p] != kNone)
            return;
        slots_[p] = static_cast<std::uint32_t>(points_.size());
        points_.push_back(p);
    };
    for (const std::uint32_t v : vertices)
        add(weld_.pointOfVertex[v]);
    ends_.push_back(points_.size());
    std::size_t next = 0;
    for (std::uint32_t ring = 0; ring < 2 * steps_ && points_.size() <= most_; ++ring) {
        for (; next < ends_.back(); ++next)
            for (const std::uint32_t q : weld_.neighbours[points_[next]])
                add(q);
        ends_.push_back(points_.size());
    }
    if (points_.size() > most_)
        return false;
    places_.resize(points_.size());
    return true;
}

void RingSmoother::smooth(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> counts, float lambda) {
    assert(ends_.size() == 2 * std::size_t(steps_) + 1);
    // The last ring is only read.
    const std::span<const std::uint32_t> inner = within(2 * steps_ - 1);
    offsets_.resize(inner.size() + 1);
    offsets_[0] = 0;
    for (std::size_t k = 0; k < inner.size(); ++k)
        offsets_[k + 1] = offsets_[k] + counts[inner[k]];
    items_.resize(offsets_.back());
    inPieces(inner.size(), pieceOf(inner.size(), kPiece), [&](std::size_t first, std::size_t end) {
        for (std::size_t k = first; k < end; ++k) {
            const std::uint32_t* row = rows.data() + weld_.neighbours.offsets[inner[k]];
            for (std::uint32_t item = offsets_[k]; item < offsets_[k + 1]; ++item)
                items_[item] = slots_[*row++];
        }
    });
    buffer_.resize(places_.size());
    // What is right draws in by a ring each step.
    for (std::uint32_t step = 1; step <= steps_; ++step) {
        const std::size_t count = within(2 * steps_ - step).size();
        const Eigen::Vector4f* from = places_.data();
        inPieces(count, pieceOf(count, kPiece), [&](std::size_t first, std::size_t end) {
            for (std::size_t k = first; k < end; ++k)
                buffer_[k] = smoothed(from, k, items_.data() + offsets_[k], offsets_[k + 1] - offsets_[k], lambda);
        });
        places_.swap(buffer_);
    }
}

} // namespace limber::skin
