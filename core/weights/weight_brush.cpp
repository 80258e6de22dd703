#include "core/weights/weight_brush.h"

#include <algorithm>

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
    if (!row.empty())
        reach(row);
    out.clear();
    auto own = row.begin();
    const double share = neighbours_ > 0 ? 1.0 / static_cast<double>(neighbours_) : 0;
    for (std::uint32_t slot = first_; slot < end_; ++slot) {
        const double sum = sums_[slot];
        const bool owned = own != row.end() && own->slot == slot;
        if (sum == 0 && !owned)
            continue;
        float w = owned ? (own++)->weight : 0;
        if (!locked[slot] && neighbours_ > 0)
            w = static_cast<float>(w + amount * (sum * share - w));
        if (w > 0)
            out.push_back({slot, w});
        sums_[slot] = 0;
    }
    first_ = 0xffffffff;
    end_ = 0;
    neighbours_ = 0;
}

} // namespace limber::weights
