#include "ui/viewport/dirty_ranges.h"

#include <algorithm>

namespace limber::ui {

namespace {

constexpr std::size_t kGap = 4096; // bytes: nearer ranges are sent as one
constexpr std::size_t kMostRanges = 8;

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
        if (size != size_ || taken_.size() > kMostRanges || marked * 10 > size * 3)
            state_ = State::Full;
    }
    if (state_ == State::Full)
        taken_.assign(1, {0, size});
    size_ = size;
    ranges_.clear();
    state_ = State::Clean;
    return taken_;
}

} // namespace limber::ui
