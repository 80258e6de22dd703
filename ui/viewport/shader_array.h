// An array of ours as the vertex shader reads it: a storage buffer, or a texture where OpenGL has none.
#pragma once

#include "ui/viewport/dirty_buffer.h"
#include "ui/viewport/shader_source.h"

#include <Qt3DRender/QParameter>

#include <optional>

namespace Qt3DRender {
class QAbstractTexture;
}

namespace limber::ui {

class ShaderArray {
public:
    // What it holds. Textures have floats only (Qt3D 6.4 brings no whole numbers to them): slots and counts become
    // such.
    enum class Texel { Vec4, Entry, Count, Float };

    // `name` of the block or of the sampler. Nodes belong to `parent`.
    ShaderArray(ShaderLevel level, Texel texel, const char* name, Qt3DCore::QNode* parent);

    // For the materials whose shaders read it.
    [[nodiscard]] Qt3DRender::QParameter* parameter() const { return parameter_; }

    void markAll() { ranges_.markAll(); }
    void markRange(std::size_t firstByte, std::size_t byteCount) { ranges_.markRange(firstByte, byteCount); }
    // Sends what was marked, once a frame and right before it; textures by whole lines. An array without data gets a
    // little of it: without any the mesh would not be drawn. Frames it takes until the data is drawn: 2 where a texture
    // is new (Qt3D 6.4), else 1.
    int flush(std::span<const std::byte> data);
    [[nodiscard]] std::uint64_t sentBytes() const { return buffer_ ? buffer_->sentBytes() : sentBytes_; } // so far

    // Whether the graphics of this machine hold so many bytes in one array. Asked of the machine once.
    [[nodiscard]] static bool fits(ShaderLevel level, Texel texel, std::size_t bytes);

private:
    int flushTexture(std::span<const std::byte> data);
    void sendLines(std::span<const std::byte> data, std::size_t firstLine, std::size_t endLine);

    Texel texel_;
    Qt3DCore::QNode* parent_;
    Qt3DRender::QParameter* parameter_;
    std::optional<DirtyBuffer> buffer_; // of storage
    Qt3DRender::QAbstractTexture* texture_ = nullptr;
    DirtyRanges ranges_;
    std::size_t width_ = 0, lines_ = 0; // of the texture
    std::uint64_t sentBytes_ = 0;       // to the texture
};

} // namespace limber::ui
