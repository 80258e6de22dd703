#include "core/weights/weight_brush.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace limber::weights {

double brushedWeight(BrushOperator op, double start, double coverage, double target) {
    double w = start;
    switch (op) {
    case BrushOperator::Add:
        w = start + coverage;
        break;
    case BrushOperator::Subtract:
        w = start - coverage;
        break;
    case BrushOperator::Replace:
        w = start + (target - start) * coverage;
        break;
    }
    return std::clamp(w, 0.0, 1.0);
}

void RowSmoother::finish(std::span<const skin::Influence> row, double amount, std::span<const std::uint8_t> locked,
                         skin::Row& out) {
    for (const skin::Influence& i : row)
        mark(i.slot);
    out.clear();
    auto own = row.begin();
    const auto neighbours = static_cast<double>(neighbours_);
    for (std::size_t word = 0; word < present_.size(); ++word) {
        std::uint64_t bits = std::exchange(present_[word], 0);
        for (; bits != 0; bits &= bits - 1) {
            const auto slot = static_cast<std::uint32_t>(64 * word + std::size_t(std::countr_zero(bits)));
            float w = 0;
            if (own != row.end() && own->slot == slot)
                w = (own++)->weight;
            if (!locked[slot] && neighbours_ > 0)
                w = static_cast<float>(w + amount * (sums_[slot] / neighbours - w));
            if (w > 0)
                out.push_back({slot, w});
            sums_[slot] = 0;
        }
    }
    neighbours_ = 0;
}

} // namespace limber::weights
