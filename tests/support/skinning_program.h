// The vertex shader's skinning functions, compiled unchanged into a plain OpenGL context, on arrays as the viewport
// sends them.
#pragma once

#include "core/skin/palette.h"
#include "core/skin/skin_weights.h"
#include "ui/viewport/shader_source.h"

#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>

#include <cstring>
#include <span>
#include <vector>

namespace limber::test {

struct SkinningRun {
    std::span<const Eigen::Vector3f> positions, normals;
    const skin::Palette* palette = nullptr;
    const skin::SkinWeights* weights = nullptr; // empty: rigid
    std::span<const float> shares;              // empty: 1 everywhere
};

struct SkinningOutput {
    std::vector<Eigen::Vector3f> positions, normals;
    std::vector<float> heat; // weight of slot 0
};

// Needs a current context of the level.
class SkinningProgram : private QOpenGLExtraFunctions {
public:
    SkinningProgram(ui::ShaderLevel level, ui::SkinStage stage) : level_(level) {
        initializeOpenGLFunctions();
        program_.addShaderFromSourceCode(QOpenGLShader::Vertex, ui::skinningText(level, stage) + kMain);
        const char* outputs[] = {"outPosition", "outNormal", "outHeat"};
        glTransformFeedbackVaryings(program_.programId(), 3, outputs, GL_SEPARATE_ATTRIBS);
        linked_ = program_.link();
        vertices_.create();
    }

    [[nodiscard]] bool linked() const { return linked_; }
    [[nodiscard]] QString log() const { return program_.log(); }

    SkinningOutput run(const SkinningRun& in) {
        vertices_.bind();
        program_.bind();
        program_.setUniformValue("influenceCapacity", in.weights->empty() ? 0 : int(in.weights->capacity()));
        program_.setUniformValue("paintedShare", in.shares.empty() ? 0 : 1);
        program_.setUniformValue("heatSource", 0);
        attribute("point", in.positions);
        attribute("normal", in.normals);
        array(0, "Palette", std::as_bytes(in.palette->linear()), {16, GL_RGBA32F, GL_RGBA, GL_FLOAT});
        array(1, "WeightEntries", std::as_bytes(in.weights->entries()), {8, GL_RG32F, GL_RG, GL_FLOAT}, 8);
        array(2, "WeightCounts", std::as_bytes(in.weights->counts()), {4, GL_R32F, GL_RED, GL_FLOAT}, 4);
        array(3, "RigidPalette", std::as_bytes(in.palette->rigid()), {16, GL_RGBA32F, GL_RGBA, GL_FLOAT});
        array(4, "MethodShare", std::as_bytes(in.shares), {4, GL_R32F, GL_RED, GL_FLOAT});
        array(5, "HeatValues", {}, {4, GL_R32F, GL_RED, GL_FLOAT});
        const std::size_t count = in.positions.size();
        GLuint outs[3];
        for (GLuint k = 0; k < 3; ++k) {
            outs[k] = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, nullptr, count * (k == 2 ? 4 : 12));
            glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, k, outs[k]);
        }
        glEnable(GL_RASTERIZER_DISCARD);
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(count));
        glEndTransformFeedback();
        glDisable(GL_RASTERIZER_DISCARD);
        glFinish();
        SkinningOutput out{read<Eigen::Vector3f>(outs[0], count), read<Eigen::Vector3f>(outs[1], count),
                           read<float>(outs[2], count)};
        glDeleteBuffers(static_cast<GLsizei>(buffers_.size()), buffers_.data());
        glDeleteTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
        buffers_.clear();
        textures_.clear();
        program_.release();
        vertices_.release();
        return out;
    }

private:
    static constexpr const char* kMain = "in vec3 point;\n"
                                         "in vec3 normal;\n"
                                         "out vec3 outPosition;\n"
                                         "out vec3 outNormal;\n"
                                         "out float outHeat;\n"
                                         "void main() {\n"
                                         "    Skinned s = limber_skin(uint(gl_VertexID), point, normal);\n"
                                         "    outPosition = s.position;\n"
                                         "    outNormal = s.normal;\n"
                                         "    outHeat = limber_heat(uint(gl_VertexID), 0);\n"
                                         "}\n";

    struct Format {
        std::size_t bytes;
        GLint internal;
        GLenum format, type;
    };

    GLuint buffer(GLenum target, const void* data, std::size_t size) {
        GLuint name = 0;
        glGenBuffers(1, &name);
        glBindBuffer(target, name);
        glBufferData(target, GLsizeiptr(std::max<std::size_t>(size, 16)), nullptr, GL_STATIC_DRAW);
        if (data && size)
            glBufferSubData(target, 0, GLsizeiptr(size), data);
        buffers_.push_back(name);
        return name;
    }

    void attribute(const char* name, std::span<const Eigen::Vector3f> data) {
        buffer(GL_ARRAY_BUFFER, data.data(), data.size_bytes());
        const int at = program_.attributeLocation(name);
        if (at < 0)
            return;
        glEnableVertexAttribArray(static_cast<GLuint>(at));
        glVertexAttribPointer(static_cast<GLuint>(at), 3, GL_FLOAT, GL_FALSE, 0, nullptr);
    }

    void array(GLuint binding, const char* name, std::span<const std::byte> data, const Format& format,
               std::size_t wholeEvery = 0) {
        if (level_ == ui::ShaderLevel::Gl43) {
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding,
                             buffer(GL_SHADER_STORAGE_BUFFER, data.data(), data.size()));
            return;
        }
        const std::size_t line = ui::kTexelsPerLine * format.bytes;
        const std::size_t lines = std::max<std::size_t>(1, (data.size() + line - 1) / line);
        std::vector<std::byte> texels(lines * line);
        std::copy(data.begin(), data.end(), texels.begin());
        for (std::size_t at = 0; wholeEvery && at < data.size(); at += wholeEvery) { // whole numbers go as floats
            std::uint32_t whole = 0;
            std::memcpy(&whole, &texels[at], 4);
            const auto number = static_cast<float>(whole);
            std::memcpy(&texels[at], &number, 4);
        }
        GLuint texture = 0;
        glGenTextures(1, &texture);
        textures_.push_back(texture);
        glActiveTexture(GL_TEXTURE0 + binding);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, format.internal, GLsizei(ui::kTexelsPerLine), GLsizei(lines), 0, format.format,
                     format.type, texels.data());
        program_.setUniformValue(name, GLint(binding));
    }

    template <class T> std::vector<T> read(GLuint name, std::size_t count) {
        std::vector<T> data(count);
        glBindBuffer(GL_ARRAY_BUFFER, name);
        if (const void* mapped = glMapBufferRange(GL_ARRAY_BUFFER, 0, GLsizeiptr(count * sizeof(T)), GL_MAP_READ_BIT))
            std::copy_n(static_cast<const T*>(mapped), count, data.begin());
        glUnmapBuffer(GL_ARRAY_BUFFER);
        return data;
    }

    ui::ShaderLevel level_;
    QOpenGLShaderProgram program_;
    QOpenGLVertexArrayObject vertices_;
    std::vector<GLuint> buffers_, textures_;
    bool linked_ = false;
};

} // namespace limber::test
