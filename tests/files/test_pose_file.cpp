#include "core/io/pose_file.h"

#include <QTest>

#include <algorithm>

using namespace limber;

namespace {

// Four nodes: two joints of one name, a helper that no skin names, and a joint of its own name.
document::DocumentState smallRig() {
    std::vector<rig::Joint> joints(4);
    const char* names[] = {"arm", "helper", "arm", "head"};
    for (std::size_t j = 0; j < 4; ++j) {
        joints[j].name = names[j];
        joints[j].deforms = j != 1;
    }
    joints[3].parent = JointId(0);
    document::DocumentState state;
    state.skeleton = rig::Skeleton(joints);
    state.pose.assign(4, rig::Affine::Identity());
    state.filePose = state.pose;
    return state;
}

// JSON with ' for ".
std::string json(std::string text) {
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

std::string pose(const std::string& joints) {
    return json("{'limber':'pose','version':1,'joints':{" + joints + "}}");
}

} // namespace

class TestPoseFile : public QObject {
    Q_OBJECT

private slots:
    void listedJointsAreSetAndOthersAreAtBind() {
        document::DocumentState state = smallRig();
        state.pose[0].translation().x() = 5;
        const auto read = io::readPose(pose("'head':{'translation':[1,2,3],'scale':[2,2,2]}"), state);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
        QVERIFY(math::identical((*read)[0], rig::Affine::Identity()));
        QVERIFY(math::distance((*read)[3], math::composeTrs({1, 2, 3}, Eigen::Quaterniond::Identity(), {2, 2, 2})) <
                1e-15);
    }

    void roundedRotationsAreMadeUnit() {
        const auto read = io::readPose(pose("'head':{'rotation':[0,0,0.7072,0.7072]}"), smallRig());
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
        const Eigen::Quaterniond quarter(Eigen::AngleAxisd(std::acos(0.0), Eigen::Vector3d::UnitZ()));
        QVERIFY(math::distance((*read)[3], math::composeTrs({0, 0, 0}, quarter, {1, 1, 1})) < 1e-12);
    }

    void aNumberNamesTheJointWhereNamesRepeat() {
        // Position 1 in the list of joints is node 2: node 1 is in no skin.
        const auto read = io::readPose(pose("'#1':{'translation':[1,0,0]}"), smallRig());
        QVERIFY(read.ok());
        QCOMPARE((*read)[2].translation().x(), 1.0);
    }

    void writtenPosesAreReadBack() {
        document::DocumentState state = smallRig();
        state.pose[2] = math::composeTrs({1, 2, 3}, math::rotationFromEulerXyz({0.1, 0.2, 0.3}), {1, 1.5, 1});
        state.pose[3] = math::composeTrs({0, 0, 0}, math::rotationFromEulerXyz({1, 0, 0}), {1, 1, 1});
        const std::string text = io::writePose(state);
        QVERIFY(text.find("\"#1\"") != std::string::npos && text.find("\"head\"") != std::string::npos);
        const auto read = io::readPose(text, state);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
        for (std::size_t j = 0; j < 4; ++j)
            QVERIFY(math::distance((*read)[j], state.pose[j]) < 1e-12);
    }

    void wrongFilesAreRefused_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<int>("code");
        const int refused = static_cast<int>(ErrorCode::InputRefused), usage = static_cast<int>(ErrorCode::Usage);
        QTest::newRow("not JSON") << std::string("pose") << refused;
        QTest::newRow("a list") << std::string("[]") << refused;
        QTest::newRow("other format") << json("{'limber':'scene','version':1,'joints':{}}") << refused;
        QTest::newRow("newer version") << json("{'limber':'pose','version':2,'joints':{}}") << refused;
        QTest::newRow("no joints") << json("{'limber':'pose','version':1}") << refused;
        QTest::newRow("short list") << pose("'head':{'translation':[1,2]}") << refused;
        QTest::newRow("not a number") << pose("'head':{'scale':[1,null,1]}") << refused;
        QTest::newRow("overflow") << pose("'head':{'scale':[1,1e999,1]}") << refused;
        QTest::newRow("beyond float") << pose("'head':{'translation':[1e39,0,0]}") << refused;
        QTest::newRow("beyond float down the skeleton")
            << pose("'#0':{'scale':[1e30,1,1]},'head':{'translation':[1e30,0,0]}") << refused;
        QTest::newRow("zero rotation") << pose("'head':{'rotation':[0,0,0,0]}") << refused;
        QTest::newRow("degrees") << pose("'head':{'rotation':[90,0,0,0]}") << refused;
        QTest::newRow("a length of 1.002") << pose("'head':{'rotation':[0,0,0,1.002]}") << refused;
        QTest::newRow("a joint by two names") << pose("'#2':{},'head':{}") << refused;
        QTest::newRow("a joint twice") << pose("'head':{},'head':{}") << refused;
        QTest::newRow("unknown part") << pose("'head':{'rotate':[0,0,0,1]}") << refused;
        QTest::newRow("nested") << std::string(100000, '[') << refused;
        QTest::newRow("unknown joint") << pose("'tail':{}") << usage;
        QTest::newRow("ambiguous joint") << pose("'arm':{}") << usage;
        QTest::newRow("number too high") << pose("'#3':{}") << usage;
        QTest::newRow("no joint of a skin") << pose("'helper':{}") << usage;
    }
    void wrongFilesAreRefused() {
        QFETCH(std::string, text);
        QFETCH(int, code);
        const auto read = io::readPose(text, smallRig());
        QVERIFY(!read.ok());
        QCOMPARE(static_cast<int>(read.error().code), code);
        QVERIFY(read.error().text.size() > 10);
        QVERIFY2(read.error().text.find("exception") == std::string::npos, read.error().text.c_str());
    }

    void reasonsNameThePlace_data() {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("not JSON") << std::string("{\n \"limber\": pose}") << "line 2, column 12";
        QTest::newRow("cut") << std::string("{\"limber\"") << "line 1";
        QTest::newRow("overflow") << pose("'head':{'scale':[1,1e999,1]}") << "too large";
        QTest::newRow("beyond float") << pose("'head':{'translation':[1e39,0,0]}") << "head";
        QTest::newRow("degrees") << pose("'head':{'rotation':[90,0,0,0]}") << "head";
        QTest::newRow("a joint by two names") << pose("'#2':{},'head':{}") << "head";
        QTest::newRow("too far") << pose("'#0':{'scale':[1e30,1,1]},'head':{'translation':[1e30,0,0]}") << "head";
    }
    void reasonsNameThePlace() {
        QFETCH(std::string, text);
        QFETCH(QString, says);
        const auto read = io::readPose(text, smallRig());
        QVERIFY(!read.ok());
        QVERIFY2(QString::fromStdString(read.error().message()).contains(says), read.error().message().c_str());
    }
};

QTEST_APPLESS_MAIN(TestPoseFile)
#include "test_pose_file.moc"
