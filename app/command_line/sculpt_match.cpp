#include "app/command_line/sculpt_match.h"

#include "core/shape/corrective.h"

#include <algorithm>

namespace limber::app {

namespace {

Error refused(std::string text) {
    return {ErrorCode::InputRefused, std::move(text), ""};
}

std::size_t vertexCount(const document::Document& doc, std::size_t instance) {
    return doc.mesh(doc.instance(InstanceId(instance)).mesh).geometry.vertexCount();
}

// One object without regard to names: all instances' vertices, one after the other.
std::vector<io::ObjObject> split(const document::Document& doc, const io::ObjObject& whole) {
    std::vector<io::ObjObject> parts;
    auto next = whole.positions.begin();
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        const auto end = next + static_cast<std::ptrdiff_t>(vertexCount(doc, i));
        if (next != end)
            parts.push_back({doc.instance(InstanceId(i)).name, {next, end}, {}});
        next = end;
    }
    return parts;
}

bool sameLayout(const document::Document& doc, const std::vector<io::ObjObject>& objects) {
    std::size_t filled = 0; // instances of no vertices leave no object behind
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        if (vertexCount(doc, i) == 0)
            continue;
        if (filled == objects.size() || objects[filled].positions.size() != vertexCount(doc, i))
            return false;
        ++filled;
    }
    return filled == objects.size();
}

Result<std::size_t> instanceOf(const document::Document& doc, const io::ObjObject& object) {
    std::vector<std::size_t> sized, named;
    for (std::size_t i = 0; i < doc.instanceCount(); ++i)
        if (vertexCount(doc, i) == object.positions.size()) {
            sized.push_back(i);
            if (doc.instance(InstanceId(i)).name == object.name)
                named.push_back(i);
        }
    if (named.size() == 1)
        return named[0];
    if (sized.size() == 1)
        return sized[0];
    const std::string what =
        "The object \"" + object.name + "\" (" + std::to_string(object.positions.size()) + " vertices) ";
    if (sized.empty())
        return refused(what + "fits no mesh of the file; write it with limber deform and move vertices only.");
    return refused(what + "fits several meshes of the file; keep the object names that limber deform wrote.");
}

Result<std::vector<std::size_t>> matchInstances(const document::Document& doc,
                                                const std::vector<io::ObjObject>& objects) {
    std::vector<std::size_t> instances;
    if (sameLayout(doc, objects)) {
        for (std::size_t i = 0; i < doc.instanceCount(); ++i)
            if (vertexCount(doc, i) > 0)
                instances.push_back(i);
        return instances;
    }
    for (const io::ObjObject& object : objects) {
        const auto instance = instanceOf(doc, object);
        if (!instance)
            return instance.error();
        if (std::find(instances.begin(), instances.end(), *instance) != instances.end())
            return refused("Two objects fit the mesh \"" + doc.instance(InstanceId(*instance)).name + "\".");
        instances.push_back(*instance);
    }
    return instances;
}

std::vector<std::uint32_t> changedVertices(std::span<const Eigen::Vector3f> posed,
                                           const std::vector<Eigen::Vector3d>& sculpted, double threshold) {
    std::vector<std::uint32_t> changed;
    for (std::size_t v = 0; v < posed.size(); ++v)
        if ((sculpted[v] - posed[v].cast<double>()).norm() > threshold)
            changed.push_back(static_cast<std::uint32_t>(v));
    return changed;
}

} // namespace

Result<std::vector<SculptedInstance>> matchSculpt(const document::Document& doc, document::Evaluator& evaluator,
                                                  const std::vector<io::ObjObject>& objects) {
    std::size_t total = 0;
    for (std::size_t i = 0; i < doc.instanceCount(); ++i)
        total += vertexCount(doc, i);
    const bool undivided = objects.size() == 1 && doc.instanceCount() > 1 && objects[0].positions.size() == total;
    const std::vector<io::ObjObject> parts = undivided ? split(doc, objects[0]) : objects;
    const auto instances = matchInstances(doc, parts);
    if (!instances)
        return instances.error();
    const double threshold = shape::kOffsetThreshold * evaluator.bindDiagonal();
    std::vector<SculptedInstance> result;
    for (std::size_t k = 0; k < instances->size(); ++k) {
        SculptedInstance s;
        s.instance = InstanceId((*instances)[k]);
        s.positions = parts[k].positions;
        s.changed = changedVertices(evaluator.positions(s.instance), s.positions, threshold);
        if (s.changed.empty())
            continue;
        for (const SculptedInstance& other : result)
            if (doc.instance(other.instance).mesh == doc.instance(s.instance).mesh)
                return Error{ErrorCode::Failed,
                             "The mesh \"" + doc.instance(s.instance).name +
                                 "\" is shown by several nodes and was sculpted in two of them; sculpt it in one.",
                             ""};
        result.push_back(std::move(s));
    }
    if (result.empty())
        return Error{ErrorCode::Failed, "No vertex is away from where the pose puts it, so there is nothing to add.",
                     ""};
    return result;
}

} // namespace limber::app
