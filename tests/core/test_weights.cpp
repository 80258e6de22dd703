#include "core/weights/normalize.h"
#include "core/weights/weight_brush.h"
#include "tests/support/cases.h"
#include "tests/support/random.h"
#include "tests/support/row_sum.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace limber;
using namespace limber::weights;
using test::sumOf;

namespace {

QString statusOf(const NormalizeOutcome& o) {
    return o.rejected ? "rejected" : o.overlocked ? "overlocked" : o.clamped ? "clamped" : "ok";
}

struct RandomRow {
    static constexpr std::size_t kSlots = 12;
    std::vector<std::uint8_t> locked = std::vector<std::uint8_t>(kSlots, 0);
    skin::Row row;

    explicit RandomRow(test::Random& random) {
        double sum = 0;
        for (std::uint32_t k = 0; k < kSlots; ++k) {
            locked[k] = random.index(3) == 0;
            if (random.index(2) == 0) {
                row.push_back({k, static_cast<float>(random.uniform(0.01, 1))});
                sum += row.back().weight;
            }
        }
        for (skin::Influence& i : row)
            i.weight = static_cast<float>(i.weight / sum);
    }
    [[nodiscard]] bool hasFree() const { return std::count(locked.begin(), locked.end(), 0) > 0; }
    [[nodiscard]] std::size_t lockedInfluences() const {
        return static_cast<std::size_t>(
            std::count_if(row.begin(), row.end(), [this](const skin::Influence& i) { return locked[i.slot]; }));
    }
};

float weightOf(const skin::Row& row, std::uint32_t slot) {
    for (const skin::Influence& i : row)
        if (i.slot == slot)
            return i.weight;
    return 0;
}

bool isSortedAndPositive(const skin::Row& row) {
    for (std::size_t k = 0; k < row.size(); ++k)
        if (!(row[k].weight > 0 && row[k].weight <= 1) || (k && row[k - 1].slot >= row[k].slot))
            return false;
    return true;
}

} // namespace

class TestWeights : public QObject {
    Q_OBJECT

private slots:
    void referenceCaseC20NormalisesWithLocks() {
        LIMBER_CASE(c, "C20");
        const QJsonArray tests = c["input"]["tests"].toArray(), results = c["expected"]["results"].toArray();
        QCOMPARE(tests.size(), 9);
        for (int t = 0; t < tests.size(); ++t) {
            Eigen::VectorXd w = test::toVector(tests[t]["w"]);
            std::vector<std::uint8_t> locked;
            for (const QJsonValue& l : tests[t]["lock"].toArray())
                locked.push_back(static_cast<std::uint8_t>(l.toInt()));
            NormalizeRequest request;
            request.locked = locked;
            request.fallback = static_cast<std::uint32_t>(tests[t]["fallback"].toInt());
            if (!tests[t]["edit"].isNull()) {
                request.edited = static_cast<std::uint32_t>(tests[t]["edit"].toInt());
                request.value = tests[t]["val"].toDouble();
            }
            const auto outcome = normalizeDense({w.data(), std::size_t(w.size())}, request);
            QCOMPARE(statusOf(outcome), results[t]["status"].toString());
            QVERIFY((w - test::toVector(results[t]["w"])).cwiseAbs().maxCoeff() < c["tol"].toDouble());
        }
    }

    void referenceCaseC30RoundsToTheExactSum() {
        LIMBER_CASE(c, "C30");
        const QJsonArray rows = c["input"]["w"].toArray();
        for (int r = 0; r < rows.size(); ++r) {
            const Eigen::VectorXd w = test::toVector(rows[r]);
            for (const auto& [key, total] : {std::pair("u8", 255u), std::pair("u16", 65535u)}) {
                const auto got = quantizeWeights({w.data(), std::size_t(w.size())}, total);
                const QJsonArray expected = c["expected"][key][r].toArray();
                for (std::size_t k = 0; k < got.size(); ++k)
                    QCOMPARE(int(got[k]), expected[int(k)].toInt());
            }
        }
    }

    void roundingKeepsTheSumForAnyWeights() {
        test::Random random(30);
        for (int n = 0; n < 2000; ++n) {
            std::vector<double> w(1 + random.index(12));
            for (double& x : w)
                x = random.uniform(0, 1);
            const double sum = std::accumulate(w.begin(), w.end(), 0.0);
            for (const std::uint32_t total : {255u, 65535u}) {
                const auto q = quantizeWeights(w, total);
                QCOMPARE(std::accumulate(q.begin(), q.end(), 0u), total);
                for (std::size_t k = 0; k < w.size(); ++k)
                    QVERIFY(std::abs(q[k] - w[k] / sum * total) < 1 + 1e-6);
            }
        }
    }

    void randomEditsKeepRowsValidAndLockedWeightsBitForBit() {
        test::Random random(20);
        for (int n = 0; n < 20000; ++n) {
            RandomRow r(random);
            const skin::Row before = r.row;
            NormalizeRequest request;
            request.locked = r.locked;
            if (random.index(4))
                request.edited = static_cast<std::uint32_t>(random.index(RandomRow::kSlots));
            request.value = random.uniform(-0.2, 1.2);
            if (random.index(2))
                request.fallback = static_cast<std::uint32_t>(random.index(RandomRow::kSlots));
            const auto outcome = normalizeRow(r.row, request);
            QVERIFY(isSortedAndPositive(r.row));
            if (r.hasFree() && !outcome.overlocked)
                QVERIFY(before.empty() || std::abs(sumOf(r.row) - 1) < 1e-6);
            for (std::uint32_t k = 0; k < RandomRow::kSlots; ++k)
                if (r.locked[k])
                    QCOMPARE(weightOf(r.row, k), weightOf(before, k));
            if (request.edited && !outcome.rejected && !outcome.clamped)
                QVERIFY(std::abs(weightOf(r.row, *request.edited) - request.value) < 1e-6);
        }
    }

    void sparseAndDenseRowsAgree() {
        test::Random random(21);
        for (int n = 0; n < 5000; ++n) {
            RandomRow r(random);
            std::vector<double> dense(RandomRow::kSlots, 0);
            for (const skin::Influence& i : r.row)
                dense[i.slot] = i.weight;
            NormalizeRequest request;
            request.locked = r.locked;
            request.edited = static_cast<std::uint32_t>(random.index(RandomRow::kSlots));
            request.value = random.uniform(0, 1);
            request.fallback = static_cast<std::uint32_t>(random.index(RandomRow::kSlots));
            const auto a = normalizeDense(dense, request);
            const auto b = normalizeRow(r.row, request);
            QCOMPARE(statusOf(a), statusOf(b));
            for (std::uint32_t k = 0; k < RandomRow::kSlots; ++k)
                QVERIFY(std::abs(weightOf(r.row, k) - dense[k]) < 3e-6);
        }
    }

    // Short rows have a way of their own, which makes the same sums in the same order.
    void rowsOfAnyLengthAreNormalisedBitForBitAsDenseOnes() {
        constexpr std::size_t kSlots = 40;
        test::Random random(24);
        std::size_t compared = 0;
        for (int n = 0; n < 30000; ++n) {
            skin::Row row;
            std::vector<double> dense(kSlots, 0);
            std::vector<std::uint8_t> locked(kSlots, 0);
            const std::size_t one = 1 + random.index(12); // of so many slots has weight
            for (std::uint32_t k = 0; k < kSlots; ++k) {
                locked[k] = random.index(6) == 0;
                if (random.index(one))
                    continue;
                const double odd = random.index(2) ? std::nan("") : -0.5;
                dense[k] = static_cast<float>(random.index(50) ? random.uniform(0, 0.4) : odd);
                row.push_back({k, static_cast<float>(dense[k])});
            }
            NormalizeRequest request;
            request.locked = locked;
            request.maxInfluences = random.index(2) ? random.index(9) : 0;
            request.fallback = static_cast<std::uint32_t>(random.index(kSlots));
            if (random.index(2)) {
                request.edited = static_cast<std::uint32_t>(random.index(kSlots));
                request.value = random.index(20) ? random.uniform(-0.2, 1.2) : std::nan("");
            }
            const auto a = normalizeDense(dense, request), b = normalizeRow(row, request);
            QCOMPARE(statusOf(a), statusOf(b));
            QCOMPARE(a.tooManyLocked, b.tooManyLocked);
            if (std::any_of(dense.begin(), dense.end(), [](double w) { return w > 0 && w <= 1e-6; }))
                continue; // remains, which only sparse rows give away
            ++compared;
            for (std::uint32_t k = 0; k < kSlots; ++k)
                QCOMPARE(weightOf(row, k), static_cast<float>(dense[k]));
        }
        QVERIFY(compared > 20000);
    }

    void limitedRowsHaveNoMoreInfluencesThanAllowedOrLocked() {
        test::Random random(22);
        for (int n = 0; n < 20000; ++n) {
            RandomRow r(random);
            if (r.row.empty())
                continue;
            const std::size_t lockedCount = r.lockedInfluences();
            NormalizeRequest request;
            request.locked = r.locked;
            request.maxInfluences = 1 + random.index(5);
            if (random.index(2)) {
                request.edited = static_cast<std::uint32_t>(random.index(RandomRow::kSlots));
                request.value = random.uniform(0, 1);
            }
            const auto outcome = normalizeRow(r.row, request);
            if (outcome.rejected && !r.hasFree())
                continue;
            QVERIFY(r.row.size() <= std::max(request.maxInfluences, lockedCount + 1));
            QVERIFY(outcome.tooManyLocked || r.row.size() <= request.maxInfluences);
            if (r.hasFree() && !outcome.overlocked)
                QVERIFY(std::abs(sumOf(r.row) - 1) < 1e-6);
        }
    }

    void notANumberAndNegativeWeightsBecomeZero() {
        const std::vector<std::uint8_t> locked(3, 0);
        std::vector<double> w{std::nan(""), -0.5, 0.25};
        NormalizeRequest request;
        request.locked = locked;
        normalizeDense(w, request);
        QCOMPARE(w, (std::vector<double>{0, 0, 1}));
    }

    void weightGivenUpGoesToTheFallback() {
        const std::vector<std::uint8_t> locked(4, 0);
        skin::Row row{{2, 1.0f}};
        NormalizeRequest request{locked, 2u, 0.25, 3u, 0};
        normalizeRow(row, request);
        QCOMPARE(row, (skin::Row{{2, 0.25f}, {3, 0.75f}}));
    }

    void brushValuesStayBetweenZeroAndOne() {
        QCOMPARE(brushedWeight(BrushOperator::Add, 0.5, 0.25, 0), 0.75);
        QCOMPARE(brushedWeight(BrushOperator::Add, 0.9, 0.25, 0), 1.0);
        QCOMPARE(brushedWeight(BrushOperator::Subtract, 0.1, 0.25, 0), 0.0);
        QCOMPARE(brushedWeight(BrushOperator::Replace, 0.2, 0.5, 0.8), 0.5);
    }

    void smoothingGoesToTheMeanOfTheNeighboursAndKeepsLockedWeights() {
        RowSmoother smoother(3);
        const std::vector<std::uint8_t> open(3, 0), locked{0, 1, 0};
        const skin::Row own{{0, 0.5f}, {1, 0.5f}}, a{{2, 1.0f}}, b{{0, 1.0f}};
        skin::Row out;
        for (const skin::Row* n : {&a, &b})
            smoother.addNeighbour(*n);
        smoother.finish(own, 1, open, out);
        QCOMPARE(out, (skin::Row{{0, 0.5f}, {2, 0.5f}}));
        smoother.addNeighbour(a);
        smoother.finish(own, 0.5, locked, out);
        QCOMPARE(out, (skin::Row{{0, 0.25f}, {1, 0.5f}, {2, 0.5f}}));
        smoother.finish(own, 1, open, out);
        QCOMPARE(out, own);
    }

    // One smoother for many rows, against means of dense rows.
    void smoothedRowsAreTheMeansOfTheirNeighbours() {
        constexpr std::size_t kSlots = 300;
        test::Random random(25);
        RowSmoother smoother(kSlots);
        std::vector<std::uint8_t> locked(kSlots, 0);
        for (int n = 0; n < 2000; ++n) {
            const auto randomRow = [&] {
                skin::Row row;
                for (auto slot = static_cast<std::uint32_t>(random.index(120)); slot < kSlots && row.size() < 9;
                     slot += 1 + static_cast<std::uint32_t>(random.index(60)))
                    row.push_back({slot, static_cast<float>(random.uniform(0, 1))});
                return random.index(9) ? row : skin::Row();
            };
            locked[random.index(kSlots)] ^= 1;
            const skin::Row own = randomRow();
            const std::size_t count = random.index(8);
            std::vector<double> mean(kSlots, 0);
            for (std::size_t k = 0; k < count; ++k) {
                const skin::Row neighbour = randomRow();
                smoother.addNeighbour(neighbour);
                for (const skin::Influence& i : neighbour)
                    mean[i.slot] += i.weight / static_cast<double>(count);
            }
            const double amount = random.uniform(0, 1);
            skin::Row out;
            smoother.finish(own, amount, locked, out);
            QVERIFY(isSortedAndPositive(out));
            for (std::uint32_t k = 0; k < kSlots; ++k) {
                const double w = weightOf(own, k);
                const double expected = locked[k] || count == 0 ? w : w + amount * (mean[k] - w);
                QVERIFY(std::abs(weightOf(out, k) - expected) < 1e-6);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestWeights)
#include "test_weights.moc"
