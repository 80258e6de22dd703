#include "core/skin/skin_weights.h"

#include "core/base/pieces.h"

#include <algorithm>

namespace limber::skin {

namespace {

// Widening moves all rows: painted joints come one by one, and not each of them may cost that on a large mesh.
constexpr std::size_t kSpare = 2;
constexpr std::size_t kPiece = 16384; // rows

using Entries = std::vector<Influence, Unfilled<Influence>>;

Entries widened(const Entries& from, std::size_t rows, std::size_t capacity, std::size_t wider) {
    Entries entries;
    entries.resize(rows * wider);
    inPieces(rows, kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t v = first; v < end; ++v) {
            Influence* to = entries.data() + v * wider;
            std::fill(std::copy_n(from.data() + v * capacity, capacity, to), to + wider, Influence{});
        }
    });
    return entries;
}

} // namespace

void SkinWeights::setRow(std::size_t vertex, std::span<const Influence> row) {
    if (row.size() > capacity_) {
        const std::size_t spare = counts_.size() > kPiece ? capacity_ + std::max(kSpare, capacity_ / 2) : 0;
        const std::size_t wider = std::max(row.size(), spare);
        entries_ = widened(entries_, counts_.size(), capacity_, wider);
        capacity_ = wider;
    }
    Influence* out = entries_.data() + vertex * capacity_;
    std::copy(row.begin(), row.end(), out);
    std::fill(out + row.size(), out + capacity_, Influence{});
    counts_[vertex] = static_cast<std::uint32_t>(row.size());
}

SkinWeights SkinWeights::permuted(std::span<const std::uint32_t> from) const {
    SkinWeights moved = unset(from.size(), capacity_);
    inPieces(from.size(), kPiece, [&](std::size_t first, std::size_t end) {
        for (std::size_t v = first; v < end; ++v) {
            moved.counts_[v] = counts_[from[v]];
            std::copy_n(entries_.data() + from[v] * capacity_, capacity_, moved.entries_.data() + v * capacity_);
        }
    });
    return moved;
}

std::size_t SkinWeights::maxInfluences() const {
    return counts_.empty() ? 0 : *std::max_element(counts_.begin(), counts_.end());
}

std::uint32_t heaviestSlot(std::span<const Influence> row) {
    const auto best = std::max_element(row.begin(), row.end(),
                                       [](const Influence& a, const Influence& b) { return a.weight < b.weight; });
    return best == row.end() ? 0 : best->slot;
}

} // namespace limber::skin
