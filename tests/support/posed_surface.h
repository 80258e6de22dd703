// The surfaces that `limber deform` writes, compared and changed as text.
#pragma once

#include "tests/support/run_limber.h"

namespace limber::tests {

struct Vertex {
    double x = 0, y = 0, z = 0;
};

inline QList<Vertex> vertices(const QString& obj) {
    QList<Vertex> list;
    for (const QByteArray& line : read(obj).split('\n'))
        if (const auto parts = line.split(' '); parts.size() == 4 && parts[0] == "v")
            list.append({parts[1].toDouble(), parts[2].toDouble(), parts[3].toDouble()});
    return list;
}

inline double largestDistance(const QList<Vertex>& a, const QList<Vertex>& b) {
    if (a.size() != b.size() || a.isEmpty())
        return HUGE_VAL;
    double worst = 0;
    for (qsizetype i = 0; i < a.size(); ++i)
        worst = std::max(worst, std::hypot(a[i].x - b[i].x, a[i].y - b[i].y, a[i].z - b[i].z));
    return worst;
}

// Moves the vertices of an OBJ that are higher than `height` by `dx`; the number of lines moved comes back.
inline int pushVertices(const QString& from, const QString& to, double height, double dx) {
    int moved = 0;
    QByteArray out;
    for (const QByteArray& line : read(from).split('\n')) {
        const auto parts = line.split(' ');
        if (parts.size() == 4 && parts[0] == "v" && parts[2].toDouble() > height) {
            out += "v " + QByteArray::number(parts[1].toDouble() + dx, 'g', 9) + ' ' + parts[2] + ' ' + parts[3] + '\n';
            ++moved;
        } else {
            out += line + '\n';
        }
    }
    return write(to, out) ? moved : -1;
}

// A joint of the left arm with a child, whatever the mannequin calls it.
inline QString elbowOf(const QJsonObject& facts) {
    for (const QJsonValue& joint : facts["joints"].toArray()) {
        const QString name = joint["name"].toString().toLower();
        if ((name.contains("forearm") || name.contains("lowerarm")) && (name.endsWith("l") || name.contains("left")))
            return joint["name"].toString();
    }
    return {};
}

// A folder of its own with the mannequin, its bind pose and one with the elbow bent 70 degrees.
class MannequinFolder {
protected:
    void prepare() {
        QVERIFY(folder_.isValid());
        mannequin_ = path("mannequin.glb");
        const Outcome made = run({"new", "mannequin", "-o", mannequin_});
        QVERIFY2(made.code == 0, qPrintable(made.err));
        elbow_ = elbowOf(info(mannequin_));
        QVERIFY(!elbow_.isEmpty());
        QVERIFY(write(path("bind.json"), R"({"limber":"pose","version":1,"joints":{}})"));
        QVERIFY(write(path("bent.json"), poseOf(elbow_, 70)));
    }
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    QTemporaryDir folder_;
    QString mannequin_, elbow_;
};

} // namespace limber::tests
