#include "core/document/map_stroke.h"

#include "core/document/brush_points.h"
#include "core/document/evaluator.h"
#include "core/document/reused_changes.h"
#include "core/weights/weight_brush.h"

#include <algorithm>
#include <unordered_map>

namespace limber::document {

namespace {

struct MapOfMesh {
    Preview::PreviewMap* values = nullptr;
    std::vector<float> coverage;       // [P] the largest so far
    std::vector<std::uint8_t> changed; // [P] what the outcome has counted
};

struct NewValue {
    std::uint32_t point;
    float value;
};

weights::BrushOperator operatorOf(PaintSettings::Mode mode) {
    return mode == PaintSettings::Mode::Subtract  ? weights::BrushOperator::Subtract
           : mode == PaintSettings::Mode::Replace ? weights::BrushOperator::Replace
                                                  : weights::BrushOperator::Add;
}

} // namespace

struct MapStroke::Impl {
    const Document& doc;
    Evaluator& evaluator;
    Preview& preview;
    MapSettings settings;
    std::vector<InstanceId> leftOut;
    BrushPoints brush;
    MapOutcome outcome;
    std::unordered_map<MeshId, MapOfMesh> meshes;

    // Memory of a dab, kept for the next one.
    ReusedChanges changes;
    std::vector<NewValue> values;
    std::vector<MeshId> painted;

    // Against the stroke's start, so that going over a place twice is going over it once.
    void brushed(const MeshData& data, MapOfMesh& mesh, const BrushPoint& p, double strength) {
        const float coverage = static_cast<float>(strength * p.falloff);
        if (!(coverage > mesh.coverage[p.point]))
            return;
        mesh.coverage[p.point] = coverage;
        const double start = data.mapValue(settings.map, data.weld().firstVertex(p.point));
        values.push_back({p.point, static_cast<float>(weights::brushedWeight(operatorOf(settings.mode), start, coverage,
                                                                             settings.value))});
    }

    void smoothed(const MeshData& data, const MapOfMesh& mesh, const BrushPoint& p, double strength) {
        const mesh::Weld& weld = data.weld();
        const auto valueAt = [&](std::uint32_t point) {
            return static_cast<double>(mesh.values->valueOr(data, weld.firstVertex(point)));
        };
        const auto neighbours = weld.neighbours[p.point];
        if (neighbours.empty())
            return;
        double sum = 0;
        for (const std::uint32_t n : neighbours)
            sum += valueAt(n);
        const double own = valueAt(p.point), mean = sum / static_cast<double>(neighbours.size());
        const double amount = std::clamp(strength * static_cast<double>(p.falloff), 0.0, 1.0);
        values.push_back({p.point, static_cast<float>(own + amount * (mean - own))});
    }

    void dabOn(MeshId id, std::span<const BrushPoint> points, double strength) {
        const MeshData& data = doc.mesh(id);
        const mesh::Weld& weld = data.weld();
        MapOfMesh& mesh = meshes[id];
        if (mesh.coverage.empty()) {
            mesh.coverage.assign(weld.pointCount(), 0);
            mesh.changed.assign(weld.pointCount(), 0);
            mesh.values = &preview.mapOf(id, settings.map, data.geometry.vertexCount());
        }
        // All values are computed from those before the dab, so the order of points does not matter.
        values.clear();
        values.reserve(points.size());
        for (const BrushPoint& p : points) {
            if (settings.mode == PaintSettings::Mode::Smooth)
                smoothed(data, mesh, p, strength);
            else
                brushed(data, mesh, p, strength);
        }
        MeshChange& change = changes.of(id);
        change.mapVertices.reserve(points.size() + points.size() / 2); // a point of a seam has some vertices
        for (const NewValue& v : values)
            for (const std::uint32_t vertex : weld.verticesOfPoint[v.point]) {
                if (mesh.values->valueOr(data, vertex) == v.value)
                    continue;
                mesh.values->set(vertex, v.value);
                change.mapVertices.push_back(vertex);
                outcome.changed += mesh.changed[v.point] == 0;
                mesh.changed[v.point] = 1;
            }
        std::sort(change.mapVertices.begin(), change.mapVertices.end());
        brush.changed(id, change.mapVertices);
    }
};

MapStroke::MapStroke(const Document& doc, Evaluator& evaluator, Preview& preview, MapSettings settings,
                     std::vector<InstanceId> leftOut)
    : impl_(new Impl{.doc = doc,
                     .evaluator = evaluator,
                     .preview = preview,
                     .settings = settings,
                     .leftOut = std::move(leftOut),
                     .brush = {doc, evaluator, preview},
                     .outcome = {},
                     .meshes = {},
                     .changes = {},
                     .values = {},
                     .painted = {}}) {}

MapStroke::~MapStroke() = default;

const ChangeSet& MapStroke::dab(const BrushDab& dab) {
    Impl& s = *impl_;
    s.changes.clear();
    s.painted.clear();
    for (std::size_t i = 0; i < s.doc.instanceCount(); ++i) {
        const InstanceId id(i);
        const MeshId mesh = s.doc.instance(id).mesh;
        if (!s.doc.isSkinned(id) || std::ranges::find(s.leftOut, id) != s.leftOut.end() ||
            std::ranges::find(s.painted, mesh) != s.painted.end())
            continue;
        const std::span<const BrushPoint> points = s.brush.under(id, dab);
        if (points.empty())
            continue;
        s.painted.push_back(mesh);
        s.outcome.reached = std::max(s.outcome.reached, points.size());
        s.dabOn(mesh, points, dab.strength);
    }
    return s.changes.set();
}

const MapOutcome& MapStroke::outcome() const {
    return impl_->outcome;
}

bool hasEffect(skin::PaintedMap map, const skin::Skinning& skinning) {
    return map == skin::PaintedMap::MethodShare ? skinning.method != skin::Method::Linear : skinning.mush.on;
}

} // namespace limber::document
