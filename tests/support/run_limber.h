// Running the program as a shell does. LIMBER_EXECUTABLE names it.
#pragma once

#include "tests/support/test_data.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace limber::tests {

struct Outcome {
    int code = -1;
    QString out, err;
};

inline Outcome run(const QStringList& words, const QString& program = LIMBER_EXECUTABLE) {
    QProcess process;
    process.start(program, words);
    if (!process.waitForFinished(120000))
        return {-2, {}, "It did not finish."};
    if (process.exitStatus() != QProcess::NormalExit)
        return {-3, {}, "It crashed."};
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

inline QString data(const char* name) {
    return QString::fromStdString(dataFile(name).string());
}

inline bool write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

inline QByteArray read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline QJsonObject info(const QString& file) {
    return QJsonDocument::fromJson(run({"info", file, "--json"}).out.toUtf8()).object();
}

// Turns one joint about its z axis.
inline QByteArray poseOf(const QString& joint, double degrees) {
    const double half = degrees * M_PI / 360;
    return QString(R"({"limber":"pose","version":1,"joints":{"%1":{"rotation":[0,0,%2,%3]}}})")
        .arg(joint)
        .arg(std::sin(half), 0, 'g', 17)
        .arg(std::cos(half), 0, 'g', 17)
        .toUtf8();
}

} // namespace limber::tests
