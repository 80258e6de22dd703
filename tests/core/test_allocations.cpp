// No event of a drag and no dab of a brush asks for memory once its lists have grown: asking takes as long as the work
// itself, and now and then much longer.

#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/document/paint_stroke.h"
#include "core/document/sculpt_stroke.h"
#include "core/document/skinning_intents.h"
#include "core/stroke/stroke.h"
#include "tests/support/editing.h"
#include "tests/support/tube_document.h"

#include <QTest>

#include <atomic>
#include <cstdlib>
#include <new>
#include <numeric>

namespace {

std::atomic<std::size_t> allocations = 0;

// The two are kept apart from the operators: the compiler pairs what it sees of them.
[[gnu::noinline]] void* counted(std::size_t size, std::size_t alignment) {
    ++allocations;
    void* memory = alignment > alignof(std::max_align_t)
                       ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                       : std::malloc(size);
    if (!memory)
        std::abort();
    return memory;
}

[[gnu::noinline]] void released(void* memory) {
    std::free(memory);
}

} // namespace

void* operator new(std::size_t size) {
    return counted(size, 1);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    released(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    released(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    released(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    released(memory);
}

using namespace limber;
using namespace limber::document;
using test::Editing;
using test::Tube;

namespace {

// Large enough for the grid and for several threads.
DocumentState largeTube() {
    return test::tubeDocument(300, 100, 40);
}

BrushDab dabAt(double x, double strength) {
    BrushDab dab;
    dab.center = {x, 0, Tube::kRadius};
    dab.radius = 0.5;
    dab.strength = strength;
    dab.frontFacesOnly = false;
    return dab;
}

constexpr int kEvents = 12;

// How often anything of a second round of events asks for memory. The first round's are the largest.
template <class Event> std::size_t allocationsOf(const Event& event) {
    for (int k = 0; k < kEvents; ++k)
        event(k);
    const std::size_t before = allocations;
    for (int k = 0; k < kEvents; ++k)
        event(kEvents + k);
    return allocations - before;
}

// The way of every event from a change to what is uploaded.
void show(Editing& e, const ChangeSet& changes) {
    e.evaluator.invalidate(changes);
    (void)e.evaluator.takePosedChanges(Tube::instance);
    (void)e.evaluator.normals(Tube::instance);
}

} // namespace

class TestAllocations : public QObject {
    Q_OBJECT

private slots:
    void whatIsAllocatedIsCounted() {
        const std::size_t before = allocations;
        std::vector<int> some(1000);
        QVERIFY(some.data());
        QCOMPARE(allocations - before, std::size_t(1));
    }

    void dabsOfTheWeightBrushAllocateNothing_data() {
        using Mode = PaintSettings::Mode;
        QTest::addColumn<int>("mode");
        QTest::addColumn<bool>("locked");
        for (const bool locked : {false, true}) {
            const auto name = [&](const char* mode) { return QByteArray(mode) + (locked ? " with a lock" : ""); };
            QTest::newRow(name("add")) << int(Mode::Add) << locked;
            QTest::newRow(name("subtract")) << int(Mode::Subtract) << locked;
            QTest::newRow(name("replace")) << int(Mode::Replace) << locked;
            QTest::newRow(name("smooth")) << int(Mode::Smooth) << locked;
        }
    }
    void dabsOfTheWeightBrushAllocateNothing() {
        QFETCH(int, mode);
        QFETCH(bool, locked);
        Editing e(largeTube());
        // The joint that is locked leaves the others something to share.
        using Mode = PaintSettings::Mode;
        const JointId closed(Mode(mode) == Mode::Smooth ? Tube::kRoot : Tube::kUpper);
        const bool shares = locked && (Mode(mode) == Mode::Add || Mode(mode) == Mode::Replace);
        e.perform(setLocked(e.doc, {&closed, 1}, locked));
        (void)e.positions(Tube::instance);
        PaintStroke stroke(e.doc, e.evaluator, e.preview,
                           {.mode = Mode(mode), .joint = JointId(shares ? Tube::kRoot : Tube::kLower)});
        std::size_t changed = 0;
        const std::size_t count = allocationsOf([&](int k) {
            BrushDab dab = dabAt(2 + 0.01 * (k % kEvents), 0.1 + 0.03 * k);
            dab.radius = k < kEvents ? 0.7 : 0.5;
            const ChangeSet& changes = stroke.dab(dab);
            changed += changes.meshes.empty() ? 0 : changes.meshes[0].weightVertices.size();
            show(e, changes);
        });
        QVERIFY(changed > 1000);
        QCOMPARE(count, std::size_t(0));
    }

    void dabsOfTheSculptBrushAllocateNothing_data() {
        QTest::addColumn<int>("mode");
        QTest::newRow("grab") << int(SculptSettings::Mode::Grab);
        QTest::newRow("smooth") << int(SculptSettings::Mode::Smooth);
        QTest::newRow("inflate") << int(SculptSettings::Mode::Inflate);
    }
    void dabsOfTheSculptBrushAllocateNothing() {
        QFETCH(int, mode);
        Editing e(largeTube());
        const auto corrective = newCorrective(e.doc, Tube::mesh, "fix", {});
        QVERIFY(corrective);
        e.perform(corrective->edit);
        const Eigen::Vector3d center = e.positions(Tube::instance)[150 * 101].cast<double>();
        SculptStroke stroke(e.doc, e.evaluator, e.preview, {static_cast<SculptSettings::Mode>(mode)},
                            {{Tube::mesh, corrective->shape}});
        std::size_t changed = 0;
        const std::size_t count = allocationsOf([&](int k) {
            BrushDab dab = dabAt(0, 0.2);
            dab.center = center;
            dab.motion = {0, 0.001 * k, 0};
            const ChangeSet& changes = stroke.dab(dab);
            changed += changes.meshes.empty() ? 0 : changes.meshes[0].shapeVertices.size();
            show(e, changes);
        });
        QVERIFY(changed > 1000);
        QCOMPARE(count, std::size_t(0));
    }

    void dragsOfAJointAllocateNothing_data() {
        QTest::addColumn<int>("method");
        QTest::addColumn<bool>("mush");
        QTest::newRow("linear") << int(skin::Method::Linear) << false;
        QTest::newRow("dual quaternion") << int(skin::Method::DualQuaternion) << false;
        QTest::newRow("spherical") << int(skin::Method::Spherical) << false;
        QTest::newRow("delta mush") << int(skin::Method::Linear) << true;
    }
    void dragsOfAJointAllocateNothing() {
        QFETCH(int, method);
        QFETCH(bool, mush);
        Editing e(largeTube());
        e.perform(setSkinning(e.doc, Tube::mesh, {static_cast<skin::Method>(method), {mush, 4, 0.5}}));
        const JointId lower(Tube::kLower);
        auto corrective = newCorrective(e.doc, Tube::mesh, "elbow", {&lower, 1});
        QVERIFY(corrective);
        const ShapeId shape = corrective->shape;
        e.perform(std::move(corrective->edit));
        Edit sculpt;
        std::vector<std::uint32_t> vertices(2000);
        std::iota(vertices.begin(), vertices.end(), 14000u);
        sculpt.patches.emplace_back(shapeDeltasPatch(e.doc, Tube::mesh, shape, vertices,
                                                     std::vector<Eigen::Vector3f>(vertices.size(), {0, 0.1f, 0})));
        e.perform(std::move(sculpt));
        (void)e.positions(Tube::instance);
        std::size_t moved = 0;
        const std::size_t count = allocationsOf([&](int k) {
            rig::Affine local(Eigen::AngleAxisd(0.7 - 0.02 * (k % 12), Eigen::Vector3d::UnitZ()));
            show(e, e.preview.setJoint(lower, local));
            moved += e.evaluator.shapeWeights(Tube::instance)[0] > 0.5;
            (void)e.evaluator.palette(Tube::instance);
            (void)e.evaluator.palette(Tube::plateInstance);
        });
        QVERIFY(moved > 10);
        QCOMPARE(count, std::size_t(0));
    }

    void theSpacingOfDabsAllocatesNothing() {
        stroke::DabSpacer spacer(1);
        double last = 0;
        const std::size_t count = allocationsOf([&](int k) {
            for (const stroke::Dab& dab : spacer.moveTo({5.0 * k, 0}))
                last = dab.pixel.x();
        });
        QVERIFY(last > 100);
        QCOMPARE(count, std::size_t(0));
    }
};

QTEST_APPLESS_MAIN(TestAllocations)
#include "test_allocations.moc"
