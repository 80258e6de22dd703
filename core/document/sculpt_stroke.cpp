#include "core/document/sculpt_stroke.h"

#include "core/base/pieces.h"
#include "core/document/brush_points.h"
#include "core/document/evaluator.h"
#include "core/document/reused_changes.h"
#include "core/shape/corrective.h"
#include "core/shape/sculpt_brush.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace limber::document {

namespace {

constexpr std::int32_t kNoEntry = -1;
// Points of one stroke that there is room for from the start.
constexpr std::size_t kRoom = 1 << 17;
constexpr std::size_t kPiece = 1024;

// One vertex of a sculpted point: how an offset of the posed point becomes one of the shape.
struct VertexEntry {
    std::uint32_t vertex = 0;
    std::uint32_t place = 0; // in the preview's list
    bool exact = false;      // the skin reaches every offset
    bool unreachable = false;
    Eigen::Vector3d before = Eigen::Vector3d::Zero();  // the shape's offset at the stroke's start
    Eigen::Matrix3d inverse = Eigen::Matrix3d::Zero(); // clamped
};

// One point that the stroke has touched, its vertices being [firstVertex, endVertex) of the session's list.
struct PointEntry {
    std::uint32_t point = 0;
    std::uint32_t firstVertex = 0, endVertex = 0;
    Eigen::Vector3d start = Eigen::Vector3d::Zero();  // posed, before the stroke
    Eigen::Vector3d offset = Eigen::Vector3d::Zero(); // y - x of section 7
    float held = 0;                                   // grab: share of the motion, fixed at the press
};

// What one stroke knows of one mesh: the buffer y of section 7, for the points it touched.
struct Session {
    InstanceId instance;
    ShapeId shape;
    double weight = 0;                 // beta; too small: nothing is sculpted
    std::vector<std::int32_t> entryOf; // [P]
    std::vector<PointEntry> points;
    std::vector<VertexEntry> vertices;
};

// What a dab looks up once and not for each point.
struct DabWork {
    MeshId mesh;
    Session& session;
    const mesh::Weld& weld;
    const shape::Shape& shape; // as the document has it
    Preview::PreviewDeltas& deltas;
    VertexMaps maps;
    std::span<const Eigen::Vector3f> positions, normals;
    PointNormals& facing;
    MeshChange& change;
};

} // namespace

struct SculptStroke::Impl {
    const Document& doc;
    Evaluator& evaluator;
    Preview& preview;
    SculptSettings settings;
    std::vector<SculptTarget> targets;
    double threshold = 0; // world units
    std::unordered_map<MeshId, Session> sessions;
    bool pressed = false;
    std::size_t unreachable = 0;

    BrushPoints brush;
    ReusedChanges changes;
    std::span<const BrushPoint> under;
    std::vector<Eigen::Vector3d> moved; // offsets that a dab computes before it writes any

    Session& open(const SculptTarget& target, InstanceId instance) {
        Session& s = sessions[target.mesh];
        s.instance = instance;
        s.shape = target.shape;
        const MeshData& data = doc.mesh(target.mesh);
        const std::size_t index = data.shapeIndex(target.shape);
        if (index < data.shapes.size())
            s.weight = evaluator.shapeWeights(instance)[index];
        s.entryOf.assign(data.weld().pointCount(), kNoEntry);
        s.points.reserve(std::min(data.weld().pointCount(), kRoom));
        s.vertices.reserve(std::min(data.geometry.vertexCount(), kRoom));
        preview.deltasOf(target.mesh, target.shape);
        preview.reserveDeltas(target.mesh, data.geometry.vertexCount());
        return s;
    }

    PointEntry& touch(const DabWork& work, std::uint32_t point) {
        Session& s = work.session;
        if (s.entryOf[point] != kNoEntry)
            return s.points[static_cast<std::size_t>(s.entryOf[point])];
        s.entryOf[point] = static_cast<std::int32_t>(s.points.size());
        PointEntry& entry = s.points.emplace_back();
        entry.point = point;
        entry.start = work.positions[work.weld.firstVertex(point)].cast<double>();
        entry.firstVertex = static_cast<std::uint32_t>(s.vertices.size());
        for (const std::uint32_t v : work.weld.verticesOfPoint[point]) {
            VertexEntry& vertex = s.vertices.emplace_back();
            const skin::VertexMap map = work.maps(v);
            const shape::ClampedMatrix clamped = shape::clampedInverseMatrix(map.a, map.jointScale);
            vertex.vertex = v;
            vertex.exact = clamped.exact;
            vertex.inverse = clamped.inverse;
            vertex.before = work.shape.delta(v).cast<double>();
            vertex.place = preview.setDelta(work.mesh, v, vertex.before);
        }
        entry.endVertex = static_cast<std::uint32_t>(s.vertices.size());
        return entry;
    }

    // Where the point stands now: y where the stroke has been, else the posed point.
    [[nodiscard]] static Eigen::Vector3d present(const DabWork& work, std::uint32_t point) {
        const Session& s = work.session;
        if (const std::int32_t at = s.entryOf[point]; at != kNoEntry) {
            const PointEntry& entry = s.points[static_cast<std::size_t>(at)];
            return entry.start + entry.offset;
        }
        return work.positions[work.weld.firstVertex(point)].cast<double>();
    }

    // Carries the offset of a point back through the skin, for each of its vertices (section 4's increment).
    void store(const DabWork& work, const PointEntry& entry) {
        const bool still = entry.offset.norm() <= threshold;
        for (std::uint32_t k = entry.firstVertex; k < entry.endVertex; ++k) {
            VertexEntry& vertex = work.session.vertices[k];
            const Eigen::Vector3d increment = vertex.inverse * entry.offset;
            work.deltas.deltas[vertex.place] =
                still ? vertex.before : Eigen::Vector3d(vertex.before + increment / work.session.weight);
            work.change.shapeVertices.push_back(vertex.vertex);
            if (vertex.exact)
                continue;
            const Eigen::Matrix3d a = work.maps(vertex.vertex).a;
            const bool lost = !still && (entry.offset - a * increment).norm() > threshold;
            unreachable += static_cast<std::size_t>(lost) - static_cast<std::size_t>(vertex.unreachable);
            vertex.unreachable = lost;
        }
    }

    void grab(const DabWork& work, const BrushDab& dab) {
        if (!pressed) {
            for (const BrushPoint& p : under)
                touch(work, p.point).held = p.falloff;
            if (dab.motion.isZero(0))
                return; // held, not moved: what is laid over equals what it covers
        }
        for (PointEntry& entry : work.session.points) {
            entry.offset = shape::grabbed(entry.start, entry.held, dab.motion) - entry.start;
            store(work, entry);
        }
    }

    [[nodiscard]] Eigen::Vector3d target(const DabWork& work, const BrushPoint& p, const BrushDab& dab) const {
        const Eigen::Vector3d y = present(work, p.point);
        const double amount = dab.strength * p.falloff;
        if (settings.mode == SculptSettings::Mode::Inflate) {
            const Eigen::Vector3f n = work.facing.of(work.positions, work.normals, p.point).direction;
            return shape::inflated(y, amount, dab.radius, n.cast<double>().normalized());
        }
        const auto neighbours = work.weld.neighbours[p.point];
        if (neighbours.empty())
            return y;
        Eigen::Vector3d mean = Eigen::Vector3d::Zero();
        for (const std::uint32_t n : neighbours)
            mean += present(work, n);
        return shape::smoothed(y, amount, mean / static_cast<double>(neighbours.size()));
    }

    // Jacobi: all new places first, so that the order of points does not matter.
    void move(const DabWork& work, const BrushDab& dab) {
        moved.resize(under.size());
        inPieces(under.size(), kPiece, [&](std::size_t first, std::size_t end) {
            for (std::size_t k = first; k < end; ++k)
                moved[k] = target(work, under[k], dab);
        });
        for (std::size_t k = 0; k < under.size(); ++k) {
            PointEntry& entry = touch(work, under[k].point);
            entry.offset = moved[k] - entry.start;
            store(work, entry);
        }
    }

    void dabOn(const SculptTarget& target, const BrushDab& dab) {
        const auto known = sessions.find(target.mesh);
        const bool grabs = settings.mode == SculptSettings::Mode::Grab;
        if (grabs && pressed && known == sessions.end())
            return;
        for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
            const InstanceId id(i);
            if (doc.instance(id).mesh != target.mesh || (known != sessions.end() && known->second.instance != id))
                continue;
            if (!grabs || !pressed) {
                under = brush.under(id, dab);
                if (under.empty())
                    continue;
            }
            Session& s = known != sessions.end() ? known->second : open(target, id);
            if (std::abs(s.weight) < shape::kSmallestShapeWeight)
                return;
            const MeshData& data = doc.mesh(target.mesh);
            MeshChange& change = changes.of(target.mesh);
            const auto posedNormals = evaluator.normals(id); // before the points: posed once
            const DabWork work{target.mesh,
                               s,
                               data.weld(),
                               *data.findShape(s.shape),
                               preview.deltasOf(target.mesh, s.shape),
                               evaluator.vertexMaps(id),
                               evaluator.positions(id),
                               posedNormals,
                               brush.normals(id),
                               change};
            if (grabs)
                grab(work, dab);
            else
                move(work, dab);
            if (!std::is_sorted(change.shapeVertices.begin(), change.shapeVertices.end()))
                std::sort(change.shapeVertices.begin(), change.shapeVertices.end());
            brush.changed(target.mesh, change.shapeVertices);
            return;
        }
    }
};

SculptStroke::SculptStroke(const Document& doc, Evaluator& evaluator, Preview& preview, SculptSettings settings,
                           std::vector<SculptTarget> targets)
    : impl_(new Impl{.doc = doc,
                     .evaluator = evaluator,
                     .preview = preview,
                     .settings = settings,
                     .targets = std::move(targets),
                     .threshold = shape::kOffsetThreshold * evaluator.bindDiagonal(),
                     .sessions = {},
                     .brush = {doc, evaluator, preview},
                     .changes = {},
                     .under = {},
                     .moved = {}}) {}

SculptStroke::~SculptStroke() = default;

const ChangeSet& SculptStroke::dab(const BrushDab& dab) {
    impl_->changes.clear();
    for (const SculptTarget& target : impl_->targets)
        impl_->dabOn(target, dab);
    impl_->pressed = true;
    return impl_->changes.set();
}

std::size_t SculptStroke::unreachable() const {
    return impl_->unreachable;
}

std::vector<std::uint32_t> SculptStroke::verticesUnder(const Document& doc, Evaluator& evaluator, InstanceId instance,
                                                       const BrushDab& dab) {
    const mesh::Weld& weld = doc.mesh(doc.instance(instance).mesh).weld();
    std::vector<BrushPoint> points;
    const auto normals = evaluator.normals(instance); // before the points: posed once
    pointsUnder(dab, doc.mesh(doc.instance(instance).mesh), evaluator.positions(instance), normals, points);
    std::vector<std::uint32_t> vertices;
    for (const BrushPoint& p : points)
        for (const std::uint32_t v : weld.verticesOfPoint[p.point])
            vertices.push_back(v);
    std::sort(vertices.begin(), vertices.end());
    return vertices;
}

} // namespace limber::document
