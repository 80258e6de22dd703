#include "core/check/names.h"
#include "core/check/rules.h"
#include "core/check/wording.h"
#include "core/document/intents.h"

#include <algorithm>
#include <map>

namespace limber::check {

namespace {

using document::Document;
using document::MeshData;

bool movesNothing(const shape::Shape& shape, float smallest) {
    const auto still = [&](const Eigen::Vector3f& d) { return d.cwiseAbs().maxCoeff() <= smallest; };
    const auto none = [](const Eigen::Vector3f& d) { return d.isZero(0); };
    return std::all_of(shape.deltas.begin(), shape.deltas.end(), still) &&
           std::all_of(shape.normalDeltas.begin(), shape.normalDeltas.end(), none) &&
           std::all_of(shape.tangentDeltas.begin(), shape.tangentDeltas.end(), none);
}

// Clips hold one column for every shape of a mesh.
bool isAnimated(const Document& doc, MeshId mesh) {
    for (const document::Instance& instance : doc.state().instances) {
        if (instance.mesh != mesh)
            continue;
        for (const rig::Clip& clip : doc.state().clips)
            for (const rig::Channel& channel : clip.channels)
                if (channel.joint == instance.node && channel.path == rig::Channel::Path::Weights)
                    return true;
    }
    return false;
}

// Below what floats of this mesh can tell apart.
float smallestMove(const MeshData& mesh) {
    float size = 0;
    for (const Eigen::Vector3f& p : mesh.geometry.positions)
        size = std::max(size, p.cwiseAbs().maxCoeff());
    return 1e-7f * size;
}

std::map<std::string, std::vector<std::size_t>> sharedNames(const MeshData& mesh) {
    std::map<std::string, std::vector<std::size_t>> shapes;
    for (std::size_t s = 0; s < mesh.shapes.size(); ++s)
        shapes[mesh.shapes[s].name].push_back(s);
    std::erase_if(shapes, [](const auto& entry) { return entry.second.size() < 2; });
    return shapes;
}

} // namespace

Findings findEmptyShapes(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        const MeshData& mesh = doc.state().meshes[m];
        const float smallest = mesh.shapes.empty() ? 0 : smallestMove(mesh);
        const bool animated = !mesh.shapes.empty() && isAnimated(doc, MeshId(m));
        for (std::size_t s = 0; s < mesh.shapes.size(); ++s) {
            if (!movesNothing(mesh.shapes[s], smallest))
                continue;
            Finding f;
            f.severity = Severity::Info;
            f.mesh = MeshId(m);
            f.shape = mesh.shapes[s].id;
            f.where = placeOf(doc, f.mesh, s);
            f.text = "The shape moves nothing. ";
            if (mesh.isDriven(f.shape))
                f.text += "A pose drives it, so it is kept; sculpt it or delete it.";
            else if (animated)
                f.text += "Clips animate the shapes of this mesh, so it is kept.";
            else {
                f.text += "It takes room and memory wherever the file is used; remove it.";
                f.fix = "Remove empty shape";
            }
            findings.push_back(std::move(f));
        }
    }
    return findings;
}

document::Edit fixEmptyShapes(const Document& doc, const Finding& finding, Notes&) {
    const MeshData& mesh = doc.mesh(finding.mesh);
    const shape::Shape* shape = mesh.findShape(finding.shape);
    if (!shape || mesh.isDriven(finding.shape) || isAnimated(doc, finding.mesh) ||
        !movesNothing(*shape, smallestMove(mesh)))
        return {};
    return document::removeShape(doc, finding.mesh, finding.shape);
}

Findings findDuplicateShapeNames(const Document& doc, const Options&) {
    Findings findings;
    for (std::size_t m = 0; m < doc.state().meshes.size(); ++m) {
        const auto shared = sharedNames(doc.state().meshes[m]);
        if (shared.empty())
            continue;
        Finding f;
        f.mesh = MeshId(m);
        f.count = 0;
        for (const auto& [name, shapes] : shared)
            f.count += shapes.size();
        f.where = placeOf(doc, f.mesh, shared.begin()->second.front());
        f.text = counted(shared.size(), "name is", "names are") + " shared by " + counted(f.count, "shape") +
                 " of the mesh; programs that find shapes by name reach only one of them. Give each its own.";
        f.fix = "Make shape names unique";
        findings.push_back(std::move(f));
    }
    return findings;
}

document::Edit fixDuplicateShapeNames(const Document& doc, const Finding& finding, Notes&) {
    const MeshData& mesh = doc.mesh(finding.mesh);
    document::Edit edit;
    std::set<std::string> taken;
    for (const shape::Shape& shape : mesh.shapes)
        taken.insert(shape.name);
    FreeNames names(std::move(taken));
    for (const auto& [name, shapes] : sharedNames(mesh))
        for (std::size_t k = 1; k < shapes.size(); ++k) {
            document::Edit one = document::renameShape(doc, finding.mesh, mesh.shapes[shapes[k]].id, names.take(name));
            std::move(one.patches.begin(), one.patches.end(), std::back_inserter(edit.patches));
        }
    return edit;
}

} // namespace limber::check
