#include "ui/viewport/compositor.h"

#include "ui/viewport/shader_source.h"

namespace limber::ui {

Compositor::Compositor() {
    initializeOpenGLFunctions();
    const ShaderSource source = compositeShader();
    program_.addShaderFromSourceCode(QOpenGLShader::Vertex, source.vertex);
    program_.addShaderFromSourceCode(QOpenGLShader::Fragment, source.fragment);
    program_.link();
    vertices_.create();
    glGenFramebuffers(1, &readFramebuffer_);
    glGenTextures(1, &hudTexture_);
}

Compositor::~Compositor() {
    glDeleteFramebuffers(1, &readFramebuffer_);
    glDeleteTextures(1, &hudTexture_);
}

// A multisampled picture is averaged into a plain one first.
unsigned Compositor::resolved(const CompositeInput& input) {
    if (input.samples <= 1)
        return input.sceneTexture;
    if (!resolve_ || resolve_->size() != input.sceneSize)
        resolve_ = std::make_unique<QOpenGLFramebufferObject>(input.sceneSize);
    const int w = input.sceneSize.width(), h = input.sceneSize.height();
    glBindFramebuffer(GL_READ_FRAMEBUFFER, readFramebuffer_);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, input.sceneTexture, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolve_->handle());
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    return resolve_->texture();
}

void Compositor::uploadHud(const QImage& hud) {
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, hudTexture_);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, static_cast<int>(hud.bytesPerLine() / 4));
    if (hud.size() != hudSize_) {
        hudSize_ = hud.size();
        for (const auto filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
            glTexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(filter), GL_NEAREST);
        for (const auto wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
            glTexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(wrap), GL_CLAMP_TO_EDGE);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, hud.width(), hud.height(), 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
                     hud.constBits());
    } else {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, hud.width(), hud.height(), GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
                        hud.constBits());
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
}

void Compositor::draw(const CompositeInput& input, unsigned target, QSize size) {
    const unsigned scene = input.sceneTexture != 0 ? resolved(input) : 0;
    if (!input.hud.isNull())
        uploadHud(input.hud);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, size.width(), size.height());
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, scene);
    program_.bind();
    program_.setUniformValue("scenePicture", 0);
    program_.setUniformValue("hudPicture", 1);
    program_.setUniformValue("hasScene", scene != 0 ? 1 : 0);
    program_.setUniformValue("hasHud", input.hud.isNull() ? 0 : 1);
    program_.setUniformValue("background", input.transparent ? 0 : 1);
    program_.setUniformValue("topColor", QVector3D(input.top.redF(), input.top.greenF(), input.top.blueF()));
    program_.setUniformValue("bottomColor",
                             QVector3D(input.bottom.redF(), input.bottom.greenF(), input.bottom.blueF()));
    vertices_.bind();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    vertices_.release();
    program_.release();
    glBindTexture(GL_TEXTURE_2D, 0);
}

} // namespace limber::ui
