#include "core/document/refit_correctives.h"

#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/shape/corrective.h"

#include <algorithm>

namespace limber::document {

namespace {

InstanceId skinnedInstance(const Document& doc, MeshId mesh) {
    for (std::size_t i = 0; i < doc.instanceCount(); ++i)
        if (doc.instance(InstanceId(i)).mesh == mesh && doc.isSkinned(InstanceId(i)))
            return InstanceId(i);
    return {};
}

// A copy of the document in the pose of one corrective after the other, by either way of skinning.
class Bench {
public:
    Bench(const Document& doc, InstanceId instance)
        : doc_(doc.state()), evaluator_(doc_, preview_), instance_(instance) {}

    void poseFor(ShapeId shape) {
        std::vector<JointId> joints;
        for (std::size_t j = 0; j < doc_.skeleton().size(); ++j)
            joints.emplace_back(j);
        apply(resetPose(doc_, joints, PoseTarget::Bind));
        apply(goToShapePose(doc_, mesh(), shape));
    }
    void skinBy(const skin::Skinning& skinning) {
        if (const skin::Skinning now = doc_.mesh(mesh()).skinning; now != skinning)
            apply({"", {SkinningPatch{mesh(), now, skinning}}});
    }
    [[nodiscard]] VertexMaps maps() { return evaluator_.vertexMaps(instance_); }
    [[nodiscard]] double threshold() { return shape::kOffsetThreshold * evaluator_.bindDiagonal(); }

private:
    [[nodiscard]] MeshId mesh() const { return doc_.instance(instance_).mesh; }
    void apply(const Edit& edit) {
        if (!edit.empty())
            evaluator_.invalidate(doc_.apply(edit));
    }

    Document doc_;
    Preview preview_;
    Evaluator evaluator_;
    InstanceId instance_;
};

} // namespace

std::vector<ShapeId> correctivesOf(const MeshData& mesh) {
    std::vector<ShapeId> found;
    for (const shape::Shape& shape : mesh.shapes)
        if (!shape.vertices.empty() && mesh.isDriven(shape.id))
            found.push_back(shape.id);
    return found;
}

RefitCorrectives refitCorrectives(const Document& doc, MeshId mesh, const skin::Skinning& former) {
    RefitCorrectives result;
    const MeshData& data = doc.mesh(mesh);
    const InstanceId instance = skinnedInstance(doc, mesh);
    const std::vector<ShapeId> correctives = correctivesOf(data);
    if (!instance.valid() || correctives.empty())
        return result;
    Bench bench(doc, instance);
    const double threshold = bench.threshold();
    for (const ShapeId id : correctives) {
        const shape::Shape& shape = *data.findShape(id);
        bench.poseFor(id);
        bench.skinBy(former);
        std::vector<Eigen::Vector3d> moved(shape.vertices.size()); // of the posed points
        const VertexMaps before = bench.maps();
        for (std::size_t k = 0; k < moved.size(); ++k)
            moved[k] = before(shape.vertices[k]).a * shape.deltas[k].cast<double>();
        bench.skinBy(data.skinning);
        const VertexMaps after = bench.maps();
        std::vector<Eigen::Vector3f> offsets(moved.size());
        for (std::size_t k = 0; k < moved.size(); ++k) {
            const skin::VertexMap map = after(shape.vertices[k]);
            const Eigen::Vector3d offset = shape::clampedInverseMatrix(map.a, map.jointScale).inverse * moved[k];
            result.unreachable += (map.a * offset - moved[k]).norm() > threshold;
            offsets[k] = offset.cast<float>();
        }
        if (!std::ranges::equal(offsets, shape.deltas)) {
            result.edit.patches.emplace_back(shapeDeltasPatch(doc, mesh, id, shape.vertices, std::move(offsets)));
            ++result.shapes;
        }
    }
    result.edit.label = "Fit " + std::to_string(result.shapes) + (result.shapes == 1 ? " corrective" : " correctives");
    return result;
}

} // namespace limber::document
