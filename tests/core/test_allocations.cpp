// No event of a drag and no dab of a brush asks for memory once its lists have grown: asking takes as long as the work
// itself, and now and then much longer.

#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/document/map_stroke.h"
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

// How a mesh may be skinned.
struct Way {
    const char* name;
    skin::Skinning skinning;
};
const std::array kWays = {Way{"linear", {}}, Way{"dual quaternion", {skin::Method::DualQuaternion, {}}},
                          Way{"spherical", {skin::Method::Spherical, {}}},
                          Way{"delta mush", {skin::Method::Linear, {true, 4, 0.5}}},
                          Way{"dual quaternion with delta mush", {skin::Method::DualQuaternion, {true, 4, 0.5}}}};

// The large tube, posed.
std::unique_ptr<Editing> skinned(int way) {
    auto e = std::make_unique<Editing>(largeTube());
    e->perform(setSkinning(e->doc, Tube::mesh, kWays[std::size_t(way)].skinning));
    (void)e->positions(Tube::instance);
    return e;
}

QByteArray rowName(const char* what, const Way& way) {
    return QByteArray(what) + ", " + way.name;
}

// Other values everywhere, for a brush to even out.
Edit unevenMap(const Document& doc, skin::PaintedMap map) {
    PaintedMapPatch patch{Tube::mesh, map, {}, {}, {}};
    const mesh::Mesh& geometry = doc.mesh(Tube::mesh).geometry;
    for (std::uint32_t v = 0; v < geometry.vertexCount(); ++v) {
        const Eigen::Vector3f& p = geometry.positions[v];
        patch.vertices.push_back(v);
        patch.before.push_back(1);
        patch.after.push_back(0.5f + 0.2f * std::sin(40 * p.x()) * std::cos(30 * p.y()));
    }
    return {"Uneven", {std::move(patch)}};
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
        QTest::addColumn<int>("way");
        for (int way = 0; way < int(kWays.size()); ++way)
            for (const bool locked : {false, true}) {
                if (locked && way > 0)
                    continue;
                const auto name = [&](const char* mode) {
                    return rowName(mode, kWays[std::size_t(way)]) + (locked ? " with a lock" : "");
                };
                QTest::newRow(name("add")) << int(Mode::Add) << locked << way;
                QTest::newRow(name("subtract")) << int(Mode::Subtract) << locked << way;
                QTest::newRow(name("replace")) << int(Mode::Replace) << locked << way;
                QTest::newRow(name("smooth")) << int(Mode::Smooth) << locked << way;
            }
    }
    void dabsOfTheWeightBrushAllocateNothing() {
        QFETCH(int, mode);
        QFETCH(bool, locked);
        QFETCH(int, way);
        const auto editing = skinned(way);
        Editing& e = *editing;
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

    void aStrokeThatWalksAllocatesNothingOnceItsListsHaveGrown_data() {
        QTest::addColumn<bool>("frontFacesOnly");
        QTest::addColumn<bool>("normalsStray");
        QTest::newRow("all points") << false << false;
        QTest::newRow("by normals") << true << false;
        QTest::newRow("by faces") << true << true;
    }
    void aStrokeThatWalksAllocatesNothingOnceItsListsHaveGrown() {
        QFETCH(bool, frontFacesOnly);
        QFETCH(bool, normalsStray);
        DocumentState state = largeTube();
        for (Eigen::Vector3f& n : state.meshes[Tube::mesh.index()].geometry.normals)
            if (normalsStray)
                n = {n.x(), -n.z(), n.y()};
        Editing e(std::move(state));
        const auto walk = [&](JointId joint) {
            PaintStroke stroke(e.doc, e.evaluator, e.preview, {.mode = PaintSettings::Mode::Add, .joint = joint});
            std::size_t before = 0;
            for (int k = 0; k < 40; ++k) {
                if (k == 3)
                    before = allocations;
                BrushDab dab = dabAt(0.7 + 0.06 * k, 0.4);
                dab.radius = k < 3 ? 0.8 : 0.5;
                dab.frontFacesOnly = frontFacesOnly;
                show(e, stroke.dab(dab));
            }
            return allocations - before;
        };
        (void)walk(JointId(Tube::kRoot)); // no block knew it before
        e.commit("First");
        const std::size_t count = walk(JointId(Tube::kHelper)); // nor this one, which joins the skin
        e.commit("Second");
        QVERIFY(e.doc.skin(Tube::skin).joints.size() == 4);
        QCOMPARE(count, std::size_t(0));
    }

    void dabsOfTheSculptBrushAllocateNothing_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("way");
        for (int way = 0; way < int(kWays.size()); ++way) {
            const Way& w = kWays[std::size_t(way)];
            QTest::newRow(rowName("grab", w)) << int(SculptSettings::Mode::Grab) << way;
            QTest::newRow(rowName("smooth", w)) << int(SculptSettings::Mode::Smooth) << way;
            QTest::newRow(rowName("inflate", w)) << int(SculptSettings::Mode::Inflate) << way;
        }
    }
    void dabsOfTheSculptBrushAllocateNothing() {
        QFETCH(int, mode);
        QFETCH(int, way);
        const auto editing = skinned(way);
        Editing& e = *editing;
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

    void dabsOnPaintedMapsAllocateNothing_data() {
        using Mode = PaintSettings::Mode;
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("map");
        QTest::addColumn<int>("way");
        for (int way = 0; way < int(kWays.size()); ++way)
            for (const skin::PaintedMap map : {skin::PaintedMap::MethodShare, skin::PaintedMap::MushShare}) {
                const Way& w = kWays[std::size_t(way)];
                if (!hasEffect(map, w.skinning))
                    continue;
                const auto row = [&](const char* mode, Mode which) {
                    const QByteArray share = map == skin::PaintedMap::MethodShare ? " its share" : " the mush's share";
                    QTest::newRow(rowName(mode, w) + share) << int(which) << int(map) << way;
                };
                row("add", Mode::Add);
                row("subtract", Mode::Subtract);
                row("replace", Mode::Replace);
                row("smooth", Mode::Smooth);
            }
    }
    void dabsOnPaintedMapsAllocateNothing() {
        QFETCH(int, mode);
        QFETCH(int, map);
        QFETCH(int, way);
        const auto which = static_cast<skin::PaintedMap>(map);
        const auto editing = skinned(way);
        Editing& e = *editing;
        e.perform(unevenMap(e.doc, which));
        MapStroke stroke(e.doc, e.evaluator, e.preview, {which, PaintSettings::Mode(mode), 0.9});
        std::size_t changed = 0;
        const std::size_t count = allocationsOf([&](int k) {
            BrushDab dab = dabAt(2 + 0.01 * (k % kEvents), 0.1 + 0.03 * k);
            dab.radius = k < kEvents ? 0.9 : 0.7;
            const ChangeSet& changes = stroke.dab(dab);
            changed += changes.meshes.empty() ? 0 : changes.meshes[0].mapVertices.size();
            show(e, changes);
            (void)e.evaluator.paintedMap(Tube::mesh, which);
        });
        QVERIFY(changed > 1000);
        QCOMPARE(count, std::size_t(0));
    }

    void dragsOfAJointAllocateNothing_data() {
        QTest::addColumn<int>("way");
        QTest::addColumn<bool>("painted");
        for (int way = 0; way < int(kWays.size()); ++way) {
            QTest::newRow(kWays[std::size_t(way)].name) << way << false;
            QTest::newRow(rowName("painted shares", kWays[std::size_t(way)])) << way << true;
        }
    }
    void dragsOfAJointAllocateNothing() {
        QFETCH(int, way);
        QFETCH(bool, painted);
        const auto editing = skinned(way);
        Editing& e = *editing;
        if (painted)
            for (const skin::PaintedMap map : {skin::PaintedMap::MethodShare, skin::PaintedMap::MushShare})
                e.perform(fillPaintedMap(e.doc, Tube::mesh, map, 0.6f));
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
