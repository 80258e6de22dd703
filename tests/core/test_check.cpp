// The import doctor: each fault alone gives its one finding, its fix is one edit that leaves nothing to find.
#include "core/check/doctor.h"
#include "core/check/poses.h"
#include "core/document/intents.h"
#include "core/io/gltf_file.h"
#include "core/io/mannequin.h"
#include "tests/support/edit_maker.h"
#include "tests/support/faulty_documents.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace limber;
using namespace limber::test;
using check::Finding;

namespace {

QString listed(const std::vector<Finding>& findings) {
    QString text;
    for (const Finding& f : findings)
        text += QString::fromStdString(f.code + " (" + f.where + "): " + f.text + '\n');
    return text;
}

std::set<std::string> errorsIn(const std::vector<Finding>& findings) {
    std::set<std::string> codes;
    for (const Finding& f : findings)
        if (f.severity == check::Severity::Error)
            codes.insert(f.code);
    return codes;
}

// Rows are finite, not negative and sum to one, or empty.
bool rowsHold(const Document& doc) {
    for (const document::MeshData& mesh : doc.state().meshes)
        for (std::size_t v = 0; v < mesh.weights.vertexCount(); ++v) {
            double sum = 0;
            std::uint32_t next = 0;
            for (const skin::Influence& i : mesh.weights.row(v)) {
                if (!(i.weight > 0) || i.slot < next)
                    return false;
                next = i.slot + 1;
                sum += static_cast<double>(i.weight);
            }
            if (sum != 0 && !(std::abs(sum - 1) < 1e-6))
                return false;
        }
    return true;
}

Document locked(DocumentState state, std::size_t joint) {
    state.locked[joint] = 1;
    return Document(std::move(state));
}

} // namespace

class TestCheck : public QObject {
    Q_OBJECT

private slots:
    void cleanDocumentsHaveNoFindings() {
        const std::vector<Finding> tube = check::examine(Document(tubeDocument()));
        QVERIFY2(tube.empty(), qPrintable(listed(tube)));
        const auto file = io::loadGlb(*io::mannequinGlb(), "glb");
        const std::vector<Finding> mannequin = check::examine(Document(file->state), {4});
        QVERIFY2(mannequin.empty(), qPrintable(listed(mannequin)));
    }

    void everyRuleIsTested() {
        for (const check::Rule& rule : check::rules()) {
            const auto tests = [&](const Fault& fault) { return rule.code == fault.code; };
            QVERIFY2(std::any_of(std::begin(kFaults), std::end(kFaults), tests), rule.code.data());
        }
    }

    void aFaultIsFoundAndFixed_data() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < static_cast<int>(std::size(kFaults)); ++i)
            QTest::newRow(kFaults[i].name) << i;
    }
    void aFaultIsFoundAndFixed() {
        QFETCH(int, index);
        const Fault& fault = kFaults[index];
        const check::Options options{fault.maxInfluences};
        DocumentState state = tubeDocument();
        fault.make(state);
        Document doc(std::move(state));

        const std::vector<Finding> findings = check::examine(doc, options);
        QVERIFY2(findings.size() == 1, qPrintable(listed(findings)));
        const Finding& found = findings[0];
        QCOMPARE(found.code, std::string(fault.code));
        QCOMPARE(found.severity, fault.severity);
        QCOMPARE(found.count, fault.count);
        QVERIFY2(found.where.find(fault.where) != std::string::npos, found.where.c_str());
        QVERIFY2(found.fixable() == fault.fixable, found.text.c_str());
        QVERIFY(found.text.size() > 40 && found.text.back() == '.');

        const auto edit = check::fix(doc, found);
        QCOMPARE(edit.ok(), fault.fixable);
        if (!edit)
            return;
        const std::uint64_t before = doc.hash();
        doc.apply(*edit);
        const std::vector<Finding> after = check::examine(doc, options);
        QVERIFY2(after.empty(), qPrintable(listed(after)));
        QVERIFY(rowsHold(doc));
        QVERIFY(!check::fix(doc, found)); // nothing is left of it
        doc.revert(*edit);
        QCOMPARE(doc.hash(), before);
    }

    void allFaultsAreFixedAsOneEdit() {
        DocumentState state = tubeDocument();
        for (const Fault& fault : kFaults)
            if (fault.fixable && !fault.maxInfluences)
                fault.make(state);
        Document doc(std::move(state));
        const std::vector<Finding> findings = check::examine(doc, {2});
        check::Notes notes;
        const auto edit = check::fixAll(doc, findings, &notes);
        QVERIFY2(edit.ok(), edit.ok() ? "" : edit.error().text.c_str());
        QVERIFY(notes.empty());
        const std::uint64_t before = doc.hash();
        doc.apply(*edit);
        for (const Finding& f : check::examine(doc, {2}))
            QVERIFY2(!f.fixable(), f.code.c_str());
        QVERIFY(rowsHold(doc));
        doc.revert(*edit);
        QCOMPARE(doc.hash(), before);
    }

    // Whatever edits do to a document, fixing it never makes an error and never loses a revert.
    void randomDocumentsAreFixed() {
        for (unsigned seed = 0; seed < 40; ++seed) {
            Random random(seed);
            Document doc(tubeDocument(8, 6));
            EditMaker maker(doc, random);
            doc.apply(document::newCorrective(doc, Tube::mesh, "first", {})->edit);
            for (int k = 0; k < 20; ++k)
                doc.apply(maker.make(random.index(kKinds)));
            const check::Options options{random.index(4)};
            const std::vector<Finding> findings = check::examine(doc, options);
            const auto edit = check::fixAll(doc, findings);
            if (!edit)
                continue;
            const std::uint64_t before = doc.hash();
            doc.apply(*edit);
            for (const std::string& code : errorsIn(check::examine(doc, options)))
                QVERIFY2(errorsIn(findings).contains(code), code.c_str());
            doc.revert(*edit);
            QCOMPARE(doc.hash(), before);
        }
    }

    void unweightedVerticesFollowTheSurface() {
        DocumentState state = tubeDocument();
        setRow(state, 1010, {});
        // A shell of its own, beside the elbow: nothing on its surface has weights.
        for (std::size_t v = 0; v < 25; ++v)
            setRow(state, v, {});
        auto& triangles = state.meshes[0].geometry.triangles;
        std::erase_if(triangles, [&, k = std::size_t(0)](std::uint32_t) mutable { return k++ < 24 * 6; });
        state.meshes[0].lazyWeld = {};
        Document doc(std::move(state));
        const auto findings = check::examine(doc);
        QCOMPARE(findings.size(), std::size_t(1));
        QCOMPARE(findings[0].count, std::size_t(26));
        doc.apply(*check::fix(doc, findings[0]));
        QCOMPARE(doc.mesh(Tube::mesh).weights.weight(1010, 2), 1.0f);
        QCOMPARE(doc.mesh(Tube::mesh).weights.weight(3, 1), 1.0f);
    }

    void lockedJointsKeepTheirWeightsAndAreNamed_data() {
        QTest::addColumn<int>("joint");
        QTest::addColumn<QString>("code");
        QTest::newRow("a stray of a locked joint") << 2 << "STRAY_WEIGHTS";
        QTest::newRow("nearest weights are locked") << 1 << "UNWEIGHTED_VERTICES";
        QTest::newRow("a seam of a locked joint") << 2 << "SEAM_WEIGHTS_DIFFER";
        QTest::newRow("a row of a locked joint alone") << 1 << "WEIGHTS_SUM";
    }
    void lockedJointsKeepTheirWeightsAndAreNamed() {
        QFETCH(int, joint);
        QFETCH(QString, code);
        DocumentState state = tubeDocument();
        setRow(state, 10, {{1, 0.9f}, {2, 0.1f}});
        setRow(state, 30, {});
        setRow(state, 524, {{1, 0.2f}, {2, 0.8f}});
        setRow(state, 40, {{1, 0.7f}});
        Document doc = locked(std::move(state), static_cast<std::size_t>(joint));
        const skin::SkinWeights before = doc.mesh(Tube::mesh).weights;
        const std::vector<Finding> findings = check::examine(doc);
        const auto at =
            std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return code == f.code.c_str(); });
        QVERIFY(at != findings.end());
        check::Notes notes;
        const auto edit = check::fix(doc, *at, &notes);
        QVERIFY(!edit.ok());
        QCOMPARE(notes.size(), std::size_t(1));
        QVERIFY2(edit.error().text.find("locked") != std::string::npos, edit.error().text.c_str());
        check::Notes all;
        if (const auto others = check::fixAll(doc, findings, &all))
            doc.apply(*others);
        QVERIFY(std::find(all.begin(), all.end(), notes[0]) != all.end());
        for (std::size_t v = 0; v < before.vertexCount(); ++v)
            QCOMPARE(doc.mesh(Tube::mesh).weights.weight(v, static_cast<std::uint32_t>(joint)),
                     before.weight(v, static_cast<std::uint32_t>(joint)));
    }

    void aSeamIsAveraged() {
        DocumentState state = tubeDocument();
        setRow(state, 524, {{1, 0.25f}, {2, 0.75f}});
        Document doc(std::move(state));
        doc.apply(*check::fix(doc, check::examine(doc).at(0)));
        for (const std::size_t v : {500u, 524u})
            QCOMPARE(doc.mesh(Tube::mesh).weights.weight(v, 1), 0.375f);
    }

    void theThreePosesAreToldApart() {
        DocumentState state = tubeDocument();
        bend(state, 30);
        Document doc(std::move(state));
        QCOMPARE(check::fileFromBind(doc).joints.size(), std::size_t(1));
        QVERIFY(std::abs(check::fileFromBind(doc).degrees - 30) < 1e-9);
        QVERIFY(check::currentFromFile(doc).joints.empty());
        // What a user poses is no fault of the file.
        const rig::Affine turned(Eigen::AngleAxisd(0.4, Eigen::Vector3d::UnitX()));
        doc.apply(document::setUserLocal(doc, JointId(Tube::kUpper), turned, "turn"));
        const std::vector<Finding> findings = check::examine(doc);
        QCOMPARE(findings.size(), std::size_t(1));
        QCOMPARE(findings[0].joints, std::vector<JointId>{JointId(Tube::kLower)});
        QCOMPARE(check::currentFromBind(doc).joints.size(), std::size_t(2));
        QCOMPARE(check::currentFromFile(doc).joints.size(), std::size_t(1));
        QVERIFY(check::described(doc, check::fileFromBind(doc)).find("30 degrees") != std::string::npos);
    }

    void seamsAreAveragedWithinWhatProgramsRead() {
        document::DocumentState state = tubeDocument();
        state.meshes[0].weights.setRow(524, skin::Row{{0, 1.0f}});
        const Document doc(std::move(state));
        const std::vector<Finding> findings = check::examine(doc);
        QCOMPARE(findings.size(), std::size_t(1));
        QCOMPARE(findings[0].code, std::string("SEAM_WEIGHTS_DIFFER"));
        QCOMPARE(findings[0].vertices.size(), std::size_t(2));
        Document mended = doc;
        mended.apply(*check::fix(doc, findings[0]));
        for (const std::uint32_t v : findings[0].vertices) {
            QVERIFY(std::abs(mended.mesh(Tube::mesh).weights.weight(v, 0) - 0.5f) < 1e-6f);
            QVERIFY(mended.mesh(Tube::mesh).weights.row(v).size() > 2);
        }
    }

    void rigidPartsThatTouchAreNoSeam() {
        document::DocumentState state = tubeDocument();
        skin::SkinWeights& weights = state.meshes[0].weights;
        for (std::size_t v = 0; v < weights.vertexCount(); ++v)
            weights.setRow(v, skin::Row{{static_cast<std::uint32_t>(v == 524), 1.0f}});
        for (const Finding& f : check::examine(Document(std::move(state))))
            QVERIFY2(f.code != "SEAM_WEIGHTS_DIFFER", f.text.c_str());
    }

    void aCancelledExaminationEndsAtOnce() {
        const std::atomic<bool> cancelled = true;
        document::DocumentState state = tubeDocument();
        state.meshes[0].weights.setRow(524, skin::Row{{0, 1.0f}});
        QVERIFY(check::examine(Document(std::move(state)), {.cancelled = &cancelled}).empty());
    }

    void findingsOfAnotherDocumentAreRefused() {
        Finding foreign;
        foreign.code = "SEAM_WEIGHTS_DIFFER";
        foreign.fix = "Average weights at seams";
        foreign.mesh = MeshId(std::size_t(7));
        QVERIFY(!check::fix(Document(tubeDocument()), foreign));
        foreign.mesh = Tube::plate;
        QVERIFY(!check::fix(Document(tubeDocument()), foreign));
        foreign.code = "NO_SUCH_RULE";
        QVERIFY(!check::fix(Document(tubeDocument()), foreign));
        QVERIFY(!check::fixAll(Document(tubeDocument()), {}));
    }
};

QTEST_APPLESS_MAIN(TestCheck)
#include "test_check.moc"
