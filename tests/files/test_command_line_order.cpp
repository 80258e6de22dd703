// The command line with a mesh that reading puts into another order: what is printed and written is in the file's.
#include "core/io/gltf_file.h"
#include "core/io/safe_save.h"
#include "tests/support/run_limber.h"
#include "tests/support/scattered_sheet.h"

using namespace limber;
using namespace limber::tests;

namespace {

QList<QByteArray> linesOf(const QString& path, const char* start) {
    QList<QByteArray> lines;
    for (const QByteArray& line : read(path).split('\n'))
        if (line.startsWith(start))
            lines.push_back(line);
    return lines;
}

Eigen::Vector3d pointOf(const QByteArray& line) {
    const auto words = line.split(' ');
    return {words[1].toDouble(), words[2].toDouble(), words[3].toDouble()};
}

} // namespace

class TestCommandLineOrder : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        const auto bytes = io::writeGlb(sheet_);
        QVERIFY(bytes.ok() && io::safeSave(path("sheet.glb").toStdString(), *bytes).ok());
        const auto file = io::loadGltf(path("sheet.glb").toStdString());
        QVERIFY(file.ok() && file->state.meshes[0].geometry.order); // or nothing here would say anything
    }

    void deformWritesVerticesAndTrianglesInTheFilesOrder() {
        QCOMPARE(run({"deform", path("sheet.glb"), "-o", path("rest.obj")}).code, 0);
        const io::BuildPrimitive& part = sheet_.meshes[0].primitives[0];
        const auto points = linesOf(path("rest.obj"), "v "), faces = linesOf(path("rest.obj"), "f ");
        QCOMPARE(points.size(), qsizetype(part.positions.size()));
        for (qsizetype v = 0; v < points.size(); ++v)
            QVERIFY((pointOf(points[v]) - part.positions[std::size_t(v)].cast<double>()).norm() < 1e-6);
        QCOMPARE(faces.size(), qsizetype(part.triangles.size() / 3));
        for (qsizetype t = 0; t < faces.size(); ++t) {
            const std::uint32_t* corner = &part.triangles[std::size_t(3 * t)];
            QCOMPARE(faces[t], QString("f %1 %2 %3").arg(corner[0] + 1).arg(corner[1] + 1).arg(corner[2] + 1).toUtf8());
        }
    }

    void weightsAreExportedAndImportedByTheFilesOrder() {
        QCOMPARE(run({"weights", "export", path("sheet.glb"), "-o", path("w.json")}).code, 0);
        QJsonObject weights = QJsonDocument::fromJson(read(path("w.json"))).object();
        QJsonArray rows = weights["weights"].toArray();
        const auto& influences = sheet_.meshes[0].primitives[0].influences;
        const QJsonArray names = weights["joints"].toArray();
        for (qsizetype v = 0; v < rows.size(); ++v)
            QCOMPARE(names[rows[v].toArray()[0].toArray()[0].toInt()].toString(),
                     QString("joint%1").arg(influences[std::size_t(v)][0].joint));
        rows[777] = QJsonArray{QJsonArray{0, 0.25}, QJsonArray{3, 0.75}};
        weights["weights"] = rows;
        QVERIFY(write(path("changed.json"), QJsonDocument(weights).toJson()));
        const Outcome imported =
            run({"weights", "import", path("sheet.glb"), path("changed.json"), "-o", path("changed.glb")});
        QVERIFY2(imported.code == 0, qPrintable(imported.err));
        QCOMPARE(run({"weights", "export", path("changed.glb"), "-o", path("again.json")}).code, 0);
        QCOMPARE(QJsonDocument::fromJson(read(path("again.json"))).object()["weights"].toArray(), rows);
    }

    void aSculptMovesTheVertexOfItsLine() {
        QVERIFY(write(path("bend.json"), poseOf("joint5", 40)));
        QCOMPARE(run({"deform", path("sheet.glb"), "--pose", path("bend.json"), "-o", path("bent.obj")}).code, 0);
        QByteArray sculpted = read(path("bent.obj"));
        const QByteArray line = linesOf(path("bent.obj"), "v ")[1234];
        const Eigen::Vector3d moved = pointOf(line) + Eigen::Vector3d(0, 0, 0.3);
        sculpted.replace(
            line + '\n',
            QString("v %1 %2 %3\n").arg(moved.x(), 0, 'g', 9).arg(moved.y(), 0, 'g', 9).arg(moved.z()).toUtf8());
        QVERIFY(write(path("sculpt.obj"), sculpted));
        const Outcome added =
            run({"corrective", "add", path("sheet.glb"), "--pose", path("bend.json"), "--sculpt", path("sculpt.obj"),
                 "--name", "lift", "--driver", "joint5", "-o", path("fixed.glb")});
        QVERIFY2(added.code == 0, qPrintable(added.err));
        QCOMPARE(run({"deform", path("fixed.glb"), "--pose", path("bend.json"), "-o", path("fixed.obj")}).code, 0);
        const auto before = linesOf(path("bent.obj"), "v "), after = linesOf(path("fixed.obj"), "v ");
        for (qsizetype v = 0; v < before.size(); ++v)
            QVERIFY((pointOf(after[v]) - (v == 1234 ? moved : pointOf(before[v]))).norm() < 1e-4);
    }

    void anUneditedFileKeepsItsBytes() {
        QCOMPARE(run({"convert", path("sheet.glb"), path("copy.glb")}).code, 0);
        QVERIFY(read(path("copy.glb")) == read(path("sheet.glb")));
    }

private:
    QString path(const QString& name) const { return folder_.filePath(name); }

    const io::SceneBuild sheet_ = test::scatteredSheet();
    QTemporaryDir folder_;
};

QTEST_GUILESS_MAIN(TestCommandLineOrder)
#include "test_command_line_order.moc"
