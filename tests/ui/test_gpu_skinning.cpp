// The vertex shader's skinning function, compiled unchanged into a plain OpenGL context, against the processor's.
#include "core/document/evaluator.h"
#include "core/io/gltf_file.h"
#include "core/io/mannequin.h"
#include "tests/support/tube_document.h"
#include "ui/viewport/graphics_setup.h"
#include "ui/viewport/shader_source.h"

#include <QFileInfo>
#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QOpenGLVertexArrayObject>
#include <QtTest>

#include <random>

using namespace limber;
using Eigen::Vector3f;

namespace {

const char* const kMain = "in vec3 point;\n"
                          "in vec3 normal;\n"
                          "out vec3 outPosition;\n"
                          "out vec3 outNormal;\n"
                          "void main() {\n"
                          "    Skinned s = limber_skin(uint(gl_VertexID), point, normal);\n"
                          "    outPosition = s.position;\n"
                          "    outNormal = s.normal;\n"
                          "}\n";

struct Posed {
    std::vector<Vector3f> positions, normals;
};

// Runs the shader on arrays as the viewport sends them.
class SkinningProgram : private QOpenGLExtraFunctions {
public:
    SkinningProgram() {
        initializeOpenGLFunctions();
        program_.addShaderFromSourceCode(QOpenGLShader::Vertex,
                                         ui::shaderText(ui::ShaderLevel::Gl43, {"skinning.glsl"}) + kMain);
        const char* outputs[] = {"outPosition", "outNormal"};
        glTransformFeedbackVaryings(program_.programId(), 2, outputs, GL_SEPARATE_ATTRIBS);
        linked_ = program_.link();
        vertices_.create();
    }

    [[nodiscard]] bool linked() const { return linked_; }
    [[nodiscard]] QString log() const { return program_.log(); }

    Posed run(document::Evaluator& evaluator, InstanceId id, const skin::SkinWeights& weights) {
        const auto points = evaluator.preSkinPositions(id), normals = evaluator.preSkinNormals(id);
        const std::size_t bytes = points.size_bytes();
        vertices_.bind();
        program_.bind();
        program_.setUniformValue("influenceCapacity", weights.empty() ? 0 : int(weights.capacity()));
        std::vector<GLuint> made;
        const auto buffer = [&](GLenum target, const void* data, std::size_t size) {
            GLuint name = 0;
            glGenBuffers(1, &name);
            glBindBuffer(target, name);
            glBufferData(target, std::max<std::size_t>(size, 16), nullptr, GL_STATIC_DRAW);
            if (data)
                glBufferSubData(target, 0, size, data);
            made.push_back(name);
            return name;
        };
        const auto attribute = [&](const char* name, std::span<const Vector3f> data) {
            buffer(GL_ARRAY_BUFFER, data.data(), data.size_bytes());
            const auto at = static_cast<GLuint>(program_.attributeLocation(name));
            glEnableVertexAttribArray(at);
            glVertexAttribPointer(at, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
        };
        const auto storage = [&](GLuint binding, const auto& data) {
            glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding,
                             buffer(GL_SHADER_STORAGE_BUFFER, data.data(), data.size_bytes()));
        };
        attribute("point", points);
        attribute("normal", normals);
        storage(0, evaluator.palette(id).linear());
        storage(1, weights.entries());
        storage(2, weights.counts());
        const GLuint outPositions = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, nullptr, bytes);
        const GLuint outNormals = buffer(GL_TRANSFORM_FEEDBACK_BUFFER, nullptr, bytes);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, outPositions);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 1, outNormals);
        glEnable(GL_RASTERIZER_DISCARD);
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, 0, static_cast<GLsizei>(points.size()));
        glEndTransformFeedback();
        glDisable(GL_RASTERIZER_DISCARD);
        glFinish();
        Posed posed{read(outPositions, points.size()), read(outNormals, points.size())};
        glDeleteBuffers(static_cast<GLsizei>(made.size()), made.data());
        program_.release();
        vertices_.release();
        return posed;
    }

private:
    std::vector<Vector3f> read(GLuint name, std::size_t count) {
        std::vector<Vector3f> data(count);
        glBindBuffer(GL_ARRAY_BUFFER, name);
        const void* mapped =
            glMapBufferRange(GL_ARRAY_BUFFER, 0, GLsizeiptr(count * sizeof(Vector3f)), GL_MAP_READ_BIT);
        if (mapped)
            std::copy_n(static_cast<const Vector3f*>(mapped), count, data.begin());
        glUnmapBuffer(GL_ARRAY_BUFFER);
        return data;
    }

    QOpenGLShaderProgram program_;
    QOpenGLVertexArrayObject vertices_;
    bool linked_ = false;
};

// Every joint turned by up to half a radian and scaled a little, one of them mirrored.
rig::Pose wildPose(const rig::Pose& pose) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    rig::Pose wild = pose;
    for (std::size_t j = 0; j < wild.size(); ++j) {
        const Eigen::Vector3d axis(unit(random), unit(random), unit(random));
        wild[j].rotate(Eigen::AngleAxisd(0.5 * unit(random), axis.normalized()));
        wild[j].scale(1 + 0.1 * unit(random));
    }
    wild.back().scale(Eigen::Vector3d(-1, 1, 1));
    return wild;
}

std::optional<document::DocumentState> load(const QString& name) {
    if (name == "tube")
        return test::tubeDocument();
    Result<io::LoadedFile> file = Error{};
    if (name == "mannequin") {
        auto bytes = io::mannequinGlb();
        if (!bytes)
            return std::nullopt;
        file = io::loadGlb(std::move(bytes).value(), "glb");
    } else {
        const QString folder = qEnvironmentVariable("LIMBER_TEST_DATA", QStringLiteral(LIMBER_DEFAULT_TEST_DATA));
        const QString path = folder + '/' + name;
        if (!QFileInfo::exists(path))
            return std::nullopt;
        file = io::loadGltf(path.toStdString());
    }
    if (!file)
        return std::nullopt;
    return std::move(file->state);
}

} // namespace

class TestGpuSkinning : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        surface_.create();
        QVERIFY(context_.create());
        QVERIFY(context_.makeCurrent(&surface_));
        if (context_.format().version() < std::pair(4, 3))
            QSKIP("no OpenGL 4.3 here");
    }

    void shaderAndProcessorPoseAlike_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"tube", "mannequin", "demo/Knight_demo.glb", "demo/mannequiny.glb", "demo/RobotExpressive.glb",
              "gltf/SimpleSkin.gltf", "gltf/Peach_3sets.glb", "gltf/odd_SimpleSkin_nonuniform_negative_scale.gltf"})
            QTest::newRow(name) << name;
    }
    void shaderAndProcessorPoseAlike() {
        QFETCH(QString, name);
        auto state = load(name);
        if (!state)
            QSKIP("the file is not here");
        state->pose = wildPose(state->pose);
        const document::Document doc(std::move(*state));
        const document::Preview preview;
        document::Evaluator evaluator(doc, preview);
        SkinningProgram program;
        QVERIFY2(program.linked(), qPrintable(program.log()));
        const double tolerance = 1e-4 * evaluator.bounds().diagonal().norm();
        std::size_t vertices = 0, turned = 0;
        for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
            const InstanceId id(i);
            const document::Instance& instance = doc.instance(id);
            const skin::SkinWeights none, &own = evaluator.weights(instance.mesh);
            const Posed gpu = program.run(evaluator, id, instance.skin.valid() ? own : none);
            const auto positions = evaluator.positions(id), normals = evaluator.normals(id);
            for (std::size_t v = 0; v < positions.size(); ++v) {
                QVERIFY2((gpu.positions[v] - positions[v]).norm() <= tolerance,
                         qPrintable(QStringLiteral("vertex %1 of mesh %2").arg(v).arg(i)));
                turned += (gpu.normals[v] - normals[v]).norm() > 1e-2f;
            }
            vertices += positions.size();
        }
        QVERIFY(vertices > 0);
        // A blend next to its loss of rank may turn its normal anywhere.
        QVERIFY2(turned * 1000 <= vertices, qPrintable(QStringLiteral("%1 of %2 normals").arg(turned).arg(vertices)));
    }

private:
    QOffscreenSurface surface_;
    QOpenGLContext context_;
};

int main(int argc, char** argv) {
    ui::prepareGraphics();
    const QGuiApplication app(argc, argv);
    TestGpuSkinning test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_gpu_skinning.moc"
