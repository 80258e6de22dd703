#include "core/document/intents.h"
#include "core/shape/corrective.h"
#include "core/shape/extraction_kernel.h"
#include "core/skin/skin_weights.h"
#include "tests/support/editing.h"
#include "tests/support/random.h"
#include "tests/support/tube_document.h"

#include <QTest>
#include <tbb/global_control.h>

#include <cmath>

using namespace limber;
using namespace limber::document;
using test::Editing;
using test::Tube;

namespace {

constexpr double kUnit = 1.11e-16;
const JointId kLowerJoint(Tube::kLower);

void bend(Editing& e, double degrees, const Eigen::Vector3d& scale = Eigen::Vector3d::Ones()) {
    rig::Affine m = rig::Affine::Identity();
    m.rotate(Eigen::AngleAxisd(degrees * M_PI / 180, Eigen::Vector3d::UnitX())).scale(scale);
    e.perform(setUserLocal(e.doc, kLowerJoint, m, "Bend"));
}

ShapeId add(Editing& e) {
    NewCorrective made = newCorrective(e.doc, Tube::mesh, "fix", {}).value();
    e.perform(std::move(made.edit));
    return made.shape;
}

// Every third vertex stays where it is.
std::vector<Eigen::Vector3d> sculpted(Editing& e, unsigned seed) {
    test::Random random(seed);
    std::vector<Eigen::Vector3d> y;
    for (const Eigen::Vector3f& p : e.evaluator.positions(Tube::instance)) {
        const Eigen::Vector3d offset = random.vector(0.2);
        y.push_back(p.cast<double>() + (y.size() % 3 ? offset : Eigen::Vector3d::Zero().eval()));
    }
    return y;
}

struct Oracle {
    std::vector<std::uint32_t> vertices;
    std::vector<Eigen::Vector3f> before, after;
    ExtractionReport report;
};

// One vertex after the other, as section 4 has it.
Oracle oracleOf(Editing& e, ShapeId id, std::span<const Eigen::Vector3d> y) {
    Oracle o;
    const shape::Shape& shape = *e.doc.mesh(Tube::mesh).findShape(id);
    const double weight = e.evaluator.shapeWeights(Tube::instance)[e.doc.mesh(Tube::mesh).shapeIndex(id)];
    const double threshold = shape::kOffsetThreshold * e.evaluator.bindDiagonal();
    const auto points = e.evaluator.preSkinPositions(Tube::instance);
    for (std::uint32_t v = 0; v < y.size(); ++v) {
        const skin::VertexMap map = e.evaluator.vertexMap(Tube::instance, v);
        const Eigen::Vector3d x = map(points[v].cast<double>());
        if ((y[v] - x).norm() <= threshold)
            continue;
        const shape::InverseResult back = shape::correctiveIncrement(map, x, y[v], weight);
        o.report.unreachable += back.residual.norm() > threshold;
        o.report.largestResidual = std::max(o.report.largestResidual, back.residual.norm());
        o.vertices.push_back(v);
        o.before.push_back(shape.delta(v));
        o.after.push_back((shape.delta(v).cast<double>() + back.delta).cast<float>());
    }
    o.report.changed = o.vertices.size();
    return o;
}

} // namespace

class TestExtraction : public QObject {
    Q_OBJECT

private slots:
    // Within the bounds of section 4, for whole and short vectors.
    void theKernelInvertsAsTheOracleDoes() {
        test::Random random(4);
        auto run = std::make_unique<shape::ExtractionRun>();
        std::size_t regular = 0;
        for (std::size_t round = 0; round < 2000; ++round) {
            const std::size_t count = 1 + round % shape::ExtractionRun::kVertices;
            const double weight = random.uniform(0.05, 1);
            std::vector<skin::VertexMap> maps(count);
            std::vector<Eigen::Vector3f> points(count);
            std::vector<Eigen::Vector3d> y(count);
            for (std::size_t k = 0; k < count; ++k) {
                const math::Affine m = random.affine();
                maps[k] = {m.linear(), m.translation(), skin::largestStretch(m)};
                points[k] = random.vector().cast<float>();
                y[k] = m * points[k].cast<double>() + (k % 5 ? random.vector() : Eigen::Vector3d::Zero().eval());
                for (Eigen::Index r = 0; r < 3; ++r) {
                    Eigen::Map<Eigen::RowVector3d>(run->maps[r][k]) = m.linear().row(r);
                    run->maps[r][k][3] = m.translation()[r];
                }
                run->maps[3][k][0] = maps[k].jointScale;
            }
            QVERIFY(shape::invertMaps(points[0].data(), y[0].data(), count, weight, 1e-9, shape::kRegularShare, *run));
            for (std::size_t k = 0; k < count; ++k) {
                if (run->states[k] != shape::Extracted::Moved) {
                    QCOMPARE(run->states[k] == shape::Extracted::Still, k % 5 == 0);
                    continue;
                }
                ++regular;
                const Eigen::Vector3d x = maps[k](points[k].cast<double>());
                const shape::InverseResult back = shape::correctiveIncrement(maps[k], x, y[k], weight);
                const Eigen::Vector3d delta(run->delta[0][k], run->delta[1][k], run->delta[2][k]);
                const double size = std::max({x.norm(), y[k].norm(), 1.0});
                QVERIFY((delta - back.delta).norm() <= 64 * kUnit * back.condition * size / weight);
                QVERIFY(run->residual[k] <= 64 * kUnit * back.condition * size);
            }
        }
        QVERIFY(regular > 10000);
    }

    void theKernelBlendsAsTheOracleDoes() {
        test::Random random(5);
        std::vector<skin::SlotPose> poses(7);
        std::vector<double> joints(poses.size() * shape::kJointRow, 0);
        for (std::size_t s = 0; s < poses.size(); ++s) {
            poses[s].skin = random.affine();
            poses[s].largestStretch = skin::largestStretch(poses[s].skin);
            double* row = joints.data() + s * shape::kJointRow;
            for (Eigen::Index r = 0; r < 3; ++r)
                Eigen::Map<Eigen::RowVector4d>(row + 4 * r) = poses[s].skin.matrix().row(r);
            row[12] = poses[s].largestStretch;
        }
        const std::size_t count = shape::ExtractionRun::kVertices;
        skin::SkinWeights weights(2 * count, 6);
        for (std::size_t v = 0; v < 2 * count; ++v) {
            skin::Row row;
            for (std::uint32_t s = 0; s < poses.size(); ++s)
                if (v % 11 && random.index(2) && row.size() < 6)
                    row.push_back({s, random.index(8) ? static_cast<float>(random.uniform(0, 1)) : 1e-7f});
            weights.setRow(v, row);
        }
        auto run = std::make_unique<shape::ExtractionRun>();
        shape::blendMaps({joints.data(), weights.entries().data(), weights.counts().data(), weights.capacity()}, count,
                         count, *run);
        for (std::size_t k = 0; k < count; ++k) {
            const skin::VertexMap map = skin::poseMap(weights.row(count + k), poses, skin::Method::Linear);
            for (Eigen::Index r = 0; r < 3; ++r) {
                for (Eigen::Index c = 0; c < 3; ++c)
                    QCOMPARE(run->maps[r][k][c], map.a(r, c));
                QCOMPARE(run->maps[r][k][3], map.b[r]);
            }
            QCOMPARE(run->maps[3][k][0], map.jointScale);
        }
    }

    void positionsThatAreNotFiniteAreNoticedInEveryLane() {
        auto run = std::make_unique<shape::ExtractionRun>();
        std::vector<Eigen::Vector3f> points(13, Eigen::Vector3f::Zero());
        shape::blendMaps({nullptr, nullptr, std::vector<std::uint32_t>(13, 0).data(), 1}, 0, 13, *run);
        for (std::size_t k = 0; k < 39; ++k) {
            std::vector<Eigen::Vector3d> y(13, Eigen::Vector3d::Ones());
            QVERIFY(shape::invertMaps(points[0].data(), y[0].data(), 13, 1, 0.1, 0.1, *run));
            y[k / 3][static_cast<Eigen::Index>(k % 3)] = k % 2 ? std::nan("") : HUGE_VAL;
            QVERIFY(!shape::invertMaps(points[0].data(), y[0].data(), 13, 1, 0.1, 0.1, *run));
        }
    }

    void anExtractionIsThatOfEachVertexByItself_data() {
        QTest::addColumn<int>("method");
        QTest::addColumn<double>("degrees");
        QTest::addColumn<bool>("flat");
        const int linear = int(skin::Method::Linear), dual = int(skin::Method::DualQuaternion);
        QTest::newRow("linear") << linear << 70.0 << false;
        QTest::newRow("linear, half a turn") << linear << 180.0 << false;
        QTest::newRow("linear, flattened joint") << linear << 40.0 << true;
        QTest::newRow("dual quaternions") << dual << 120.0 << false;
        QTest::newRow("spherical") << int(skin::Method::Spherical) << 120.0 << false;
    }
    void anExtractionIsThatOfEachVertexByItself() {
        QFETCH(int, method);
        QFETCH(double, degrees);
        QFETCH(bool, flat);
        DocumentState state = test::tubeDocument(300, 40); // more than one task's vertices
        state.meshes[0].skinning.method = static_cast<skin::Method>(method);
        Editing e(state);
        bend(e, degrees, flat ? Eigen::Vector3d(1, 1, 1e-3) : Eigen::Vector3d::Ones());
        const ShapeId shape = add(e);
        // The second time on top of the first one's entries.
        for (unsigned round = 0; round < 2; ++round) {
            const auto y = sculpted(e, round);
            const Oracle o = oracleOf(e, shape, y);
            ExtractionReport report;
            Edit edit = extractCorrective(e.doc, e.evaluator, Tube::instance, shape, y, &report).value();
            const auto& patch = std::get<ShapeDeltasPatch>(edit.patches.at(0));
            QCOMPARE(patch.vertices, o.vertices);
            QVERIFY(patch.before == o.before);
            for (std::size_t k = 0; k < o.after.size(); ++k)
                QVERIFY((patch.after[k] - o.after[k]).norm() <= 3e-7f * (1 + o.after[k].norm()));
            QCOMPARE(report.changed, o.report.changed);
            QCOMPARE(report.unreachable, o.report.unreachable);
            QVERIFY(std::abs(report.largestResidual - o.report.largestResidual) < 1e-12);
            QCOMPARE(report.unreachable > 0, degrees == 180 || flat);
            e.perform(std::move(edit));
        }
    }

    void anExtractionIsTheSameOnAnyNumberOfThreads() {
        Editing e(test::tubeDocument(300, 40, 100));
        const ShapeId shape = add(e);
        const auto y = sculpted(e, 3);
        const auto extract = [&](std::size_t threads) {
            const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
            Edit edit = extractCorrective(e.doc, e.evaluator, Tube::instance, shape, y).value();
            return std::get<ShapeDeltasPatch>(edit.patches.at(0));
        };
        const ShapeDeltasPatch one = extract(1), more = extract(4);
        QCOMPARE(one.vertices, more.vertices);
        QVERIFY(one.before == more.before && one.after == more.after);
    }
};

QTEST_APPLESS_MAIN(TestExtraction)
#include "test_extraction.moc"
