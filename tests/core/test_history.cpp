#include "core/document/intents.h"
#include "core/history/history.h"
#include "tests/support/tube_document.h"

#include <QTest>

using namespace limber;
using namespace limber::document;
using history::History;
using test::Tube;

namespace {

Edit turn(const Document& doc, double angle, const std::string& label) {
    rig::Affine m = rig::Affine::Identity();
    m.rotate(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()));
    return setUserLocal(doc, JointId(Tube::kLower), m, label);
}

} // namespace

class TestHistory : public QObject {
    Q_OBJECT

    Document doc{test::tubeDocument(4, 6)};

private slots:
    void init() { doc = Document(test::tubeDocument(4, 6)); }

    void undoAndRedoWalkThroughTheSameStates() {
        History h;
        std::vector<std::uint64_t> hashes{doc.hash()};
        for (int k = 1; k <= 10; ++k) {
            h.perform(doc, turn(doc, 0.1 * k, "Rotate " + std::to_string(k)));
            hashes.push_back(doc.hash());
        }
        QCOMPARE(h.undoLabel(), std::string("Rotate 10"));
        for (std::size_t k = 10; k-- > 0;) {
            QVERIFY(!h.undo(doc).empty());
            QCOMPARE(doc.hash(), hashes[k]);
        }
        QVERIFY(!h.canUndo());
        QVERIFY(h.undo(doc).empty());
        QCOMPARE(h.redoLabel(), std::string("Rotate 1"));
        for (std::size_t k = 1; k <= 10; ++k) {
            h.redo(doc);
            QCOMPARE(doc.hash(), hashes[k]);
        }
        QVERIFY(h.redo(doc).empty());
    }

    void aNewStepForgetsWhatCouldBeRedone() {
        History h;
        h.perform(doc, turn(doc, 0.1, "one"));
        h.perform(doc, turn(doc, 0.2, "two"));
        h.undo(doc);
        h.perform(doc, turn(doc, 0.3, "three"));
        QVERIFY(!h.canRedo());
        QCOMPARE(h.size(), std::size_t(2));
        QCOMPARE(h.label(1), std::string("three"));
    }

    void anEmptyEditIsNoStep() {
        History h;
        QVERIFY(h.perform(doc, Edit{"nothing", {}}).empty());
        QCOMPARE(h.size(), std::size_t(0));
        QVERIFY(h.isClean());
    }

    void aRecordedEditIsNotAppliedAgain() {
        History h;
        const Edit edit = turn(doc, 0.5, "drag");
        doc.apply(edit);
        const std::uint64_t hash = doc.hash();
        h.record(edit);
        QCOMPARE(doc.hash(), hash);
        QVERIFY(h.canUndo());
    }

    void cleanFollowsTheSavedStateThroughUndoAndRedo() {
        History h;
        h.perform(doc, turn(doc, 0.1, "one"));
        QVERIFY(!h.isClean());
        h.markClean();
        h.perform(doc, turn(doc, 0.2, "two"));
        QVERIFY(!h.isClean());
        h.undo(doc);
        QVERIFY(h.isClean());
        h.undo(doc);
        QVERIFY(!h.isClean());
        h.perform(doc, turn(doc, 0.7, "branch")); // the saved state is gone for good
        QVERIFY(!h.isClean());
        h.undo(doc);
        QVERIFY(!h.isClean());
        h.markClean();
        QVERIFY(h.isClean());
    }

    void theOldestStepsGoWhenTheBudgetIsExceeded() {
        const std::size_t one = turn(doc, 0.1, "a").bytes();
        History h(3 * one + one / 2);
        for (int k = 1; k <= 6; ++k)
            h.perform(doc, turn(doc, 0.1 * k, "a"));
        QCOMPARE(h.size(), std::size_t(3));
        QVERIFY(h.bytes() <= 3 * one + one / 2);
        int steps = 0;
        for (; h.canUndo(); ++steps)
            h.undo(doc);
        QCOMPARE(steps, 3);
        QVERIFY(!h.isClean());
    }

    void theNewestStepStaysHoweverLarge() {
        History h(1);
        h.perform(doc, turn(doc, 0.1, "a"));
        h.perform(doc, turn(doc, 0.2, "b"));
        QCOMPARE(h.size(), std::size_t(1));
        QCOMPARE(h.undoLabel(), std::string("b"));
    }

    void clearForgetsEverything() {
        History h;
        h.perform(doc, turn(doc, 0.1, "a"));
        h.clear();
        QVERIFY(!h.canUndo() && !h.canRedo() && h.isClean());
        QCOMPARE(h.bytes(), std::size_t(0));
    }
};

QTEST_APPLESS_MAIN(TestHistory)
#include "test_history.moc"
