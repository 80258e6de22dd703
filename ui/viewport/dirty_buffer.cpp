#include "ui/viewport/dirty_buffer.h"

#include <QByteArray>

namespace limber::ui {

QByteArray copyOf(std::span<const std::byte> data) {
    return {reinterpret_cast<const char*>(data.data()), static_cast<qsizetype>(data.size())};
}

DirtyBuffer::DirtyBuffer(Qt3DCore::QNode* parent) : buffer_(new Qt3DCore::QBuffer(parent)) {}

void DirtyBuffer::flush(std::span<const std::byte> data) {
    if (!dirty())
        return;
    for (const ByteRange& r : ranges_.take(data.size())) {
        const QByteArray bytes = copyOf(data.subspan(r.first, r.end - r.first));
        sentBytes_ += r.end - r.first;
        if (r.first == 0 && r.end == data.size())
            buffer_->setData(bytes);
        else
            buffer_->updateData(static_cast<int>(r.first), bytes);
    }
}

} // namespace limber::ui
