#include "ui/viewport/compositor.h"

#include "ui/viewport/shader_source.h"

namespace limber::ui {

namespace {

void build(QOpenGLShaderProgram& program, const ShaderSource& source) {
    program.addShaderFromSourceCode(QOpenGLShader::Vertex, source.vertex);
    program.addShaderFromSourceCode(QOpenGLShader::Fragment, source.fragment);
    program.link();
}

} // namespace

Compositor::Compositor() {
    initializeOpenGLFunctions();
    build(program_, compositeShader());
    build(smooth_, smoothShader());
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
    smoothedFrame_ = -1;
    if (!resolve_ || resolve_->size() != input.sceneSize)
        resolve_ = std::make_unique<QOpenGLFramebufferObject>(input.sceneSize);
    const int w = input.sceneSize.width(), h = input.sceneSize.height();
    glBindFramebuffer(GL_READ_FRAMEBUFFER, readFramebuffer_);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, input.sceneTexture, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolve_->handle());
    glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    return resolve_->texture();
}

unsigned Compositor::smoothed(const CompositeInput& input) {
    if (!resolve_ || resolve_->size() != input.sceneSize)
        resolve_ = std::make_unique<QOpenGLFramebufferObject>(input.sceneSize);
    else if (smoothedFrame_ == input.frame)
        return resolve_->texture();
    smoothedFrame_ = input.frame;
    glBindFramebuffer(GL_FRAMEBUFFER, resolve_->handle());
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, input.sceneTexture);
    smooth_.bind();
    smooth_.setUniformValue("scenePicture", 0);
    smooth_.setUniformValue("pixel",
                            QVector2D(1.0f / float(input.sceneSize.width()), 1.0f / float(input.sceneSize.height())));
    fill(input.sceneSize);
    smooth_.release();
    return resolve_->texture();
}

void Compositor::fill(QSize size) {
    glViewport(0, 0, size.width(), size.height());
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    vertices_.bind();
    glDrawArrays(GL_TRIANGLES, 0, 3);
    vertices_.release();
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
    unsigned scene = input.sceneTexture;
    if (scene != 0 && input.samples > 1)
        scene = resolved(input);
    else if (scene != 0 && input.smooth)
        scene = smoothed(input);
    if (!input.hud.isNull())
        uploadHud(input.hud);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
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
    fill(size);
    program_.release();
    glBindTexture(GL_TEXTURE_2D, 0);
}

} // namespace limber::ui
