// The reference cases of the deformation specification: inputs and expected numbers at full precision.
// Tests that need them skip by name where the file is not there.
#pragma once

#include "core/rig/skeleton.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <optional>

namespace limber::test {

// `id` such as "C01"; nothing where the file or the case is missing. The path is LIMBER_TEST_CASES or the default.
inline std::optional<QJsonObject> loadCase(const QString& id) {
    QString path = qEnvironmentVariable("LIMBER_TEST_CASES");
    if (path.isEmpty())
        path = QStringLiteral(LIMBER_SOURCE_DIR "/../shared/design/deformation-math-cases.json");
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QJsonArray cases = QJsonDocument::fromJson(file.readAll()).object()["cases"].toArray();
    for (const QJsonValue& c : cases)
        if (c["id"].toString().startsWith(id + '_'))
            return c.toObject();
    return std::nullopt;
}

inline Eigen::VectorXd toVector(const QJsonValue& array) {
    const QJsonArray a = array.toArray();
    Eigen::VectorXd v(a.size());
    for (int k = 0; k < a.size(); ++k)
        v[k] = a[k].toDouble();
    return v;
}

// Rows of numbers.
inline Eigen::MatrixXd toMatrix(const QJsonValue& rows) {
    const QJsonArray r = rows.toArray();
    Eigen::MatrixXd m(r.size(), r.isEmpty() ? 0 : r[0].toArray().size());
    for (int k = 0; k < r.size(); ++k)
        m.row(k) = toVector(r[k]).transpose();
    return m;
}

// A list of operations, multiplied left to right: T x y z, R ax ay az degrees, S x y z.
inline math::Affine toTransform(const QJsonValue& operations) {
    math::Affine m = math::Affine::Identity();
    for (const QJsonValue& op : operations.toArray()) {
        const QJsonArray o = op.toArray();
        const Eigen::Vector3d v(o[1].toDouble(), o[2].toDouble(), o[3].toDouble());
        const QString kind = o[0].toString();
        if (kind == "T")
            m.translate(v);
        else if (kind == "R")
            m.rotate(Eigen::AngleAxisd(o[4].toDouble() * M_PI / 180, v.normalized()));
        else
            m.scale(v);
    }
    return m;
}

struct Chain {
    rig::Skeleton skeleton;
    rig::Pose pose;
};

// An object with parent, L and Ul, each joint's matrices as operations.
inline Chain toChain(const QJsonObject& o) {
    Chain chain;
    std::vector<rig::Joint> joints;
    const QJsonArray parents = o["parent"].toArray(), l = o["L"].toArray(), ul = o["Ul"].toArray();
    for (int j = 0; j < parents.size(); ++j) {
        rig::Joint joint;
        joint.name = "joint" + std::to_string(j);
        if (parents[j].toInt() >= 0)
            joint.parent = JointId(static_cast<std::size_t>(parents[j].toInt()));
        joint.bindLocal = toTransform(l[j]);
        joint.deforms = true;
        joints.push_back(joint);
        chain.pose.push_back(toTransform(ul[j]));
    }
    chain.skeleton = rig::Skeleton(std::move(joints));
    return chain;
}

} // namespace limber::test

// Skips the running test where the case is missing.
#define LIMBER_CASE(variable, id)                                                                                      \
    const auto variable##Case = limber::test::loadCase(QStringLiteral(id));                                            \
    if (!variable##Case)                                                                                               \
        QSKIP("the reference cases are not on this machine: " id);                                                     \
    const QJsonObject variable = *variable##Case
