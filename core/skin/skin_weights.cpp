#include "core/skin/skin_weights.h"

#include <algorithm>

namespace limber::skin {

void SkinWeights::setRow(std::size_t vertex, std::span<const Influence> row) {
    if (row.size() > capacity_) {
        const std::size_t wider = row.size();
        std::vector<Influence, Unfilled<Influence>> entries(counts_.size() * wider, Influence{});
        for (std::size_t v = 0; v < counts_.size(); ++v)
            std::copy_n(entries_.begin() + static_cast<std::ptrdiff_t>(v * capacity_), counts_[v],
                        entries.begin() + static_cast<std::ptrdiff_t>(v * wider));
        entries_ = std::move(entries);
        capacity_ = wider;
    }
    Influence* out = entries_.data() + vertex * capacity_;
    std::copy(row.begin(), row.end(), out);
    std::fill(out + row.size(), out + capacity_, Influence{});
    counts_[vertex] = static_cast<std::uint32_t>(row.size());
}

std::size_t SkinWeights::maxInfluences() const {
    return counts_.empty() ? 0 : *std::max_element(counts_.begin(), counts_.end());
}

} // namespace limber::skin
