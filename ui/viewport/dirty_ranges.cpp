#include "ui/viewport/dirty_ranges.h"

#include <algorithm>
#include <functional>

namespace limber::ui {

namespace {

constexpr std::size_t kGap = 4096;      // bytes: nearer ranges are sent as one
constexpr std::size_t kMostRanges = 64; // to a send

} // namespace

void DirtyRanges::markRange(std::size_t firstByte, std::size_t byteCount) {
    if (state_ == State::Full || byteCount == 0)
        return;
    state_ = State::Ranges;
    if (!ranges_.empty() && firstByte >= ranges_.back().first && firstByte <= ranges_.back().end + kGap)
        ranges_.back().end = std::max(ranges_.back().end, firstByte + byteCount);
    else
        ranges_.push_back({firstByte, firstByte + byteCount});
}

void DirtyRanges::mergeRanges() {
    std::sort(ranges_.begin(), ranges_.end(), [](const ByteRange& a, const ByteRange& b) { return a.first < b.first; });
    std::size_t kept = 0;
    for (std::size_t k = 1; k < ranges_.size(); ++k) {
        if (ranges_[k].first <= ranges_[kept].end + kGap)
            ranges_[kept].end = std::max(ranges_[kept].end, ranges_[k].end);
        else
            ranges_[++kept] = ranges_[k];
    }
    ranges_.resize(std::min(ranges_.size(), kept + 1));
}

// A send costs more than the bytes of a small gap: the smallest are sent along until few ranges are left.
void DirtyRanges::closeGaps() {
    if (taken_.size() <= kMostRanges)
        return;
    gaps_.clear();
    for (std::size_t k = 1; k < taken_.size(); ++k)
        gaps_.push_back(taken_[k].first - taken_[k - 1].end);
    const auto largest = gaps_.begin() + (kMostRanges - 1);
    std::nth_element(gaps_.begin(), largest, gaps_.end(), std::greater<>());
    const std::size_t closed = *largest;
    std::size_t kept = 0;
    for (std::size_t k = 1; k < taken_.size(); ++k) {
        if (taken_[k].first - taken_[kept].end <= closed)
            taken_[kept].end = taken_[k].end;
        else
            taken_[++kept] = taken_[k];
    }
    taken_.resize(kept + 1);
}

std::span<const ByteRange> DirtyRanges::take(std::size_t size) {
    taken_.clear();
    if (state_ == State::Ranges) {
        mergeRanges();
        std::size_t marked = 0;
        for (ByteRange r : ranges_) {
            r.end = std::min(r.end, size);
            if (r.first >= r.end)
                continue;
            marked += r.end - r.first;
            taken_.push_back(r);
        }
        if (size != size_ || marked * 5 > size * 4)
            state_ = State::Full;
        else
            closeGaps();
    }
    if (state_ == State::Full)
        taken_.assign(1, {0, size});
    size_ = size;
    ranges_.clear();
    state_ = State::Clean;
    return taken_;
}

} // namespace limber::ui
