// The command line as a shell sees it: the real program, its exit codes, and the files it leaves.
#include "tests/support/posed_surface.h"

namespace fs = std::filesystem;
using namespace limber::tests;

class TestCommandLine : public QObject, private MannequinFolder {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void helpAndVersion_data();
    void helpAndVersion();
    void wrongUsageIsNamed_data();
    void wrongUsageIsNamed();
    void infoAgreesWithTheManifest_data();
    void infoAgreesWithTheManifest();
    void infoOfTheMannequinIsComplete();
    void deformAtBindIsTheRestSurface();
    void posedFilesDeformAsThePoseDoes();
    void clipsMoveTheSurface();
    void clipsWithoutNamesHaveNumbers();
    void shapeWeightsOverride();
    void fewerInfluencesSumToOne();
    void conversionWithoutOptionsLosesNothing_data();
    void conversionWithoutOptionsLosesNothing();
    void otherFormatsBecomeGlb();
    void filesBeyondTheUsersLimitAreNotWritten();
    void renderDrawsAPicture();
    void theServerOfRenderOutlivesItsLastClient();
};

void TestCommandLine::helpAndVersion_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("says");
    QTest::newRow("program") << QStringList{"--help"} << "limber [FILE]";
    QTest::newRow("short") << QStringList{"-h"} << "corrective add";
    QTest::newRow("version") << QStringList{"--version"} << "limber 0.1.0";
    for (const char* command : {"info", "deform", "pose", "convert", "render", "new"})
        QTest::newRow(command) << QStringList{command, "--help"} << QString("limber %1").arg(command);
    QTest::newRow("corrective add") << QStringList{"corrective", "add", "--help"} << "--sculpt SCULPT.obj";
    QTest::newRow("corrective") << QStringList{"corrective", "--help"} << "corrective add";
}

void TestCommandLine::helpAndVersion() {
    QFETCH(QStringList, words);
    QFETCH(QString, says);
    const Outcome outcome = run(words);
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.out.contains(says), qPrintable(outcome.out));
    QVERIFY(outcome.err.isEmpty());
}

void TestCommandLine::wrongUsageIsNamed_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("names");
    QTest::newRow("unknown option") << "info @ --jason"
                                    << "--jason";
    QTest::newRow("unknown program option") << "--frobnicate"
                                            << "--frobnicate";
    QTest::newRow("unknown subcommand") << "frobnicate @"
                                        << "frobnicate";
    QTest::newRow("half a subcommand") << "corrective @"
                                       << "add";
    QTest::newRow("no file") << "info"
                             << "FILE";
    QTest::newRow("two files") << "info @ @"
                               << "one argument too many";
    QTest::newRow("no output") << "deform @"
                               << "-o";
    QTest::newRow("option without value") << "deform @ -o"
                                          << "OUT.obj";
    QTest::newRow("next option instead of the value") << "deform @ --pose -o x.obj"
                                                      << "--pose";
    QTest::newRow("option twice") << "deform @ -o a.obj -o b.obj"
                                  << "twice";
    QTest::newRow("flag with value") << "info @ --json=yes"
                                     << "--json";
    QTest::newRow("time is no number") << "deform @ --clip x --time soon -o a.obj"
                                       << "soon";
    QTest::newRow("time is not finite") << "deform @ --clip x --time inf -o a.obj"
                                        << "inf";
    QTest::newRow("time without clip") << "deform @ --time 1 -o a.obj"
                                       << "--clip";
    QTest::newRow("pose and clip") << "deform @ --pose p --clip x --time 1 -o a.obj"
                                   << "exclude";
    QTest::newRow("no such clip") << "deform @ --clip Nowhere --time 1 -o a.obj"
                                  << "Nowhere";
    QTest::newRow("no method") << "deform @ --method cubic -o a.obj"
                               << "linear, dual-quaternion, spherical";
    QTest::newRow("no method to draw") << "render @ --method cubic -o a.png"
                                       << "cubic";
    QTest::newRow("no method to set") << "skinning @ --method Linear -o a.glb"
                                      << "linear, dual-quaternion, spherical";
    QTest::newRow("nothing set") << "skinning @ -o a.glb"
                                 << "--method";
    QTest::newRow("set for nobody") << "skinning @ --method linear"
                                    << "-o";
    QTest::newRow("mush is on or off") << "skinning @ --mush yes -o a.glb"
                                       << "on or off";
    QTest::newRow("iterations") << "skinning @ --iterations 101 -o a.glb"
                                << "from 1 to 100";
    QTest::newRow("lambda") << "skinning @ --lambda 1.5 -o a.glb"
                            << "0.01 to 1";
    QTest::newRow("no such mesh") << "skinning @ --mesh Nobody"
                                  << "Nobody";
    QTest::newRow("shape without weight") << "deform @ --shape smile -o a.obj"
                                          << "NAME=WEIGHT";
    QTest::newRow("shape weight is no number") << "deform @ --shape smile=much -o a.obj"
                                               << "much";
    QTest::newRow("no such shape") << "deform @ --shape smile=1 -o a.obj"
                                   << "smile";
    QTest::newRow("influences") << "convert @ a.glb --max-influences 0"
                                << "--max-influences";
    QTest::newRow("output of another format") << "convert @ a.fbx"
                                              << ".glb";
    QTest::newRow("surface of another format") << "deform @ -o a.glb"
                                               << ".obj";
    QTest::newRow("standard output") << "deform @ -o -"
                                     << "files only";
    QTest::newRow("scene to standard output") << "new mannequin -o -"
                                              << "files only";
    QTest::newRow("neither file nor subcommand") << "frobnicate"
                                                 << "limber --help";
    QTest::newRow("no name") << "info "
                             << "FILE";
    QTest::newRow("picture size") << "render @ --size 10 -o a.png"
                                  << "--size";
    QTest::newRow("picture of another format") << "render @ -o a.bmp"
                                               << ".png";
    QTest::newRow("no such sample") << "new horse -o a.glb"
                                    << "horse";
    QTest::newRow("no such weights command") << "weights mirror @ -o a.glb"
                                             << "export, import";
}

void TestCommandLine::wrongUsageIsNamed() {
    QFETCH(QString, line);
    QFETCH(QString, names);
    QStringList words = line.split(' ');
    words.replaceInStrings("@", mannequin_);
    const Outcome outcome = run(words);
    QVERIFY2(outcome.code == 2, qPrintable(QString::number(outcome.code) + outcome.err));
    QVERIFY2(outcome.err.contains(names), qPrintable(outcome.err));
    QVERIFY(outcome.err.startsWith("limber: "));
    QVERIFY(outcome.out.isEmpty());
}

void TestCommandLine::infoAgreesWithTheManifest_data() {
    QTest::addColumn<QStringList>("row");
    const fs::path manifest = dataFile("MANIFEST.csv");
    if (manifest.empty())
        QSKIP("the folder of test data is not here, or lacks the files of this test");
    QFile file(QString::fromStdString(manifest.string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    static const QRegularExpression field(R"re(("(?:[^"]|"")*"|[^,]*)(?:,|$))re");
    while (!file.atEnd()) {
        QStringList row;
        for (auto it = field.globalMatch(QString::fromUtf8(file.readLine()).trimmed()); it.hasNext();)
            row << it.next().captured(1).remove('"');
        if (row.value(0).startsWith("demo/") || row.value(0).startsWith("gltf/"))
            QTest::newRow(row[0].toUtf8()) << row;
    }
}

void TestCommandLine::infoAgreesWithTheManifest() {
    QFETCH(QStringList, row);
    const QJsonObject facts = info(data(row[0].toUtf8()));
    QVERIFY(!facts.isEmpty());
    int vertexCount = 0, triangleCount = 0, unweighted = 0;
    for (const QJsonValue& mesh : facts["meshes"].toArray()) {
        vertexCount += mesh["vertices"].toInt();
        triangleCount += mesh["triangles"].toInt();
        unweighted += mesh["unweighted"].toInt();
    }
    QCOMPARE(vertexCount, row[9].toInt());
    QCOMPARE(triangleCount, row[10].toInt());
    QCOMPARE(facts["meshes"].toArray().size(), row[11].toInt());
    QCOMPARE(facts["skins"].toArray().size(), row[13].toInt());
    QCOMPARE(facts["joints"].toArray().size(), row[14].toInt());
    QCOMPARE(unweighted, row[17].toInt());
    QCOMPARE(facts["clips"].toArray().size(), row[21].toInt());
}

void TestCommandLine::infoOfTheMannequinIsComplete() {
    const QJsonObject facts = info(mannequin_);
    QCOMPARE(facts.keys(),
             QStringList({"clips", "file", "format", "generator", "joints", "meshes", "repairs", "skins"}));
    QCOMPARE(facts["file"].toString(), mannequin_);
    QCOMPARE(facts["format"].toString(), QString("glb"));
    QVERIFY(facts["repairs"].toArray().isEmpty());
    const QJsonObject mesh = facts["meshes"].toArray()[0].toObject();
    QVERIFY(mesh["vertices"].toInt() >= 5000 && mesh["vertices"].toInt() <= 15000);
    QCOMPARE(mesh["unnormalised"].toInt(), 0);
    QVERIFY(mesh["shapes"].isArray());
    QVERIFY(facts["clips"].toArray()[0].toObject()["duration"].toDouble() > 0);
    const QJsonArray joints = facts["joints"].toArray();
    int roots = 0;
    for (const QJsonValue& joint : joints) {
        const int parent = joint["parent"].toInt(-2);
        QVERIFY(parent >= -1 && parent < joints.size());
        roots += parent == -1 ? 1 : 0;
    }
    QCOMPARE(roots, 1);
    QCOMPARE(facts["skins"].toArray()[0].toObject()["joints"].toArray().size(), joints.size());
    const Outcome text = run({"info", mannequin_});
    QCOMPARE(text.code, 0);
    QVERIFY(text.out.contains(elbow_));
}

void TestCommandLine::deformAtBindIsTheRestSurface() {
    QCOMPARE(run({"deform", mannequin_, "-o", path("own.obj")}).code, 0);
    QCOMPARE(run({"deform", mannequin_, "--pose", path("bind.json"), "-o", path("bind.obj")}).code, 0);
    // The mannequin's file is at bind.
    QVERIFY(largestDistance(vertices(path("own.obj")), vertices(path("bind.obj"))) < 1e-6);
    const QJsonObject mesh = info(mannequin_)["meshes"].toArray()[0].toObject();
    QCOMPARE(vertices(path("bind.obj")).size(), mesh["vertices"].toInt());
    QCOMPARE(read(path("bind.obj")).count("\nf "), mesh["triangles"].toInt());
    QCOMPARE(read(path("bind.obj")).count("\no "), 1);
}

void TestCommandLine::posedFilesDeformAsThePoseDoes() {
    QCOMPARE(run({"pose", mannequin_, "--pose", path("bent.json"), "-o", path("bent.glb")}).code, 0);
    QCOMPARE(run({"deform", path("bent.glb"), "-o", path("saved.obj")}).code, 0);
    QCOMPARE(run({"deform", mannequin_, "--pose", path("bent.json"), "-o", path("bent.obj")}).code, 0);
    QCOMPARE(run({"deform", mannequin_, "-o", path("rest.obj")}).code, 0);
    QVERIFY(largestDistance(vertices(path("saved.obj")), vertices(path("bent.obj"))) < 1e-5);
    QVERIFY(largestDistance(vertices(path("bent.obj")), vertices(path("rest.obj"))) > 0.1);
}

void TestCommandLine::clipsMoveTheSurface() {
    const QString clip = info(mannequin_)["clips"].toArray()[0].toObject()["name"].toString();
    for (const QString time : {"0", "0.5", "-3", "1e6"})
        QCOMPARE(run({"deform", mannequin_, "--clip", clip, "--time", time, "-o", path("t" + time + ".obj")}).code, 0);
    QVERIFY(largestDistance(vertices(path("t0.obj")), vertices(path("t0.5.obj"))) > 1e-4);
    QVERIFY(largestDistance(vertices(path("t0.obj")), vertices(path("t-3.obj"))) == 0);
}

void TestCommandLine::clipsWithoutNamesHaveNumbers() {
    const QString man = data("gltf/CesiumMan/CesiumMan.gltf");
    if (man.isEmpty())
        QSKIP("the folder of test data is not here, or lacks the files of this test");
    QCOMPARE(run({"deform", man, "--clip", "#0", "--time", "0", "-o", path("c0.obj")}).code, 0);
    QCOMPARE(run({"deform", man, "--clip", "#0", "--time", "1", "-o", path("c1.obj")}).code, 0);
    QVERIFY(largestDistance(vertices(path("c0.obj")), vertices(path("c1.obj"))) > 0.01);
    QVERIFY(run({"info", man}).out.contains("s  #0"));
    const Outcome wrong = run({"deform", man, "--clip", "#1", "--time", "1", "-o", path("c1.obj")});
    QCOMPARE(wrong.code, 2);
    QVERIFY2(wrong.err.contains("there is #0"), qPrintable(wrong.err));
}

void TestCommandLine::shapeWeightsOverride() {
    const QString cube = data("gltf/AnimatedMorphCube/AnimatedMorphCube.gltf");
    const QString stress = data("gltf/MorphStressTest.gltf");
    if (cube.isEmpty() || stress.isEmpty())
        QSKIP("the folder of test data is not here, or lacks the files of this test");
    QCOMPARE(run({"deform", stress, "--shape", "Key 1=0", "-o", path("zero.obj")}).code, 0);
    QCOMPARE(run({"deform", stress, "--shape", "Key 1=0.5", "-o", path("half.obj")}).code, 0);
    QCOMPARE(run({"deform", stress, "--shape=Key 1=1", "-o", path("one.obj")}).code, 0);
    const double half = largestDistance(vertices(path("zero.obj")), vertices(path("half.obj")));
    const double one = largestDistance(vertices(path("zero.obj")), vertices(path("one.obj")));
    QVERIFY(one > 0);
    QVERIFY(std::abs(one - 2 * half) < 1e-4 * one);
    QVERIFY(run({"deform", cube, "--shape", "thick=1", "-o", path("x.obj")}).code != 1);
}

void TestCommandLine::fewerInfluencesSumToOne() {
    const QString peach = data("gltf/Peach_3sets.glb");
    if (peach.isEmpty())
        QSKIP("the folder of test data is not here, or lacks the files of this test");
    const Outcome outcome = run({"convert", peach, path("peach.glb"), "--max-influences", "4"});
    QCOMPARE(outcome.code, 0);
    QVERIFY2(outcome.err.contains("more than 4 influences"), qPrintable(outcome.err));
    const QJsonObject mesh = info(path("peach.glb"))["meshes"].toArray()[0].toObject();
    QCOMPARE(mesh["maxInfluences"].toInt(), 4);
    QCOMPARE(mesh["unnormalised"].toInt(), 0);
    QCOMPARE(run({"deform", peach, "--max-influences", "4", "-o", path("cut.obj")}).code, 0);
    QCOMPARE(run({"deform", path("peach.glb"), "-o", path("cut4.obj")}).code, 0);
    QVERIFY(largestDistance(vertices(path("cut.obj")), vertices(path("cut4.obj"))) < 1e-4);
}

void TestCommandLine::conversionWithoutOptionsLosesNothing_data() {
    QTest::addColumn<QString>("file");
    for (const char* file :
         {"demo/Knight_demo.glb", "demo/mannequiny.glb", "demo/RobotExpressive.glb", "gltf/Fox_meshopt.glb"})
        QTest::newRow(file) << data(file);
}

void TestCommandLine::conversionWithoutOptionsLosesNothing() {
    QFETCH(QString, file);
    if (file.isEmpty())
        QSKIP("the folder of test data is not here, or lacks the files of this test");
    QCOMPARE(run({"convert", file, path("copy.glb")}).code, 0);
    QVERIFY(read(path("copy.glb")) == read(file));
}

void TestCommandLine::otherFormatsBecomeGlb() {
    const QString human = data("fbx/Animated_Human.fbx");
    if (human.isEmpty())
        QSKIP("the folder of test data is not here, or lacks the files of this test");
    QCOMPARE(run({"convert", human, path("human.glb")}).code, 0);
    QJsonObject before = info(human), after = info(path("human.glb"));
    QCOMPARE(before["format"].toString(), QString("fbx"));
    QCOMPARE(after["format"].toString(), QString("glb"));
    for (const char* key : {"meshes", "joints", "skins", "clips"})
        QCOMPARE(after[key], before[key]);
    // Metres above, and the numbers of a pose are still those of the joints.
    const QString pelvis = before["joints"].toArray()[0].toObject()["name"].toString();
    QVERIFY(write(path("humanpose.json"), poseOf(pelvis, 40)));
    QCOMPARE(run({"pose", human, "--pose", path("humanpose.json"), "-o", path("human2.glb")}).code, 0);
    QCOMPARE(run({"deform", path("human2.glb"), "-o", path("human2.obj")}).code, 0);
    QCOMPARE(run({"deform", human, "--pose", path("humanpose.json"), "-o", path("human1.obj")}).code, 0);
    QCOMPARE(run({"deform", path("human.glb"), "--pose", path("humanpose.json"), "-o", path("human3.obj")}).code, 0);
    QVERIFY(largestDistance(vertices(path("human1.obj")), vertices(path("human2.obj"))) < 1e-4);
    QVERIFY(largestDistance(vertices(path("human1.obj")), vertices(path("human3.obj"))) < 1e-5);
}

void TestCommandLine::filesBeyondTheUsersLimitAreNotWritten() {
    QTemporaryDir folder;
    const QString output = folder.filePath("large.glb");
    const Outcome outcome =
        run({"-c", "ulimit -f 10; exec \"$0\" \"$@\"", LIMBER_EXECUTABLE, "convert", mannequin_, output}, "sh");
    QVERIFY2(outcome.code == 5 && outcome.err.contains("larger than"), qPrintable(outcome.err));
    QVERIFY(QDir(folder.path()).isEmpty(QDir::Files | QDir::Hidden | QDir::NoDotAndDotDot));
}

void TestCommandLine::renderDrawsAPicture() {
    if (qEnvironmentVariableIsEmpty("DISPLAY") && QStandardPaths::findExecutable("xvfb-run").isEmpty())
        QSKIP("neither a display nor xvfb-run");
    const Outcome outcome = run({"render", mannequin_, "--size", "320x240", "-o", path("picture.png")});
    QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
    QVERIFY(read(path("picture.png")).startsWith("\x89PNG"));
}

// A server that resets itself ends xvfb-run with a failure of its own now and then.
void TestCommandLine::theServerOfRenderOutlivesItsLastClient() {
    QTemporaryDir folder;
    const QString stand = folder.filePath("xvfb-run");
    QVERIFY(write(stand, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n"));
    QVERIFY(QFile::setPermissions(stand, QFile::ReadOwner | QFile::ExeOwner));
    const Outcome outcome =
        run({"-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", "-u", "QT_QPA_PLATFORM", "-u", "LIMBER_UNDER_XVFB",
             "PATH=" + folder.path() + ":" + qEnvironmentVariable("PATH"), LIMBER_EXECUTABLE, "render", mannequin_,
             "--size", "320x240", "-o", folder.filePath("picture.png")},
            "env");
    QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
    const QStringList words = outcome.out.split('\n');
    const qsizetype options = words.indexOf("-s");
    QVERIFY(options >= 0 && words.value(options + 1).split(' ').contains("-noreset"));
    QVERIFY(words.contains("--size=320x240") && words.contains(mannequin_));
}

QTEST_GUILESS_MAIN(TestCommandLine)
#include "test_command_line.moc"
