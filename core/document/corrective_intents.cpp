#include "core/document/evaluator.h"
#include "core/document/intents.h"
#include "core/shape/corrective.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace limber::document {

namespace {

constexpr double kPosedAngleRad = 1.0 * M_PI / 180;
constexpr float kInfluence = 0.01f;

bool isPosed(const Document& doc, JointId j) {
    const Eigen::Quaterniond q = shape::driverRotation(doc.state().pose[j.index()]);
    return 2 * std::atan2(q.vec().norm(), std::abs(q.w())) > kPosedAngleRad;
}

// A mesh's first instance; not valid where nothing shows it.
InstanceId firstInstance(const Document& doc, MeshId mesh, bool skinned) {
    for (std::size_t i = 0; i < doc.instanceCount(); ++i)
        if (const Instance& instance = doc.instance(InstanceId(i));
            instance.mesh == mesh && instance.skin.valid() == skinned)
            return InstanceId(i);
    return {};
}

std::vector<std::uint8_t> influencingSlots(const MeshData& data, std::size_t slots,
                                           std::span<const std::uint32_t> vertices) {
    std::vector<std::uint8_t> found(slots, 0);
    for (const std::uint32_t v : vertices)
        for (const skin::Influence& i : data.weights.row(v))
            if (i.weight > kInfluence && i.slot < slots)
                found[i.slot] = 1;
    return found;
}

std::vector<double> driverWeights(const shape::PoseDriver& driver, const shape::DriverSolver& solver,
                                  std::span<const Eigen::Quaterniond> pose) {
    std::vector<double> weights(driver.samples.size(), 0.0);
    solver.evaluate(pose, weights);
    return weights;
}

// What the driver's other shapes lose at `pose` by the sample that was appended to `after`, as offsets of the new
// shape: sum of (weight before - weight after) delta, over the new shape's weight.
void takeOver(const MeshData& data, const shape::PoseDriver& before, const shape::PoseDriver& after,
              const shape::DriverSolver& solver, std::span<const Eigen::Quaterniond> pose, shape::Shape& added) {
    const auto former = shape::DriverSolver::build(before);
    if (!former)
        return;
    const std::vector<double> had = driverWeights(before, *former, pose), has = driverWeights(after, solver, pose);
    std::map<std::uint32_t, Eigen::Vector3d> lost;
    for (std::size_t s = 0; s < before.samples.size(); ++s) {
        const shape::Shape* shape = data.findShape(before.samples[s].shape);
        if (!shape || shape->muted || had[s] == has[s])
            continue;
        for (std::size_t k = 0; k < shape->vertices.size(); ++k) {
            auto& sum = lost.try_emplace(shape->vertices[k], Eigen::Vector3d::Zero()).first->second;
            sum += (had[s] - has[s]) / has.back() * shape->deltas[k].cast<double>();
        }
    }
    for (const auto& [vertex, delta] : lost) {
        added.vertices.push_back(vertex);
        added.deltas.push_back(delta.cast<float>());
    }
}

} // namespace

std::vector<JointId> proposeDriverJoints(const Document& doc, MeshId mesh, std::span<const std::uint32_t> vertices) {
    std::vector<JointId> joints;
    const MeshData& data = doc.mesh(mesh);
    if (const InstanceId skinned = firstInstance(doc, mesh, true); skinned.valid() && !data.weights.empty()) {
        const Skin& skin = doc.skin(doc.instance(skinned).skin);
        const auto influencing = influencingSlots(data, skin.joints.size(), vertices);
        for (std::size_t k = 0; k < skin.joints.size(); ++k)
            if (influencing[k] && isPosed(doc, skin.joints[k]))
                joints.push_back(skin.joints[k]);
    } else if (const InstanceId rigid = firstInstance(doc, mesh, false); rigid.valid() && !vertices.empty()) {
        if (const JointId node = doc.instance(rigid).node; node.valid() && isPosed(doc, node))
            joints.push_back(node);
    }
    std::sort(joints.begin(), joints.end());
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    return joints;
}

Result<NewCorrective> newCorrective(const Document& doc, MeshId mesh, std::string name,
                                    std::span<const JointId> joints) {
    const MeshData& data = doc.mesh(mesh);
    NewCorrective made;
    made.shape = ShapeId(data.nextShapeId);

    ShapePatch insertion;
    insertion.mesh = mesh;
    insertion.index = data.shapes.size();
    insertion.shape.id = made.shape;
    insertion.shape.name = uniqueShapeName(data, name);
    for (const Instance& instance : doc.state().instances)
        if (instance.mesh == mesh)
            insertion.instanceWeights.push_back(joints.empty() ? 1 : 0);
    made.edit.label = "New corrective " + insertion.shape.name;
    if (joints.empty()) {
        made.edit.patches.emplace_back(std::move(insertion));
        return made;
    }

    std::vector<JointId> driving(joints.begin(), joints.end());
    std::sort(driving.begin(), driving.end());
    driving.erase(std::unique(driving.begin(), driving.end()), driving.end());
    DriversPatch drivers{mesh, data.drivers, data.drivers};
    auto driver = std::find_if(drivers.after.begin(), drivers.after.end(),
                               [&](const shape::PoseDriver& d) { return d.joints == driving; });
    if (driver == drivers.after.end())
        driver = drivers.after.insert(driver, shape::PoseDriver{driving, {}, 1});
    shape::DriverSample sample{made.shape, {}};
    for (const JointId j : driving)
        sample.rotations.push_back(shape::driverRotation(doc.state().pose[j.index()]));
    const shape::PoseDriver former = *driver;
    driver->samples.push_back(sample);
    const auto solver = shape::DriverSolver::build(*driver);
    if (!solver)
        return solver.error();
    if (!former.samples.empty())
        takeOver(data, former, *driver, *solver, sample.rotations, insertion.shape);
    made.edit.patches.emplace_back(std::move(insertion));
    made.edit.patches.emplace_back(std::move(drivers));
    return made;
}

namespace {

bool shareOne(std::span<const JointId> a, std::span<const JointId> b) {
    return std::any_of(a.begin(), a.end(), [&](JointId j) { return std::find(b.begin(), b.end(), j) != b.end(); });
}

// Both ascending.
bool movesAny(const shape::Shape& shape, std::span<const std::uint32_t> vertices) {
    auto at = shape.vertices.begin();
    for (const std::uint32_t v : vertices) {
        at = std::lower_bound(at, shape.vertices.end(), v);
        if (at == shape.vertices.end())
            return false;
        if (*at == v)
            return true;
    }
    return false;
}

} // namespace

std::optional<ShapeId> correctiveHoldingPose(const Document& doc, Evaluator& evaluator, InstanceId instance,
                                             std::span<const JointId> joints) {
    constexpr double kHolds = 0.85;
    const MeshData& mesh = doc.mesh(doc.instance(instance).mesh);
    const auto weights = evaluator.shapeWeights(instance);
    std::optional<ShapeId> found;
    double most = kHolds;
    for (const shape::PoseDriver& driver : mesh.drivers) {
        if (!std::ranges::equal(driver.joints, joints))
            continue;
        for (const shape::DriverSample& sample : driver.samples)
            if (const std::size_t k = mesh.shapeIndex(sample.shape); k < mesh.shapes.size() && weights[k] >= most) {
                most = weights[k];
                found = sample.shape;
            }
    }
    return found;
}

std::optional<ShapeId> correctiveOfPose(const Document& doc, Evaluator& evaluator, InstanceId instance,
                                        std::span<const std::uint32_t> vertices, std::span<const JointId> joints) {
    if (const auto holding = correctiveHoldingPose(doc, evaluator, instance, joints))
        return holding;
    constexpr double kFullyOn = 0.99;
    const MeshData& mesh = doc.mesh(doc.instance(instance).mesh);
    const auto weights = evaluator.shapeWeights(instance);
    for (const shape::PoseDriver& driver : mesh.drivers)
        for (const shape::DriverSample& sample : driver.samples)
            if (const std::size_t k = mesh.shapeIndex(sample.shape);
                k < mesh.shapes.size() && weights[k] > kFullyOn &&
                (shareOne(driver.joints, joints) || movesAny(mesh.shapes[k], vertices)))
                return sample.shape;
    return std::nullopt;
}

Edit goToShapePose(const Document& doc, MeshId mesh, ShapeId shape) {
    Edit edit;
    const shape::PoseDriver* driver = nullptr;
    const shape::DriverSample* sample = nullptr;
    for (const shape::PoseDriver& d : doc.mesh(mesh).drivers)
        for (const shape::DriverSample& s : d.samples)
            if (s.shape == shape) {
                driver = &d;
                sample = &s;
            }
    if (!sample)
        return edit;
    PosePatch p;
    for (std::size_t k = 0; k < driver->joints.size(); ++k) {
        const rig::Affine& now = doc.state().pose[driver->joints[k].index()];
        if (shape::driverRotation(now).angularDistance(sample->rotations[k]) < 1e-9)
            continue;
        // A = R P: only the polar rotation is what the driver sees, the stretch P stays.
        rig::Affine then = now;
        then.linear() =
            sample->rotations[k].toRotationMatrix() * math::nearestRotation(now.linear()).transpose() * now.linear();
        p.joints.push_back(driver->joints[k]);
        p.before.push_back(now);
        p.after.push_back(then);
    }
    if (p.joints.empty())
        return edit;
    edit.label = "Go to the pose of " + doc.mesh(mesh).findShape(shape)->name;
    edit.patches.emplace_back(std::move(p));
    return edit;
}

} // namespace limber::document
