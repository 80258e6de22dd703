// Joints with shear: other programs see them right, and they come back exactly, however often they are saved.
#include "tests/files/gltf_compare.h"
#include "tests/files/gltf_edits.h"
#include "tests/files/gltf_text.h"
#include "tests/files/gltf_world.h"

#include <QTest>

using namespace limber;
using namespace limber::test;
using io::Container;

namespace {

const JointId kRoot(1), kTip(2);

// A skinned square whose joints stand away from the origin; the tip carries a node of its own.
GltfText standingRig() {
    GltfText text;
    text.withSquare().withSkin();
    text.json["nodes"][1]["translation"] = {0.1, 0.2, 0.3};
    text.json["nodes"][2]["translation"] = {0.5, 0.25, 0.0};
    text.json["nodes"][2]["children"] = {3};
    text.json["nodes"].push_back({{"name", "held"}, {"translation", {0, 1, 0}}});
    return text;
}

rig::Affine sheared(double mirror = 1, double amount = 0.5) {
    rig::Affine m(Eigen::Translation3d(0.1, 0, 0.2) * Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ()) *
                  Eigen::Scaling(1.0, mirror * 2, 1.0));
    rig::Affine k = rig::Affine::Identity();
    k.linear()(0, 1) = amount;
    return m * k;
}

void pose(document::Document& doc, JointId joint, const rig::Affine& userLocal) {
    doc.apply(document::setUserLocal(doc, joint, userLocal, "pose"));
}

// Largest difference of the joints' world transforms: of the document, and of the file as others read it.
double apart(const document::Document& doc, const std::vector<std::byte>& file) {
    rig::Transforms world;
    rig::forwardKinematics(doc.skeleton(), doc.state().pose, world);
    const std::vector<Eigen::Affine3d> theirs = worldOf(jsonOf(file));
    double worst = 0;
    for (std::size_t j = 0; j < 4; ++j)
        worst = std::max(worst, math::distance(world[j], theirs[j]));
    return worst;
}

double poseApart(const document::Document& a, const document::Document& b) {
    double worst = 0;
    for (std::size_t j = 0; j < 4; ++j)
        worst = std::max(worst, math::distance(a.state().pose[j], b.state().pose[j]));
    return worst;
}

} // namespace

class TestGltfShear : public QObject {
    Q_OBJECT

private slots:
    void aShearedJointBecomesTwoNodes_data() {
        QTest::addColumn<int>("joint");
        QTest::addColumn<double>("mirror");
        QTest::newRow("child") << 2 << 1.0;
        QTest::newRow("child, mirrored") << 2 << -1.0;
        QTest::newRow("root of the scene") << 1 << 1.0;
        QTest::newRow("node of no skin") << 3 << 1.0;
    }
    void aShearedJointBecomesTwoNodes() {
        QFETCH(int, joint);
        QFETCH(double, mirror);
        Opened opened = openText(standingRig());
        pose(opened.doc, JointId(joint), sheared(mirror));
        const auto file = io::writeGltf(*opened.source, opened.doc, Container::Glb);
        QVERIFY2(file.ok(), file.ok() ? "" : file.error().message().c_str());
        QCOMPARE(file->notes.size(), std::size_t(0));
        QCOMPARE(jsonOf(file->bytes)["nodes"].size(), std::size_t(5));
        QVERIFY2(apart(opened.doc, file->bytes) < 1e-6, "other programs see another pose");

        const Opened back = reopened(file->bytes);
        QVERIFY(poseApart(opened.doc, back.doc) < 1e-9);
        QCOMPARE(back.doc.skeleton()[JointId(joint)].parent, opened.doc.skeleton()[JointId(joint)].parent);
        QVERIFY(math::distance(back.doc.skeleton()[JointId(joint)].bindWorld,
                               opened.doc.skeleton()[JointId(joint)].bindWorld) < 1e-6);
        QVERIFY2(math::identical(back.doc.state().pose[4], rig::Affine::Identity()), "the helper does not stand still");
        QVERIFY2(written(back, Container::Glb) == file->bytes, "the second save differs from the first");
    }

    void aTransformByMatrixIsSplitToo() {
        GltfText text = standingRig();
        text.json["nodes"][2].erase("translation");
        text.json["nodes"][2]["matrix"] = {2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1};
        Opened opened = openText(text);
        pose(opened.doc, kTip, sheared());
        QVERIFY(apart(opened.doc, written(opened, Container::Gltf)) < 1e-6);
    }

    void aSplitJointIsEditedOnTheSameNodes() {
        Opened first = openText(standingRig());
        pose(first.doc, kTip, sheared());
        Opened second = reopened(written(first, Container::Glb));
        pose(second.doc, kTip, sheared(1, -0.25));
        const std::vector<std::byte> again = written(second, Container::Glb);
        QCOMPARE(jsonOf(again)["nodes"].size(), std::size_t(5));
        QVERIFY(apart(second.doc, again) < 1e-6);

        Opened third = reopened(again);
        pose(third.doc, kTip, rig::Affine(Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitX())));
        const std::vector<std::byte> straight = written(third, Container::Glb);
        QCOMPARE(jsonOf(straight)["nodes"].size(), std::size_t(5));
        QVERIFY(apart(third.doc, straight) < 1e-6);
        QVERIFY(poseApart(third.doc, reopened(straight).doc) < 1e-9);

        Opened fourth = reopened(straight);
        pose(fourth.doc, kTip, sheared());
        const std::vector<std::byte> last = written(fourth, Container::Glb);
        QCOMPARE(jsonOf(last)["nodes"].size(), std::size_t(5));
        QVERIFY(apart(fourth.doc, last) < 1e-6);
    }

    void twoShearedJointsInARowAreBothRight() {
        Opened opened = openText(standingRig());
        pose(opened.doc, kRoot, sheared());
        pose(opened.doc, kTip, sheared(-1, 0.75));
        const std::vector<std::byte> saved = written(opened, Container::Glb);
        QVERIFY(apart(opened.doc, saved) < 1e-6);
        QVERIFY(poseApart(opened.doc, reopened(saved).doc) < 1e-9);
    }

    void anAnimatedJointKeepsItsNodeAndIsNoted() {
        GltfText text = standingRig();
        const std::size_t times = text.addFloats({0, 1}, "SCALAR");
        const std::size_t turns = text.addFloats({0, 0, 0, 1, 0, 0, 1, 0}, "VEC4");
        text.json["animations"] = {{{"channels", {{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}}},
                                    {"samplers", {{{"input", times}, {"output", turns}}}}}};
        Opened opened = openText(text);
        pose(opened.doc, kTip, sheared());
        const auto file = io::writeGltf(*opened.source, opened.doc, Container::Glb);
        QVERIFY(file.ok());
        QCOMPARE(file->notes.size(), std::size_t(1));
        QCOMPARE(jsonOf(file->bytes)["nodes"].size(), std::size_t(4));
        QVERIFY(poseApart(opened.doc, reopened(file->bytes).doc) < 1e-12);
    }

    // Another program may have given the helper a use of its own: it is then a node like any other.
    void aHelperWithAnotherUseIsAPlainNode_data() {
        QTest::addColumn<QString>("use");
        for (const char* use : {"mesh", "second child", "skin", "clip"})
            QTest::newRow(use) << QString(use);
    }
    void aHelperWithAnotherUseIsAPlainNode() {
        QFETCH(QString, use);
        GltfText text = standingRig();
        Json& nodes = text.json["nodes"];
        nodes[1]["children"] = {4};
        nodes.push_back({{"children", {2}}, {"scale", {1, 2, 1}}, {"extras", {{"limber", {{"shear", true}}}}}});
        if (use == "mesh")
            nodes[4]["mesh"] = 0;
        if (use == "second child") {
            nodes[4]["children"].push_back(5);
            nodes.push_back({{"name", "other"}});
        }
        if (use == "skin")
            text.json["skins"][0]["joints"].push_back(4);
        if (use == "clip") {
            const std::size_t times = text.addFloats({0, 1}, "SCALAR"),
                              moves = text.addFloats({0, 0, 0, 1, 0, 0}, "VEC3");
            text.json["animations"] = {
                {{"channels", {{{"sampler", 0}, {"target", {{"node", 4}, {"path", "translation"}}}}}},
                 {"samplers", {{{"input", times}, {"output", moves}}}}}};
        }
        const Opened opened = openText(text);
        QCOMPARE(opened.doc.skeleton()[kTip].parent, JointId(4));
        QVERIFY(apart(opened.doc, text.text()) < 1e-6);
    }

    void aHelperThatIsPaintedBecomesAJoint() {
        Opened first = openText(standingRig());
        pose(first.doc, kTip, sheared());
        Opened second = reopened(written(first, Container::Glb));
        document::SkinJointPatch patch;
        patch.skin = SkinId(0);
        patch.joint = JointId(4);
        patch.inverseBind = second.doc.skeleton()[JointId(4)].inverseBind;
        apply(second.doc, patch);
        paint(second.doc, MeshId(0), 1, {{1, 0.25f}, {2, 0.75f}});
        const std::vector<std::byte> saved = written(second, Container::Glb);
        QVERIFY(apart(second.doc, saved) < 1e-6);
        const Opened back = reopened(saved);
        rig::Transforms before, after;
        rig::forwardKinematics(second.doc.skeleton(), second.doc.state().pose, before);
        rig::forwardKinematics(back.doc.skeleton(), back.doc.state().pose, after);
        for (std::size_t j = 0; j < 5; ++j)
            QVERIFY(math::distance(before[j], after[j]) < 1e-6);
    }
};

QTEST_APPLESS_MAIN(TestGltfShear)
#include "test_gltf_shear.moc"
