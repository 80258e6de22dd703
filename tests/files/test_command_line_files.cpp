// The command line with files that are broken and places that cannot be written: the reason, the exit code, and nothing
// lost.
#include "tests/support/run_limber.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace limber::tests;

class TestCommandLineFiles : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void badInputIsRefusedWithItsReason_data();
    void badInputIsRefusedWithItsReason();
    void everyBrokenFileIsAnswered_data();
    void everyBrokenFileIsAnswered();
    void unreadableFilesAreRefused();
    void oddButWholeFilesOpen_data();
    void oddButWholeFilesOpen();
    void placesThatCannotBeWrittenSayWhy_data();
    void placesThatCannotBeWrittenSayWhy();
    void aReadOnlyPlaceSaysWhy();
    void resultsThatCannotBePrintedAreAFailure();
    void aFullDiskSaysWhyAndLeavesTheOldFile();
    void theInputIsNeverOverwrittenByChance();
    void noInputIsEverTheOutput_data();
    void noInputIsEverTheOutput();
    void endingsAreComparedWithoutCase();
    void posesBeyondFloatAreRefused();
    void surfacesBeyondFloatAreRefused();
    void jsonIsAnsweredWithJson_data();
    void jsonIsAnsweredWithJson();
    void theEditorNamesAMissingFileFirst();
    void namesCannotSpeakToTheTerminal();
    void aFileIsWhatItHoldsWhateverItsName_data();
    void aFileIsWhatItHoldsWhateverItsName();

private:
    QString path(const QString& name) const { return folder_.filePath(name); }

    QTemporaryDir folder_;
    QString mannequin_;
};

void TestCommandLineFiles::initTestCase() {
    QVERIFY(folder_.isValid());
    mannequin_ = path("mannequin.glb");
    const Outcome made = run({"new", "mannequin", "-o", mannequin_});
    QVERIFY2(made.code == 0, qPrintable(made.err));
    QVERIFY(write(path("bind.json"), R"({"limber":"pose","version":1,"joints":{}})"));
    QVERIFY(write(path("bent.json"), poseOf("#5", 70)));
}

void TestCommandLineFiles::badInputIsRefusedWithItsReason_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray glb = read(mannequin_);
    QTest::newRow("missing") << "missing.glb" << QByteArray();
    QTest::newRow("empty") << "empty.glb" << QByteArray("");
    QTest::newRow("empty fbx") << "empty.fbx" << QByteArray("");
    QTest::newRow("cut") << "cut.glb" << glb.left(glb.size() / 2);
    QTest::newRow("cut in the JSON") << "cut2.glb" << glb.left(200);
    QTest::newRow("text as GLB") << "text.glb" << QByteArray("This is a letter and not a mesh.");
    QTest::newRow("text as glTF") << "text.gltf" << QByteArray("This is a letter and not a mesh.");
    QTest::newRow("text as FBX") << "text.fbx" << QByteArray("This is a letter and not a mesh.");
    QTest::newRow("text as FBX named GLB") << "fbx.glb" << QByteArray("; FBX 7.3.0 project file\nnonsense");
    QTest::newRow("no kind of file") << "letter.txt" << QByteArray("This is a letter and not a mesh.");
    QTest::newRow("JSON of something else") << "other.gltf" << QByteArray("{\"hello\":\"world\"}");
}

void TestCommandLineFiles::badInputIsRefusedWithItsReason() {
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    if (!bytes.isNull())
        QVERIFY(write(path(name), bytes));
    for (const QStringList& words :
         {QStringList{"info", path(name)}, QStringList{"convert", path(name), path("out.glb")},
          QStringList{"deform", path(name), "-o", path("out.obj")}}) {
        const Outcome outcome = run(words);
        QVERIFY2(outcome.code == 3, qPrintable(words.join(' ') + ": " + QString::number(outcome.code) + outcome.err));
        QVERIFY2(outcome.err.startsWith("limber: ") && outcome.err.contains(name), qPrintable(outcome.err));
        QVERIFY(outcome.out.isEmpty());
    }
    QVERIFY(!QFile::exists(path("out.glb")) && !QFile::exists(path("out.obj")));
}

void TestCommandLineFiles::everyBrokenFileIsAnswered_data() {
    QTest::addColumn<QString>("file");
    for (const char* folder : {"invalid", "hostile"}) {
        const fs::path where = dataFile(folder);
        if (where.empty())
            QSKIP("no test data");
        for (const auto& entry : fs::directory_iterator(where))
            if (entry.path().extension() != ".bin")
                QTest::addRow("%s/%s", folder, entry.path().filename().c_str())
                    << QString::fromStdString(entry.path().string());
    }
}

void TestCommandLineFiles::everyBrokenFileIsAnswered() {
    QFETCH(QString, file);
    QElapsedTimer timer;
    timer.start();
    const Outcome outcome = run({"info", file});
    QVERIFY2(outcome.code == 0 || outcome.code == 3 || outcome.code == 4, qPrintable(QString::number(outcome.code)));
    QCOMPARE(outcome.code == 0, outcome.err.isEmpty());
    QVERIFY2(timer.elapsed() < 20000, qPrintable(QString::number(timer.elapsed())));
}

void TestCommandLineFiles::unreadableFilesAreRefused() {
    QVERIFY(write(path("secret.glb"), read(mannequin_)));
    QVERIFY(::chmod(path("secret.glb").toUtf8(), 0) == 0);
    Outcome outcome;
    if (::geteuid() == 0) {
        const QString setpriv = QStandardPaths::findExecutable("setpriv");
        if (setpriv.isEmpty())
            QSKIP("no setpriv to become another user with");
        ::chmod(folder_.path().toUtf8(), 0755);
        outcome =
            run({"--reuid=65534", "--regid=65534", "--clear-groups", LIMBER_EXECUTABLE, "info", path("secret.glb")},
                setpriv);
    } else {
        outcome = run({"info", path("secret.glb")});
    }
    QVERIFY2(outcome.code == 3, qPrintable(QString::number(outcome.code) + outcome.err));
    QVERIFY2(outcome.err.contains("secret.glb"), qPrintable(outcome.err));
}

void TestCommandLineFiles::oddButWholeFilesOpen_data() {
    QTest::addColumn<QByteArray>("json");
    const QByteArray triangle = R"("buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,)"
                                R"(AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],)"
                                R"("bufferViews":[{"buffer":0,"byteLength":36}],)"
                                R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",)"
                                R"("min":[0,0,0],"max":[1,1,0]}],)"
                                R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)";
    QTest::newRow("a mesh without skin")
        << R"({"asset":{"version":"2.0"},)" + triangle +
               R"("nodes":[{"mesh":0,"name":"n"}],"scene":0,"scenes":[{"nodes":[0]}]})";
    QTest::newRow("no scene") << R"({"asset":{"version":"2.0"},)" + triangle + R"("nodes":[{"mesh":0}]})";
    QTest::newRow("a skin without mesh") << QByteArray(
        R"({"asset":{"version":"2.0"},"nodes":[{"name":"a","children":[1]},{"name":"b"}],)"
        R"("skins":[{"joints":[0,1]}],"scene":0,"scenes":[{"nodes":[0]}]})");
    QTest::newRow("nothing but the version") << QByteArray(R"({"asset":{"version":"2.0"}})");
}

void TestCommandLineFiles::oddButWholeFilesOpen() {
    QFETCH(QByteArray, json);
    QVERIFY(write(path("odd.gltf"), json));
    for (const QStringList& words :
         {QStringList{"info", path("odd.gltf")}, QStringList{"convert", path("odd.gltf"), path("odd.glb")},
          QStringList{"pose", path("odd.gltf"), "--pose", path("bind.json"), "-o", path("odd2.glb")},
          QStringList{"info", path("odd2.glb")}}) {
        const Outcome outcome = run(words);
        QVERIFY2(outcome.code == 0 || outcome.code == 4, qPrintable(words.join(' ') + outcome.err));
    }
    const Outcome surface = run({"deform", path("odd.gltf"), "-o", path("odd.obj")});
    if (json.contains("POSITION")) {
        QVERIFY2(surface.code == 0 || surface.code == 4, qPrintable(surface.err));
        return;
    }
    QCOMPARE(surface.code, 1);
    QVERIFY2(surface.err.contains("no mesh"), qPrintable(surface.err));
}

void TestCommandLineFiles::placesThatCannotBeWrittenSayWhy_data() {
    QTest::addColumn<QString>("place");
    QTest::newRow("no such folder") << "nowhere/out";
    QTest::newRow("a file in place of the folder") << "mannequin.glb/out";
    QTest::newRow("a device") << "/dev/full/out";
    QTest::newRow("the kernel's folder") << "/proc/out";
}

void TestCommandLineFiles::placesThatCannotBeWrittenSayWhy() {
    QFETCH(QString, place);
    const QString out = place.startsWith('/') ? place : path(place);
    for (const QStringList& words :
         {QStringList{"new", "mannequin", "-o", out + ".glb"}, QStringList{"convert", mannequin_, out + ".glb"},
          QStringList{"pose", mannequin_, "--pose", path("bind.json"), "-o", out + ".gltf"},
          QStringList{"deform", mannequin_, "-o", out + ".obj"}}) {
        const Outcome outcome = run(words);
        QVERIFY2(outcome.code == 5, qPrintable(words.join(' ') + ": " + QString::number(outcome.code) + outcome.err));
        QVERIFY2(outcome.err.contains(out), qPrintable(outcome.err));
    }
}

void TestCommandLineFiles::resultsThatCannotBePrintedAreAFailure() {
    QProcess process;
    process.setStandardOutputFile("/dev/full");
    process.start(LIMBER_EXECUTABLE, {"info", mannequin_, "--json"});
    QVERIFY(process.waitForFinished(60000));
    QCOMPARE(process.exitCode(), 5);
    QVERIFY(process.readAllStandardError().contains("could not be written"));
}

void TestCommandLineFiles::aReadOnlyPlaceSaysWhy() {
    QVERIFY(QDir(folder_.path()).mkpath("locked"));
    const QByteArray place = path("locked").toUtf8();
    const bool mounted = ::geteuid() == 0 && ::mount("none", place, "tmpfs", MS_RDONLY, "size=64k") == 0;
    if (!mounted && ::geteuid() == 0)
        QSKIP("mounting is not allowed here");
    if (!mounted)
        ::chmod(place, 0555);
    const Outcome outcome = run({"convert", mannequin_, path("locked/out.glb")});
    mounted ? ::umount(place) : ::chmod(place, 0755);
    QVERIFY2(outcome.code == 5, qPrintable(QString::number(outcome.code) + outcome.err));
    QVERIFY(outcome.err.contains("locked/out.glb"));
}

void TestCommandLineFiles::aFullDiskSaysWhyAndLeavesTheOldFile() {
    QVERIFY(QDir(folder_.path()).mkpath("small"));
    const QByteArray place = path("small").toUtf8();
    if (::mount("none", place, "tmpfs", 0, "size=64k") != 0)
        QSKIP("mounting a small disk is not allowed here");
    const QString target = path("small/out.glb");
    const bool written = write(target, "the old file");
    const Outcome outcome = run({"new", "mannequin", "-o", target});
    const QByteArray left = read(target);
    const auto entries = QDir(path("small")).entryList(QDir::Files | QDir::Hidden);
    ::umount(place);
    QVERIFY(written);
    QVERIFY2(outcome.code == 5, qPrintable(QString::number(outcome.code) + outcome.err));
    QCOMPARE(left, QByteArray("the old file"));
    QCOMPARE(entries, QStringList{"out.glb"});
}

void TestCommandLineFiles::theInputIsNeverOverwrittenByChance() {
    QVERIFY(write(path("input.glb"), read(mannequin_)));
    const Outcome outcome = run({"convert", path("input.glb"), path("./input.glb")});
    QCOMPARE(outcome.code, 2);
    QVERIFY(read(path("input.glb")) == read(mannequin_));
}

void TestCommandLineFiles::noInputIsEverTheOutput_data() {
    QTest::addColumn<QString>("line");
    QTest::newRow("pose") << "pose in.glb --pose pose.json -o in.glb";
    QTest::newRow("pose by a link") << "pose in.glb --pose pose.json -o link.glb";
    QTest::newRow("pose from a link") << "pose link.glb --pose pose.json -o in.glb";
    QTest::newRow("pose over its pose") << "pose in.glb --pose pose.glb -o pose.glb";
    QTest::newRow("convert") << "convert in.glb ./in.glb";
    QTest::newRow("convert by a link") << "convert in.glb link.glb";
    QTest::newRow("deform over its file") << "deform scene.obj -o scene.obj";
    QTest::newRow("deform over a glTF file") << "deform in.glb -o in.glb";
    QTest::newRow("deform over a pose") << "deform in.glb --pose pose.json -o pose.json";
    QTest::newRow("deform over a pose that ends in obj") << "deform in.glb --pose pose.obj -o pose.obj";
    QTest::newRow("corrective") << "corrective add in.glb --pose pose.json --sculpt sculpt.obj --name a -o in.glb";
    QTest::newRow("corrective over its sculpt")
        << "corrective add in.glb --pose pose.json --sculpt sculpt.glb --name a -o sculpt.glb";
    QTest::newRow("picture over its file") << "render picture.png -o picture.png";
    QTest::newRow("picture over a pose") << "render in.glb --pose picture.png -o picture.png";
}

void TestCommandLineFiles::noInputIsEverTheOutput() {
    QFETCH(QString, line);
    QTemporaryDir folder;
    const auto place = [&](const QString& name) { return folder.filePath(name); };
    for (const char* name :
         {"in.glb", "scene.obj", "pose.glb", "pose.obj", "pose.json", "sculpt.obj", "sculpt.glb", "picture.png"})
        QVERIFY(write(place(name), QString(name).startsWith("pose") ? read(path("bent.json")) : read(mannequin_)));
    fs::create_symlink(place("in.glb").toStdString(), place("link.glb").toStdString());
    QMap<QString, QByteArray> before;
    for (const QString& name : QDir(folder.path()).entryList(QDir::Files))
        before[name] = read(place(name));
    QStringList words = line.split(' ');
    for (QString& word : words)
        if (word.contains('.'))
            word = place(word);
    const Outcome outcome = run(words);
    QVERIFY2(outcome.code == 2, qPrintable(QString::number(outcome.code) + outcome.err));
    const auto names = QDir(folder.path()).entryList(QDir::Files);
    QCOMPARE(names, QStringList(before.keys()));
    for (const QString& name : names)
        QVERIFY2(read(place(name)) == before[name], qPrintable(name));
}

void TestCommandLineFiles::endingsAreComparedWithoutCase() {
    QCOMPARE(run({"convert", mannequin_, path("LOUD.GLB")}).code, 0);
    QVERIFY(read(path("LOUD.GLB")) == read(mannequin_));
    QCOMPARE(run({"deform", path("LOUD.GLB"), "-o", path("LOUD.OBJ")}).code, 0);
}

void TestCommandLineFiles::posesBeyondFloatAreRefused() {
    QVERIFY(write(path("far.json"), R"({"limber":"pose","version":1,"joints":{"#3":{"translation":[1e39,0,0]}}})"));
    QVERIFY(write(path("edge.json"), R"({"limber":"pose","version":1,"joints":{"#3":{"scale":[3.3e38,1,1]},)"
                                     R"("#4":{"scale":[1e10,1,1]}}})"));
    for (const char* pose : {"far.json", "edge.json"})
        for (const QStringList& words :
             {QStringList{"deform", mannequin_, "--pose", path(pose), "-o", path("far.obj")},
              QStringList{"pose", mannequin_, "--pose", path(pose), "-o", path("far.glb")}}) {
            const Outcome outcome = run(words);
            QVERIFY2(outcome.code == 3, qPrintable(QString::number(outcome.code) + outcome.err));
            QVERIFY(!QFile::exists(words.last()));
        }
}

void TestCommandLineFiles::surfacesBeyondFloatAreRefused() {
    // A triangle that is fine itself, on a node that is fine itself.
    QVERIFY(
        write(path("huge.gltf"),
              R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,)"
              R"(AAAAAAAAAAAAAAAAAAAgQQAAAAAAAAAAAAAAAAAAIEEAAAAA"}],"bufferViews":[{"buffer":0,"byteLength":36}],)"
              R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],)"
              R"("max":[10,10,0]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
              R"("nodes":[{"mesh":0,"scale":[1e38,1e38,1e38]}],"scene":0,"scenes":[{"nodes":[0]}]})"));
    const Outcome outcome = run({"deform", path("huge.gltf"), "-o", path("huge.obj")});
    QVERIFY2(outcome.code == 3, qPrintable(QString::number(outcome.code) + outcome.err));
    QVERIFY(!QFile::exists(path("huge.obj")));
}

void TestCommandLineFiles::jsonIsAnsweredWithJson_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("code");
    QTest::newRow("missing") << QStringList{"info", path("missing.glb"), "--json"} << "input-refused";
    QTest::newRow("no file") << QStringList{"info", "--json"} << "usage";
    QTest::newRow("empty name") << QStringList{"info", "", "--json"} << "usage";
}

void TestCommandLineFiles::jsonIsAnsweredWithJson() {
    QFETCH(QStringList, words);
    QFETCH(QString, code);
    const Outcome outcome = run(words);
    const QJsonObject error = QJsonDocument::fromJson(outcome.out.toUtf8()).object()["error"].toObject();
    QCOMPARE(error.keys(), QStringList({"code", "text", "where"}));
    QCOMPARE(error["code"].toString(), code);
    QVERIFY(!error["text"].toString().isEmpty());
    QVERIFY(outcome.err.startsWith("limber: "));
}

void TestCommandLineFiles::theEditorNamesAMissingFileFirst() {
    QProcess process;
    QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        bare.remove(name);
    process.setProcessEnvironment(bare);
    process.start(LIMBER_EXECUTABLE, {path("nope.glb")});
    QVERIFY(process.waitForFinished(60000));
    const QByteArray says = process.readAllStandardError();
    QCOMPARE(process.exitCode(), 3);
    QVERIFY2(says.contains("nope.glb") && says.contains("no such file") && !says.contains("display"), says);
}

void TestCommandLineFiles::namesCannotSpeakToTheTerminal() {
    QVERIFY(write(path("loud.gltf"), R"({"asset":{"version":"2.0","generator":"\u001b[2J"},)"
                                     R"("nodes":[{"name":"red\u001b[31m\nlimber: all is well\u009b"}],)"
                                     R"("skins":[{"joints":[0]}]})"));
    const Outcome text = run({"info", path("loud.gltf")});
    QCOMPARE(text.code, 0);
    QVERIFY2(text.out.contains("red\\x1b[31m\\nlimber: all is well\\xc2\\x9b  #0"), qPrintable(text.out));
    QVERIFY(!text.out.contains(QChar(0x1b)) && !text.out.contains(QChar(0x9b)));
    const Outcome said = run({"info", path("no\x1b[31m.glb")});
    QVERIFY2(said.err.contains("no\\x1b[31m.glb"), qPrintable(said.err));
    QCOMPARE(info(path("loud.gltf"))["joints"].toArray()[0].toObject()["name"].toString(),
             QString("red\x1b[31m\nlimber: all is well") + QChar(0x9b));
}

void TestCommandLineFiles::aFileIsWhatItHoldsWhateverItsName_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("format");
    QTest::newRow("binary FBX") << data("fbx/Animated_Human.fbx") << "fbx";
    QTest::newRow("FBX as text") << data("fbx/maya_axes_anim_7700_ascii.fbx") << "fbx";
    QTest::newRow("Collada") << data("other/Cat.dae") << "dae";
    QTest::newRow("BVH") << data("other/Boxing_Toes.bvh") << "bvh";
}

void TestCommandLineFiles::aFileIsWhatItHoldsWhateverItsName() {
    QFETCH(QString, file);
    QFETCH(QString, format);
    if (file.isEmpty())
        QSKIP("no test data");
    QVERIFY(write(path("disguised.glb"), read(file)));
    const QJsonObject own = info(file), disguised = info(path("disguised.glb"));
    QCOMPARE(disguised["format"].toString(), format);
    QCOMPARE(disguised["joints"], own["joints"]);
}

QTEST_GUILESS_MAIN(TestCommandLineFiles)
#include "test_command_line_files.moc"
