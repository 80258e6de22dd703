// Posed points alone, normals alone, both: whatever is asked for in whatever order, it is the same to the last bit.

#include "tests/support/random_changes.h"

#include <QTest>

using namespace limber;
using namespace limber::document;
using namespace limber::test::changes;
using test::Editing;
using test::Random;
using test::Tube;

namespace {

using Points = std::vector<Eigen::Vector3f>;

const InstanceId kInstances[] = {Tube::instance, Tube::plateInstance};

bool same(std::span<const Eigen::Vector3f> a, std::span<const Eigen::Vector3f> b) {
    return std::ranges::equal(a, b);
}

struct Uploaded {
    Points positions, normals;

    // As a viewport does it. False where it does not get all that there is.
    bool follow(Evaluator& evaluator, InstanceId i) {
        const auto changes = evaluator.takePosedChanges(i);
        const auto p = evaluator.positions(i), n = evaluator.normals(i);
        positions.resize(p.size());
        normals.resize(n.size());
        for (const VertexRange& r : changes) {
            std::copy(p.begin() + r.first, p.begin() + r.end, positions.begin() + r.first);
            std::copy(n.begin() + r.first, n.begin() + r.end, normals.begin() + r.first);
        }
        return same(p, positions) && same(n, normals);
    }
};

// Asks for something that takes points alone, or normals, or both.
bool askAnything(Editing& asked, Editing& whole, InstanceId i, Uploaded& uploaded, Random& random) {
    const auto normals = whole.evaluator.normals(i), positions = whole.evaluator.positions(i);
    switch (random.index(5)) {
    case 0:
        return same(asked.evaluator.normals(i), normals);
    case 1:
        static_cast<void>(asked.evaluator.rayCaster(i));
        return same(asked.evaluator.positions(i), positions);
    case 2:
        return uploaded.follow(asked.evaluator, i) && same(uploaded.positions, positions) &&
               same(uploaded.normals, normals);
    default: // most often, so that late normals pile up
        return same(asked.evaluator.positions(i), positions);
    }
}

} // namespace

class TestPosedParts : public QObject {
    Q_OBJECT

private slots:
    void anyOrderOfQuestionsGetsTheSameBits_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 12; ++seed)
            QTest::addRow("%u", seed) << seed;
    }
    // Two documents get the same changes; one evaluator is always asked for all.
    void anyOrderOfQuestionsGetsTheSameBits() {
        QFETCH(unsigned, seed);
        Editing asked(test::tubeDocument(40, 24)), whole(test::tubeDocument(40, 24));
        addDriven(asked);
        addDriven(whole);
        Random changesOfAsked(seed), changesOfWhole(seed), questions(100 + seed);
        Uploaded uploaded[2];
        for (int k = 0; k < 200; ++k) {
            changeAnything(asked, changesOfAsked);
            changeAnything(whole, changesOfWhole);
            for (std::size_t i = 0; i < 2; ++i)
                if (questions.index(3) != 0)
                    QVERIFY2(askAnything(asked, whole, kInstances[i], uploaded[i], questions),
                             qPrintable(QString("change %1, instance %2").arg(k).arg(i)));
        }
        for (std::size_t i = 0; i < 2; ++i) {
            QVERIFY(uploaded[i].follow(asked.evaluator, kInstances[i]));
            QVERIFY(same(asked.evaluator.normals(kInstances[i]), whole.evaluator.normals(kInstances[i])));
        }
    }

    // Of single blocks, of all, and of a mesh that follows one joint.
    void normalsAreMadeForWhoAsksForThem_data() {
        QTest::addColumn<std::size_t>("instance");
        QTest::addColumn<std::size_t>("joint");
        QTest::newRow("some blocks") << std::size_t(Tube::instance.index()) << std::size_t(Tube::kLower);
        QTest::newRow("all blocks") << std::size_t(Tube::instance.index()) << std::size_t(Tube::kRoot);
        QTest::newRow("rigid") << std::size_t(Tube::plateInstance.index()) << std::size_t(Tube::kRoot);
    }
    void normalsAreMadeForWhoAsksForThem() {
        QFETCH(std::size_t, instance);
        QFETCH(std::size_t, joint);
        const InstanceId i(instance);
        Editing e(test::tubeDocument(40, 24));
        const auto normals = e.evaluator.normals(i);
        const auto poseAt = [&](double degrees) {
            preview(e, joint, turned(degrees));
            static_cast<void>(e.evaluator.positions(i));
            return Points(normals.begin(), normals.end());
        };
        const Points bind(normals.begin(), normals.end()), first = poseAt(30);
        QVERIFY(!same(bind, first)); // who asked last time gets them with the points
        QVERIFY(same(first, poseAt(60)));
        QVERIFY(same(first, poseAt(90)));
        const Points points(e.positions(i));
        const std::uint64_t posings = e.evaluator.posings(i);
        QCOMPARE(e.evaluator.normals(i).data(), normals.data());
        QVERIFY(!same(first, normals));
        QVERIFY(same(points, e.evaluator.positions(i)));
        QCOMPARE(e.evaluator.posings(i), posings);
        Evaluator fresh(e.doc, e.preview);
        QVERIFY(same(normals, fresh.normals(i)));
    }
};

QTEST_GUILESS_MAIN(TestPosedParts)
#include "test_posed_parts.moc"
