#include "ui/viewport/shader_source.h"

#include <QFile>
#include <QtGlobal>

// A resource in a static library is not linked in before something asks for it by name.
static void initShaderResources() {
    Q_INIT_RESOURCE(shaders);
}

namespace limber::ui {

namespace {

QByteArray rawText(const char* name) {
    static const bool initialised = (initShaderResources(), true);
    Q_UNUSED(initialised)
    QFile file(QStringLiteral(":/shaders/") + QLatin1String(name));
    const bool open = file.open(QIODevice::ReadOnly);
    Q_ASSERT_X(open, "shaderText", name);
    Q_UNUSED(open)
    return file.readAll() + '\n';
}

} // namespace

QByteArray shaderText(ShaderLevel level, std::initializer_list<const char*> files, const QByteArray& defines) {
    QByteArray text = level == ShaderLevel::Gl43 ? "#version 430 core\n" : "#version 330 core\n";
    text += defines;
    for (const char* name : files)
        text += rawText(name);
    return text;
}

QByteArray skinningText(ShaderLevel level, SkinStage stage) {
    const char* arrays = level == ShaderLevel::Gl43 ? "skin_storage.glsl" : "skin_textures.glsl";
    return shaderText(level, {arrays, "skin_maps.glsl", "skin_rigid.glsl", "skinning.glsl"},
                      "#define LIMBER_SKIN " + QByteArray::number(static_cast<int>(stage)) + '\n');
}

ShaderSource meshShader(ShaderLevel level, bool wireframe, SkinStage stage) {
    static constexpr const char* kStages[] = {"posed", "linear", "dual quaternion", "spherical"};
    ShaderSource source;
    source.name = QStringLiteral("mesh, %1%2%3")
                      .arg(QLatin1String(kStages[static_cast<int>(stage)]),
                           level == ShaderLevel::Gl43 ? QString() : QStringLiteral(", textures"),
                           wireframe ? QStringLiteral(", wireframe") : QString());
    source.vertex = skinningText(level, stage) + rawText("mesh.vert");
    if (wireframe)
        source.geometry = shaderText(level, {"mesh_wire.geom"});
    source.fragment = shaderText(level, {"lighting.glsl", "heat.glsl", "mesh.frag"},
                                 wireframe ? QByteArray("#define LIMBER_WIRE\n") : QByteArray());
    return source;
}

ShaderSource gridShader() {
    return {QStringLiteral("grid"),
            shaderText(ShaderLevel::Gl33, {"grid.vert"}),
            {},
            shaderText(ShaderLevel::Gl33, {"grid.frag"})};
}

ShaderSource skeletonShader() {
    return {QStringLiteral("skeleton"),
            shaderText(ShaderLevel::Gl33, {"skeleton.vert"}),
            {},
            shaderText(ShaderLevel::Gl33, {"skeleton.frag"})};
}

ShaderSource compositeShader() {
    return {QStringLiteral("composite"),
            shaderText(ShaderLevel::Gl33, {"composite.vert"}),
            {},
            shaderText(ShaderLevel::Gl33, {"composite.frag"})};
}

ShaderSource smoothShader() {
    return {QStringLiteral("smooth"),
            shaderText(ShaderLevel::Gl33, {"composite.vert"}),
            {},
            shaderText(ShaderLevel::Gl33, {"smooth.frag"})};
}

std::vector<ShaderSource> allShaders() {
    std::vector<ShaderSource> all;
    for (const ShaderLevel level : {ShaderLevel::Gl33, ShaderLevel::Gl43})
        for (const bool wireframe : {false, true})
            for (const SkinStage stage :
                 {SkinStage::Posed, SkinStage::Linear, SkinStage::DualQuaternion, SkinStage::Spherical})
                all.push_back(meshShader(level, wireframe, stage));
    all.push_back(gridShader());
    all.push_back(skeletonShader());
    all.push_back(compositeShader());
    all.push_back(smoothShader());
    return all;
}

} // namespace limber::ui
