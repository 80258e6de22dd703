// `limber check` over real files, and what its fixes leave in the files that it writes.
#include "core/check/doctor.h"
#include "core/io/gltf_file.h"
#include "core/io/gltf_json.h"
#include "tests/files/gltf_edits.h"
#include "tests/files/gltf_text.h"
#include "tests/support/run_limber.h"

#include <chrono>

using namespace limber;
using namespace limber::tests;

namespace {

QJsonObject checked(const QString& file, const QStringList& options = {}) {
    return QJsonDocument::fromJson(run(QStringList{"check", file, "--json"} + options).out.toUtf8()).object();
}

QStringList codesOf(const QJsonObject& facts, const QString& severity = {}) {
    QStringList codes;
    for (const QJsonValue& f : facts["findings"].toArray())
        if (severity.isEmpty() || f["severity"].toString() == severity)
            codes << f["code"].toString();
    return codes;
}

QJsonObject findingOf(const QJsonObject& facts, const QString& code) {
    for (const QJsonValue& f : facts["findings"].toArray())
        if (f["code"].toString() == code)
            return f.toObject();
    return {};
}

// An open file whose document is edited and written again.
struct Edited {
    io::LoadedFile file;
    document::Document doc;

    explicit Edited(const test::GltfText& text) : file(*text.load()), doc(file.state) {}
    [[nodiscard]] std::vector<std::byte> written() const {
        return io::writeGltf(*file.source, doc, io::Container::Gltf)->bytes;
    }
    [[nodiscard]] test::Json json() const {
        const std::vector<std::byte> bytes = written();
        const auto* text = reinterpret_cast<const char*>(bytes.data());
        return test::Json::parse(text, text + bytes.size());
    }
};

} // namespace

class TestCommandLineCheck : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void theMannequinIsClean() {
        QCOMPARE(run({"new", "mannequin", "-o", path("mannequin.glb")}).code, 0);
        QVERIFY(run({"--help"}).out.contains("check"));
        QVERIFY(run({"check", "--help"}).out.contains("[--fix CODE]..."));
        const Outcome outcome = run({"check", path("mannequin.glb"), "--max-influences", "4"});
        QVERIFY2(outcome.code == 0, qPrintable(outcome.out));
        QVERIFY(outcome.out.contains("nothing wrong was found"));
        QVERIFY(outcome.err.isEmpty());
        const QJsonObject facts = checked(path("mannequin.glb"));
        QCOMPARE(facts.keys(), (QStringList{"file", "findings", "poses", "repairs"}));
        QCOMPARE(facts["poses"].toObject().keys(), (QStringList{"bind", "current", "file"}));
        QCOMPARE(facts["poses"]["file"]["jointsOffBind"].toInt(), 0);
    }

    void realFilesShowWhatIsWrong_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("count");
        QTest::newRow("no number") << "gltf/Wasp.glb"
                                   << "WEIGHTS_SUM" << 6;
        QTest::newRow("unweighted") << "gltf/Wasp.glb"
                                    << "UNWEIGHTED_VERTICES" << 6;
        QTest::newRow("sums") << "gltf/cesium_man_nonnorm.gltf"
                              << "WEIGHTS_SUM" << 210;
        QTest::newRow("names") << "gltf/odd_SimpleSkin_dup_nonascii_names.gltf"
                               << "DUPLICATE_NAMES" << 2;
        QTest::newRow("stretched") << "gltf/odd_SimpleSkin_nonuniform_negative_scale.gltf"
                                   << "NON_UNIFORM_SCALE" << 1;
        QTest::newRow("mirrored") << "gltf/odd_SimpleSkin_nonuniform_negative_scale.gltf"
                                  << "NEGATIVE_SCALE" << 1;
        QTest::newRow("nameless") << "gltf/odd_SimpleSkin_no_ibm.gltf"
                                  << "MISSING_NAMES" << 2;
        QTest::newRow("many influences") << "demo/RobotExpressive.glb"
                                         << "TOO_MANY_INFLUENCES" << -1;
    }
    void realFilesShowWhatIsWrong() {
        QFETCH(QString, name);
        QFETCH(QString, code);
        QFETCH(int, count);
        const QString file = data(qPrintable(name));
        if (file.isEmpty())
            QSKIP("The test data is not there.");
        const QJsonObject found = findingOf(checked(file), code);
        QVERIFY2(!found.isEmpty(), qPrintable(run({"check", file}).out));
        if (count >= 0)
            QCOMPARE(found["count"].toInt(), count);
        QCOMPARE(run({"check", file}).code, 4);
    }

    void goodCharactersHaveNoErrors_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"Knight_demo.glb", "RobotExpressive.glb", "mannequiny.glb"})
            QTest::newRow(name) << QString("demo/") + name;
    }
    void goodCharactersHaveNoErrors() {
        QFETCH(QString, name);
        const QString file = data(qPrintable(name));
        if (file.isEmpty())
            QSKIP("The test data is not there.");
        const QJsonObject facts = checked(file);
        QCOMPARE(codesOf(facts, "error"), QStringList());
        QVERIFY(!codesOf(facts).contains("STRAY_WEIGHTS"));
        QVERIFY(facts["repairs"].toArray().isEmpty());
    }

    void whatIsFixedIsGoneFromTheSavedFile_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"gltf/Wasp.glb", "gltf/cesium_man_nonnorm.gltf", "gltf/Fox_quantized.glb",
                                 "gltf/odd_SimpleSkin_dup_nonascii_names.gltf", "gltf/odd_SimpleSkin_no_ibm.gltf",
                                 "gltf/odd_SimpleSkin_nonuniform_negative_scale.gltf", "demo/RobotExpressive.glb",
                                 "demo/mannequiny.glb", "fbx/blender_293_half_skinned_7400_binary.fbx"})
            QTest::newRow(name) << name;
    }
    void whatIsFixedIsGoneFromTheSavedFile() {
        QFETCH(QString, name);
        const QString file = data(qPrintable(name));
        if (file.isEmpty())
            QSKIP("The test data is not there.");
        const QString output = path("fixed.glb");
        const Outcome outcome = run({"check", file, "--max-influences", "4", "--fix", "all", "-o", output});
        QVERIFY2(outcome.code == 4, qPrintable(outcome.err));
        const QJsonObject after = checked(output, {"--max-influences", "4"});
        for (const QJsonValue& f : after["findings"].toArray())
            QVERIFY2(f["fix"].isNull() || f["severity"] == "info", qPrintable(f["code"].toString()));
        QCOMPARE(codesOf(after, "error"), QStringList());
        const auto saved = io::loadGltf(output.toStdString());
        for (const document::MeshData& mesh : saved->state.meshes) {
            QVERIFY(mesh.repairedRows.empty());
            for (std::size_t v = 0; v < mesh.weights.vertexCount(); ++v) {
                double sum = 0;
                for (const skin::Influence& i : mesh.weights.row(v))
                    sum += static_cast<double>(i.weight);
                QVERIFY(std::abs(sum - 1) <= 2e-7 * static_cast<double>(mesh.weights.row(v).size()));
            }
        }
    }

    void jsonTellsWhatWasFixedAndWhatIsLeft() {
        const QString file = data("gltf/cesium_man_nonnorm.gltf");
        if (file.isEmpty())
            QSKIP("The test data is not there.");
        const QJsonObject facts = checked(file, {"--fix", "WEIGHTS_SUM", "-o", path("told.glb")});
        QCOMPARE(facts["output"].toString(), path("told.glb"));
        QCOMPARE(facts["fixed"].toArray().size(), 1);
        QCOMPARE(facts["fixed"][0]["code"].toString(), QString("WEIGHTS_SUM"));
        QVERIFY(facts["left"].isArray() && !codesOf({{"findings", facts["left"]}}).contains("WEIGHTS_SUM"));
        QCOMPARE(facts["left"].toArray(), checked(path("told.glb"))["findings"].toArray());
        const auto converted = run({"convert", file, path("same.glb"), "--json"}).out.toUtf8();
        QCOMPARE(QJsonDocument::fromJson(converted)["repairs"].toArray(), facts["repairs"].toArray());
        QVERIFY(facts["repairs"][0]["text"].toString().contains("The file keeps its own"));
    }

    // By commands that change no other row.
    void weightCommandsWriteRepairedRows_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("prune") << QStringList{"weights", "prune", "0", "IN", "-o", "OUT"};
        QTest::newRow("limit") << QStringList{"weights", "limit", "4", "IN", "-o", "OUT"};
        QTest::newRow("smooth") << QStringList{"weights", "smooth", "--amount", "0", "IN", "-o", "OUT"};
        QTest::newRow("convert") << QStringList{"convert", "--max-influences", "4", "IN", "OUT"};
    }
    void weightCommandsWriteRepairedRows() {
        QFETCH(QStringList, words);
        const QString file = data("gltf/cesium_man_nonnorm.gltf");
        if (file.isEmpty())
            QSKIP("The test data is not there.");
        words.replaceInStrings("IN", file).replaceInStrings("OUT", path("repaired.glb"));
        const Outcome outcome = run(words);
        QCOMPARE(outcome.code, 4);
        QVERIFY2(outcome.err.contains("written as they were repaired"), qPrintable(outcome.err));
        QVERIFY(io::loadGltf(path("repaired.glb").toStdString())->repairs.empty());
    }

    void oneCodeFixesThatAlone() {
        const QString file = data("gltf/cesium_man_nonnorm.gltf");
        if (file.isEmpty())
            QSKIP("The test data is not there.");
        const QStringList before = codesOf(checked(file));
        QCOMPARE(run({"check", file, "--fix", "WEIGHTS_SUM", "-o", path("sums.glb")}).code, 4);
        QStringList after = codesOf(checked(path("sums.glb")));
        after << "WEIGHTS_SUM";
        QCOMPARE(QSet<QString>(after.begin(), after.end()), QSet<QString>(before.begin(), before.end()));
    }

    void wrongUsageIsNamed_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("says");
        QTest::newRow("unknown code") << QStringList{"--fix", "NOTHING", "-o", "a.glb"} << "NOTHING";
        QTest::newRow("no output") << QStringList{"--fix", "all"} << "--output";
        QTest::newRow("no fix") << QStringList{"-o", "a.glb"} << "--fix";
        QTest::newRow("influences") << QStringList{"--max-influences", "0"} << "--max-influences";
        QTest::newRow("another format") << QStringList{"--fix", "all", "-o", "a.fbx"} << ".glb";
    }
    void wrongUsageIsNamed() {
        QFETCH(QStringList, words);
        QFETCH(QString, says);
        const Outcome outcome = run(QStringList{"check", path("mannequin.glb")} + words);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains(says), qPrintable(outcome.err));
    }

    void brokenFilesAreRefused() {
        QVERIFY(write(path("broken.glb"), "glTF"));
        QCOMPARE(run({"check", path("broken.glb")}).code, 3);
    }

    void repairedRowsAreWrittenOnlyWhereAsked() {
        test::GltfText text;
        text.withSquare().withSkin();
        text.attributes()["WEIGHTS_0"] =
            text.addFloats({.5f, .25f, 0, 0, .5f, .5f, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}, "VEC4");
        Edited edited(text);
        QCOMPARE(edited.doc.mesh(MeshId(0)).repairedRows, std::vector<std::uint32_t>{0});
        QVERIFY(edited.written() == text.text());
        edited.doc.apply({"write", {document::RepairsPatch{MeshId(0), false, true}}});
        const auto saved = io::loadGlb(edited.written(), "");
        QVERIFY(saved->state.meshes[0].repairedRows.empty());
        for (std::size_t v = 0; v < 4; ++v)
            QCOMPARE(saved->state.meshes[0].weights.weight(v, 1), edited.doc.mesh(MeshId(0)).weights.weight(v, 1));
    }

    void normalsThatTheFileHasWrongAreMended() {
        test::GltfText text;
        text.withSquare();
        text.attributes()["NORMAL"] = text.addFloats({0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 1}, "VEC3");
        const std::vector<std::byte> bytes = text.text();
        QVERIFY(write(path("normals.gltf"),
                      QByteArray(reinterpret_cast<const char*>(bytes.data()), qsizetype(bytes.size()))));
        QVERIFY(codesOf(checked(path("normals.gltf"))).contains("NORMALS_NOT_UNIT"));
        run({"check", path("normals.gltf"), "--fix", "all", "-o", path("normals.glb")});
        const auto saved = io::loadGltf(path("normals.glb").toStdString());
        QVERIFY(saved.ok() && saved->repairs.empty());
        for (const Eigen::Vector3f& normal : saved->state.meshes[0].geometry.normals)
            QVERIFY(normal == Eigen::Vector3f(0, 0, 1));
        QVERIFY(!codesOf(checked(path("normals.glb"))).contains("NORMALS_NOT_UNIT"));
    }

    void aRenamedJointChangesItsNameAlone() {
        test::GltfText text;
        text.withSquare().withSkin();
        Edited edited(text);
        edited.doc.apply({"rename", {document::JointNamePatch{JointId(2), "tip", "Spitze \xc3\xbc"}}});
        test::Json expected = test::Json::parse(edited.json().dump());
        QCOMPARE(expected["nodes"][2]["name"].get<std::string>(), std::string("Spitze \xc3\xbc"));
        edited.doc.apply({"rename", {document::JointNamePatch{JointId(2), "Spitze \xc3\xbc", ""}}});
        expected["nodes"][2].erase("name");
        QVERIFY(edited.json() == expected);
        edited.doc.apply({"rename", {document::JointNamePatch{JointId(2), "", "tip"}}});
        QVERIFY(edited.written() == text.text());
    }

    void changedNormalsAreWrittenAndNoOther_data() {
        QTest::addColumn<bool>("has");
        QTest::newRow("into the file's") << true;
        QTest::newRow("into a file without") << false;
    }
    void changedNormalsAreWrittenAndNoOther() {
        QFETCH(bool, has);
        test::GltfText text;
        text.withSquare();
        // The second is too long and the third has no length: what is not edited stays so.
        if (has)
            text.attributes()["NORMAL"] = text.addFloats({0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 1}, "VEC3");
        Edited edited(text);
        QVERIFY(edited.written() == text.text());
        document::NormalsPatch patch{MeshId(0), {3}, {{0, 0, 1}}, {{1, 0, 0}}};
        edited.doc.apply({"turn", {patch}});
        const auto saved = io::loadGlb(edited.written(), "");
        const auto& normals = saved->state.meshes[0].geometry.normals;
        QVERIFY(normals[3] == Eigen::Vector3f(1, 0, 0));
        for (std::size_t v = 0; v < 3; ++v)
            QVERIFY(normals[v] == Eigen::Vector3f(0, 0, 1));
        QCOMPARE(saved->repairs.size(), has ? std::size_t(1) : std::size_t(0));
        edited.doc.revert({"turn", {patch}});
        QVERIFY(edited.written() == text.text());
    }

    void largeFilesAreExaminedQuickly() {
        const QString file = data("gltf/mannequiny_subdiv2_large.glb");
        if (file.isEmpty())
            QSKIP("The test data is not there.");
        const document::Document doc(io::loadGltf(file.toStdString())->state);
        std::size_t findings = 0;
        double best = HUGE_VAL;
        for (int k = 0; k < 3; ++k) {
            const auto start = std::chrono::steady_clock::now();
            findings = check::examine(doc, {4}).size();
            best = std::min(
                best, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
        }
        qInfo("%zu findings in %.0f ms", findings, best);
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
        QVERIFY(best < 300);
#endif
    }

private:
    [[nodiscard]] QString path(const QString& name) const {
        return folder_.filePath(name);
    }

    QTemporaryDir folder_;
};

QTEST_APPLESS_MAIN(TestCommandLineCheck)
#include "test_command_line_check.moc"
