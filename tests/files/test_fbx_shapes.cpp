// Sliders of FBX files: in-betweens told apart, where they stand, how clips move them, and nothing trusted.
#include "app/command_line/posed_scene.h"
#include "core/document/evaluator.h"
#include "core/io/assimp_import.h"
#include "core/io/fbx_shapes.h"
#include "core/io/fbx_tree.h"
#include "core/io/gltf_file.h"
#include "tests/files/fbx_sample.h"
#include "tests/support/import_here.h"
#include "tests/support/test_data.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

using namespace limber;
using tests::FbxForm;
using Weights = std::vector<double>;
namespace fs = std::filesystem;

namespace {

std::span<const std::byte> bytesOf(const QByteArray& bytes) {
    return std::as_bytes(std::span(bytes.constData(), std::size_t(bytes.size())));
}

fs::path sampleFile(const QTemporaryDir& folder, FbxForm form, double percent) {
    QFile file(folder.filePath("sample.fbx"));
    if (file.open(QIODevice::WriteOnly))
        file.write(tests::fbxSample(form, percent));
    return file.fileName().toStdString();
}

// The sample's corners by its own rule: from rest to Half at 30 %, on to Full at 100 %, straight beyond.
std::vector<Eigen::Vector3d> sampleCorners(double percent) {
    const bool first = percent < 30;
    const double t = first ? percent / 30 : (percent - 30) / 70;
    const double half = first ? t : 1 - t, full = first ? 0 : t;
    return {{0, 0, 0}, Eigen::Vector3d(1, 3 * full, half), Eigen::Vector3d(0, 1, 2 * half)};
}

double distanceTo(const document::DocumentState& state, const std::vector<Eigen::Vector3d>& corners) {
    const document::Document doc{document::DocumentState(state)};
    const document::Preview preview;
    document::Evaluator evaluator(doc, preview);
    const auto positions = evaluator.positions(InstanceId(0));
    double worst = positions.size() == corners.size() ? 0 : 1e9;
    for (std::size_t v = 0; v < std::min(positions.size(), corners.size()); ++v)
        worst = std::max(worst, (positions[v].cast<double>() - corners[v]).norm());
    return worst;
}

std::vector<std::string> shapeNames(const document::DocumentState& state) {
    std::vector<std::string> names;
    for (const shape::Shape& s : state.meshes.at(0).shapes)
        names.push_back(s.name);
    return names;
}

} // namespace

class TestFbxShapes : public QObject {
    Q_OBJECT

private slots:
    void allFormsOfTheFileSayTheSame_data();
    void allFormsOfTheFileSayTheSame();
    void weightsGoStraightFromShapeToShape_data();
    void weightsGoStraightFromShapeToShape();
    void slidersStandWhereTheFilePutsThem_data();
    void slidersStandWhereTheFilePutsThem();
    void clipsPassTheInBetweens();
    void aRealFileMovesAsItsCurvesSay();
    void easedCurvesAreSampled();
    void damagedFilesAreRefused_data();
    void damagedFilesAreRefused();
    void cutAndMutatedFilesNeverFail_data();
    void cutAndMutatedFilesNeverFail();
};

void TestFbxShapes::allFormsOfTheFileSayTheSame_data() {
    QTest::addColumn<FbxForm>("form");
    QTest::newRow("text") << FbxForm::Text;
    QTest::newRow("binary, 32 bits") << FbxForm::Binary32;
    QTest::newRow("binary, 64 bits") << FbxForm::Binary64;
    QTest::newRow("binary, packed") << FbxForm::BinaryPacked;
}

void TestFbxShapes::allFormsOfTheFileSayTheSame() {
    QFETCH(FbxForm, form);
    const auto shapes = io::readFbxShapes(bytesOf(tests::fbxSample(form, 20)));
    QVERIFY2(shapes.ok(), shapes.ok() ? "" : shapes.error().message().c_str());
    QCOMPARE(shapes->meshes.size(), std::size_t(1));
    const io::FbxShapedMesh& mesh = shapes->meshes[0];
    QCOMPARE(mesh.name, std::string("Face"));
    QCOMPARE(mesh.nodes, std::vector<std::string>{"Face"});
    QCOMPARE(mesh.channels.size(), std::size_t(1));
    const io::FbxShapeChannel& smile = mesh.channels[0];
    QCOMPARE(smile.name, std::string("Smile"));
    QCOMPARE(smile.percent, 20.0);
    QCOMPARE(smile.targets.size(), std::size_t(2));
    QCOMPARE(smile.targets[0].name, std::string("Half"));
    QCOMPARE(smile.targets[0].fullPercent, 30.0);
    QCOMPARE(smile.targets[1].fullPercent, 100.0);
    QCOMPARE(shapes->clips.size(), std::size_t(1));
    QCOMPARE(shapes->clips[0].name, std::string("Talk"));
    QCOMPARE(shapes->clips[0].curves.at(0).keys.size(), std::size_t(3));
    QCOMPARE(shapes->clips[0].curves[0].keys[1].seconds, 1.0);
    QCOMPARE(shapes->clips[0].curves[0].keys[1].percent, 150.0);
}

void TestFbxShapes::weightsGoStraightFromShapeToShape_data() {
    QTest::addColumn<Weights>("full");
    QTest::addColumn<double>("percent");
    QTest::addColumn<Weights>("weights");
    QTest::newRow("one shape") << Weights{100} << 40.0 << Weights{0.4};
    QTest::newRow("one shape, beyond") << Weights{100} << 150.0 << Weights{1.5};
    QTest::newRow("one shape, below") << Weights{100} << -50.0 << Weights{-0.5};
    QTest::newRow("at rest") << Weights{30, 100} << 0.0 << Weights{0, 0};
    QTest::newRow("to the first") << Weights{30, 100} << 15.0 << Weights{0.5, 0};
    QTest::newRow("at the first") << Weights{30, 100} << 30.0 << Weights{1, 0};
    QTest::newRow("between") << Weights{30, 100} << 65.0 << Weights{0.5, 0.5};
    QTest::newRow("at the last") << Weights{30, 100} << 100.0 << Weights{0, 1};
    QTest::newRow("beyond the last") << Weights{30, 100} << 170.0 << Weights{-1, 2};
    QTest::newRow("below the first") << Weights{30, 100} << -30.0 << Weights{-1, 0};
    QTest::newRow("not in order") << Weights{100, 50, 25} << 75.0 << Weights{0.5, 0.5, 0};
    QTest::newRow("on both sides of rest") << Weights{-50, 100} << -25.0 << Weights{0.5, 0};
    QTest::newRow("all below rest") << Weights{-50, -100} << 50.0 << Weights{-1, 0};
    QTest::newRow("two at the same place") << Weights{50, 50} << 25.0 << Weights{0.5, 0};
    QTest::newRow("none") << Weights{} << 50.0 << Weights{};
}

void TestFbxShapes::weightsGoStraightFromShapeToShape() {
    QFETCH(Weights, full);
    QFETCH(double, percent);
    QFETCH(Weights, weights);
    io::FbxShapeChannel channel;
    for (const double f : full)
        channel.targets.push_back({"", f});
    const Weights found = io::weightsAt(channel, percent);
    QCOMPARE(found.size(), weights.size());
    for (std::size_t t = 0; t < found.size(); ++t)
        QVERIFY2(std::abs(found[t] - weights[t]) < 1e-12, qPrintable(QString::number(found[t])));
}

void TestFbxShapes::slidersStandWhereTheFilePutsThem_data() {
    QTest::addColumn<FbxForm>("form");
    QTest::addColumn<double>("percent");
    for (const double percent : {-20.0, 0.0, 10.0, 30.0, 47.5, 100.0, 130.0})
        QTest::addRow("%g %%", percent) << FbxForm::Text << percent;
    QTest::newRow("binary") << FbxForm::BinaryPacked << 60.0;
}

void TestFbxShapes::slidersStandWhereTheFilePutsThem() {
    QFETCH(FbxForm, form);
    QFETCH(double, percent);
    QTemporaryDir folder;
    const auto loaded = tests::importHere(sampleFile(folder, form, percent));
    QVERIFY2(loaded.ok(), loaded.ok() ? "" : loaded.error().message().c_str());
    QCOMPARE(shapeNames(loaded->state), (std::vector<std::string>{"Smile 30%", "Smile"}));
    const double off = distanceTo(loaded->state, sampleCorners(percent));
    QVERIFY2(off < 1e-6, qPrintable(QString::number(off)));
}

void TestFbxShapes::clipsPassTheInBetweens() {
    QTemporaryDir folder;
    const auto loaded = tests::importHere(sampleFile(folder, FbxForm::Text, 20));
    QVERIFY(loaded.ok());
    for (double seconds = 0; seconds <= 2; seconds += 0.01) {
        document::DocumentState state = loaded->state;
        QVERIFY(app::poseFromClip(state, "Talk", seconds).ok());
        const double percent = seconds < 1 ? 150 * seconds : 150 - 200 * (seconds - 1);
        const double off = distanceTo(state, sampleCorners(percent));
        QVERIFY2(off < 1e-5, qPrintable(QString("%1 at %2 s").arg(off).arg(seconds)));
    }
}

// Expected values: the same frames of the scene, exported by the program that made it.
void TestFbxShapes::aRealFileMovesAsItsCurvesSay() {
    const fs::path path = tests::dataFile("fbx/maya_blend_inbetween_7500_binary.fbx");
    if (path.empty())
        QSKIP("no test data");
    const auto loaded = tests::importHere(path);
    QVERIFY(loaded.ok());
    QCOMPARE(shapeNames(loaded->state),
             (std::vector<std::string>{"KeyBlend.LiftTop 50%", "KeyBlend.LiftTop", "KeyBlend.MoveToSide -49.9%",
                                       "KeyBlend.MoveToSide -24.9%", "KeyBlend.MoveToSide"}));
    const std::vector<double> own{-2, 0, 0, 0, 2};
    QCOMPARE(loaded->state.instances.at(0).shapeWeights, own);
    struct Frame {
        int number;
        double highest, nearest; // of the y and z that any vertex has, in centimetres
    };
    for (const Frame& f : {Frame{1, 0.746650, -1.433965}, Frame{30, 0.636235, -1.224916}, Frame{65, 0.5, -0.654177},
                           Frame{120, 1.269195, -0.5}}) {
        document::DocumentState state = loaded->state;
        QVERIFY(app::poseFromClip(state, "Take 001", (f.number - 1) / 24.0).ok());
        const document::Document doc{std::move(state)};
        const document::Preview preview;
        document::Evaluator evaluator(doc, preview);
        Eigen::AlignedBox3d box;
        for (const Eigen::Vector3f& p : evaluator.positions(InstanceId(0)))
            box.extend(100 * p.cast<double>());
        QVERIFY2(std::abs(box.max().y() - f.highest) < 5e-5, qPrintable(QString::number(box.max().y(), 'g', 9)));
        QVERIFY2(std::abs(box.min().z() - f.nearest) < 5e-5, qPrintable(QString::number(box.min().z(), 'g', 9)));
    }
}

void TestFbxShapes::easedCurvesAreSampled() {
    QByteArray eased = tests::fbxSample(FbxForm::Text, 0);
    QVERIFY(eased.contains("KeyAttrFlags: *1 {\na: 4\n"));
    eased.replace("KeyAttrFlags: *1 {\na: 4\n", "KeyAttrFlags: *1 {\na: 8\n");
    const auto shapes = io::readFbxShapes(bytesOf(eased));
    QVERIFY(shapes.ok());
    const auto& keys = shapes->clips.at(0).curves.at(0).keys;
    QCOMPARE(keys.size(), std::size_t(61));
    for (const io::FbxPercentKey& k : keys)
        if (const double t = k.seconds; t <= 1) // level at both ends
            QVERIFY(std::abs(k.percent - 150 * t * t * (3 - 2 * t)) < 1e-9);
}

void TestFbxShapes::damagedFilesAreRefused_data() {
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray head("Kaydara FBX Binary  \0\x1a\0", 23);
    const auto number = [](std::uint32_t n) { return QByteArray(reinterpret_cast<const char*>(&n), 4); };
    const QByteArray binary = head + number(7400);
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("something else") << QByteArray("glTF and more");
    QTest::newRow("only the magic") << head;
    QTest::newRow("version 6.1") << head + number(6100) + QByteArray(13, '\0');
    QTest::newRow("no records") << binary;
    QTest::newRow("a record longer than the file") << binary + number(1000) + number(0) + number(0) + QByteArray("\1A");
    QTest::newRow("a record that ends before itself") << binary + number(1) + number(0) + number(0) + QByteArray("\1A");
    QTest::newRow("values longer than their record")
        << binary + number(50) + number(1) + number(0xffffffff) + QByteArray("\1A") + QByteArray(50, '\0');
    QTest::newRow("a name longer than its record")
        << binary + number(45) + number(0) + number(0) + QByteArray("\xff") + QByteArray(50, '\0');
    QTest::newRow("text that ends in a block") << QByteArray("; FBX 7.4.0\nObjects: {\n");
    QTest::newRow("text that closes too much") << QByteArray("; FBX 7.4.0\n}\n");
    QTest::newRow("text that ends in a quote") << QByteArray("; FBX 7.4.0\nObjects: {\nDeformer: 1, \"x\n");
    QTest::newRow("text without names") << QByteArray("; FBX 7.4.0\n{{{{");
    QTest::newRow("text nested 100,000 deep") << "; FBX 7.4.0\n" + QByteArray("Objects: {\n").repeated(100000);
}

void TestFbxShapes::damagedFilesAreRefused() {
    QFETCH(QByteArray, bytes);
    const auto shapes = io::readFbxShapes(bytesOf(bytes));
    QVERIFY(!shapes.ok());
    QCOMPARE(shapes.error().code, ErrorCode::InputRefused);
}

void TestFbxShapes::cutAndMutatedFilesNeverFail_data() {
    allFormsOfTheFileSayTheSame_data();
}

void TestFbxShapes::cutAndMutatedFilesNeverFail() {
    QFETCH(FbxForm, form);
    const QByteArray whole = tests::fbxSample(form, 20);
    for (qsizetype size = 0; size < whole.size(); size += 7)
        static_cast<void>(io::readFbxShapes(bytesOf(whole.first(size))));
    std::mt19937 random(11);
    for (int round = 0; round < 3000; ++round) {
        QByteArray mutant = whole;
        for (unsigned change = 0; change <= random() % 4; ++change)
            mutant[qsizetype(random() % unsigned(mutant.size()))] = char(random());
        const auto shapes = io::readFbxShapes(bytesOf(mutant));
        for (std::size_t c = 0; shapes.ok() && c < shapes->clips.size(); ++c)
            for (std::size_t m = 0; m < shapes->meshes.size(); ++m)
                QVERIFY(io::weightKeys(*shapes, shapes->clips[c], m).seconds.size() < 1000000);
    }
}

QTEST_GUILESS_MAIN(TestFbxShapes)
#include "test_fbx_shapes.moc"
