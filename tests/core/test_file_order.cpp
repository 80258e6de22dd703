// Meshes in another order than their file's: what reading chooses, and that names which last are the file's.
#include "core/document/edit_codec.h"
#include "core/document/evaluator.h"
#include "core/history/journal.h"
#include "core/history/replay.h"
#include "core/skin/block_weights.h"
#include "tests/support/edit_maker.h"
#include "tests/support/scatter.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace limber;
using namespace limber::test;

namespace {

std::vector<std::uint32_t> counting(std::size_t count) {
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
}

// A mesh of two parts with every attribute, of 2 * (rings + 1) * (sides + 1) vertices.
mesh::Mesh twoTubes(std::size_t rings, std::size_t sides) {
    mesh::Mesh m = tubeMesh(rings, sides);
    const auto vertices = static_cast<std::uint32_t>(m.vertexCount());
    const auto triangles = static_cast<std::uint32_t>(m.triangleCount());
    m.parts = {{0, vertices, 0, triangles, 0}, {vertices, vertices, triangles, triangles, 1}};
    for (std::uint32_t v = 0; v < vertices; ++v)
        m.positions.emplace_back(m.positions[v] + Eigen::Vector3f(0, 0, 5));
    for (std::size_t k = 0; k < 3 * std::size_t(triangles); ++k)
        m.triangles.push_back(m.triangles[k] + vertices);
    for (std::size_t v = 0; v < m.vertexCount(); ++v) {
        const auto number = static_cast<float>(v);
        m.normals.emplace_back(0.0f, 1.0f, number);
        m.tangents.emplace_back(1.0f, 0.0f, number, 1.0f);
        m.uvs.emplace_back(number, 0.0f);
        m.colors.emplace_back(number, 0.0f, 0.0f, 1.0f);
    }
    return m;
}

MeshData bare(mesh::Mesh geometry) {
    MeshData mesh;
    mesh.geometry = std::move(geometry);
    return mesh;
}

// Each vertex to one of twenty joints along the tube.
MeshData withBands(mesh::Mesh geometry) {
    MeshData mesh = bare(std::move(geometry));
    mesh.weights = skin::SkinWeights(mesh.geometry.vertexCount(), 1);
    for (std::size_t v = 0; v < mesh.geometry.vertexCount(); ++v) {
        const skin::Influence one{static_cast<std::uint32_t>(mesh.geometry.positions[v].x() * 5), 1};
        mesh.weights.setRow(v, {&one, 1});
    }
    return mesh;
}

bool sameGeometry(const mesh::Mesh& a, const mesh::Mesh& b) {
    return a.positions == b.positions && a.normals == b.normals && a.tangents == b.tangents && a.uvs == b.uvs &&
           a.colors == b.colors && a.triangles == b.triangles;
}

// Mean distance in memory between the ends of the triangles' edges.
double meanReach(const mesh::Mesh& m) {
    double sum = 0;
    for (std::size_t k = 0; k < m.triangles.size(); k += 3)
        sum += std::abs(double(m.triangles[k]) - double(m.triangles[k + 1]));
    return sum / static_cast<double>(m.triangleCount());
}

bool isPermutation(std::vector<std::uint32_t> numbers) {
    std::sort(numbers.begin(), numbers.end());
    return numbers == counting(numbers.size());
}

DocumentState stateWithAShape() {
    Document doc(tubeDocument(8, 6));
    doc.apply(newCorrective(doc, Tube::mesh, "first", {})->edit);
    return doc.state();
}

std::uint64_t fileHash(const Document& doc) {
    return Document(inFileOrder(doc.state())).hash();
}

} // namespace

class TestFileOrder : public QObject {
    Q_OBJECT

private slots:
    void goodAndSmallMeshesStayAsTheyAre() {
        QVERIFY(!betterOrder(MeshData{}));
        QVERIFY(!betterOrder(withBands(twoTubes(200, 100))));
        Random random;
        mesh::Mesh small = twoTubes(80, 80);
        mesh::putInOrder(small, orderByChance(small, random));
        QVERIFY(!betterOrder(bare(asFile(small)))); // caches hold it
        QVERIFY(!betterOrder(withBands(twoTubes(80, 80))));
    }

    void smallMeshesWhoseBlocksHaveManyJointsAreOrdered() {
        Random random;
        MeshData mesh = withBands(twoTubes(80, 80));
        putInOrder(mesh, orderByChance(mesh.geometry, random));
        mesh.geometry = asFile(mesh.geometry);
        const auto order = betterOrder(mesh);
        QVERIFY(order);
        QVERIFY(skin::wantsOrder(mesh.weights));
        putInOrder(mesh, order);
        QVERIFY(!skin::wantsOrder(mesh.weights));
    }

    void scatteredMeshesGetNeighboursTogether() {
        Random random;
        const mesh::Mesh good = twoTubes(200, 100);
        mesh::Mesh mesh = good;
        mesh::putInOrder(mesh, orderByChance(good, random));
        mesh = asFile(mesh);
        const mesh::Mesh file = mesh;
        const auto order = betterOrder(bare(mesh));
        QVERIFY(order);
        QVERIFY(isPermutation(order->fileOf) && isPermutation(order->placeOf) && isPermutation(order->triangle));
        mesh::putInOrder(mesh, order);
        QVERIFY(meanReach(file) > 40 * meanReach(mesh));
        // Each part keeps its vertices and triangles, each triangle its corners and where it begins.
        for (const mesh::Part& part : mesh.parts)
            for (std::uint32_t t = part.firstTriangle; t < part.firstTriangle + part.triangleCount; ++t)
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::uint32_t place = mesh.triangles[3 * t + k];
                    QVERIFY(place >= part.firstVertex && place < part.firstVertex + part.vertexCount);
                    QCOMPARE(mesh.fileVertex(place), file.triangles[3 * order->triangle[t] + k]);
                    QCOMPARE(mesh.placeOf(mesh.fileVertex(place)), place);
                    QCOMPARE(mesh.uvs[place], file.uvs[mesh.fileVertex(place)]);
                }
        QVERIFY(mesh::fileTriangles(mesh) == file.triangles);
        mesh::putInFileOrder(mesh);
        QVERIFY(!mesh.order && sameGeometry(mesh, file));
    }

    void scatteredTrianglesAloneAreSortedAlone() {
        Random random;
        mesh::Mesh m = twoTubes(200, 100);
        std::vector<std::uint32_t> triangles = counting(m.triangleCount());
        shuffle(triangles, 0, m.parts[0].triangleCount, random);
        mesh::putInOrder(m, mesh::makeOrder(counting(m.vertexCount()), triangles));
        const auto order = betterOrder(bare(asFile(m)));
        QVERIFY(order && order->fileOf == counting(m.vertexCount()));
        for (std::size_t t = m.parts[1].firstTriangle; t < m.triangleCount(); ++t)
            QCOMPARE(order->triangle[t], std::uint32_t(t)); // that part was in order
    }

    void verticesOfOneJointComeTogether() {
        Random random;
        Document doc(tubeDocument(300, 100));
        MeshData mesh = doc.mesh(Tube::mesh);
        putInOrder(mesh, orderByChance(mesh.geometry, random));
        mesh.geometry = asFile(mesh.geometry);
        const auto order = betterOrder(mesh);
        QVERIFY(order);
        putInOrder(mesh, order);
        std::set<std::uint32_t> seen{skin::heaviestSlot(mesh.weights.row(0))};
        for (std::size_t v = 1; v < mesh.weights.vertexCount(); ++v) {
            const std::uint32_t slot = skin::heaviestSlot(mesh.weights.row(v));
            QVERIFY(slot == skin::heaviestSlot(mesh.weights.row(v - 1)) || seen.insert(slot).second);
        }
        QVERIFY(seen.size() > 1);
    }

    void aMeshComesBackInTheOrderOfItsFile() {
        Random random(3);
        DocumentState state = stateWithAShape();
        Document doc(state);
        EditMaker maker(doc, random);
        for (std::size_t n = 0; n < 6 * kKinds; ++n)
            doc.apply(maker.make(n % kKinds));
        state = doc.state();
        state.meshes[0].repairedRows = {1, 5, 30};
        state.meshes[0].repairedNormals = {2, 7};
        const DocumentState moved = scattered(state, random);
        QVERIFY(isInFileOrder(state) && !isInFileOrder(moved));
        QVERIFY(moved.meshes[0].geometry.positions != state.meshes[0].geometry.positions);
        const DocumentState back = inFileOrder(moved);
        QVERIFY(isInFileOrder(back));
        QCOMPARE(Document(back).hash(), doc.hash());
        for (std::size_t m = 0; m < state.meshes.size(); ++m) {
            QVERIFY(sameGeometry(back.meshes[m].geometry, state.meshes[m].geometry));
            QVERIFY(back.meshes[m].repairedRows == state.meshes[m].repairedRows);
            QVERIFY(back.meshes[m].repairedNormals == state.meshes[m].repairedNormals);
        }
        // The list names the same rows.
        const MeshData& tube = moved.meshes[0];
        for (const std::uint32_t v : tube.repairedRows)
            QVERIFY(std::count(state.meshes[0].repairedRows.begin(), state.meshes[0].repairedRows.end(),
                               tube.geometry.fileVertex(v)) == 1);
        QVERIFY(std::is_sorted(tube.repairedRows.begin(), tube.repairedRows.end()));
        QCOMPARE(tube.weld().pointCount(), state.meshes[0].weld().pointCount());
    }

    void theSameVerticesArePosedTheSame() {
        Random random(5);
        DocumentState state = stateWithAShape();
        state.pose[Tube::kLower].rotate(Eigen::AngleAxisd(1, Eigen::Vector3d::UnitZ()));
        const Document file(state), moved(scattered(state, random));
        const Preview none;
        Evaluator a(file, none), b(moved, none);
        const mesh::Mesh& m = moved.mesh(Tube::mesh).geometry;
        for (std::uint32_t v = 0; v < m.vertexCount(); ++v)
            QVERIFY((a.positions(Tube::instance)[v] - b.positions(Tube::instance)[m.placeOf(v)]).norm() < 1e-6f);
    }

    void editsMeanTheSameByBothNames() {
        Random random(7);
        Document doc(scattered(stateWithAShape(), random));
        Document file(inFileOrder(doc.state()));
        const VertexOrders orders = vertexOrders(doc.state());
        EditMaker maker(doc, random);
        for (std::size_t n = 0; n < 20 * kKinds; ++n) {
            const auto edit = std::make_shared<const Edit>(maker.make(n % kKinds));
            const SharedEdit named = withFileVertices(edit, orders);
            QVERIFY(encodeEdit(*withPlaces(named, orders)) == encodeEdit(*edit));
            doc.apply(*edit);
            file.apply(*named);
            QCOMPARE(fileHash(doc), file.hash());
            if (n % 3 == 0) {
                doc.revert(*edit);
                file.revert(*named);
                QCOMPARE(fileHash(doc), file.hash());
            }
        }
        const auto pose = std::make_shared<const Edit>(maker.make(0));
        QVERIFY(withFileVertices(pose, orders) == pose); // nothing to rename
        const auto weights = std::make_shared<const Edit>(maker.make(1));
        QVERIFY(withFileVertices(weights, vertexOrders(file.state())) == weights);
    }

    void editsThatFitNoMeshStayAsTheyAre() {
        Random random(9);
        const Document doc(scattered(stateWithAShape(), random));
        const VertexOrders orders = vertexOrders(doc.state());
        const std::vector<Eigen::Vector3f> one{{1, 0, 0}};
        const std::vector<Patch> patches{
            NormalsPatch{Tube::mesh, {100000}, one, one}, NormalsPatch{Tube::mesh, {1, 2}, one, one},
            NormalsPatch{MeshId(99), {1}, one, one}, NormalsPatch{MeshId(), {1}, one, one}};
        for (const Patch& patch : patches) {
            const auto edit = std::make_shared<const Edit>(Edit{"x", {patch}});
            QVERIFY(encodeEdit(*withPlaces(edit, orders)) == encodeEdit(*edit));
        }
    }

    // Written beside a mesh in one order, read beside it in another.
    void aJournalNamesVerticesAsTheFileDoes() {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("one.journal").toStdString();
        for (unsigned seed = 0; seed < 10; ++seed) {
            Random random(seed);
            Document doc(scattered(stateWithAShape(), random));
            {
                history::Journal journal(path, {});
                history::History history;
                history.observe([&](const history::Step& step) { journal.append(step); });
                journal.begin({.orders = vertexOrders(doc.state())});
                strollOn(doc, history, random);
            }
            auto entries = entriesOf(path);
            DocumentState other = stateWithAShape();
            if (seed % 2)
                other = scattered(other, random);
            Document replayed(other);
            auto done = history::replay(replayed, entries);
            QCOMPARE(done.entries, entries.size());
            QCOMPARE(fileHash(replayed), fileHash(doc));
            // It goes on beside that one.
            const std::filesystem::path second = folder.filePath("two.journal").toStdString();
            {
                history::Journal journal(second, {});
                done.history.observe([&](const history::Step& step) { journal.append(step); });
                journal.resume({.orders = vertexOrders(replayed.state())}, entries, path);
                strollOn(replayed, done.history, random);
            }
            entries = entriesOf(second);
            Document again(stateWithAShape());
            QCOMPARE(history::replay(again, entries).entries, entries.size());
            QCOMPARE(again.hash(), fileHash(replayed));
        }
    }

private:
    static void strollOn(Document& doc, history::History& history, Random& random) {
        for (std::size_t n = 0; n < 40; ++n)
            if (random.index(5) == 0)
                history.undo(doc);
            else
                history.perform(doc, EditMaker(doc, random).make(random.index(kKinds)));
    }
    static std::vector<history::JournalEntry> entriesOf(const std::filesystem::path& path) {
        QFile file(QString::fromStdString(path.string()));
        const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        auto read = history::readJournal(std::as_bytes(std::span(bytes.data(), std::size_t(bytes.size()))));
        return read && !read->damaged ? read->entries : std::vector<history::JournalEntry>();
    }
};

QTEST_GUILESS_MAIN(TestFileOrder)
#include "test_file_order.moc"
