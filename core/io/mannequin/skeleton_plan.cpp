#include "core/io/mannequin/skeleton_plan.h"

#include "core/io/mannequin/body_plan.h"

#include <array>
#include <cassert>

namespace limber::io::mannequin {

namespace {

math::Affine frame(const Vector3d& at, const Vector3d& child, const Vector3d& flexesTo) {
    const Vector3d y = (child - at).normalized(), x = y.cross(flexesTo).normalized();
    math::Affine m = math::Affine::Identity();
    m.linear() << x, y, x.cross(y);
    m.translation() = at;
    return m;
}

// The mirror image, with X reversed so that it stays a rotation: turns about X keep their sign.
math::Affine mirrored(const math::Affine& m) {
    math::Affine r = m;
    r.matrix().row(0) *= -1;
    r.linear().col(0) *= -1;
    return r;
}

class Builder {
public:
    int middle(const std::string& name, int parent, const math::Affine& m) {
        const int index = static_cast<int>(joints.size());
        joints.push_back({name, parent, index, m});
        return index;
    }
    // Adds the left joint and remembers it; the right side is added at the end, in the same order.
    int left(const std::string& name, int parent, const math::Affine& m) {
        const int index = middle(name + "_l", parent, m);
        lefts.push_back(index);
        return index;
    }
    void mirrorLefts() {
        const int firstLeft = lefts.front(), firstRight = static_cast<int>(joints.size());
        for (const int index : lefts) {
            const JointPlan& l = joints[index];
            const int parent = l.parent < firstLeft ? l.parent : l.parent - firstLeft + firstRight;
            JointPlan r{l.name.substr(0, l.name.size() - 1) + "r", parent, index, mirrored(l.modelFromJoint)};
            joints[index].mirror = static_cast<int>(joints.size());
            joints.push_back(std::move(r));
        }
    }
    std::vector<JointPlan> joints;
    std::vector<int> lefts;
};

void addArm(Builder& b, int chest) {
    const BodyPlan& body = bodyPlan();
    const Vector3d front = body.handThumbward;
    const Vector3d knuckle = body.fingers[Middle].points[0];
    const int clavicle = b.left("clavicle", chest, frame(body.clavicle, body.shoulder, Vector3d::UnitZ()));
    const int upper = b.left("upperarm", clavicle, frame(body.shoulder, body.elbow, front));
    const int lower = b.left("lowerarm", upper, frame(body.elbow, body.wrist, front));
    const int hand = b.left("hand", lower, frame(body.wrist, knuckle, -body.handDorsal));
    const std::array<const char*, kFingerCount> names = {"thumb", "index", "middle", "ring", "pinky"};
    for (int f = 0; f < kFingerCount; ++f) {
        int parent = hand;
        for (int i = 0; i < 3; ++i)
            parent = b.left(std::string(names[f]) + "_0" + std::to_string(i + 1), parent,
                            frame(body.fingers[f].points[i], body.fingers[f].points[i + 1], -body.fingers[f].dorsal));
    }
}

void addLeg(Builder& b, int hips) {
    const BodyPlan& body = bodyPlan();
    const Vector3d front = Vector3d::UnitZ(), up = Vector3d::UnitY();
    const int thigh = b.left("thigh", hips, frame(body.hip, body.knee, front));
    const int calf = b.left("calf", thigh, frame(body.knee, body.ankle, -front));
    const int foot = b.left("foot", calf, frame(body.ankle, body.ball, up));
    b.left("ball", foot, frame(body.ball, body.toe, up));
}

std::vector<JointPlan> makePlan() {
    const BodyPlan& body = bodyPlan();
    const Vector3d front = Vector3d::UnitZ();
    Builder b;
    const int root = b.middle("root", -1, math::Affine::Identity());
    const int hips = b.middle("hips", root, frame(body.hips, body.spine1, front));
    const int spine1 = b.middle("spine_01", hips, frame(body.spine1, body.spine2, front));
    const int spine2 = b.middle("spine_02", spine1, frame(body.spine2, body.spine3, front));
    const int spine3 = b.middle("spine_03", spine2, frame(body.spine3, body.neck, front));
    const int neck = b.middle("neck", spine3, frame(body.neck, body.head, front));
    b.middle("head", neck, frame(body.head, body.crown, front));
    addArm(b, spine3);
    addLeg(b, hips);
    b.mirrorLefts();
    return b.joints;
}

} // namespace

const std::vector<JointPlan>& skeletonPlan() {
    static const std::vector<JointPlan> plan = makePlan();
    return plan;
}

int jointNamed(const std::string& name) {
    const std::vector<JointPlan>& joints = skeletonPlan();
    for (std::size_t i = 0; i < joints.size(); ++i)
        if (joints[i].name == name)
            return static_cast<int>(i);
    assert(false && "no such joint");
    return -1;
}

} // namespace limber::io::mannequin
