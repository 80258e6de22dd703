// Meshes in another order than their file's: what opening chooses, and that names which last are the file's.
#include "core/check/doctor.h"
#include "core/document/edit_codec.h"
#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/document/weights_intents.h"
#include "core/history/journal.h"
#include "core/history/replay.h"
#include "core/skin/block_weights.h"
#include "tests/support/edit_maker.h"
#include "tests/support/scatter.h"
#include "tests/support/tube_document.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <numeric>
#include <set>

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

std::uint32_t bandOf(const Eigen::Vector3f& p) {
    return static_cast<std::uint32_t>(p.x() * 5);
}
// Each vertex to one of twenty joints along the tube.
MeshData withBands(mesh::Mesh geometry) {
    MeshData mesh = bare(std::move(geometry));
    mesh.weights = skin::SkinWeights(mesh.geometry.vertexCount(), 1);
    for (std::size_t v = 0; v < mesh.geometry.vertexCount(); ++v) {
        const skin::Influence one{bandOf(mesh.geometry.positions[v]), 1};
        mesh.weights.setRow(v, {&one, 1});
    }
    return mesh;
}

// The same mesh from a file that has it in an order by chance.
mesh::Mesh byChance(mesh::Mesh mesh, Random& random) {
    mesh::putInOrder(mesh, orderByChance(mesh, random));
    return asFile(mesh);
}

DocumentState stateOf(MeshData mesh) {
    DocumentState state;
    state.materials.resize(2);
    state.meshes.push_back(std::move(mesh));
    return state;
}
mesh::Mesh improved(MeshData mesh) {
    DocumentState state = stateOf(std::move(mesh));
    improveOrders(state);
    return state.meshes[0].geometry;
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
        Random random;
        QVERIFY(!improved(MeshData{}).order);
        QVERIFY(!improved(withBands(twoTubes(200, 100))).order);
        QVERIFY(!improved(withBands(twoTubes(80, 80))).order);
        QVERIFY(!improved(bare(byChance(twoTubes(80, 80), random))).order); // caches hold it
    }

    void smallMeshesWhoseBlocksHaveManyJointsAreOrdered() {
        Random random;
        DocumentState state = stateOf(withBands(byChance(twoTubes(80, 80), random)));
        QVERIFY(skin::blockExcess(state.meshes[0].weights) > 5);
        improveOrders(state);
        QVERIFY(state.meshes[0].geometry.order);
        QVERIFY(skin::blockExcess(state.meshes[0].weights) < 1.1);
    }

    // Weights of many joints without any pattern: no order would help, and neighbours would be torn apart.
    void anOrderThatGainsLittleIsNotTaken() {
        Random random;
        MeshData mesh = bare(twoTubes(80, 80));
        mesh.weights = skin::SkinWeights(mesh.geometry.vertexCount(), 6);
        for (std::size_t v = 0; v < mesh.geometry.vertexCount(); ++v) {
            std::set<std::uint32_t> joints;
            while (joints.size() < 6)
                joints.insert(static_cast<std::uint32_t>(random.index(40)));
            skin::Row row;
            for (const std::uint32_t j : joints)
                row.push_back({j, 1.0f / 6});
            mesh.weights.setRow(v, row);
        }
        QVERIFY(skin::blockExcess(mesh.weights) > 3);
        QVERIFY(!improved(mesh).order);
    }

    void scatteredMeshesGetNeighboursTogether_data() {
        QTest::addColumn<bool>("farVertex");
        QTest::newRow("all together") << false;
        QTest::newRow("one far away") << true;
    }
    void scatteredMeshesGetNeighboursTogether() {
        QFETCH(bool, farVertex);
        Random random;
        mesh::Mesh file = byChance(twoTubes(200, 100), random);
        if (farVertex)
            file.positions[5] = {1e6f, 0, 0};
        const mesh::Mesh mesh = improved(bare(file));
        QVERIFY(mesh.order);
        const mesh::VertexOrder& order = *mesh.order;
        QVERIFY(isPermutation(order.fileOf) && isPermutation(order.placeOf) && isPermutation(order.triangleOf));
        QVERIFY(meanReach(file) > 40 * meanReach(mesh));
        // Each part keeps its vertices and triangles, each triangle its corners and where it begins.
        for (const mesh::Part& part : mesh.parts)
            for (std::uint32_t t = part.firstTriangle; t < part.firstTriangle + part.triangleCount; ++t)
                for (std::size_t k = 0; k < 3; ++k) {
                    const std::uint32_t place = mesh.triangles[3 * t + k];
                    QVERIFY(place >= part.firstVertex && place < part.firstVertex + part.vertexCount);
                    QCOMPARE(mesh.fileVertex(place), file.triangles[3 * order.triangleOf[t] + k]);
                    QCOMPARE(mesh.placeOfFile(mesh.fileVertex(place)), place);
                    QCOMPARE(mesh.uvs[place], file.uvs[mesh.fileVertex(place)]);
                }
        mesh::Mesh back = mesh;
        mesh::putInFileOrder(back);
        QVERIFY(!back.order && sameGeometry(back, file));
    }

    void scatteredTrianglesAloneAreSortedAlone() {
        Random random;
        mesh::Mesh m = twoTubes(200, 100);
        std::vector<std::uint32_t> triangles = counting(m.triangleCount());
        shuffle(triangles, 0, m.parts[0].triangleCount, random);
        mesh::putInOrder(m, mesh::makeOrder(counting(m.vertexCount()), triangles));
        const auto order = improved(bare(asFile(m))).order;
        QVERIFY(order && order->fileOf == counting(m.vertexCount()));
        for (std::size_t t = m.parts[1].firstTriangle; t < m.triangleCount(); ++t)
            QCOMPARE(order->triangleOf[t], std::uint32_t(t)); // that part was in order
    }

    // They are drawn one over the other, in the order of the list.
    void blendedTrianglesStayInTheirOrder() {
        Random random;
        DocumentState state = stateOf(bare(byChance(twoTubes(200, 100), random)));
        state.materials.resize(2);
        state.materials[1].alpha = Material::Alpha::Blend;
        improveOrders(state);
        const mesh::Mesh& m = state.meshes[0].geometry;
        QVERIFY(m.order && m.parts[1].material == 1);
        for (std::size_t t = m.parts[1].firstTriangle; t < m.triangleCount(); ++t)
            QCOMPARE(m.order->triangleOf[t], std::uint32_t(t));
        QVERIFY(m.order->triangleOf[0] != 0 || m.order->triangleOf[1] != 1);
    }

    void verticesOfOneJointComeTogether() {
        Random random;
        const mesh::Mesh m = improved(withBands(byChance(twoTubes(200, 100), random)));
        QVERIFY(m.order);
        for (const mesh::Part& part : m.parts)
            for (std::uint32_t v = part.firstVertex + 1; v < part.firstVertex + part.vertexCount; ++v)
                QVERIFY(bandOf(m.positions[v]) >= bandOf(m.positions[v - 1]));
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

    void theSameVerticesArePosedTheSame_data() {
        QTest::addColumn<int>("method");
        QTest::addColumn<bool>("mush");
        for (int method = 0; method < 3; ++method)
            for (const bool mush : {false, true})
                QTest::addRow("%d %s", method, mush ? "with delta mush" : "alone") << method << mush;
    }
    void theSameVerticesArePosedTheSame() {
        QFETCH(int, method);
        QFETCH(bool, mush);
        Random random(5);
        DocumentState state = stateWithAShape();
        state.pose[Tube::kLower].rotate(Eigen::AngleAxisd(2, Eigen::Vector3d::UnitZ()));
        state.meshes[0].skinning = {static_cast<skin::Method>(method), {mush, 20, 0.7}};
        const Document file(state), moved(scattered(state, random));
        const Preview none;
        Evaluator a(file, none), b(moved, none);
        const mesh::Mesh& m = moved.mesh(Tube::mesh).geometry;
        // Blocks of other vertices may look for the centre of the spherical blend in another way, to rounding.
        const float most = method < 2 ? 0.0f : mush ? 1e-4f : 1e-6f;
        float apart = 0, turned = 0;
        for (std::uint32_t v = 0; v < m.vertexCount(); ++v) {
            const std::uint32_t place = m.placeOfFile(v);
            apart = std::max(apart, (a.positions(Tube::instance)[v] - b.positions(Tube::instance)[place]).norm());
            turned = std::max(turned, (a.normals(Tube::instance)[v] - b.normals(Tube::instance)[place]).norm());
        }
        QVERIFY2(apart <= most && turned <= 3 * most, qPrintable(QString("%1 %2").arg(apart).arg(turned)));
    }

    // Where vertices of one point have other rows, and where several are as near, the file's first one counts.
    void whatIsMadeOfWeightsDoesNotDependOnTheOrder() {
        Random random(6);
        DocumentState state = stateWithAShape();
        MeshData& tube = state.meshes[0];
        for (std::uint32_t v = 0; v < tube.weights.vertexCount(); ++v)
            if (v % 9 == 8) // the doubled column of the seam
                tube.weights.setRow(v, skin::Row{{v % 2, 1.0f}});
            else if (v % 9 > 3 && v > 20)
                tube.weights.setRow(v, {});
        const Document file(state), moved(scattered(state, random));
        const VertexOrders orders = vertexOrders(moved.state());
        const auto same = [&](const Edit& a, const Edit& b) {
            const SharedEdit named = withFileVertices(std::make_shared<const Edit>(b), orders);
            return !a.empty() && encodeEdit(a) == encodeEdit(*named);
        };
        const std::vector<MeshId> all = allMeshes(file);
        QVERIFY(same(smoothWeights(file, all, 0.5, 3), smoothWeights(moved, all, 0.5, 3)));
        const auto ofFile = check::examine(file, {}), ofMoved = check::examine(moved, {});
        QCOMPARE(ofFile.size(), ofMoved.size());
        std::size_t fixed = 0;
        for (std::size_t k = 0; k < ofFile.size(); ++k) {
            QCOMPARE(ofFile[k].text, ofMoved[k].text);
            if (!ofFile[k].fixable())
                continue;
            const auto a = check::fix(file, ofFile[k]), b = check::fix(moved, ofMoved[k]);
            QVERIFY2(a.ok() && b.ok() && same(*a, *b), ofFile[k].code.c_str());
            ++fixed;
        }
        QVERIFY(fixed > 1);
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
