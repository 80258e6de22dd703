// What a weight brush does to one row (deformation-math.md section 6, "Brush"); rows are then normalised with locks.
#pragma once

#include "core/skin/skin_weights.h"

#include <algorithm>
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
    explicit RowSmoother(std::size_t slotCount) : sums_(slotCount, 0) {}

    void addNeighbour(std::span<const skin::Influence> row) {
        ++neighbours_;
        if (row.empty())
            return;
        reach(row);
        for (const skin::Influence& i : row)
            sums_[i.slot] += i.weight;
    }

    // Writes row + amount (mean - row) into `out` (sorted; locked slots as in `row`) and forgets the neighbours.
    // Without neighbours, the row itself. The sum is one only where nothing is locked. O(slots between the
    // first and the last of the rows).
    void finish(std::span<const skin::Influence> row, double amount, std::span<const std::uint8_t> locked,
                skin::Row& out);

private:
    void reach(std::span<const skin::Influence> row) {
        first_ = std::min(first_, row.front().slot);
        end_ = std::max(end_, row.back().slot + 1);
    }

    std::vector<double> sums_;                   // [slots] of the neighbours
    std::uint32_t first_ = 0xffffffff, end_ = 0; // slots that any row has
    std::size_t neighbours_ = 0;
};

} // namespace limber::weights
