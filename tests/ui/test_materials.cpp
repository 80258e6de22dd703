// How materials look, on one square that faces the camera: a picture of four colours, glass, holes, and which side
// shows.
#include "tests/support/tube_document.h"
#include "ui/editor/editor.h"
#include "ui/viewport/camera.h"
#include "ui/viewport/graphics_setup.h"
#include "ui/viewport/render_scene.h"
#include "ui/viewport/scene_textures.h"

#include <QApplication>
#include <QBuffer>
#include <QtTest>

using namespace limber;
using namespace limber::ui;

namespace {

const QColor kRed(220, 30, 30), kGreen(30, 200, 40), kBlue(40, 60, 220), kWhite(250, 250, 250);

document::Image fourColours(int lowerRightAlpha = 255) {
    QImage image(2, 2, QImage::Format_ARGB32);
    image.setPixelColor(0, 0, kRed);
    image.setPixelColor(1, 0, kGreen);
    image.setPixelColor(0, 1, kBlue);
    image.setPixelColor(1, 1, QColor(kWhite.red(), kWhite.green(), kWhite.blue(), lowerRightAlpha));
    QByteArray png;
    QBuffer device(&png);
    image.save(&device, "PNG");
    const auto* first = reinterpret_cast<const std::byte*>(png.constData());
    document::Image encoded;
    encoded.mimeType = "image/png";
    encoded.bytes = std::make_shared<std::vector<std::byte>>(first, first + png.size());
    return encoded;
}

// Two units wide, in the plane z = 0, its picture upright when seen from +z.
document::DocumentState square(const document::Material& material, const rig::Affine& place) {
    mesh::Mesh m;
    m.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    m.uvs = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    m.triangles = {0, 1, 2, 0, 2, 3};
    document::DocumentState state;
    state.meshes.push_back(test::toMeshData(std::move(m)));
    state.meshes[0].geometry.parts[0].material = 0;
    state.materials.push_back(material);
    state.images.push_back(fourColours());
    rig::Joint node = test::tubeJoint("square", {}, {0, 0, 0}, false);
    node.bindLocal = place;
    state.skeleton = rig::Skeleton({node});
    state.pose.assign(1, rig::Affine::Identity());
    state.filePose = state.pose;
    state.locked.assign(1, 0);
    document::Instance instance;
    instance.node = JointId(std::size_t(0));
    instance.mesh = MeshId(std::size_t(0));
    state.instances.push_back(instance);
    return state;
}

document::Material pictured() {
    document::Material material;
    material.unlit = true;
    material.baseColorTexture.image = 0;
    material.baseColorTexture.nearest = true;
    return material;
}

// The picture from the front on nothing, and what is in the middle of each quarter of the square.
struct Quarters {
    QColor upperLeft, upperRight, lowerLeft, lowerRight;
};

Quarters draw(document::DocumentState state, Camera::View view = Camera::View::Front) {
    Editor editor;
    editor.replaceDocument(std::move(state), {});
    ViewState shown = editor.view();
    shown.grid = shown.skeleton = false;
    editor.setView(shown);
    Camera camera;
    camera.setViewport(200, 200);
    camera.setView(view);
    const Eigen::AlignedBox3d box(Eigen::Vector3d(-1, -1, -0.1), Eigen::Vector3d(1, 1, 0.1));
    camera.setSceneBounds(box);
    camera.frame(box);
    PictureOptions options;
    options.size = {200, 200};
    options.transparent = true;
    const auto picture = renderScene(editor, camera, options);
    if (!picture)
        return {};
    return {picture->pixelColor(55, 55), picture->pixelColor(145, 55), picture->pixelColor(55, 145),
            picture->pixelColor(145, 145)};
}

bool near(const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) < 8 && std::abs(a.green() - b.green()) < 8 && std::abs(a.blue() - b.blue()) < 8;
}

} // namespace

class TestMaterials : public QObject {
    Q_OBJECT
private slots:
    void picturesAreUprightAndKeepTheirColours() {
        const Quarters q = draw(square(pictured(), rig::Affine::Identity()));
        QVERIFY2(near(q.upperLeft, kRed), qPrintable(q.upperLeft.name()));
        QVERIFY2(near(q.upperRight, kGreen), qPrintable(q.upperRight.name()));
        QVERIFY2(near(q.lowerLeft, kBlue), qPrintable(q.lowerLeft.name()));
        QVERIFY2(near(q.lowerRight, kWhite), qPrintable(q.lowerRight.name()));
    }

    void factorsMultiplyInLinearLight() {
        document::Material material = pictured();
        material.baseColor = {0.5, 0.5, 0.5, 1};
        const Quarters q = draw(square(material, rig::Affine::Identity()));
        QVERIFY2(std::abs(q.lowerRight.red() - 184) < 6, qPrintable(q.lowerRight.name())); // sRGB of half of 250
    }

    void vertexColoursAreShownLinearAndMultiplyTheFactor() {
        document::Material white, half;
        white.unlit = half.unlit = true;
        half.baseColor = {0.5, 0.5, 0.5, 1};
        const auto coloured = [](const document::Material& material) {
            document::DocumentState state = square(material, rig::Affine::Identity());
            state.meshes[0].geometry.colors = {{1, 0, 0, 1}, {1, 0, 0, 1}, {0, 0, 1, 1}, {0, 0, 1, 1}};
            return draw(std::move(state));
        };
        const Quarters plain = coloured(white);
        QVERIFY2(plain.upperLeft.blue() > 200 && plain.lowerLeft.red() > 200, qPrintable(plain.upperLeft.name()));
        QVERIFY(plain.upperLeft.green() < 8 && plain.lowerLeft.green() < 8);
        // Half the light is 188 of 255 in sRGB.
        const Quarters dimmed = coloured(half);
        const double expected = plain.upperLeft.blue() * 188.0 / 255;
        QVERIFY2(std::abs(dimmed.upperLeft.blue() - expected) < 8, qPrintable(dimmed.upperLeft.name()));
    }

    void maskedPartsAreHolesAndBlendedPartsAreGlass() {
        document::Material material = pictured();
        material.alpha = document::Material::Alpha::Mask;
        document::DocumentState state = square(material, rig::Affine::Identity());
        state.images[0] = fourColours(60);
        Quarters q = draw(state);
        QCOMPARE(q.lowerRight.alpha(), 0);
        QCOMPARE(q.upperLeft.alpha(), 255);

        state.materials[0].alpha = document::Material::Alpha::Blend;
        q = draw(state);
        QVERIFY2(std::abs(q.lowerRight.alpha() - 60) < 4, qPrintable(QString::number(q.lowerRight.alpha())));
        state.materials[0].alpha = document::Material::Alpha::Opaque;
        QCOMPARE(draw(state).lowerRight.alpha(), 255);
    }

    void textureTransformMovesThePicture() {
        document::Material material = pictured();
        material.baseColorTexture.transform = {0.5, 0, 0, 1, 1};
        const Quarters q = draw(square(material, rig::Affine::Identity()));
        QVERIFY(near(q.upperLeft, kGreen) && near(q.upperRight, kRed));
    }

    void sidesShowAsTheMaterialSays_data() {
        QTest::addColumn<bool>("doubleSided");
        QTest::addColumn<bool>("mirrored");
        QTest::addColumn<bool>("fromBehind");
        QTest::addColumn<bool>("seen");
        QTest::newRow("single, front") << false << false << false << true;
        QTest::newRow("single, behind") << false << false << true << false;
        QTest::newRow("double, behind") << true << false << true << true;
        QTest::newRow("single and mirrored, front") << false << true << false << true;
    }
    void sidesShowAsTheMaterialSays() {
        QFETCH(bool, doubleSided);
        QFETCH(bool, mirrored);
        QFETCH(bool, fromBehind);
        QFETCH(bool, seen);
        document::Material material = pictured();
        material.doubleSided = doubleSided;
        rig::Affine place = rig::Affine::Identity();
        if (mirrored)
            place.scale(Eigen::Vector3d(-1, 1, 1));
        const Quarters q = draw(square(material, place), fromBehind ? Camera::View::Back : Camera::View::Front);
        QCOMPARE(q.upperLeft.alpha(), seen ? 255 : 0);
        if (mirrored)
            QVERIFY(near(q.upperLeft, kGreen));
    }

    void backSidesAreLitLikeFrontSides() {
        document::Material material;
        material.doubleSided = true;
        const document::DocumentState state = square(material, rig::Affine::Identity());
        const QColor front = draw(state).upperLeft, back = draw(state, Camera::View::Back).upperLeft;
        QVERIFY2(near(front, back), qPrintable(front.name() + ' ' + back.name()));
        QVERIFY(front.lightness() > 100);
    }

    void brokenPicturesAreLeftOut() {
        document::DocumentState state = square(pictured(), rig::Affine::Identity());
        const char* const broken[] = {"", "not a picture", "\x89PNG\r\n\x1a\n"};
        for (const char* text : broken) {
            const auto* first = reinterpret_cast<const std::byte*>(text);
            state.images[0].bytes = std::make_shared<std::vector<std::byte>>(first, first + std::strlen(text));
            QVERIFY(decodeImage(*state.images[0].bytes).isNull());
            QVERIFY(near(draw(state).upperLeft, Qt::white));
        }
        state.images[0].bytes = nullptr;
        QVERIFY(near(draw(state).upperLeft, Qt::white));
    }

    void brokenPicturesAreNamed() {
        document::DocumentState state = square(pictured(), rig::Affine::Identity());
        state.images[0].name = "skin";
        state.images[0].bytes = std::make_shared<std::vector<std::byte>>(100);
        Editor editor;
        editor.replaceDocument(std::move(state), {});
        Camera camera;
        camera.setViewport(64, 64);
        PictureOptions options;
        options.size = {64, 64};
        QVERIFY(renderScene(editor, camera, options));
        QCOMPARE(editor.notes().size(), 1);
        QVERIFY2(editor.notes()[0].contains("skin"), qPrintable(editor.notes()[0]));
    }
};

int main(int argc, char** argv) {
    prepareGraphics();
    const QApplication app(argc, argv);
    TestMaterials test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_materials.moc"
