#include "core/weights/normalize.h"

#include "core/skin/linear_blend.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace limber::weights {

namespace {

constexpr double kNothing = 1e-12;

// One row at work. `closed` slots are those that no weight may flow to: locked ones, and dropped ones.
class RowWork {
public:
    RowWork(std::span<double> row, const NormalizeRequest& request, std::vector<std::uint8_t>& closed)
        : row_(row), request_(request), edited_(request.edited), closed_(closed) {
        closed_.assign(request.locked.begin(), request.locked.end());
        for (std::size_t k = 0; k < row_.size(); ++k) {
            if (!(row_[k] > 0) || !std::isfinite(row_[k]))
                row_[k] = 0;
            if (closed_[k])
                lockedSum_ += row_[k];
        }
        room_ = std::max(0.0, 1 - lockedSum_);
    }

    NormalizeOutcome run() {
        if (!anyOpen()) {
            outcome_.rejected = edited_.has_value();
            outcome_.overlocked = lockedSum_ > 1 + kNothing;
            return outcome_;
        }
        if (edited_ && closed_[*edited_]) {
            outcome_.rejected = true;
            edited_.reset();
        }
        distribute();
        limitInfluences();
        if (lockedSum_ > 1 + kNothing)
            outcome_.overlocked = true;
        else
            absorbRounding();
        return outcome_;
    }

private:
    [[nodiscard]] bool anyOpen() const {
        return std::any_of(closed_.begin(), closed_.end(), [](std::uint8_t c) { return c == 0; });
    }

    [[nodiscard]] bool isOther(std::size_t k) const { return !closed_[k] && (!edited_ || k != *edited_); }

    // The slot that takes what no other can: the fallback, or else the first open one.
    [[nodiscard]] std::optional<std::size_t> taker() const {
        if (request_.fallback && *request_.fallback < row_.size() && isOther(*request_.fallback))
            return *request_.fallback;
        for (std::size_t k = 0; k < row_.size(); ++k)
            if (isOther(k))
                return k;
        return std::nullopt;
    }

    void distribute() {
        double rest = room_;
        if (edited_) {
            const double wanted = std::isfinite(request_.value) ? request_.value : 0;
            row_[*edited_] = std::clamp(wanted, 0.0, room_);
            outcome_.clamped = row_[*edited_] != wanted;
            rest = room_ - row_[*edited_];
        }
        double others = 0;
        for (std::size_t k = 0; k < row_.size(); ++k)
            if (isOther(k))
                others += row_[k];
        if (others > kNothing) {
            for (std::size_t k = 0; k < row_.size(); ++k)
                if (isOther(k))
                    row_[k] *= rest / others;
            return;
        }
        for (std::size_t k = 0; k < row_.size(); ++k)
            if (isOther(k))
                row_[k] = 0;
        if (const auto slot = taker()) {
            row_[*slot] = rest;
        } else if (edited_) {
            outcome_.clamped = outcome_.clamped || row_[*edited_] != room_;
            row_[*edited_] = room_;
        }
    }

    [[nodiscard]] std::size_t influences() const {
        return static_cast<std::size_t>(std::count_if(row_.begin(), row_.end(), [](double w) { return w > 0; }));
    }

    void limitInfluences() {
        if (request_.maxInfluences == 0 || influences() <= request_.maxInfluences)
            return;
        // Weight may only flow to those that are there: a newcomer would have to be dropped again.
        for (std::size_t k = 0; k < row_.size(); ++k)
            if (isOther(k) && !(row_[k] > 0))
                closed_[k] = 1;
        for (std::size_t count = influences(); count > request_.maxInfluences; --count) {
            std::optional<std::size_t> smallest;
            for (std::size_t k = 0; k < row_.size(); ++k)
                if (isOther(k) && row_[k] > 0 && (!smallest || row_[k] < row_[*smallest]))
                    smallest = k;
            if (!smallest || (!edited_ && openInfluences() == 1)) {
                outcome_.tooManyLocked = true;
                break;
            }
            row_[*smallest] = 0;
            closed_[*smallest] = 1;
        }
        distribute();
    }

    [[nodiscard]] std::size_t openInfluences() const {
        std::size_t count = 0;
        for (std::size_t k = 0; k < row_.size(); ++k)
            count += !closed_[k] && row_[k] > 0;
        return count;
    }

    void absorbRounding() {
        std::optional<std::size_t> largest;
        double sum = 0;
        for (std::size_t k = 0; k < row_.size(); ++k) {
            sum += row_[k];
            if (!closed_[k] && (!largest || row_[k] > row_[*largest]))
                largest = k;
        }
        if (largest)
            row_[*largest] = std::max(0.0, row_[*largest] + (1 - sum));
    }

    std::span<double> row_;
    const NormalizeRequest& request_;
    std::optional<std::uint32_t> edited_;
    std::vector<std::uint8_t>& closed_;
    double lockedSum_ = 0, room_ = 1;
    NormalizeOutcome outcome_;
};

// The slots a sparse row can have weight in afterwards: those it has, the edited one, the fallback, and the first open
// one besides the edited. Kept between calls so that a brush does not allocate for each point.
struct Scratch {
    std::vector<std::uint32_t> slots;
    std::vector<double> values;
    std::vector<std::uint8_t> locked, closed;
};

Scratch& scratch() {
    thread_local Scratch instance;
    return instance;
}

void collectSlots(const skin::Row& row, const NormalizeRequest& request, std::vector<std::uint32_t>& slots) {
    slots.clear();
    for (const skin::Influence& i : row)
        slots.push_back(i.slot);
    if (request.edited)
        slots.push_back(*request.edited);
    if (request.fallback)
        slots.push_back(*request.fallback);
    for (std::uint32_t k = 0; k < request.locked.size(); ++k)
        if (!request.locked[k] && (!request.edited || k != *request.edited)) {
            slots.push_back(k);
            break;
        }
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
}

std::optional<std::uint32_t> placeOf(const std::vector<std::uint32_t>& slots, std::optional<std::uint32_t> slot) {
    if (!slot)
        return std::nullopt;
    return static_cast<std::uint32_t>(std::lower_bound(slots.begin(), slots.end(), *slot) - slots.begin());
}

// Remains too small to matter to skinning go to the largest free weight, so that rows do not fill up with them.
void sweepRemains(std::vector<double>& values, const std::vector<std::uint8_t>& locked,
                  std::optional<std::uint32_t> edited) {
    std::size_t largest = values.size();
    for (std::size_t k = 0; k < values.size(); ++k)
        if (!locked[k] && (largest == values.size() || values[k] > values[largest]))
            largest = k;
    if (largest == values.size() || !(values[largest] > skin::kWeightEpsilon))
        return;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (k == largest || locked[k] || (edited && k == *edited) || !(values[k] <= skin::kWeightEpsilon))
            continue;
        values[largest] += values[k];
        values[k] = 0;
    }
}

} // namespace

NormalizeOutcome normalizeDense(std::span<double> row, const NormalizeRequest& request) {
    assert(request.locked.size() == row.size());
    assert(!request.edited || *request.edited < row.size());
    return RowWork(row, request, scratch().closed).run();
}

NormalizeOutcome normalizeRow(skin::Row& row, const NormalizeRequest& request) {
    Scratch& s = scratch();
    collectSlots(row, request, s.slots);
    s.values.assign(s.slots.size(), 0);
    s.locked.resize(s.slots.size());
    for (std::size_t k = 0; k < s.slots.size(); ++k) {
        assert(s.slots[k] < request.locked.size());
        s.locked[k] = request.locked[s.slots[k]];
    }
    for (std::size_t k = 0, r = 0; r < row.size(); ++k)
        if (s.slots[k] == row[r].slot)
            s.values[k] = row[r++].weight;

    NormalizeRequest compact = request;
    compact.locked = s.locked;
    compact.edited = placeOf(s.slots, request.edited);
    compact.fallback = placeOf(s.slots, request.fallback);
    const NormalizeOutcome outcome = normalizeDense(s.values, compact);
    sweepRemains(s.values, s.locked, compact.edited);

    row.clear();
    for (std::size_t k = 0; k < s.slots.size(); ++k)
        if (const float w = static_cast<float>(s.values[k]); w > 0)
            row.push_back({s.slots[k], w});
    return outcome;
}

} // namespace limber::weights
