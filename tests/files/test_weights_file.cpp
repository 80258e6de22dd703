// The weights of a mesh as text, and the commands that change weights.
#include "core/io/weights_file.h"
#include "tests/support/random.h"
#include "tests/support/run_limber.h"
#include "tests/support/tube_document.h"

#include <nlohmann/json.hpp>

using namespace limber;
using document::Document;
using test::Tube;
using tests::data;
using tests::Outcome;
using tests::run;

namespace {

constexpr const char* kGood =
    R"({"limber":"weights","version":1,"mesh":"m","vertices":2,"joints":["a","b"],"weights":[[[0,0.25],[1,0.75]],[]]})";

QString readingOf(const QByteArray& json) {
    const auto file = io::readWeights(json.toStdString());
    return file ? QString() : QString::fromStdString(file.error().message());
}

bool sameRow(std::span<const skin::Influence> a, std::span<const skin::Influence> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

} // namespace

class TestWeightsFile : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenReadsBackExactly();
    void badFilesAreRefusedWithTheirPlace_data();
    void badFilesAreRefusedWithTheirPlace();
    void longRowsAmongManyAreRefused();
    void importingMapsJointsByName();
    void importingNormalisesAndCounts();
    void importingAppendsJointsThatTheSkinLacks();
    void importingOtherMeshesIsRefused_data();
    void importingOtherMeshesIsRefused();
    void conversionSaysHowFarTheSurfaceMoved();
    void conversionWithoutClipsMeasuresThePose();
    void weightsGoOutAndComeBack();
    void weightsCommandsSaveWhatTheyChange_data();
    void weightsCommandsSaveWhatTheyChange();
    void heatBindsRealFiles_data();
    void heatBindsRealFiles();
    void wrongUseOfWeightsCommandsIsNamed_data();
    void wrongUseOfWeightsCommandsIsNamed();
};

void TestWeightsFile::whatIsWrittenReadsBackExactly() {
    test::Random random(3);
    io::WeightsFile file{"a \"mesh\"\n", {"root", "", "\xe5\x85\xb3", "#1"}, {}};
    for (std::size_t v = 0; v < 200; ++v) {
        skin::Row row;
        for (std::uint32_t s = 0; s < 4; ++s)
            if (random.index(2))
                row.push_back({s, static_cast<float>(std::pow(10, random.uniform(-9, 0)))});
        file.rows.appendRow();
        file.rows.setRow(v, row);
    }
    const auto back = io::readWeights(io::writeWeights(file));
    QVERIFY2(back.ok(), back ? "" : back.error().message().c_str());
    QCOMPARE(back->mesh, file.mesh);
    QCOMPARE(back->joints, file.joints);
    for (std::size_t v = 0; v < 200; ++v)
        QVERIFY(sameRow(back->rows.row(v), file.rows.row(v)));
    QCOMPARE(readingOf(kGood), QString());
}

void TestWeightsFile::badFilesAreRefusedWithTheirPlace_data() {
    QTest::addColumn<QString>("part");
    QTest::addColumn<QString>("instead");
    QTest::addColumn<QString>("message");
    QTest::newRow("not JSON") << "}"
                              << ""
                              << "not valid JSON";
    QTest::newRow("other kind") << R"("weights","v)"
                                << R"("pose","v)"
                                << "\"limber\" is not \"weights\"";
    QTest::newRow("other version") << R"("version":1)"
                                   << R"("version":2)"
                                   << "version is not 1";
    QTest::newRow("unknown member") << R"("mesh")"
                                    << R"("mash")"
                                    << "\"mash\" is not known";
    QTest::newRow("name of a number") << R"("m")"
                                      << "7"
                                      << "not a text";
    QTest::newRow("too few") << R"("vertices":2)"
                             << R"("vertices":3)"
                             << "number of vertices";
    QTest::newRow("negative count") << R"("vertices":2)"
                                    << R"("vertices":-2)"
                                    << "whole number";
    QTest::newRow("huge count") << R"("vertices":2)"
                                << R"("vertices":18446744073709551615)"
                                << "whole number";
    QTest::newRow("joint out of range") << "[1,0.75]"
                                        << "[2,0.75]"
                                        << "joint 2, but only 2";
    QTest::newRow("joint far out of range") << "[1,0.75]"
                                            << "[4294967297,0.75]"
                                            << "weights[0]";
    QTest::newRow("joint of a fraction") << "[1,0.75]"
                                         << "[1.5,0.75]"
                                         << "weights[0]";
    QTest::newRow("joint twice") << "[1,0.75]"
                                 << "[0,0.75]"
                                 << "listed twice";
    QTest::newRow("negative weight") << "0.75"
                                     << "-0.75"
                                     << "weights[0]: A weight";
    QTest::newRow("weight of text") << "0.75"
                                    << "\"NaN\""
                                    << "weights[0]: A weight";
    QTest::newRow("NaN") << "0.75"
                         << "NaN"
                         << "not valid JSON";
    QTest::newRow("beyond double") << "0.75"
                                   << "1e999"
                                   << "too large";
    QTest::newRow("beyond float") << "0.75"
                                  << "1e39"
                                  << "weights[0]: A weight";
    QTest::newRow("three numbers") << "[1,0.75]"
                                   << "[1,0.75,0]"
                                   << "not a pair";
    QTest::newRow("no pair") << "[1,0.75]"
                             << "1"
                             << "not a pair";
    QTest::newRow("deep") << "[1,0.75]"
                          << "[[[[[1]]]]]"
                          << "nested too deeply";
    QTest::newRow("row of a number") << "]],[]]"
                                     << "]],7]"
                                     << "not a list";
    QTest::newRow("rows twice") << R"("mesh":"m")"
                                << R"("weights":[])"
                                << "twice";
    QTest::newRow("joints of numbers") << R"(["a","b"])"
                                       << "[1,2]"
                                       << "not a text";
    QTest::newRow("no joints") << R"("joints":["a","b"],)"
                               << ""
                               << "no list of \"joints\"";
    QTest::newRow("a list") << kGood << "[]"
                            << "not a weights file";
    QTest::newRow("nothing") << kGood << ""
                             << "not valid JSON";
}

void TestWeightsFile::badFilesAreRefusedWithTheirPlace() {
    QFETCH(QString, part);
    QFETCH(QString, instead);
    QFETCH(QString, message);
    QString text = kGood;
    const auto at = text.indexOf(part);
    QVERIFY(at >= 0);
    text.replace(at, part.size(), instead);
    QVERIFY2(readingOf(text.toUtf8()).contains(message), qPrintable(readingOf(text.toUtf8())));
}

// Rows share one width: a file of some megabytes must not take gigabytes.
void TestWeightsFile::longRowsAmongManyAreRefused() {
    QByteArray rows;
    for (int v = 0; v < 200000; ++v)
        rows += "[],";
    QByteArray row;
    for (int j = 0; j < 4000; ++j)
        row += (j ? ",[" : "[") + QByteArray::number(j) + ",0.1]";
    const QByteArray text =
        R"({"limber":"weights","version":1,"vertices":200001,"joints":[],"weights":[)" + rows + "[" + row + "]]}";
    QVERIFY2(readingOf(text).contains("far more influences"), qPrintable(readingOf(text)));
}

void TestWeightsFile::importingMapsJointsByName() {
    const Document doc(test::tubeDocument());
    io::WeightsFile file = io::weightsOf(doc.state(), Tube::mesh);
    QCOMPARE(file.joints, (std::vector<std::string>{"upper", "lower"}));
    QVERIFY(io::importWeights(doc, Tube::mesh, file)->edit.empty());
    std::swap(file.joints[0], file.joints[1]);
    Document swapped(doc.state());
    const auto imported = io::importWeights(doc, Tube::mesh, file);
    swapped.apply(imported->edit);
    for (std::size_t v = 0; v < doc.mesh(Tube::mesh).weights.vertexCount(); ++v)
        QCOMPARE(swapped.mesh(Tube::mesh).weights.weight(v, 1), doc.mesh(Tube::mesh).weights.weight(v, 2));
    swapped.revert(imported->edit);
    QCOMPARE(swapped.hash(), doc.hash());
}

void TestWeightsFile::importingNormalisesAndCounts() {
    Document doc(test::tubeDocument());
    io::WeightsFile file = io::weightsOf(doc.state(), Tube::mesh);
    file.rows.setRow(0, skin::Row{{0, 3}, {1, 1}});
    file.rows.setRow(1, skin::Row{});
    const auto imported = io::importWeights(doc, Tube::mesh, file);
    QCOMPARE(imported->normalised, std::size_t(1));
    QCOMPARE(imported->unweighted, std::size_t(1));
    doc.apply(imported->edit);
    QCOMPARE(doc.mesh(Tube::mesh).weights.weight(0, 1), 0.75f);
    QVERIFY(doc.mesh(Tube::mesh).weights.row(1).empty());
}

void TestWeightsFile::importingAppendsJointsThatTheSkinLacks() {
    document::DocumentState state = test::tubeDocument();
    document::Skin other = state.skins[0];
    other.joints = {JointId(Tube::kHelper)};
    other.inverseBinds = {state.skeleton[JointId(Tube::kHelper)].inverseBind};
    state.skins.push_back(other);
    std::vector<rig::Joint> joints(state.skeleton.joints().begin(), state.skeleton.joints().end());
    joints[Tube::kHelper].deforms = true;
    state.skeleton = rig::Skeleton(joints);
    Document doc(state);
    io::WeightsFile file = io::weightsOf(doc.state(), Tube::mesh);
    file.joints[1] = "helper";
    const auto imported = io::importWeights(doc, Tube::mesh, file);
    QVERIFY2(imported.ok(), imported ? "" : imported.error().message().c_str());
    QCOMPARE(imported->appended, std::size_t(1));
    const std::uint64_t before = doc.hash();
    doc.apply(imported->edit);
    QCOMPARE(doc.skin(Tube::skin).joints.back(), JointId(Tube::kHelper));
    QCOMPARE(doc.mesh(Tube::mesh).weights.weight(1000, 3), 1.0f);
    doc.revert(imported->edit);
    QCOMPARE(doc.hash(), before);
}

void TestWeightsFile::importingOtherMeshesIsRefused_data() {
    QTest::addColumn<int>("mesh");
    QTest::addColumn<int>("extraRows");
    QTest::addColumn<QString>("joint");
    QTest::addColumn<QString>("message");
    QTest::newRow("rigid") << 1 << 0 << "lower"
                           << "no skin";
    QTest::newRow("other number of vertices") << 0 << 1 << "lower"
                                              << "the mesh has 1025";
    QTest::newRow("unknown joint") << 0 << 0 << "tail"
                                   << "tail: The file has no joint";
    QTest::newRow("one joint twice") << 0 << 0 << "upper"
                                     << "are this one joint";
    QTest::newRow("by a number that is none") << 0 << 0 << "#77"
                                              << "#77: The file has no joint";
}

void TestWeightsFile::importingOtherMeshesIsRefused() {
    QFETCH(int, mesh);
    QFETCH(int, extraRows);
    QFETCH(QString, joint);
    QFETCH(QString, message);
    const Document doc(test::tubeDocument());
    io::WeightsFile file = io::weightsOf(doc.state(), Tube::mesh);
    file.joints[1] = joint.toStdString();
    for (int k = 0; k < extraRows; ++k)
        file.rows.appendRow();
    const auto imported = io::importWeights(doc, MeshId(static_cast<std::size_t>(mesh)), file);
    QVERIFY(!imported.ok());
    QVERIFY2(imported.error().message().find(message.toStdString()) != std::string::npos,
             imported.error().message().c_str());
}

void TestWeightsFile::conversionSaysHowFarTheSurfaceMoved() {
    const QString peach = data("gltf/Peach_3sets.glb");
    if (peach.isEmpty())
        QSKIP("no test data");
    QTemporaryDir folder;
    const QString out = folder.filePath("peach.glb");
    const Outcome json = run({"convert", peach, out, "--max-influences", "4", "--json"});
    QCOMPARE(json.code, 0);
    const QJsonObject moved = QJsonDocument::fromJson(json.out.toUtf8()).object()["moved"].toObject();
    QVERIFY(moved["maximum"].toDouble() > 0);
    QVERIFY(moved["mean"].toDouble() > 0 && moved["mean"].toDouble() < moved["maximum"].toDouble());
    QCOMPARE(moved["mesh"].toString(), QString("Icosphere.000"));
    // The place it names moved so far there.
    const QStringList at{"--clip", moved["clip"].toString(), "--time",
                         QString::number(moved["time"].toDouble(), 'g', 17)};
    QCOMPARE(run(QStringList{"deform", peach, "-o", folder.filePath("a.obj")} + at).code, 0);
    QCOMPARE(run(QStringList{"deform", out, "-o", folder.filePath("b.obj")} + at).code, 0);
    const auto line = [&](const char* name) {
        QList<QByteArray> points = tests::read(folder.filePath(name)).split('\n');
        points.removeIf([](const QByteArray& l) { return !l.startsWith("v "); });
        const QList<QByteArray> words = points[moved["vertex"].toInt()].split(' ');
        return Eigen::Vector3d(words[1].toDouble(), words[2].toDouble(), words[3].toDouble());
    };
    QVERIFY(std::abs((line("a.obj") - line("b.obj")).norm() - moved["maximum"].toDouble()) < 1e-5);
    const Outcome text = run({"convert", peach, out, "--max-influences", "4"});
    QVERIFY2(text.out.contains("The posed surface moves by at most 0.00"), qPrintable(text.out));
    const Outcome none = run({"convert", out, folder.filePath("again.glb"), "--max-influences", "4"});
    QVERIFY2(none.out.contains("No vertex has more than 4"), qPrintable(none.out));
    QVERIFY(tests::read(folder.filePath("again.glb")) == tests::read(out));
}

void TestWeightsFile::conversionWithoutClipsMeasuresThePose() {
    const QString sets = data("gltf/skin-multiple-sets.gltf");
    if (sets.isEmpty())
        QSKIP("no test data");
    QTemporaryDir folder;
    const Outcome outcome = run({"convert", sets, folder.filePath("a.glb"), "--max-influences", "2"});
    QVERIFY2(outcome.code == 0 || outcome.code == 4, qPrintable(outcome.err));
    QVERIFY2(outcome.out.contains("The posed surface moves by at most"), qPrintable(outcome.out));
    QCOMPARE(outcome.out.contains("it has no clips"), tests::info(sets)["clips"].toArray().isEmpty());
}

void TestWeightsFile::weightsGoOutAndComeBack() {
    QTemporaryDir folder;
    const QString mannequin = folder.filePath("m.glb"), json = folder.filePath("w.json");
    QCOMPARE(run({"new", "mannequin", "-o", mannequin}).code, 0);
    QCOMPARE(run({"weights", "export", mannequin, "-o", json}).code, 0);
    QCOMPARE(run({"weights", "import", mannequin, json, "-o", folder.filePath("same.glb")}).code, 0);
    QVERIFY(tests::read(folder.filePath("same.glb")) == tests::read(mannequin));
    // Weights of another state come back as they were.
    const QString smooth = folder.filePath("smooth.glb");
    QCOMPARE(run({"weights", "smooth", mannequin, "--steps", "4", "-o", smooth}).code, 0);
    QVERIFY(tests::read(smooth) != tests::read(mannequin));
    QCOMPARE(run({"weights", "import", smooth, json, "-o", folder.filePath("back.glb")}).code, 0);
    QCOMPARE(run({"weights", "export", folder.filePath("back.glb"), "-o", folder.filePath("back.json")}).code, 0);
    QVERIFY(tests::read(folder.filePath("back.json")) == tests::read(json));
}

void TestWeightsFile::weightsCommandsSaveWhatTheyChange_data() {
    QTest::addColumn<QStringList>("words");
    QTest::newRow("prune") << QStringList{"prune", "0.2"};
    QTest::newRow("limit") << QStringList{"limit", "1"};
    QTest::newRow("smooth") << QStringList{"smooth"};
    QTest::newRow("heat") << QStringList{"heat"};
    QTest::newRow("heat within two") << QStringList{"heat", "--max-influences", "2"};
    QTest::newRow("smooth within two") << QStringList{"smooth", "--max-influences", "2"};
}

void TestWeightsFile::weightsCommandsSaveWhatTheyChange() {
    QFETCH(QStringList, words);
    QTemporaryDir folder;
    const QString mannequin = folder.filePath("m.glb"), out = folder.filePath("out.glb");
    QCOMPARE(run({"new", "mannequin", "-o", mannequin}).code, 0);
    const Outcome outcome = run(QStringList{"weights"} + words + QStringList{mannequin, "-o", out});
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.err.contains("vertices changed"), qPrintable(outcome.err));
    const QJsonObject mesh = tests::info(out)["meshes"].toArray()[0].toObject();
    QCOMPARE(mesh["unnormalised"].toInt(), 0);
    QVERIFY(mesh["maxInfluences"].toInt() <= (words[0] == "limit" ? 1 : words.contains("2") ? 2 : 4));
    const Outcome normal = run({"weights", "normalize", out, "-o", folder.filePath("again.glb")});
    QVERIFY2(normal.err.contains("nothing to change"), qPrintable(normal.err));
    QVERIFY(tests::read(folder.filePath("again.glb")) == tests::read(out));
}

void TestWeightsFile::heatBindsRealFiles_data() {
    QTest::addColumn<QString>("file");
    for (const char* name : {"demo/Knight_demo.glb", "demo/RobotExpressive.glb", "gltf/Fox.glb",
                             "gltf/CesiumMan/CesiumMan.gltf", "gltf/InfiniteSkinnedTentacle.glb"})
        QTest::newRow(name) << QString(name);
}

void TestWeightsFile::heatBindsRealFiles() {
    QFETCH(QString, file);
    const QString in = tests::data(file.toLatin1());
    if (!QFile::exists(in))
        QSKIP("the test data is not on this machine");
    QTemporaryDir folder;
    const QString out = folder.filePath("out.glb");
    const Outcome outcome = run({"weights", "heat", in, "-o", out});
    QVERIFY2(outcome.code == 0 || outcome.code == 4, qPrintable(outcome.err));
    QVERIFY2(outcome.err.contains("vertices changed"), qPrintable(outcome.err));
    const QJsonArray before = tests::info(in)["meshes"].toArray(), after = tests::info(out)["meshes"].toArray();
    QCOMPARE(after.size(), before.size());
    for (int m = 0; m < after.size(); ++m) {
        QCOMPARE(after[m]["unnormalised"].toInt(), 0);
        QCOMPARE(after[m]["vertices"], before[m]["vertices"]);
        QVERIFY(after[m]["maxInfluences"].toInt() <= std::max(4, before[m]["maxInfluences"].toInt()));
    }
}

void TestWeightsFile::wrongUseOfWeightsCommandsIsNamed_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("message");
    QTest::newRow("no command") << "weights" << 2 << "export, import";
    QTest::newRow("threshold") << "weights prune 2 m.glb -o o.glb" << 2 << "from 0 to 1";
    QTest::newRow("strength") << "weights heat m.glb --strength 0 -o o.glb" << 2 << "from 0.000001";
    QTest::newRow("number") << "weights limit none m.glb -o o.glb" << 2 << "none";
    QTest::newRow("amount") << "weights smooth m.glb --amount 3 -o o.glb" << 2 << "--amount";
    QTest::newRow("steps") << "weights smooth m.glb --steps 0 -o o.glb" << 2 << "--steps";
    QTest::newRow("mesh") << "weights normalize m.glb --mesh tail -o o.glb" << 2 << "no such mesh";
    QTest::newRow("mesh without weights") << "weights export m.glb --mesh #9 -o o.json" << 2 << "no such mesh";
    QTest::newRow("no JSON name") << "weights export m.glb -o o.glb" << 2 << ".json";
    QTest::newRow("over the input") << "weights limit 2 m.glb -o m.glb" << 2 << "inputs";
    QTest::newRow("over the weights") << "weights import m.glb w.glb -o w.glb" << 2 << "inputs";
    QTest::newRow("bad weights") << "weights import m.glb w.glb -o o.glb" << 3 << "w.glb: This is not a weights file";
    QTest::newRow("no weights") << "weights import m.glb none.json -o o.glb" << 3 << "none.json";
}

void TestWeightsFile::wrongUseOfWeightsCommandsIsNamed() {
    QFETCH(QString, line);
    QFETCH(int, code);
    QFETCH(QString, message);
    QTemporaryDir folder;
    QCOMPARE(run({"new", "mannequin", "-o", folder.filePath("m.glb")}).code, 0);
    QVERIFY(tests::write(folder.filePath("w.glb"), "{}"));
    QStringList words = line.split(' ');
    for (QString& word : words)
        if (word.contains(".glb") || word.contains(".json"))
            word = folder.filePath(word);
    const Outcome outcome = run(words);
    QVERIFY2(outcome.code == code, qPrintable(QString::number(outcome.code) + outcome.err));
    QVERIFY2(outcome.err.contains(message), qPrintable(outcome.err));
    QVERIFY(!QFile::exists(folder.filePath("o.glb")));
}

QTEST_GUILESS_MAIN(TestWeightsFile)
#include "test_weights_file.moc"
