#include "core/document/paint_stroke.h"

#include "core/document/brush_points.h"
#include "core/document/evaluator.h"
#include "core/document/paint_slots.h"
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
    std::vector<float> coverage;     // [P] the largest so far
    std::vector<std::uint8_t> flags; // [P] what the outcome has counted
    weights::RowSmoother smoother{0};
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

    // Memory of a dab, kept for the next one.
    std::vector<BrushPoint> points;
    skin::Row row;
    std::vector<skin::Influence> pool; // rows that smoothing computed, one after the other
    std::vector<std::uint32_t> ends;   // [points] end of each in `pool`

    [[nodiscard]] bool smooths() const { return settings.mode == PaintSettings::Mode::Smooth; }

    void count(PaintedMesh& mesh, std::uint32_t point, PaintedMesh::Flag flag, std::size_t& counter) {
        if (mesh.flags[point] & flag)
            return;
        mesh.flags[point] |= flag;
        ++counter;
    }

    PaintedMesh* open(InstanceId id, ChangeSet& changes) {
        const Instance& instance = doc.instance(id);
        PaintedMesh& mesh = meshes[instance.mesh];
        if (!mesh.coverage.empty())
            return &mesh;
        const bool mayAppend =
            settings.mode == PaintSettings::Mode::Add || settings.mode == PaintSettings::Mode::Replace;
        auto slots = paintSlots(doc, preview, id, smooths() ? JointId{} : settings.joint, mayAppend, changes);
        if (!slots) {
            meshes.erase(instance.mesh);
            return nullptr;
        }
        const std::size_t pointCount = doc.mesh(instance.mesh).weld().pointCount();
        mesh.slots = std::move(*slots);
        mesh.coverage.assign(pointCount, 0);
        mesh.flags.assign(pointCount, 0);
        mesh.smoother = weights::RowSmoother(mesh.slots.locked.size());
        return &mesh;
    }

    [[nodiscard]] std::size_t rowLimit(std::size_t present) const {
        return settings.maxInfluences == 0 ? 0 : std::max(settings.maxInfluences, present);
    }

    weights::NormalizeOutcome normalize(const PaintedMesh& mesh, std::optional<double> value) {
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
    weights::NormalizeOutcome brushRow(const PaintedMesh& mesh, std::span<const skin::Influence> start,
                                       double coverage) {
        row.assign(start.begin(), start.end());
        const double before = weightOf(start, *mesh.slots.edited);
        return normalize(mesh, weights::brushedWeight(operatorOf(settings.mode), before, coverage, settings.value));
    }

    void report(PaintedMesh& mesh, std::uint32_t point, const weights::NormalizeOutcome& result) {
        if (result.rejected)
            count(mesh, point, PaintedMesh::kRejected, outcome.rejected);
        else
            count(mesh, point, PaintedMesh::kTouched, outcome.touched);
        if (result.clamped)
            count(mesh, point, PaintedMesh::kClamped, outcome.clamped);
        if (result.overlocked)
            count(mesh, point, PaintedMesh::kOverlocked, outcome.overlocked);
    }

    void write(MeshId id, PaintedMesh& mesh, std::uint32_t point, std::uint32_t vertex, MeshChange& change) {
        if (!differs(preview.row(doc, id, vertex), row))
            return;
        preview.setRow(id, vertex, row);
        change.weightVertices.push_back(vertex);
        count(mesh, point, PaintedMesh::kChanged, outcome.changed);
    }

    // Vertices of a point get one row, so that seams stay closed; one whose locked weights are its own keeps them.
    void setPoint(MeshId id, PaintedMesh& mesh, const BrushPoint& p, double strength, MeshChange& change) {
        const float coverage = static_cast<float>(strength * p.falloff);
        if (!(coverage > mesh.coverage[p.point]))
            return;
        mesh.coverage[p.point] = coverage;
        const MeshData& data = doc.mesh(id);
        const auto start = data.weights.row(data.weld().firstVertex(p.point));
        const auto result = brushRow(mesh, start, coverage);
        report(mesh, p.point, result);
        if (result.rejected)
            return;
        if ((result.clamped || result.overlocked) && !differs(start, row) && anyLockedWeight(start, mesh.slots.locked))
            count(mesh, p.point, PaintedMesh::kFull, outcome.full);
        bool shared = true; // `row` is the one of the first vertex
        for (const std::uint32_t v : data.weld().verticesOfPoint[p.point]) {
            const auto own = data.weights.row(v);
            const bool fits = sameLocked(own, start, mesh.slots.locked);
            if (!fits)
                brushRow(mesh, own, coverage);
            else if (!shared)
                brushRow(mesh, start, coverage);
            shared = fits;
            write(id, mesh, p.point, v, change);
        }
    }

    // Jacobi: all rows are computed from those before the dab, so the order of points does not matter.
    void smoothPoints(MeshId id, PaintedMesh& mesh, double strength, MeshChange& change) {
        const MeshData& data = doc.mesh(id);
        const mesh::Weld& weld = data.weld();
        pool.clear();
        ends.clear();
        for (const BrushPoint& p : points) {
            for (const std::uint32_t n : weld.neighbours[p.point])
                mesh.smoother.addNeighbour(preview.row(doc, id, weld.firstVertex(n)));
            const auto own = preview.row(doc, id, weld.firstVertex(p.point));
            mesh.smoother.finish(own, strength * p.falloff, mesh.slots.locked, row);
            const auto result = normalize(mesh, std::nullopt);
            report(mesh, p.point, result);
            pool.insert(pool.end(), row.begin(), row.end());
            ends.push_back(static_cast<std::uint32_t>(pool.size()));
        }
        std::uint32_t begin = 0;
        for (std::size_t k = 0; k < points.size(); ++k) {
            row.assign(pool.begin() + begin, pool.begin() + ends[k]);
            for (const std::uint32_t v : weld.verticesOfPoint[points[k].point])
                if (sameLocked(data.weights.row(v), row, mesh.slots.locked))
                    write(id, mesh, points[k].point, v, change);
            begin = ends[k];
        }
    }

    void dabOn(InstanceId id, const BrushDab& dab, ChangeSet& changes) {
        PaintedMesh* mesh = open(id, changes);
        if (!mesh) {
            if (doc.state().locked[settings.joint.index()])
                outcome.rejected = std::max(outcome.rejected, points.size());
            return;
        }
        const MeshId meshId = doc.instance(id).mesh;
        MeshChange& change = changes.of(meshId);
        if (smooths()) {
            smoothPoints(meshId, *mesh, dab.strength, change);
        } else {
            for (const BrushPoint& p : points)
                setPoint(meshId, *mesh, p, dab.strength, change);
        }
        std::sort(change.weightVertices.begin(), change.weightVertices.end());
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
                     .points = {},
                     .row = {},
                     .pool = {},
                     .ends = {}}) {}

PaintStroke::~PaintStroke() = default;

ChangeSet PaintStroke::dab(const BrushDab& dab) {
    ChangeSet changes;
    Impl& s = *impl_;
    if (!s.smooths() && !s.settings.joint.valid())
        return changes;
    std::vector<MeshId> painted;
    for (std::size_t i = 0; i < s.doc.instanceCount(); ++i) {
        const InstanceId id(i);
        const Instance& instance = s.doc.instance(id);
        const MeshData& data = s.doc.mesh(instance.mesh);
        if (!s.doc.isSkinned(id) || s.hidden.contains(id) ||
            std::find(painted.begin(), painted.end(), instance.mesh) != painted.end())
            continue;
        pointsUnder(dab, data.weld(), s.evaluator.positions(id), s.evaluator.normals(id), s.points);
        if (s.points.empty())
            continue;
        painted.push_back(instance.mesh);
        s.outcome.reached = std::max(s.outcome.reached, s.points.size());
        s.dabOn(id, dab, changes);
    }
    return changes;
}

const PaintOutcome& PaintStroke::outcome() const {
    return impl_->outcome;
}

} // namespace limber::document
