// `limber corrective add` as a shell sees it: shapes that appear with their pose, and what it refuses.
#include "tests/support/posed_surface.h"

using namespace limber::tests;

class TestCommandLineCorrective : public QObject, private MannequinFolder {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void aCorrectiveAppearsWithItsPose();
    void aSecondSculptRefinesTheCorrective();
    void aDriverAtBindSaysSo();
    void jointsWithoutNamesAreNumbered();
    void anUnchangedSculptIsRefused();
    void aSculptThatFitsNothingIsRefused();
};

void TestCommandLineCorrective::aCorrectiveAppearsWithItsPose() {
    QCOMPARE(run({"deform", mannequin_, "--pose", path("bent.json"), "-o", path("bent.obj")}).code, 0);
    QCOMPARE(run({"deform", mannequin_, "-o", path("rest.obj")}).code, 0);
    // Everything that the bend lifts above the shoulder is pushed aside; if that is nothing, the head is.
    QVERIFY(pushVertices(path("bent.obj"), path("sculpt.obj"), 1.2, 0.02) > 0);
    const Outcome added = run({"corrective", "add", mannequin_, "--pose", path("bent.json"), "--sculpt",
                               path("sculpt.obj"), "--name", "push", "--driver", elbow_, "-o", path("fixed.glb")});
    QVERIFY2(added.code == 0, qPrintable(added.err));
    QCOMPARE(run({"deform", path("fixed.glb"), "--pose", path("bent.json"), "-o", path("fixed_bent.obj")}).code, 0);
    QCOMPARE(run({"deform", path("fixed.glb"), "-o", path("fixed_rest.obj")}).code, 0);
    QVERIFY(largestDistance(vertices(path("fixed_bent.obj")), vertices(path("sculpt.obj"))) < 2e-5);
    QVERIFY(largestDistance(vertices(path("fixed_rest.obj")), vertices(path("rest.obj"))) < 1e-4);
    QCOMPARE(info(path("fixed.glb"))["meshes"].toArray()[0].toObject()["shapes"].toArray(), QJsonArray{"push"});
    QCOMPARE(run({"deform", path("fixed.glb"), "--pose", path("bent.json"), "--shape", "push=0", "-o", path("off.obj")})
                 .code,
             0);
    QVERIFY(largestDistance(vertices(path("off.obj")), vertices(path("bent.obj"))) < 1e-5);
    const Outcome again = run({"corrective", "add", path("fixed.glb"), "--pose", path("bent.json"), "--sculpt",
                               path("sculpt.obj"), "--name", "push", "-o", path("twice.glb")});
    QVERIFY(again.code != 0 && !QFile::exists(path("twice.glb")));
}

void TestCommandLineCorrective::aSecondSculptRefinesTheCorrective() {
    const auto add = [&](const QString& from, const QString& sculpt, const QString& name, const QString& to) {
        return run({"corrective", "add", from, "--pose", path("bent.json"), "--sculpt", sculpt, "--name", name,
                    "--driver", elbow_, "-o", to});
    };
    const auto deformed = [&](const QString& from, const QString& to) {
        return run({"deform", from, "--pose", path("bent.json"), "-o", to}).code == 0 ? vertices(to) : QList<Vertex>();
    };
    QVERIFY(!deformed(mannequin_, path("r0.obj")).isEmpty());
    QVERIFY(pushVertices(path("r0.obj"), path("r1.obj"), 1.2, 0.02) > 0);
    QCOMPARE(add(mannequin_, path("r1.obj"), "push", path("r1.glb")).code, 0);
    QVERIFY(!deformed(path("r1.glb"), path("r1out.obj")).isEmpty());
    QVERIFY(pushVertices(path("r1out.obj"), path("r2.obj"), 1.3, 0.01) > 0);
    const Outcome other = add(path("r1.glb"), path("r2.obj"), "more", path("r2.glb"));
    QCOMPARE(other.code, 1);
    QVERIFY2(other.err.contains("\"push\" has this pose already") && other.err.contains("--name \"push\""),
             qPrintable(other.err));
    const Outcome refined = add(path("r1.glb"), path("r2.obj"), "push", path("r2.glb"));
    QVERIFY2(refined.code == 0 && refined.err.contains("refined"), qPrintable(refined.err));
    QVERIFY(largestDistance(deformed(path("r2.glb"), path("r2out.obj")), vertices(path("r2.obj"))) < 2e-5);
    QCOMPARE(info(path("r2.glb"))["meshes"].toArray()[0].toObject()["shapes"].toArray(), QJsonArray{"push"});
    // In another pose the name is taken.
    QVERIFY(write(path("further.json"), poseOf(elbow_, 100)));
    const Outcome taken = run({"corrective", "add", path("r1.glb"), "--pose", path("further.json"), "--sculpt",
                               path("r2.obj"), "--name", "push", "-o", path("r3.glb")});
    QVERIFY2(taken.code == 2 && taken.err.contains("choose another name"), qPrintable(taken.err));
    // A second one that is made with another method leaves the first behind.
    const QStringList further{path("r1.glb"), "--pose", path("further.json"), "--method", "spherical"};
    QCOMPARE(run(QStringList{"deform"} + further + QStringList{"-o", path("r4.obj")}).code, 0);
    QVERIFY(pushVertices(path("r4.obj"), path("r5.obj"), 1.2, 0.02) > 0);
    const Outcome otherMethod = run(QStringList{"corrective", "add"} + further +
                                    QStringList{"--sculpt", path("r5.obj"), "--name", "more", "-o", path("r5.glb")});
    QVERIFY2(otherMethod.code == 0 && otherMethod.err.contains("1 older corrective was made with linear"),
             qPrintable(otherMethod.err));
    const Outcome changed = run({"skinning", path("r1.glb"), "--method", "spherical", "-o", path("r6.glb")});
    QVERIFY2(changed.code == 0 && changed.err.contains("1 corrective was made with linear"), qPrintable(changed.err));
    const Outcome shown = run({"skinning", path("r1.glb"), "--method", "linear", "-o", path("r7.glb")});
    QVERIFY2(shown.code == 0 && !shown.err.contains("corrective"), qPrintable(shown.err));
}

void TestCommandLineCorrective::aDriverAtBindSaysSo() {
    const QString still = info(mannequin_)["joints"].toArray()[0].toObject()["name"].toString();
    QCOMPARE(run({"deform", mannequin_, "--pose", path("bent.json"), "-o", path("still0.obj")}).code, 0);
    QVERIFY(pushVertices(path("still0.obj"), path("still.obj"), 1.2, 0.02) > 0);
    const Outcome outcome = run({"corrective", "add", mannequin_, "--pose", path("bent.json"), "--sculpt",
                                 path("still.obj"), "--name", "x", "--driver", still, "-o", path("still.glb")});
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains(still + " at bind"), qPrintable(outcome.err));
}

void TestCommandLineCorrective::jointsWithoutNamesAreNumbered() {
    const QString skin = data("gltf/SimpleSkin.gltf");
    if (skin.isEmpty())
        QSKIP("no test data");
    QVERIFY(write(path("second.json"), poseOf("#1", 60)));
    QCOMPARE(run({"deform", skin, "--pose", path("second.json"), "-o", path("skin.obj")}).code, 0);
    QVERIFY(pushVertices(path("skin.obj"), path("skinpush.obj"), 1, 0.1) > 0);
    const Outcome added = run({"corrective", "add", skin, "--pose", path("second.json"), "--sculpt",
                               path("skinpush.obj"), "--name", "a", "-o", path("skin.glb")});
    QCOMPARE(added.code, 0);
    QVERIFY2(added.err.contains("mesh #0") && added.err.contains("driven by #1."), qPrintable(added.err));
    const Outcome still = run({"corrective", "add", skin, "--pose", path("second.json"), "--sculpt",
                               path("skinpush.obj"), "--name", "a", "--driver", "#0", "-o", path("skin.glb")});
    QVERIFY2(still.code == 1 && still.err.contains("#0 at bind"), qPrintable(still.err));
}

void TestCommandLineCorrective::anUnchangedSculptIsRefused() {
    QCOMPARE(run({"deform", mannequin_, "--pose", path("bent.json"), "-o", path("same.obj")}).code, 0);
    const Outcome outcome = run({"corrective", "add", mannequin_, "--pose", path("bent.json"), "--sculpt",
                                 path("same.obj"), "--name", "nothing", "-o", path("nothing.glb")});
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("nothing to add"), qPrintable(outcome.err));
    QVERIFY(!QFile::exists(path("nothing.glb")));
}

void TestCommandLineCorrective::aSculptThatFitsNothingIsRefused() {
    QVERIFY(write(path("other.obj"), "o thing\nv 0 0 0\nv 1 0 0\n"));
    QVERIFY(write(path("words.obj"), "v zero one two\n"));
    for (const char* sculpt : {"other.obj", "words.obj", "missing.obj"}) {
        const Outcome outcome = run({"corrective", "add", mannequin_, "--pose", path("bent.json"), "--sculpt",
                                     path(sculpt), "--name", "x", "-o", path("x.glb")});
        QVERIFY2(outcome.code == 3, sculpt);
        QVERIFY2(outcome.err.contains(sculpt), qPrintable(outcome.err));
    }
}

QTEST_GUILESS_MAIN(TestCommandLineCorrective)
#include "test_command_line_corrective.moc"
