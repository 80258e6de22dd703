// What a weight brush does to one row (deformation-math.md section 6, "Brush"); rows are then normalised with locks.
#pragma once

#include "core/skin/skin_weights.h"

#include <span>
#include <vector>

namespace limber::weights {

enum class BrushOperator { Add, Subtract, Replace };

// The weight that `start` becomes under a coverage of 0 .. 1 (strength times falloff), limited to [0, 1].
// `target` is what Replace leads to.
[[nodiscard]] double brushedWeight(BrushOperator op, double start, double coverage, double target);

// Moves rows towards the mean of their neighbours. One object serves any number of rows: it keeps its memory.
class RowSmoother {
public:
    explicit RowSmoother(std::size_t slotCount) : mean_(slotCount, 0), present_(slotCount, 0) {
        used_.reserve(slotCount);
    }

    void addNeighbour(std::span<const skin::Influence> row) {
        ++neighbours_;
        for (const skin::Influence& i : row) {
            mark(i.slot);
            mean_[i.slot] += i.weight;
        }
    }

    // Writes row + amount (mean - row) into `out` (sorted; locked slots as in `row`) and forgets the neighbours.
    // Without neighbours, the row itself. The sum is one only where nothing is locked. O(influences).
    void finish(std::span<const skin::Influence> row, double amount, std::span<const std::uint8_t> locked,
                skin::Row& out);

private:
    void mark(std::uint32_t slot) {
        if (present_[slot])
            return;
        present_[slot] = 1;
        used_.push_back(slot);
    }

    std::vector<double> mean_;          // [slots] sums while neighbours are added
    std::vector<std::uint8_t> present_; // [slots]
    std::vector<std::uint32_t> used_;
    std::size_t neighbours_ = 0;
};

} // namespace limber::weights
