#include "core/weights/normalize.h"

#include "core/skin/pose_map.h"

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
    // `closed` [slots] is working memory.
    RowWork(std::span<double> row, const NormalizeRequest& request, std::span<std::uint8_t> closed)
        : row_(row), request_(request), edited_(request.edited), closed_(closed) {
        std::copy(request.locked.begin(), request.locked.end(), closed_.begin());
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
    std::span<std::uint8_t> closed_;
    double lockedSum_ = 0, room_ = 1;
    NormalizeOutcome outcome_;
};

// Memory for rows too long for the stack, kept between calls so that a brush does not allocate for each point.
template <class T> std::span<T> kept(std::size_t count) {
    thread_local std::vector<T> memory;
    if (memory.size() < count)
        memory.resize(count);
    return {memory.data(), count};
}

// The slots a sparse row can have weight in afterwards: those it has, the edited one, the fallback, and the first open
// one besides the edited. Writes them, ascending, to `slots`, which has room for three more than the row; returns how
// many.
std::size_t collectSlots(const skin::Row& row, const NormalizeRequest& request, std::uint32_t* slots) {
    std::size_t count = 0;
    for (const skin::Influence& i : row)
        slots[count++] = i.slot;
    const auto insert = [&](std::uint32_t slot) {
        std::size_t at = count;
        while (at > 0 && slots[at - 1] > slot)
            --at;
        if (at > 0 && slots[at - 1] == slot)
            return;
        for (std::size_t k = count++; k > at; --k)
            slots[k] = slots[k - 1];
        slots[at] = slot;
    };
    if (request.edited)
        insert(*request.edited);
    if (request.fallback)
        insert(*request.fallback);
    for (std::uint32_t k = 0; k < request.locked.size(); ++k)
        if (!request.locked[k] && (!request.edited || k != *request.edited)) {
            insert(k);
            break;
        }
    return count;
}

std::optional<std::uint32_t> placeOf(std::span<const std::uint32_t> slots, std::optional<std::uint32_t> slot) {
    if (!slot)
        return std::nullopt;
    return static_cast<std::uint32_t>(std::find(slots.begin(), slots.end(), *slot) - slots.begin());
}

// Remains too small to matter to skinning go to the largest free weight, so that rows do not fill up with them.
void sweepRemains(std::span<double> values, std::span<const std::uint8_t> locked, std::optional<std::uint32_t> edited) {
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

// Working memory of one row, [slots] each.
struct Scratch {
    std::span<std::uint32_t> slots;
    std::span<double> values;
    std::span<std::uint8_t> locked, closed;
};

NormalizeOutcome normalizeWith(Scratch s, skin::Row& row, const NormalizeRequest& request) {
    const std::size_t count = collectSlots(row, request, s.slots.data());
    s = {s.slots.first(count), s.values.first(count), s.locked.first(count), s.closed.first(count)};
    for (std::size_t k = 0, r = 0; k < count; ++k) {
        assert(s.slots[k] < request.locked.size());
        s.locked[k] = request.locked[s.slots[k]];
        s.values[k] = r < row.size() && s.slots[k] == row[r].slot ? row[r++].weight : 0;
    }

    NormalizeRequest compact = request;
    compact.locked = s.locked;
    compact.edited = placeOf(s.slots, request.edited);
    compact.fallback = placeOf(s.slots, request.fallback);
    const NormalizeOutcome outcome = RowWork(s.values, compact, s.closed).run();
    sweepRemains(s.values, s.locked, compact.edited);

    row.clear();
    for (std::size_t k = 0; k < count; ++k)
        if (const float w = static_cast<float>(s.values[k]); w > 0)
            row.push_back({s.slots[k], w});
    return outcome;
}

constexpr std::size_t kUsualSlots = 16;

// Scales the open values but the edited one (kUsualSlots: none); the largest takes what rounding leaves.
void shareOut(std::span<double> values, std::span<const bool> open, std::size_t edited, double factor) {
    double sum = 0;
    std::size_t largest = kUsualSlots;
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (open[k] && k != edited)
            values[k] *= factor;
        sum += values[k];
        if (open[k] && (largest == kUsualSlots || values[k] > values[largest]))
            largest = k;
    }
    values[largest] = std::max(0.0, values[largest] + (1 - sum));
}

// Nearly all rows a brush meets: the edited joint is open, other open joints have the weight to give, and there are not
// too many of them. Then no slot beside the row's and the edited one comes into it. The same sums in the same order as
// RowWork makes them; nothing where the row is another one, and then `row` is as it was.
std::optional<NormalizeOutcome> normalizeUsual(skin::Row& row, const NormalizeRequest& request) {
    constexpr std::size_t kUsual = kUsualSlots, kNone = kUsual;
    if (row.size() + 1 > kUsual || (request.edited && request.locked[*request.edited]))
        return std::nullopt;
    std::uint32_t slots[kUsual];
    double values[kUsual];
    bool open[kUsual];
    std::size_t count = 0, edited = kNone, present = 0;
    double lockedSum = 0, others = 0;
    const auto add = [&](std::uint32_t slot, double value) {
        slots[count] = slot;
        values[count] = value > 0 && std::isfinite(value) ? value : 0;
        open[count] = !request.locked[slot];
        if (!open[count])
            lockedSum += values[count];
        else if (request.edited && slot == *request.edited)
            edited = count;
        else
            others += values[count];
        present += open[count] && edited == count ? 0 : values[count] > 0;
        ++count;
    };
    for (const skin::Influence& i : row) {
        if (request.edited && edited == kNone && *request.edited < i.slot)
            add(*request.edited, 0);
        add(i.slot, i.weight);
    }
    if (request.edited && edited == kNone)
        add(*request.edited, 0);
    if (!(others > kNothing) || lockedSum > 1 + kNothing ||
        (request.maxInfluences > 0 && present + (edited != kNone) > request.maxInfluences))
        return std::nullopt;

    NormalizeOutcome outcome;
    const double room = std::max(0.0, 1 - lockedSum);
    double rest = room;
    if (edited != kNone) {
        const double wanted = std::isfinite(request.value) ? request.value : 0;
        values[edited] = std::clamp(wanted, 0.0, room);
        outcome.clamped = values[edited] != wanted;
        rest = room - values[edited];
    }
    shareOut({values, count}, {open, count}, edited, rest / others);

    std::uint8_t closed[kUsual];
    for (std::size_t k = 0; k < count; ++k)
        closed[k] = !open[k];
    const auto at = edited == kNone ? std::nullopt : std::optional(static_cast<std::uint32_t>(edited));
    sweepRemains({values, count}, {closed, count}, at);
    row.clear();
    for (std::size_t k = 0; k < count; ++k)
        if (const float w = static_cast<float>(values[k]); w > 0)
            row.push_back({slots[k], w});
    return outcome;
}

} // namespace

NormalizeOutcome normalizeDense(std::span<double> row, const NormalizeRequest& request) {
    assert(request.locked.size() == row.size());
    assert(!request.edited || *request.edited < row.size());
    constexpr std::size_t kUsual = 256;
    if (row.size() > kUsual)
        return RowWork(row, request, kept<std::uint8_t>(row.size())).run();
    std::uint8_t closed[kUsual];
    return RowWork(row, request, {closed, row.size()}).run();
}

NormalizeOutcome normalizeRow(skin::Row& row, const NormalizeRequest& request) {
    if (const auto outcome = normalizeUsual(row, request))
        return *outcome;
    constexpr std::size_t kUsual = 32;
    const std::size_t room = row.size() + 3;
    if (room > kUsual) {
        const auto flags = kept<std::uint8_t>(2 * room);
        return normalizeWith({kept<std::uint32_t>(room), kept<double>(room), flags.first(room), flags.subspan(room)},
                             row, request);
    }
    std::uint32_t slots[kUsual];
    double values[kUsual];
    std::uint8_t locked[kUsual], closed[kUsual];
    return normalizeWith({{slots, room}, {values, room}, {locked, room}, {closed, room}}, row, request);
}

} // namespace limber::weights
