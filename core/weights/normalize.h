// Keeping a vertex's weights finite, non-negative and summing to one, with locked joints (deformation-math.md section
// 6).
#pragma once

#include "core/skin/skin_weights.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace limber::weights {

// How far from one the sum of so many floats may be and still counts as one: what rounding makes of them, and never
// closer than 1e-6.
[[nodiscard]] constexpr double sumTolerance(std::size_t influences) {
    return std::max(1e-6, 2e-7 * static_cast<double>(influences));
}

struct NormalizeRequest {
    std::span<const std::uint8_t> locked;  // [slots] non-zero: locked
    std::optional<std::uint32_t> edited;   // slot whose weight is set ...
    double value = 0;                      // ... to this
    std::optional<std::uint32_t> fallback; // slot that takes what nobody else can
    std::size_t maxInfluences = 0;         // 0: any number
};

struct NormalizeOutcome {
    bool rejected = false;      // the edit could not be done (joint locked, or no free joint)
    bool clamped = false;       // the edited value had to be limited
    bool overlocked = false;    // locked weights alone exceed one
    bool tooManyLocked = false; // more locked influences than allowed
};

// Rows in double while they are worked on: dense is easier to reason about, and rows are short.
// `row` holds [slots] weights before and after.
NormalizeOutcome normalizeDense(std::span<double> row, const NormalizeRequest& request);

// The same on a sparse row; influences of zero weight are dropped from the result.
NormalizeOutcome normalizeRow(skin::Row& row, const NormalizeRequest& request);

// Largest-remainder rounding of weights that sum to one to integers that sum to `total` (255 or 65535);
// ties go to the lower slot (C30).
[[nodiscard]] std::vector<std::uint32_t> quantizeWeights(std::span<const double> weights, std::uint32_t total);

} // namespace limber::weights
