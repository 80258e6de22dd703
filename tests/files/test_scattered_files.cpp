// Real files whose meshes are put into an order by chance when they are read: what is saved and exported is the same,
// to the byte, as without.
#include "core/io/gltf_file.h"
#include "core/io/mannequin.h"
#include "core/io/weights_file.h"
#include "tests/support/file_edits.h"
#include "tests/support/scatter.h"
#include "tests/support/scattered_sheet.h"
#include "tests/support/test_data.h"

#include <QTest>

using namespace limber;
using namespace limber::document;
using namespace limber::test;
namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLargest = 4 << 20; // bytes: the same code runs for larger files, only longer

std::vector<fs::path> gltfFiles() {
    std::vector<fs::path> files;
    for (const char* folder : {"demo", "gltf"}) {
        std::error_code none;
        for (const auto& entry : fs::recursive_directory_iterator(tests::dataFile(folder), none))
            if ((entry.path().extension() == ".glb" || entry.path().extension() == ".gltf") &&
                entry.file_size(none) <= kLargest)
                files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

Result<io::LoadedFile> load(const std::string& path) {
    if (!path.empty())
        return io::loadGltf(path);
    auto bytes = io::mannequinGlb();
    return bytes ? io::loadGlb(std::move(*bytes), "glb") : Result<io::LoadedFile>(bytes.error());
}

bool sameFiles(const Result<io::WrittenFile>& a, const Result<io::WrittenFile>& b) {
    if (!a || !b || a->bytes != b->bytes || a->notes != b->notes || a->sidecars.size() != b->sidecars.size())
        return false;
    for (std::size_t k = 0; k < a->sidecars.size(); ++k)
        if (a->sidecars[k].uri != b->sidecars[k].uri || a->sidecars[k].bytes != b->sidecars[k].bytes)
            return false;
    return true;
}

} // namespace

class TestScatteredFiles : public QObject {
    Q_OBJECT

private slots:
    void savingWritesTheFilesOrder_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("mannequin") << QString();
        const std::vector<fs::path> files = gltfFiles();
        if (files.empty())
            QTest::newRow("files of the test data") << QString("missing");
        for (const fs::path& path : files)
            QTest::newRow(path.filename().c_str()) << QString::fromStdString(path.string());
    }
    void savingWritesTheFilesOrder() {
        QFETCH(QString, path);
        if (path == "missing")
            QSKIP("The test data is not there.");
        const auto file = load(path.toStdString());
        QVERIFY2(file.ok(), file.ok() ? "" : qPrintable(QString::fromStdString(file.error().message())));
        Random random(static_cast<unsigned>(path.size()) + 1);
        Document doc(file->state), moved(scattered(file->state, random));
        const auto same = [&] {
            return sameFiles(io::writeGltf(*file->source, doc, io::Container::Glb),
                             io::writeGltf(*file->source, moved, io::Container::Glb)) &&
                   sameFiles(io::writeGltf(*file->source, doc, io::Container::Gltf),
                             io::writeGltf(*file->source, moved, io::Container::Gltf));
        };
        QVERIFY(same()); // unedited
        const VertexOrders orders = vertexOrders(moved.state());
        FileEdits edits(doc, random);
        for (int kind = 0; kind < FileEdits::kKinds; ++kind) {
            const auto edit = std::make_shared<const Edit>(edits.make(kind));
            doc.apply(*edit);
            moved.apply(*withPlaces(edit, orders));
        }
        QCOMPARE(Document(inFileOrder(moved.state())).hash(), doc.hash());
        QVERIFY(same());
    }

    // As the editor opens them. Normals that the file does not have are made, and are not to be saved.
    void whatIsOpenedToBeEditedIsSavedTheSame_data() {
        QTest::addColumn<bool>("normals");
        QTest::newRow("with normals") << true;
        QTest::newRow("without normals") << false;
    }
    void whatIsOpenedToBeEditedIsSavedTheSame() {
        QFETCH(bool, normals);
        io::SceneBuild sheet = scatteredSheet();
        if (!normals)
            sheet.meshes[0].primitives[0].normals.clear();
        const auto bytes = io::writeGlb(sheet);
        QVERIFY(bytes.ok());
        auto file = io::loadGlb(*bytes, "glb");
        QVERIFY(file.ok());
        const Document doc(file->state);
        improveOrders(file->state);
        const Document moved(file->state);
        QVERIFY(!isInFileOrder(moved.state()));
        const auto saved = io::writeGltf(*file->source, moved, io::Container::Glb);
        QVERIFY(saved.ok() && saved->bytes == *bytes);
        QCOMPARE(Document(inFileOrder(moved.state())).hash(), doc.hash());
    }

    void weightsFilesHaveTheFilesOrder() {
        const auto file = load("");
        QVERIFY(file.ok());
        Random random(2);
        const Document doc(file->state), moved(scattered(file->state, random));
        const MeshId mesh(0);
        io::WeightsFile weights = io::weightsOf(moved.state(), mesh);
        QCOMPARE(io::writeWeights(weights), io::writeWeights(io::weightsOf(doc.state(), mesh)));
        const auto unchanged = io::importWeights(moved, mesh, weights);
        QVERIFY(unchanged.ok() && unchanged->edit.empty());
        // One row of the file is that vertex's.
        const std::uint32_t vertex = 17;
        const skin::Influence all{weights.rows.row(vertex)[0].slot == 0 ? 1u : 0u, 1};
        weights.rows.setRow(vertex, {&all, 1});
        const auto changed = io::importWeights(moved, mesh, weights);
        QVERIFY(changed.ok());
        const auto& patch = std::get<WeightsPatch>(changed->edit.patches.back());
        QVERIFY(patch.vertices == std::vector<std::uint32_t>{moved.mesh(mesh).geometry.placeOfFile(vertex)});
    }
};

QTEST_GUILESS_MAIN(TestScatteredFiles)
#include "test_scattered_files.moc"
