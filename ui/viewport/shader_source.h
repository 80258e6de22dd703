// The shader programs, put together from the files of resources/shaders.
#pragma once

#include <QByteArray>
#include <QString>

#include <initializer_list>
#include <vector>

namespace limber::ui {

struct ShaderSource {
    QString name;
    QByteArray vertex, geometry, fragment; // GLSL with its version line; geometry may be empty
};

// What the OpenGL context can do. Skinning in the vertex shader needs storage buffers (4.3); without them the mesh
// program takes points that come posed.
enum class ShaderLevel { Gl33, Gl43 };

[[nodiscard]] ShaderSource meshShader(ShaderLevel level, bool wireframe);
[[nodiscard]] ShaderSource gridShader();
[[nodiscard]] ShaderSource skeletonShader();
[[nodiscard]] ShaderSource compositeShader();
[[nodiscard]] ShaderSource smoothShader();

// Every program above, for the test that compiles them.
[[nodiscard]] std::vector<ShaderSource> allShaders();

// The named files of resources/shaders after a version line. Asserts that they exist.
[[nodiscard]] QByteArray shaderText(ShaderLevel level, std::initializer_list<const char*> files,
                                    const QByteArray& defines = {});

} // namespace limber::ui
