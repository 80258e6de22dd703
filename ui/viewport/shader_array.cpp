#include "ui/viewport/shader_array.h"

#include "ui/viewport/graphics_setup.h"

#include <Qt3DRender/QTexture>
#include <Qt3DRender/QTextureDataUpdate>
#include <Qt3DRender/QTextureImageData>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace limber::ui {

using namespace Qt3DRender;

namespace {

constexpr std::size_t kLeastWidth = 64; // texels

struct Format {
    std::size_t bytes; // of a texel
    QAbstractTexture::TextureFormat texture;
    QOpenGLTexture::TextureFormat data;
    QOpenGLTexture::PixelFormat pixels;
};

const Format& formatOf(ShaderArray::Texel texel) {
    static constexpr Format kVec4{16, QAbstractTexture::RGBA32F, QOpenGLTexture::RGBA32F, QOpenGLTexture::RGBA};
    static constexpr Format kVec2{8, QAbstractTexture::RG32F, QOpenGLTexture::RG32F, QOpenGLTexture::RG};
    static constexpr Format kFloat{4, QAbstractTexture::R32F, QOpenGLTexture::R32F, QOpenGLTexture::Red};
    return texel == ShaderArray::Texel::Vec4 ? kVec4 : texel == ShaderArray::Texel::Entry ? kVec2 : kFloat;
}

// Whole numbers, every `step` bytes, as floats: exact up to 2^24.
void makeFloats(QByteArray& bytes, std::size_t step) {
    char* const end = bytes.data() + bytes.size();
    for (char* at = bytes.data(); at < end; at += step) {
        std::uint32_t whole = 0;
        std::memcpy(&whole, at, sizeof(whole));
        const auto number = static_cast<float>(whole);
        std::memcpy(at, &number, sizeof(number));
    }
}

std::size_t texelsOf(const Format& format, std::size_t bytes) {
    return (bytes + format.bytes - 1) / format.bytes;
}

std::size_t linesOf(const Format& format, std::size_t bytes) {
    return (texelsOf(format, bytes) + kTexelsPerLine - 1) / kTexelsPerLine;
}

} // namespace

ShaderArray::ShaderArray(ShaderLevel level, Texel texel, const char* name, Qt3DCore::QNode* parent)
    : texel_(texel), parent_(parent), parameter_(new QParameter(QLatin1String(name), QVariant(), parent)) {
    if (level == ShaderLevel::Gl43) {
        buffer_.emplace(parent);
        parameter_->setValue(QVariant::fromValue(buffer_->buffer()));
    }
}

bool ShaderArray::fits(ShaderLevel level, Texel texel, std::size_t bytes) {
    if (level == ShaderLevel::Gl43)
        return bytes <= largestStorage();
    return kTexelsPerLine <= largestTextureSide() && linesOf(formatOf(texel), bytes) <= largestTextureSide();
}

int ShaderArray::flush(std::span<const std::byte> data) {
    if (!ranges_.dirty())
        return 1;
    static constexpr std::array<std::byte, 16> kLittle{};
    if (data.empty())
        data = kLittle;
    if (!buffer_)
        return flushTexture(data);
    for (const ByteRange& r : ranges_.take(data.size())) {
        if (r.first == 0 && r.end == data.size())
            buffer_->markAll();
        else
            buffer_->markRange(r.first, r.end - r.first);
    }
    buffer_->flush(data);
    return 1;
}

int ShaderArray::flushTexture(std::span<const std::byte> data) {
    int frames = 1;
    const Format& format = formatOf(texel_);
    const std::size_t lines = linesOf(format, data.size()), texels = texelsOf(format, data.size());
    const std::size_t width = lines > 1 ? kTexelsPerLine : std::max(kLeastWidth, std::bit_ceil(texels));
    if (!texture_ || lines != lines_ || width != width_) {
        QAbstractTexture* old = texture_;
        texture_ = new QTexture2D;
        texture_->setFormat(format.texture);
        texture_->setSize(static_cast<int>(width), static_cast<int>(lines));
        texture_->setMinificationFilter(QAbstractTexture::Nearest);
        texture_->setMagnificationFilter(QAbstractTexture::Nearest);
        texture_->setParent(parent_); // last, as RenderEngine::scene() asks for
        parameter_->setValue(QVariant::fromValue(texture_));
        delete old;
        width_ = width;
        lines_ = lines;
        ranges_.markAll();
        frames = 2;
    }
    const std::size_t line = width * format.bytes;
    std::size_t sent = 0; // ranges may share a line
    for (const ByteRange& r : ranges_.take(data.size())) {
        const std::size_t first = std::max(sent, r.first / line), end = linesOf(format, r.end);
        if (first < end)
            sendLines(data, first, end);
        sent = std::max(sent, end);
    }
    return frames;
}

void ShaderArray::sendLines(std::span<const std::byte> data, std::size_t firstLine, std::size_t endLine) {
    const Format& format = formatOf(texel_);
    const std::size_t line = width_ * format.bytes, first = firstLine * line;
    QByteArray bytes = copyOf(data.subspan(first, std::min(endLine * line, data.size()) - first));
    bytes.resize(static_cast<qsizetype>((endLine - firstLine) * line), '\0');
    sentBytes_ += static_cast<std::uint64_t>(bytes.size());
    if (texel_ == Texel::Entry || texel_ == Texel::Count)
        makeFloats(bytes, format.bytes);
    auto image = QTextureImageDataPtr::create();
    image->setTarget(QOpenGLTexture::Target2D);
    image->setWidth(static_cast<int>(width_));
    image->setHeight(static_cast<int>(endLine - firstLine));
    image->setDepth(1);
    image->setFaces(1);
    image->setLayers(1);
    image->setMipLevels(1);
    image->setFormat(format.data);
    image->setPixelFormat(format.pixels);
    image->setPixelType(QOpenGLTexture::Float32);
    image->setData(bytes, static_cast<int>(format.bytes), false);
    QTextureDataUpdate update;
    update.setY(static_cast<int>(firstLine));
    update.setData(image);
    texture_->updateData(update);
}

} // namespace limber::ui
