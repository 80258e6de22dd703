#include "ui/viewport/shader_source.h"

#include <QFile>
#include <QtGlobal>

// A resource in a static library is not linked in before something asks for it by name.
static void initShaderResources() {
    Q_INIT_RESOURCE(shaders);
}

namespace limber::ui {

QByteArray shaderText(ShaderLevel level, std::initializer_list<const char*> files, const QByteArray& defines) {
    static const bool initialised = (initShaderResources(), true);
    Q_UNUSED(initialised)
    QByteArray text = level == ShaderLevel::Gl43 ? "#version 430 core\n" : "#version 330 core\n";
    text += defines;
    for (const char* name : files) {
        QFile file(QStringLiteral(":/shaders/") + QLatin1String(name));
        const bool open = file.open(QIODevice::ReadOnly);
        Q_ASSERT_X(open, "shaderText", name);
        Q_UNUSED(open)
        text += file.readAll();
        text += '\n';
    }
    return text;
}

ShaderSource meshShader(ShaderLevel level, bool wireframe) {
    const char* skinning = level == ShaderLevel::Gl43 ? "skinning.glsl" : "mesh_posed.glsl";
    ShaderSource source;
    source.name = QStringLiteral("mesh%1%2")
                      .arg(level == ShaderLevel::Gl43 ? QString() : QStringLiteral(", posed"),
                           wireframe ? QStringLiteral(", wireframe") : QString());
    source.vertex = shaderText(level, {skinning, "mesh.vert"});
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
            all.push_back(meshShader(level, wireframe));
    all.push_back(gridShader());
    all.push_back(skeletonShader());
    all.push_back(compositeShader());
    all.push_back(smoothShader());
    return all;
}

} // namespace limber::ui
