#include "core/document/edit_check.h"
#include "core/document/edit_codec.h"
#include "core/document/intents.h"
#include "core/history/journal.h"
#include "core/history/replay.h"
#include "tests/support/edit_maker.h"
#include "tests/support/tube_document.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <thread>

using namespace limber;
using namespace limber::document;
using history::History;
using history::Journal;
using history::JournalEntry;
using history::Step;
using test::EditMaker;
using test::kKinds;
using test::Tube;

namespace {

using Bytes = std::vector<std::byte>;

DocumentState stateWithAShape() {
    Document doc(test::tubeDocument(8, 6));
    doc.apply(newCorrective(doc, Tube::mesh, "first", {})->edit);
    return doc.state();
}

Bytes contents(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray all = file.readAll();
    const auto* first = reinterpret_cast<const std::byte*>(all.data());
    return {first, first + all.size()};
}

// A document that is edited, undone and redone at random, with what it looked like after each step.
struct Stroller {
    explicit Stroller(unsigned seed, std::function<void(const Step&)> observer) : random(seed) {
        history.observe(std::move(observer));
    }
    void step() {
        switch (random.index(6)) {
        case 0:
            history.undo(doc);
            break;
        case 1:
            history.redo(doc);
            break;
        default:
            history.perform(doc, EditMaker(doc, random).make(random.index(kKinds)));
        }
    }
    test::Random random;
    Document doc{stateWithAShape()};
    History history;
};

} // namespace

class TestJournal : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> folder_;
    std::filesystem::path file_;

private slots:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        file_ = folder_->filePath("state/journals/one.journal").toStdString();
    }

    void editsOfEveryKindComeBack() {
        test::Random random(7);
        Document doc(stateWithAShape());
        EditMaker maker(doc, random);
        for (std::size_t n = 0; n < 40 * kKinds; ++n) {
            const Edit edit = maker.make(n % kKinds);
            const Bytes bytes = encodeEdit(edit);
            const auto decoded = decodeEdit(bytes);
            QVERIFY2(decoded.ok(), qPrintable(QString::number(n % kKinds)));
            QCOMPARE(decoded->label, edit.label);
            QVERIFY(encodeEdit(*decoded) == bytes);
            const std::uint64_t before = doc.hash();
            QVERIFY(applyChecked(doc, *decoded));
            const std::uint64_t after = doc.hash();
            QVERIFY(revertChecked(doc, *decoded));
            QCOMPARE(doc.hash(), before);
            doc.apply(edit);
            QCOMPARE(doc.hash(), after);
        }
    }

    void shapesKeepWhatEditingThemLoses() {
        Document doc(stateWithAShape());
        shape::Shape whole = doc.mesh(Tube::mesh).shapes[0];
        whole.vertices = {1, 4};
        whole.deltas.assign(2, {1, 2, 3});
        whole.normalDeltas.assign(2, {0, 1, 0});
        whole.tangentDeltas.assign(2, {0, 0, 1});
        const Edit edit{"L\u00e4ngs", {ShapeDeltasPatch{Tube::mesh, whole.id, {4}, {{1, 2, 3}}, {{0, 0, 0}}, whole}}};
        const auto decoded = decodeEdit(encodeEdit(edit));
        QVERIFY(decoded.ok());
        const auto& patch = std::get<ShapeDeltasPatch>(decoded->patches[0]);
        QVERIFY(patch.whole && patch.whole->normalDeltas == whole.normalDeltas &&
                patch.whole->tangentDeltas == whole.tangentDeltas && patch.whole->name == whole.name);
        QCOMPARE(decoded->label, edit.label);
    }

    // Whatever is changed or cut off: an error, or an edit that is checked before it touches anything.
    void damagedEditsDoNoHarm() {
        test::Random random(11);
        Document doc(stateWithAShape());
        EditMaker maker(doc, random);
        std::size_t refused = 0, decoded = 0;
        for (std::size_t n = 0; n < 200 * kKinds; ++n) {
            Bytes bytes = encodeEdit(maker.make(n % kKinds));
            if (n % 3 == 0)
                bytes.resize(random.index(bytes.size()));
            else
                for (std::size_t flips = 1 + random.index(3); flips-- > 0;)
                    bytes[random.index(bytes.size())] ^= std::byte(1 << random.index(8));
            const auto edit = decodeEdit(bytes);
            if (!edit) {
                ++refused;
                continue;
            }
            ++decoded;
            const std::uint64_t before = doc.hash();
            if (applyChecked(doc, *edit))
                QVERIFY(revertChecked(doc, *edit));
            else
                QCOMPARE(doc.hash(), before);
            if (!revertChecked(doc, *edit))
                QVERIFY(doc.hash() == before || edit->patches.size() == 1);
            doc = Document(stateWithAShape());
        }
        QVERIFY(refused > 100 && decoded > 100);
    }

    void lengthsAreNotBelieved() {
        Bytes huge(64, std::byte(0xff));
        QVERIFY(!decodeEdit(huge));
        QVERIFY(!decodeEdit({}));
        Bytes long_ = encodeEdit({"label", {LockPatch{JointId(0), false, true}}});
        long_.push_back(std::byte(0));
        QVERIFY(!decodeEdit(long_)); // something follows
    }

    void whatDoesNotBelongIsRefused_data() {
        QTest::addColumn<int>("which");
        for (int k = 0; k < 10; ++k)
            QTest::addRow("%d", k) << k;
    }
    void whatDoesNotBelongIsRefused() {
        QFETCH(int, which);
        Document doc(stateWithAShape());
        skin::SkinWeights row(1, 1), strange(1, 1);
        const skin::Influence one{0, 1}, far{99, 1};
        row.setRow(0, {&one, 1});
        strange.setRow(0, {&far, 1});
        shape::Shape twice = doc.mesh(Tube::mesh).shapes[0];
        const rig::Pose pose{rig::Affine::Identity()};
        const std::vector<Patch> patches{
            PosePatch{{JointId(77)}, pose, pose},
            PosePatch{{JointId(1)}, {}, pose},
            WeightsPatch{Tube::mesh, {0}, row, strange},
            WeightsPatch{Tube::mesh, {100000}, row, row},
            WeightsPatch{MeshId(5), {0}, row, row},
            SkinJointPatch{SkinId(3), JointId(0), rig::Affine::Identity()},
            ShapePatch{Tube::mesh, 0, twice, false, {0}},
            ShapeWeightPatch{Tube::plateInstance, twice.id, 0, 1},
            DriversPatch{Tube::mesh, {}, {{{JointId(0)}, {{twice.id, {}}}, 1}}},
            NormalsPatch{Tube::mesh, {3, 3}, {{1, 0, 0}, {1, 0, 0}}, {{1, 0, 0}, {1, 0, 0}}},
        };
        const std::uint64_t before = doc.hash();
        // Behind one that fits, which is taken back.
        const Edit edit{"", {LockPatch{JointId(0), false, true}, patches[static_cast<std::size_t>(which)]}};
        QVERIFY(!applyChecked(doc, edit));
        QCOMPARE(doc.hash(), before);
    }

    void aJournalIsReplayedToTheSameStateAndHistory() {
        for (unsigned seed = 0; seed < 20; ++seed) {
            Journal journal(file_, {});
            Stroller stroller(seed, [&](const Step& step) { journal.append(step); });
            journal.begin({.path = "/a/b.glb", .fileHash = 17, .began = 5});
            for (int n = 0; n < 60; ++n)
                stroller.step();
            journal.flush();
            verifyReplay(stroller, stateWithAShape());
        }
    }

    // After a save the journal begins in the middle of the history: steps from before it are undone and redone as well.
    void aJournalBegunInTheMiddleIsReplayed() {
        for (unsigned seed = 0; seed < 40; ++seed) {
            Journal journal(file_, {});
            Stroller stroller(seed, [&](const Step& step) { journal.append(step); });
            journal.begin({});
            for (int n = 0; n < 30; ++n)
                stroller.step();
            stroller.history.markClean();
            const DocumentState saved = stroller.doc.state();
            journal.begin({});
            for (std::size_t n = stroller.random.index(6); n-- > 0;)
                stroller.history.undo(stroller.doc);
            for (int n = 0; n < 20; ++n)
                stroller.step();
            journal.flush();
            if (std::filesystem::exists(file_))
                verifyReplay(stroller, saved);
        }
    }

    void itCutsOffAtTheFirstDamagedRecord() {
        Journal journal(file_, {});
        std::vector<std::uint64_t> hashes;
        Stroller stroller(3, [&](const Step& step) { journal.append(step); });
        journal.begin({.path = "x"});
        hashes.push_back(stroller.doc.hash());
        for (int n = 0; n < 12; ++n) {
            stroller.history.perform(stroller.doc, EditMaker(stroller.doc, stroller.random).make(n % kKinds));
            hashes.push_back(stroller.doc.hash());
        }
        journal.flush();
        const Bytes whole = contents(file_);
        test::Random random(5);
        for (int trial = 0; trial < 300; ++trial) {
            Bytes bytes = whole;
            if (trial % 2)
                bytes.resize(random.index(bytes.size()));
            else
                bytes[random.index(bytes.size())] ^= std::byte(1 << random.index(8));
            const auto read = history::readJournal(bytes);
            const auto summary = history::summarizeJournal(bytes);
            QCOMPARE(read.ok(), summary.ok());
            if (!read)
                continue;
            QCOMPARE(read->entries.size(), summary->steps);
            QVERIFY(trial % 2 || (read->damaged && summary->damaged));
            Document doc(stateWithAShape());
            const auto replayed = history::replay(doc, read->entries);
            QCOMPARE(replayed.entries, read->entries.size());
            QCOMPARE(doc.hash(), hashes[replayed.entries]);
        }
    }

    void aFileIsMadeByTheFirstStepAndGoesWithTheEnd() {
        Journal journal(file_, {});
        Document doc(stateWithAShape());
        History h;
        h.observe([&](const Step& step) { journal.append(step); });
        const auto lock = [&](bool on) {
            const JointId j(1);
            h.perform(doc, setLocked(doc, {&j, 1}, on));
        };
        lock(true); // not begun yet
        journal.begin({});
        journal.flush();
        QVERIFY(!std::filesystem::exists(file_));
        lock(false);
        journal.flush();
        QVERIFY(std::filesystem::exists(file_));
        QCOMPARE(history::summarizeJournal(contents(file_))->changes, std::size_t(1));
        journal.begin({});
        journal.flush();
        QVERIFY(!std::filesystem::exists(file_));
        lock(true);
        journal.end();
        journal.flush();
        QVERIFY(!std::filesystem::exists(file_));
        lock(false); // ended
        journal.flush();
        QVERIFY(!std::filesystem::exists(file_));
    }

    void changesAreCountedFromTheFile() {
        Journal journal(file_, {});
        Document doc(stateWithAShape());
        History h;
        h.observe([&](const Step& step) { journal.append(step); });
        const auto turn = [&](double angle) {
            h.perform(doc, setUserLocal(doc, JointId(1),
                                        rig::Affine(Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ())), "Turn"));
        };
        const auto changes = [&] {
            journal.flush();
            return history::summarizeJournal(contents(file_))->changes;
        };
        turn(0.1);
        turn(0.2);
        journal.begin({});
        h.undo(doc);
        QCOMPARE(changes(), std::size_t(1));
        h.redo(doc);
        QCOMPARE(changes(), std::size_t(0));
        h.undo(doc);
        turn(0.3); // one is lost for good, one is new
        QCOMPARE(changes(), std::size_t(2));
    }

    void aRecoveredJournalGoesOn() {
        const std::filesystem::path old = file_.parent_path() / "old.journal";
        Stroller stroller(9, {});
        {
            Journal journal(old, {});
            stroller.history.observe([&](const Step& step) { journal.append(step); });
            journal.begin({.path = "p"});
            for (int n = 0; n < 30; ++n)
                stroller.step();
        }
        auto read = history::readJournal(contents(old));
        QVERIFY(read.ok());
        Journal journal(file_, {});
        stroller.history.observe([&](const Step& step) { journal.append(step); });
        journal.resume(read->header, read->entries, old);
        for (int n = 0; n < 30; ++n)
            stroller.step();
        journal.flush();
        QVERIFY(!std::filesystem::exists(old));
        verifyReplay(stroller, stateWithAShape());
    }

    void aFullDiskIsToldOnceAndDisturbsNothing() {
        if (!std::filesystem::exists("/dev/full"))
            QSKIP("there is no /dev/full here");
        std::filesystem::create_directories(file_.parent_path());
        std::filesystem::create_symlink("/dev/full", std::filesystem::path(file_).concat(".new"));
        std::atomic<int> told = 0;
        Journal journal(file_, [&](const std::string& why) { told += why == "The disk is full."; });
        Stroller stroller(1, [&](const Step& step) { journal.append(step); });
        journal.begin({});
        for (int n = 0; n < 30; ++n)
            stroller.step();
        journal.flush();
        QCOMPARE(told.load(), 1);
    }

    void shapeIdsOfASavedDocumentAreAdopted() {
        DocumentState state = stateWithAShape();
        const ShapeId first = state.meshes[0].shapes[0].id;
        state.meshes[0].drivers = {{{JointId(1)}, {{first, {Eigen::Quaterniond(0, 1, 0, 0)}}}, 1}};
        auto shapes = history::shapeIdsOf(state);
        shapes[0] = {{ShapeId(7)}, 9};
        QVERIFY(history::adoptShapeIds(state, shapes));
        QCOMPARE(state.meshes[0].shapes[0].id, ShapeId(7));
        QCOMPARE(state.meshes[0].drivers[0].samples[0].shape, ShapeId(7));
        QCOMPARE(state.meshes[0].nextShapeId, 9u);
        shapes[0].ids.push_back(ShapeId(8));
        QVERIFY(!history::adoptShapeIds(state, shapes));
        QVERIFY(!history::adoptShapeIds(state, {}));
    }

private:
    void verifyReplay(Stroller& stroller, DocumentState start) {
        const auto read = history::readJournal(contents(file_));
        QVERIFY(read.ok() && !read->damaged);
        Document doc(std::move(start));
        auto replayed = history::replay(doc, read->entries);
        QCOMPARE(replayed.entries, read->entries.size());
        QCOMPARE(doc.hash(), stroller.doc.hash());
        // Its undo goes back as far as the journal knows, and its redo as far as the original's.
        Document original(stroller.doc.state());
        History h = stroller.history;
        h.observe({});
        QCOMPARE(replayed.history.isClean(), h.isClean());
        while (replayed.history.canRedo() && h.canRedo()) {
            replayed.history.redo(doc);
            h.redo(original);
            QCOMPARE(doc.hash(), original.hash());
        }
        while (replayed.history.canUndo()) {
            QVERIFY(h.canUndo());
            replayed.history.undo(doc);
            h.undo(original);
            QCOMPARE(doc.hash(), original.hash());
        }
    }
};

QTEST_APPLESS_MAIN(TestJournal)
#include "test_journal.moc"
