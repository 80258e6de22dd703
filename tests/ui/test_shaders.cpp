// Every shader compiles and links in a plain OpenGL context: Qt3D draws nothing, without a word, where one does not.
#include "ui/viewport/graphics_setup.h"
#include "ui/viewport/shader_source.h"

#include <QDir>
#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLShaderProgram>
#include <QtTest>

using namespace limber::ui;

class TestShaders : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        surface_.create();
        QVERIFY(context_.create());
        QVERIFY(context_.makeCurrent(&surface_));
    }

    void programsCompileAndLink_data() {
        QTest::addColumn<int>("index");
        const auto all = allShaders();
        for (std::size_t k = 0; k < all.size(); ++k)
            QTest::newRow(qPrintable(all[k].name)) << static_cast<int>(k);
    }
    void programsCompileAndLink() {
        QFETCH(int, index);
        const ShaderSource source = allShaders()[static_cast<std::size_t>(index)];
        if (source.vertex.startsWith("#version 430") && context_.format().version() < std::pair(4, 3))
            QSKIP("no OpenGL 4.3 here");
        QOpenGLShaderProgram program;
        QVERIFY2(program.addShaderFromSourceCode(QOpenGLShader::Vertex, source.vertex), qPrintable(program.log()));
        if (!source.geometry.isEmpty())
            QVERIFY2(program.addShaderFromSourceCode(QOpenGLShader::Geometry, source.geometry),
                     qPrintable(program.log()));
        QVERIFY2(program.addShaderFromSourceCode(QOpenGLShader::Fragment, source.fragment), qPrintable(program.log()));
        QVERIFY2(program.link(), qPrintable(program.log()));
    }

    void everyFileIsPartOfAProgram() {
        QByteArray text;
        for (const ShaderSource& source : allShaders())
            text += source.vertex + source.geometry + source.fragment;
        const QDir folder(QStringLiteral(LIMBER_SOURCE_DIR "/resources/shaders"));
        const QStringList files = folder.entryList({"*.vert", "*.frag", "*.geom", "*.glsl"}, QDir::Files);
        QVERIFY(!files.isEmpty());
        for (const QString& name : files) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(text.contains(file.readAll()), qPrintable(name));
        }
    }

private:
    QOffscreenSurface surface_;
    QOpenGLContext context_;
};

int main(int argc, char** argv) {
    prepareGraphics();
    const QGuiApplication app(argc, argv);
    TestShaders test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_shaders.moc"
