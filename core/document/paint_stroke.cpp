#include "core/document/paint_stroke.h"

#include "core/base/pieces.h"
#include "core/document/brush_points.h"
#include "core/document/evaluator.h"
#include "core/document/paint_slots.h"
#include "core/document/reused_changes.h"
#include "core/weights/normalize.h"
#include "core/weights/weight_brush.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace limber::document {

namespace {

weights::BrushOperator operatorOf(PaintSettings::Mode mode) {
    switch (mode) {
    case PaintSettings::Mode::Subtract:
        return weights::BrushOperator::Subtract;
    case PaintSettings::Mode::Replace:
        return weights::BrushOperator::Replace;
    case PaintSettings::Mode::Add:
    case PaintSettings::Mode::Smooth:
        break;
    }
    return weights::BrushOperator::Add;
}

float weightOf(std::span<const skin::Influence> row, std::uint32_t slot) {
    for (const skin::Influence& i : row)
        if (i.slot == slot)
            return i.weight;
    return 0;
}

// Less than this is rounding.
constexpr float kSmallestChange = 1e-6f;

bool differs(std::span<const skin::Influence> a, std::span<const skin::Influence> b) {
    bool sameSlots = a.size() == b.size(), near = true;
    for (std::size_t k = 0; sameSlots && k < a.size(); ++k) {
        sameSlots = a[k].slot == b[k].slot;
        near &= !(std::abs(a[k].weight - b[k].weight) > kSmallestChange);
    }
    if (sameSlots)
        return !near;
    const auto found = [](std::span<const skin::Influence> in, std::span<const skin::Influence> other) {
        return std::any_of(in.begin(), in.end(), [&](const skin::Influence& i) {
            return std::abs(i.weight - weightOf(other, i.slot)) > kSmallestChange;
        });
    };
    return found(a, b) || found(b, a);
}

bool anyLockedWeight(std::span<const skin::Influence> row, std::span<const std::uint8_t> locked) {
    return std::any_of(row.begin(), row.end(),
                       [&](const skin::Influence& i) { return locked[i.slot] && i.weight > kSmallestChange; });
}

bool sameLocked(std::span<const skin::Influence> a, std::span<const skin::Influence> b,
                std::span<const std::uint8_t> locked) {
    const auto contained = [&](std::span<const skin::Influence> in, std::span<const skin::Influence> other) {
        return std::all_of(in.begin(), in.end(), [&](const skin::Influence& i) {
            return !locked[i.slot] || weightOf(other, i.slot) == i.weight;
        });
    };
    return contained(a, b) && contained(b, a);
}

// What one stroke knows of one mesh.
struct PaintedMesh {
    enum Flag : std::uint8_t { kTouched = 1, kRejected = 2, kClamped = 4, kOverlocked = 8, kChanged = 16, kFull = 32 };

    PaintSlots slots;
    bool anyLocked = false;
    std::vector<float> coverage;     // [P] the largest so far
    std::vector<std::uint8_t> flags; // [P] what the outcome has counted
};

// Points that one thread works on at a time, and what it makes of them: nothing of the preview is written before all
// pieces of a dab are done.
constexpr std::size_t kPiecePoints = 1024;

struct Piece {
    struct NewRow {
        std::uint32_t vertex, first, end; // of `influences`
    };
    std::vector<NewRow> rows;
    std::vector<skin::Influence> influences;
    PaintOutcome outcome; // of this dab
    skin::Row row;
    weights::RowSmoother smoother;

    explicit Piece(std::size_t slots) : smoother(slots) {
        rows.reserve(2 * kPiecePoints);
        influences.reserve(8 * kPiecePoints);
        row.reserve(64);
    }
    void clear() {
        rows.clear();
        influences.clear();
        outcome = {};
    }
};

} // namespace

struct PaintStroke::Impl {
    const Document& doc;
    Evaluator& evaluator;
    Preview& preview;
    PaintSettings settings;
    std::unordered_set<InstanceId> hidden;
    std::unordered_map<MeshId, PaintedMesh> meshes;
    PaintOutcome outcome;
    BrushPoints brush;

    // Memory of a dab, kept for the next one.
    ReusedChanges changes;
    std::span<const BrushPoint> points;
    std::vector<Piece> pieces;
    std::size_t pieceSlots = 0; // that the pieces have room for
    std::vector<MeshId> painted;

    [[nodiscard]] bool smooths() const { return settings.mode == PaintSettings::Mode::Smooth; }

    static void count(PaintedMesh& mesh, std::uint32_t point, PaintedMesh::Flag flag, std::size_t& counter) {
        if (mesh.flags[point] & flag)
            return;
        mesh.flags[point] |= flag;
        ++counter;
    }

    PaintedMesh* open(InstanceId id) {
        const Instance& instance = doc.instance(id);
        PaintedMesh& mesh = meshes[instance.mesh];
        if (!mesh.coverage.empty())
            return &mesh;
        const bool mayAppend =
            settings.mode == PaintSettings::Mode::Add || settings.mode == PaintSettings::Mode::Replace;
        auto slots = paintSlots(doc, preview, id, smooths() ? JointId{} : settings.joint, mayAppend, changes.set());
        if (!slots) {
            meshes.erase(instance.mesh);
            return nullptr;
        }
        const std::size_t pointCount = doc.mesh(instance.mesh).weld().pointCount();
        mesh.slots = std::move(*slots);
        mesh.anyLocked = std::any_of(mesh.slots.locked.begin(), mesh.slots.locked.end(), [](auto l) { return l != 0; });
        mesh.coverage.assign(pointCount, 0);
        mesh.flags.assign(pointCount, 0);
        preview.reserveRows(doc, instance.mesh);
        return &mesh;
    }

    [[nodiscard]] std::size_t rowLimit(std::size_t present) const {
        return settings.maxInfluences == 0 ? 0 : std::max(settings.maxInfluences, present);
    }

    weights::NormalizeOutcome normalize(const PaintedMesh& mesh, skin::Row& row, std::optional<double> value) const {
        weights::NormalizeRequest request;
        request.locked = mesh.slots.locked;
        request.fallback = mesh.slots.fallback;
        request.maxInfluences = rowLimit(row.size());
        if (value) {
            request.edited = mesh.slots.edited;
            request.value = *value;
        }
        return weights::normalizeRow(row, request);
    }

    // `row` becomes `start` with the edited joint's weight under this coverage.
    weights::NormalizeOutcome brushRow(const PaintedMesh& mesh, std::span<const skin::Influence> start, double coverage,
                                       skin::Row& row) const {
        row.assign(start.begin(), start.end());
        const double before = weightOf(start, *mesh.slots.edited);
        return normalize(mesh, row,
                         weights::brushedWeight(operatorOf(settings.mode), before, coverage, settings.value));
    }

    static void report(PaintedMesh& mesh, std::uint32_t point, const weights::NormalizeOutcome& result,
                       PaintOutcome& to) {
        if (result.rejected)
            count(mesh, point, PaintedMesh::kRejected, to.rejected);
        else
            count(mesh, point, PaintedMesh::kTouched, to.touched);
        if (result.clamped)
            count(mesh, point, PaintedMesh::kClamped, to.clamped);
        if (result.overlocked)
            count(mesh, point, PaintedMesh::kOverlocked, to.overlocked);
    }

    [[nodiscard]] static bool keepsLocked(const PaintedMesh& mesh, std::span<const skin::Influence> a,
                                          std::span<const skin::Influence> b) {
        return !mesh.anyLocked || sameLocked(a, b, mesh.slots.locked);
    }

    static void write(const MeshData& data, const Preview::PreviewRows& present, PaintedMesh& mesh, std::uint32_t point,
                      std::uint32_t vertex, Piece& piece) {
        if (!differs(present.rowOr(data.weights, vertex), piece.row))
            return;
        const auto first = static_cast<std::uint32_t>(piece.influences.size());
        piece.influences.insert(piece.influences.end(), piece.row.begin(), piece.row.end());
        piece.rows.push_back({vertex, first, static_cast<std::uint32_t>(piece.influences.size())});
        count(mesh, point, PaintedMesh::kChanged, piece.outcome.changed);
    }

    // Vertices of a point get one row, so that seams stay closed; one whose locked weights are its own keeps them.
    void setPoint(const MeshData& data, const Preview::PreviewRows& present, PaintedMesh& mesh, const BrushPoint& p,
                  double strength, Piece& piece) const {
        const float coverage = static_cast<float>(strength * p.falloff);
        if (!(coverage > mesh.coverage[p.point]))
            return;
        mesh.coverage[p.point] = coverage;
        const auto start = data.weights.row(data.weld().firstVertex(p.point));
        const auto result = brushRow(mesh, start, coverage, piece.row);
        report(mesh, p.point, result, piece.outcome);
        if (result.rejected)
            return;
        if ((result.clamped || result.overlocked) && !differs(start, piece.row) &&
            anyLockedWeight(start, mesh.slots.locked))
            count(mesh, p.point, PaintedMesh::kFull, piece.outcome.full);
        bool shared = true; // the row is the one of the first vertex
        for (const std::uint32_t v : data.weld().verticesOfPoint[p.point]) {
            const auto own = data.weights.row(v);
            const bool fits = keepsLocked(mesh, own, start);
            if (!fits)
                brushRow(mesh, own, coverage, piece.row);
            else if (!shared)
                brushRow(mesh, start, coverage, piece.row);
            shared = fits;
            write(data, present, mesh, p.point, v, piece);
        }
    }

    // Jacobi: rows are computed from those before the dab, so the order of points does not matter.
    void smoothPoint(const MeshData& data, const Preview::PreviewRows& present, PaintedMesh& mesh, const BrushPoint& p,
                     double strength, Piece& piece) const {
        const mesh::Weld& weld = data.weld();
        for (const std::uint32_t n : weld.neighbours[p.point])
            piece.smoother.addNeighbour(present.rowOr(data.weights, weld.firstVertex(n)));
        const auto own = present.rowOr(data.weights, weld.firstVertex(p.point));
        piece.smoother.finish(own, strength * p.falloff, mesh.slots.locked, piece.row);
        report(mesh, p.point, normalize(mesh, piece.row, std::nullopt), piece.outcome);
        for (const std::uint32_t v : weld.verticesOfPoint[p.point])
            if (keepsLocked(mesh, data.weights.row(v), piece.row))
                write(data, present, mesh, p.point, v, piece);
    }

    void readyPieces(std::size_t count, std::size_t slots) {
        if (slots > pieceSlots) {
            pieces.clear();
            pieceSlots = slots;
        }
        while (pieces.size() < count)
            pieces.emplace_back(pieceSlots);
    }

    void commit(std::size_t count, Preview::PreviewRows& rows, MeshChange& change) {
        for (const Piece& piece : std::span(pieces).first(count)) {
            for (const Piece::NewRow& row : piece.rows) {
                rows.set(row.vertex, std::span(piece.influences).subspan(row.first, row.end - row.first));
                change.weightVertices.push_back(row.vertex);
            }
            outcome.touched += piece.outcome.touched;
            outcome.rejected += piece.outcome.rejected;
            outcome.clamped += piece.outcome.clamped;
            outcome.overlocked += piece.outcome.overlocked;
            outcome.changed += piece.outcome.changed;
            outcome.full += piece.outcome.full;
        }
        if (!std::is_sorted(change.weightVertices.begin(), change.weightVertices.end()))
            std::sort(change.weightVertices.begin(), change.weightVertices.end());
    }

    void dabOn(InstanceId id, const BrushDab& dab) {
        PaintedMesh* mesh = open(id);
        if (!mesh) {
            if (doc.state().locked[settings.joint.index()])
                outcome.rejected = std::max(outcome.rejected, points.size());
            return;
        }
        const MeshId meshId = doc.instance(id).mesh;
        const MeshData& data = doc.mesh(meshId);
        Preview::PreviewRows& rows = preview.rowsOf(meshId);
        const std::size_t count = (points.size() + kPiecePoints - 1) / kPiecePoints;
        readyPieces(count, mesh->slots.locked.size());
        inPieces(points.size(), kPiecePoints, [&](std::size_t first, std::size_t end) {
            Piece& piece = pieces[first / kPiecePoints];
            piece.clear();
            for (std::size_t k = first; k < end; ++k) {
                if (smooths())
                    smoothPoint(data, rows, *mesh, points[k], dab.strength, piece);
                else
                    setPoint(data, rows, *mesh, points[k], dab.strength, piece);
            }
        });
        MeshChange& change = changes.of(meshId);
        commit(count, rows, change);
        brush.changed(meshId, change.weightVertices);
    }
};

PaintStroke::PaintStroke(const Document& doc, Evaluator& evaluator, Preview& preview, PaintSettings settings,
                         std::vector<InstanceId> hidden)
    : impl_(new Impl{.doc = doc,
                     .evaluator = evaluator,
                     .preview = preview,
                     .settings = settings,
                     .hidden = {hidden.begin(), hidden.end()},
                     .meshes = {},
                     .outcome = {},
                     .brush = {doc, evaluator, preview},
                     .changes = {},
                     .points = {},
                     .pieces = {},
                     .painted = {}}) {}

PaintStroke::~PaintStroke() = default;

const ChangeSet& PaintStroke::dab(const BrushDab& dab) {
    Impl& s = *impl_;
    s.changes.clear();
    if (!s.smooths() && !s.settings.joint.valid())
        return s.changes.set();
    s.painted.clear();
    for (std::size_t i = 0; i < s.doc.instanceCount(); ++i) {
        const InstanceId id(i);
        const Instance& instance = s.doc.instance(id);
        if (!s.doc.isSkinned(id) || s.hidden.contains(id) ||
            std::find(s.painted.begin(), s.painted.end(), instance.mesh) != s.painted.end())
            continue;
        s.points = s.brush.under(id, dab);
        if (s.points.empty())
            continue;
        s.painted.push_back(instance.mesh);
        s.outcome.reached = std::max(s.outcome.reached, s.points.size());
        s.dabOn(id, dab);
    }
    return s.changes.set();
}

const PaintOutcome& PaintStroke::outcome() const {
    return impl_->outcome;
}

} // namespace limber::document
