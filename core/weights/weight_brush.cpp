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
    for (const skin::Influence& i : row)
        mark(i.slot);
    std::sort(used_.begin(), used_.end());
    out.clear();
    auto own = row.begin();
    const auto neighbours = static_cast<double>(neighbours_);
    for (const std::uint32_t slot : used_) {
        float w = 0;
        if (own != row.end() && own->slot == slot)
            w = (own++)->weight;
        if (!locked[slot] && neighbours_ > 0)
            w = static_cast<float>(w + amount * (mean_[slot] / neighbours - w));
        if (w > 0)
            out.push_back({slot, w});
        mean_[slot] = 0;
        present_[slot] = 0;
    }
    used_.clear();
    neighbours_ = 0;
}

} // namespace limber::weights
