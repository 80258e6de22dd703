// Sparse skin weights: for each vertex, any number of (slot, weight) pairs, sorted by slot.
#pragma once

#include "core/base/unfilled.h"

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

namespace limber::skin {

// `slot` is a position in a skin's joint list.
struct Influence {
    std::uint32_t slot = 0;
    float weight = 0;
    friend bool operator==(const Influence&, const Influence&) = default;
};

// A row's influences without an owner; sorted by slot, no slot twice.
using Row = std::vector<Influence>;

// Of several the first; 0 of an empty row.
[[nodiscard]] std::uint32_t heaviestSlot(std::span<const Influence> row);

// Rows of one capacity each, which grows as a whole when a row needs more. Rows are stored one after
// the other, so a row can be changed in place and the arrays go to the GPU as they are.
class SkinWeights {
public:
    SkinWeights() = default;
    SkinWeights(std::size_t vertices, std::size_t capacity)
        : capacity_(capacity ? capacity : 1), counts_(vertices, 0), entries_(vertices * capacity_, Influence{}) {}
    // Rows that the caller sets, every one, before any is read; several threads may, each its own rows.
    [[nodiscard]] static SkinWeights unset(std::size_t vertices, std::size_t capacity) {
        SkinWeights weights;
        weights.capacity_ = capacity ? capacity : 1;
        weights.counts_.resize(vertices);
        weights.entries_.resize(vertices * weights.capacity_);
        return weights;
    }

    [[nodiscard]] std::size_t vertexCount() const { return counts_.size(); }
    [[nodiscard]] bool empty() const { return counts_.empty(); }
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    [[nodiscard]] std::span<const Influence> row(std::size_t vertex) const {
        return {entries_.data() + vertex * capacity_, counts_[vertex]};
    }
    [[nodiscard]] float weight(std::size_t vertex, std::uint32_t slot) const {
        for (const Influence& i : row(vertex))
            if (i.slot == slot)
                return i.weight;
        return 0;
    }
    // Adds an empty row at the end.
    void appendRow() {
        counts_.push_back(0);
        entries_.resize(counts_.size() * capacity_, Influence{});
    }
    // Grows the capacity where `row` is longer.
    void setRow(std::size_t vertex, std::span<const Influence> row);

    // Row k is the one that is at from[k] here; as many as `from` has.
    [[nodiscard]] SkinWeights permuted(std::span<const std::uint32_t> from) const;

    // Most influences of any row.
    [[nodiscard]] std::size_t maxInfluences() const;

    // Entry k of vertex v is entries()[v * capacity() + k] for k < counts()[v]; the rest is zero.
    [[nodiscard]] std::span<const Influence> entries() const { return entries_; }
    [[nodiscard]] std::span<const std::uint32_t> counts() const { return counts_; }

private:
    std::size_t capacity_ = 1;
    std::vector<std::uint32_t> counts_;                   // [V]
    std::vector<Influence, Unfilled<Influence>> entries_; // [V x capacity]
};

} // namespace limber::skin
