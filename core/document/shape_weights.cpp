#include "core/document/shape_weights.h"

namespace limber::document {

void DrivenWeights::build(const MeshData& mesh) {
    solved_.clear();
    for (std::size_t d = 0; d < mesh.drivers.size(); ++d)
        if (auto solver = shape::DriverSolver::build(mesh.drivers[d]))
            solved_.push_back({d, std::move(solver).value(), {}});
}

bool DrivenWeights::solve(const MeshData& mesh, const PosedSkeleton& joints, Solved& solved) {
    const shape::PoseDriver& driver = mesh.drivers[solved.driver];
    rotations_.clear();
    for (const JointId j : driver.joints)
        rotations_.push_back(shape::driverRotation(joints.pose()[j.index()]));
    scratch_.assign(driver.samples.size(), 0.0);
    solved.solver.evaluate(rotations_, scratch_);
    if (scratch_ == solved.weights)
        return false;
    solved.weights = scratch_;
    return true;
}

void DrivenWeights::update(const MeshData& mesh, const PosedSkeleton& joints) {
    const bool all = stale_;
    if (!all && seen_ == joints.revision())
        return;
    stale_ = false;
    if (all)
        build(mesh);
    bool any = all;
    for (Solved& s : solved_) {
        bool turned = all;
        for (const JointId j : mesh.drivers[s.driver].joints)
            turned = turned || joints.turnedSince(j, seen_);
        if (turned && solve(mesh, joints, s))
            any = true;
    }
    seen_ = joints.revision();
    if (any)
        ++revision_;
}

void DrivenWeights::lay(const MeshData& mesh, std::span<double> weights) const {
    for (const Solved& s : solved_) {
        const auto& samples = mesh.drivers[s.driver].samples;
        for (std::size_t k = 0; k < samples.size(); ++k)
            if (const std::size_t shape = mesh.shapeIndex(samples[k].shape); shape < weights.size())
                weights[shape] = s.weights[k];
    }
}

double ShapeWeights::before(const shape::Shape& shape) const {
    for (std::size_t k = 0; k < shapes_.size(); ++k)
        if (shapes_[k] == shape.id)
            return weights_[k];
    return 0;
}

bool ShapeWeights::update(const Document& doc, const Preview& preview, InstanceId id, const DrivenWeights& driven) {
    if (!stale_ && seen_ == driven.revision())
        return false;
    stale_ = false;
    seen_ = driven.revision();
    const Instance& instance = doc.instance(id);
    const MeshData& mesh = doc.mesh(instance.mesh);
    next_.assign(instance.shapeWeights.begin(), instance.shapeWeights.end());
    next_.resize(mesh.shapes.size(), 0.0);
    for (const Preview::PreviewShapeWeight& w : preview.shapeWeights())
        if (const std::size_t k = mesh.shapeIndex(w.shape); w.instance == id && k < next_.size())
            next_[k] = w.weight;
    driven.lay(mesh, next_);
    for (std::size_t k = 0; k < next_.size(); ++k)
        if (mesh.shapes[k].muted)
            next_[k] = 0;

    // A shape without entries that comes or goes moves nothing; the entries of others are in the change set.
    changed_.clear();
    const Preview::PreviewDeltas* laidOver = preview.deltas(instance.mesh);
    const auto moves = [&](const shape::Shape& shape) {
        return !shape.vertices.empty() || (laidOver && laidOver->shape == shape.id && !laidOver->vertices.empty());
    };
    const bool sameList = shapes_.size() == mesh.shapes.size();
    for (std::size_t k = 0; k < next_.size(); ++k) {
        const bool same = sameList && shapes_[k] == mesh.shapes[k].id;
        if (next_[k] != (same ? weights_[k] : before(mesh.shapes[k])) && moves(mesh.shapes[k]))
            changed_.push_back(k);
    }
    std::swap(weights_, next_);
    shapes_.clear();
    for (const shape::Shape& s : mesh.shapes)
        shapes_.push_back(s.id);
    return !changed_.empty();
}

} // namespace limber::document
