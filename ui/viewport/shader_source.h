// The shader programs, put together from the files of resources/shaders.
#pragma once

#include <QByteArray>
#include <QString>

#include <cstddef>
#include <initializer_list>
#include <vector>

namespace limber::ui {

struct ShaderSource {
    QString name;
    QByteArray vertex, geometry, fragment; // GLSL with its version line; geometry may be empty
};

// What the OpenGL context can do: the vertex shader reads its arrays from storage buffers (4.3), or from textures.
enum class ShaderLevel { Gl33, Gl43 };

// Storage buffers of skin_storage.glsl.
inline constexpr int kSkinStorageBlocks = 6;
// Texels to a line of an array in a texture, as skin_textures.glsl has them. One that fits in a line may be narrower.
inline constexpr std::size_t kTexelsPerLine = 4096;

// What the vertex shader does with a mesh: one program for each, because a program pays for every method that it holds
// on graphics that run all branches.
enum class SkinStage { Posed, Linear, DualQuaternion, Spherical };

// The vertex stage's functions limber_skin and limber_heat, with the version line.
[[nodiscard]] QByteArray skinningText(ShaderLevel level, SkinStage stage);
[[nodiscard]] ShaderSource meshShader(ShaderLevel level, bool wireframe, SkinStage stage);
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
