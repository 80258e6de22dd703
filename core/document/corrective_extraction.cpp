#include "core/base/pieces.h"
#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/shape/corrective.h"
#include "core/shape/extraction_kernel.h"

#include <algorithm>
#include <atomic>

namespace limber::document {

namespace {

constexpr std::size_t kPiece = 4096; // vertices of one task

Error notFinite(const MeshData& data) {
    return {ErrorCode::InputRefused, "The sculpted mesh has positions that are not finite.", data.geometry.name};
}

Status checkExtraction(const MeshData& data, ShapeId shape, double weight, std::span<const Eigen::Vector3d> sculpted) {
    if (sculpted.size() != data.geometry.vertexCount())
        return Error{ErrorCode::Usage,
                     "The sculpted mesh has " + std::to_string(sculpted.size()) + " vertices, the posed one has " +
                         std::to_string(data.geometry.vertexCount()) + ": only positions may differ.",
                     data.geometry.name};
    if (!(std::abs(weight) >= shape::kSmallestShapeWeight)) {
        if (std::any_of(sculpted.begin(), sculpted.end(), [](const auto& p) { return !p.allFinite(); }))
            return notFinite(data);
        return Error{ErrorCode::Failed,
                     "The shape has almost no weight in the present pose: go to the shape's pose first.",
                     data.findShape(shape)->name};
    }
    return {};
}

// Joints as the kernel reads them, where it can blend the maps itself.
std::vector<double> jointRows(const VertexMaps& maps) {
    std::vector<double> rows;
    if (!maps.rows || maps.method != skin::Method::Linear || maps.mush)
        return rows;
    rows.resize(maps.poses.size() * shape::kJointRow, 0);
    for (std::size_t s = 0; s < maps.poses.size(); ++s) {
        double* row = rows.data() + s * shape::kJointRow;
        for (Eigen::Index r = 0; r < 3; ++r)
            for (Eigen::Index c = 0; c < 4; ++c)
                row[4 * r + c] = maps.poses[s].skin(r, c);
        row[12] = maps.poses[s].largestStretch;
    }
    return rows;
}

class Extraction {
public:
    Extraction(const VertexMaps& maps, std::span<const Eigen::Vector3f> points,
               std::span<const Eigen::Vector3d> sculpted, const shape::Shape& shape, double weight, double threshold)
        : maps_(maps), points_(points), sculpted_(sculpted), shape_(shape), weight_(weight), threshold_(threshold),
          joints_(jointRows(maps)) {
        if (!joints_.empty())
            blend_ = {joints_.data(), maps.rows->entries().data(), maps.rows->counts().data(), maps.rows->capacity()};
    }

    // False where a sculpted position is not finite.
    bool run(ShapeDeltasPatch& patch, ExtractionReport& report) {
        const std::size_t count = sculpted_.size();
        vertices_.resize(count);
        before_.resize(count);
        after_.resize(count);
        pieces_.resize((count + kPiece - 1) / kPiece);
        std::atomic<bool> finite = true;
        inPieces(count, kPiece, [&](std::size_t first, std::size_t end) {
            if (!runPiece(first, end, pieces_[first / kPiece]))
                finite = false;
        });
        for (const ExtractionReport& piece : pieces_) {
            report.changed += piece.changed;
            report.unreachable += piece.unreachable;
            report.largestResidual = std::max(report.largestResidual, piece.largestResidual);
        }
        if (finite)
            take(patch, report.changed);
        return finite;
    }

private:
    using Run = shape::ExtractionRun;

    // What changes is written from place `first` on; `done` counts it.
    bool runPiece(std::size_t first, std::size_t end, ExtractionReport& done) {
        std::size_t entry = static_cast<std::size_t>(
            std::lower_bound(shape_.vertices.begin(), shape_.vertices.end(), first) - shape_.vertices.begin());
        std::size_t out = first;
        bool finite = true;
        Run run;
        for (std::size_t at = first; at < end; at += Run::kVertices) {
            const std::size_t count = std::min(Run::kVertices, end - at);
            fillMaps(at, count, run);
            finite &= shape::invertMaps(points_[at].data(), sculpted_[at].data(), count, weight_, threshold_,
                                        shape::kRegularShare, run);
            for (std::size_t k = 0; k < count; ++k)
                if (run.states[k] != shape::Extracted::Still)
                    store(at + k, out++, entry, offsetOf(run, at + k, k, done));
        }
        done.changed = out - first;
        return finite;
    }

    void fillMaps(std::size_t first, std::size_t count, Run& run) const {
        if (!joints_.empty()) {
            shape::blendMaps(blend_, first, count, run);
            return;
        }
        for (std::size_t k = 0; k < count; ++k) {
            const skin::VertexMap map = maps_(static_cast<std::uint32_t>(first + k));
            for (Eigen::Index r = 0; r < 3; ++r) {
                for (Eigen::Index c = 0; c < 3; ++c)
                    run.maps[r][k][c] = map.a(r, c);
                run.maps[r][k][3] = map.b[r];
            }
            run.maps[3][k][0] = map.jointScale;
        }
    }

    // What vertex v, the k-th of the run, adds to the shape.
    Eigen::Vector3d offsetOf(const Run& run, std::size_t v, std::size_t k, ExtractionReport& done) const {
        Eigen::Vector3d delta(run.delta[0][k], run.delta[1][k], run.delta[2][k]);
        double residual = run.residual[k];
        if (run.states[k] == shape::Extracted::Irregular) {
            const skin::VertexMap map = maps_(static_cast<std::uint32_t>(v));
            const shape::InverseResult back =
                shape::correctiveIncrement(map, map(points_[v].cast<double>()), sculpted_[v], weight_);
            delta = back.delta;
            residual = back.residual.norm();
        }
        done.unreachable += residual > threshold_;
        done.largestResidual = std::max(done.largestResidual, residual);
        return delta;
    }

    void store(std::size_t v, std::size_t out, std::size_t& entry, const Eigen::Vector3d& offset) {
        while (entry < shape_.vertices.size() && shape_.vertices[entry] < v)
            ++entry;
        const bool present = entry < shape_.vertices.size() && shape_.vertices[entry] == v;
        vertices_[out] = static_cast<std::uint32_t>(v);
        before_[out] = present ? shape_.deltas[entry] : Eigen::Vector3f::Zero();
        after_[out] = (before_[out].cast<double>() + offset).cast<float>();
    }

    // The pieces' results, without the gaps between them.
    void take(ShapeDeltasPatch& patch, std::size_t changed) {
        if (changed == sculpted_.size()) {
            patch.vertices = std::move(vertices_);
            patch.before = std::move(before_);
            patch.after = std::move(after_);
            return;
        }
        const auto pack = [&](const auto& from, auto& to) {
            to.reserve(changed);
            for (std::size_t p = 0; p < pieces_.size(); ++p) {
                const auto first = from.begin() + static_cast<std::ptrdiff_t>(p * kPiece);
                to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(pieces_[p].changed));
            }
        };
        pack(vertices_, patch.vertices);
        pack(before_, patch.before);
        pack(after_, patch.after);
    }

    const VertexMaps maps_;
    const std::span<const Eigen::Vector3f> points_;
    const std::span<const Eigen::Vector3d> sculpted_;
    const shape::Shape& shape_;
    const double weight_, threshold_;
    std::vector<double> joints_;
    shape::BlendRows blend_;
    std::vector<std::uint32_t> vertices_; // [V], each piece's from its first vertex on, as the next two
    std::vector<Eigen::Vector3f> before_, after_;
    std::vector<ExtractionReport> pieces_;
};

} // namespace

Result<Edit> extractCorrective(const Document& doc, Evaluator& evaluator, InstanceId instance, ShapeId shape,
                               std::span<const Eigen::Vector3d> sculpted, ExtractionReport* report) {
    const MeshId mesh = doc.instance(instance).mesh;
    const MeshData& data = doc.mesh(mesh);
    const std::size_t index = data.shapeIndex(shape);
    if (index >= data.shapes.size())
        return Error{ErrorCode::Usage, "The mesh has no such shape.", data.geometry.name};
    const shape::Shape& present = data.shapes[index];
    const double weight = evaluator.shapeWeights(instance)[index];
    if (Status status = checkExtraction(data, shape, weight, sculpted); !status)
        return status.error();

    ShapeDeltasPatch patch{mesh, shape, {}, {}, {}, {}};
    ExtractionReport done;
    if (!Extraction(evaluator.vertexMaps(instance), evaluator.preSkinPositions(instance), sculpted, present, weight,
                    shape::kOffsetThreshold * evaluator.bindDiagonal())
             .run(patch, done))
        return notFinite(data);
    if (report)
        *report = done;
    Edit edit;
    edit.label = "Extract " + present.name;
    if (!patch.vertices.empty()) {
        if (present.losesByEditing(patch.vertices))
            patch.whole = present;
        edit.patches.emplace_back(std::move(patch));
    }
    return edit;
}

} // namespace limber::document
