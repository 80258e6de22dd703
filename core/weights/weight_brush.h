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
    explicit RowSmoother(std::size_t slotCount) : sums_(slotCount, 0), present_(slotCount / 64 + 1, 0) {}

    void addNeighbour(std::span<const skin::Influence> row) {
        ++neighbours_;
        for (const skin::Influence& i : row) {
            sums_[i.slot] += i.weight;
            mark(i.slot);
        }
    }

    // Writes row + amount (mean - row) into `out` (sorted; locked slots as in `row`) and forgets the neighbours.
    // Without neighbours, the row itself. The sum is one only where nothing is locked. O(influences + slots / 64).
    void finish(std::span<const skin::Influence> row, double amount, std::span<const std::uint8_t> locked,
                skin::Row& out);

private:
    // A set of bits: slots come out in order without sorting.
    void mark(std::uint32_t slot) {
        const std::uint64_t bit = std::uint64_t(1) << (slot % 64);
        if (!(present_[slot / 64] & bit)) // nearly always there already: no waiting for what was just written
            present_[slot / 64] |= bit;
    }

    std::vector<double> sums_;           // [slots] of the neighbours
    std::vector<std::uint64_t> present_; // a bit for each slot
    std::size_t neighbours_ = 0;
};

} // namespace limber::weights
