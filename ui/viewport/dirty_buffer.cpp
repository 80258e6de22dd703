#include "ui/viewport/dirty_buffer.h"

#include <QByteArray>

#include <algorithm>

namespace limber::ui {

namespace {

constexpr std::size_t kGap = 4096; // bytes: nearer ranges are sent as one
constexpr std::size_t kMostRanges = 8;

QByteArray copyOf(std::span<const std::byte> data) {
    return {reinterpret_cast<const char*>(data.data()), static_cast<qsizetype>(data.size())};
}

} // namespace

DirtyBuffer::DirtyBuffer(Qt3DCore::QNode* parent) : buffer_(new Qt3DCore::QBuffer(parent)) {}

void DirtyBuffer::markRange(std::size_t firstByte, std::size_t byteCount) {
    if (state_ == State::Full || byteCount == 0)
        return;
    state_ = State::Ranges;
    if (!ranges_.empty() && firstByte >= ranges_.back().first && firstByte <= ranges_.back().end + kGap)
        ranges_.back().end = std::max(ranges_.back().end, firstByte + byteCount);
    else
        ranges_.push_back({firstByte, firstByte + byteCount});
}

void DirtyBuffer::mergeRanges() {
    std::sort(ranges_.begin(), ranges_.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
    std::vector<Range> merged;
    for (const Range& r : ranges_) {
        if (!merged.empty() && r.first <= merged.back().end + kGap)
            merged.back().end = std::max(merged.back().end, r.end);
        else
            merged.push_back(r);
    }
    ranges_ = std::move(merged);
}

void DirtyBuffer::flush(std::span<const std::byte> data) {
    if (state_ == State::Clean)
        return;
    if (state_ == State::Ranges) {
        mergeRanges();
        std::size_t marked = 0;
        for (const Range& r : ranges_)
            marked += r.end - r.first;
        if (data.size() != size_ || ranges_.size() > kMostRanges || marked * 10 > data.size() * 3)
            state_ = State::Full;
    }
    if (state_ == State::Full) {
        buffer_->setData(copyOf(data));
    } else {
        for (const Range& r : ranges_) {
            const std::size_t end = std::min(r.end, data.size());
            if (r.first < end)
                buffer_->updateData(static_cast<int>(r.first), copyOf(data.subspan(r.first, end - r.first)));
        }
    }
    size_ = data.size();
    ranges_.clear();
    state_ = State::Clean;
}

} // namespace limber::ui
