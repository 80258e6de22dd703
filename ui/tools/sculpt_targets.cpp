#include "ui/tools/sculpt_targets.h"

#include "core/document/intents.h"
#include "core/shape/corrective.h"
#include "ui/editor/editor.h"
#include "ui/tools/joint_text.h"

#include <algorithm>

namespace limber::ui {

namespace {

constexpr const char* kUndrivenName = "corrective";
constexpr double kFullyOn = 0.99;

// A new corrective is named after the joint that is bent most.
std::string correctiveName(const document::Document& doc, std::span<const JointId> joints) {
    JointId most;
    double largest = -1;
    for (const JointId j : joints) {
        const double angle = Eigen::AngleAxisd(shape::driverRotation(doc.state().pose[j.index()])).angle();
        if (angle > largest) {
            largest = angle;
            most = j;
        }
    }
    return jointLabel(doc, most).toStdString();
}

QString meshName(const document::Document& doc, InstanceId instance) {
    return QString::fromStdString(doc.instance(instance).name);
}

QString cannotBeSculpted(const document::MeshData& mesh, const shape::Shape& shape) {
    const QString name = QString::fromStdString(shape.name);
    if (shape.muted)
        return QStringLiteral("‘%1’ is muted: unmute it in the list to sculpt it.").arg(name);
    if (mesh.isDriven(shape.id))
        return QStringLiteral("Go to the pose of ‘%1’ first: double-click it in the list.").arg(name);
    return QStringLiteral("Raise the weight of ‘%1’ first: at zero its sculpting cannot be seen.").arg(name);
}

} // namespace

void SculptTargets::begin() {
    decided_.clear();
    all_.clear();
    refused_ = told_ = false;
}

std::vector<document::SculptTarget> SculptTargets::reach(const document::BrushDab& dab, InstanceId pointed) {
    const document::Document& doc = context_.editor.document();
    std::vector<document::SculptTarget> reached;
    const auto take = [&](MeshId mesh, std::optional<ShapeId> shape) {
        if (!shape)
            return false;
        decided_.push_back(mesh);
        reached.push_back({mesh, *shape});
        all_.push_back(reached.back());
        return true;
    };
    std::optional<Touched> last; // of the mesh under the pointer, where it depends on the others
    for (std::size_t k = 0; k < doc.instanceCount(); ++k) {
        const InstanceId i(k);
        const bool rigid = !doc.isSkinned(i);
        if (rigid && i != pointed)
            continue;
        std::optional<Touched> t = touched(i, dab);
        if (!t)
            continue;
        if (rigid || (!take(t->mesh, ready(*t, i == pointed)) && i == pointed))
            last = std::move(t);
    }
    if (!last || std::ranges::find(decided_, last->mesh) != decided_.end())
        return reached;
    if (!doc.isSkinned(pointed)) {
        if (all_.empty() && !take(last->mesh, ready(*last, true)) && !refused_)
            take(last->mesh, startUndriven(*last));
    } else if (!anyDriven()) {
        take(last->mesh, startUndriven(*last));
    } else {
        decided_.push_back(last->mesh);
        tell(QStringLiteral("‘%1’ is left out: no joint that moves it here is out of its bind pose.")
                 .arg(meshName(doc, last->instance)));
    }
    return reached;
}

std::optional<SculptTargets::Touched> SculptTargets::touched(InstanceId instance, const document::BrushDab& dab) const {
    Editor& editor = context_.editor;
    const document::Document& doc = editor.document();
    Touched t{instance, doc.instance(instance).mesh, {}, {}};
    if (editor.view().hidden.contains(instance) || std::ranges::find(decided_, t.mesh) != decided_.end())
        return std::nullopt;
    t.vertices = document::SculptStroke::verticesUnder(doc, editor.evaluator(), instance, dab);
    if (t.vertices.empty())
        return std::nullopt;
    if (doc.isSkinned(instance))
        t.joints = document::proposeDriverJoints(doc, t.mesh, t.vertices);
    return t;
}

std::optional<ShapeId> SculptTargets::ready(const Touched& t, bool pointed) {
    Editor& editor = context_.editor;
    const document::MeshData& mesh = editor.document().mesh(t.mesh);
    const auto active = std::ranges::find(editor.activeShapes(), t.mesh, &Editor::ActiveShape::mesh);
    if (active != editor.activeShapes().end())
        if (const shape::Shape* shape = mesh.findShape(active->shape)) {
            const double weight = editor.evaluator().shapeWeights(t.instance)[mesh.shapeIndex(shape->id)];
            if (weight >= shape::kSmallestShapeWeight)
                return shape->id;
            // A mesh beside the pointer need not stay in a corrective of another pose.
            if (pointed || shape->muted) {
                refuse(t.mesh, pointed, cannotBeSculpted(mesh, *shape));
                return std::nullopt;
            }
        }
    if (const std::optional<ShapeId> present = presentCorrective(t)) {
        activate(t.mesh, *present);
        if (pointed)
            tell(QStringLiteral("Sculpting goes on in ‘%1’, the corrective of this pose.")
                     .arg(QString::fromStdString(mesh.findShape(*present)->name)));
        return present;
    }
    return t.joints.empty() ? std::nullopt : startDriven(t, pointed);
}

std::optional<ShapeId> SculptTargets::presentCorrective(const Touched& t) {
    Editor& editor = context_.editor;
    const document::Document& doc = editor.document();
    if (const auto driven = document::correctiveOfPose(doc, editor.evaluator(), t.instance, t.vertices, t.joints))
        return driven;
    if (!t.joints.empty())
        return std::nullopt;
    // One that was started here before: no pose drives it, but it has the name that this tool gives.
    const document::MeshData& mesh = doc.mesh(t.mesh);
    const auto weights = editor.evaluator().shapeWeights(t.instance);
    for (std::size_t k = 0; k < mesh.shapes.size(); ++k)
        if (mesh.shapes[k].name.starts_with(kUndrivenName) && !mesh.isDriven(mesh.shapes[k].id) &&
            weights[k] > kFullyOn)
            return mesh.shapes[k].id;
    return std::nullopt;
}

std::optional<ShapeId> SculptTargets::startDriven(const Touched& t, bool pointed) {
    const document::Document& doc = context_.editor.document();
    Result<document::NewCorrective> made =
        document::newCorrective(doc, t.mesh, correctiveName(doc, t.joints), t.joints);
    if (!made) {
        refuse(t.mesh, pointed, QString::fromStdString(made.error().text));
        return std::nullopt;
    }
    context_.editor.performProvisional(std::move(made->edit));
    activate(t.mesh, made->shape);
    return made->shape;
}

std::optional<ShapeId> SculptTargets::startUndriven(const Touched& t) {
    const document::Document& doc = context_.editor.document();
    Result<document::NewCorrective> made = document::newCorrective(doc, t.mesh, kUndrivenName, {});
    if (!made) {
        refuse(t.mesh, true, QString::fromStdString(made.error().text));
        return std::nullopt;
    }
    context_.editor.performProvisional(std::move(made->edit));
    activate(t.mesh, made->shape);
    if (doc.isSkinned(t.instance))
        tell(QStringLiteral("Not driven by a pose: no joint that moves this is out of its bind pose."));
    else
        tell(QStringLiteral("Not driven by a pose: ‘%1’ has no skin, it follows %2.")
                 .arg(meshName(doc, t.instance), jointLabel(doc, doc.instance(t.instance).node)));
    return made->shape;
}

void SculptTargets::refuse(MeshId mesh, bool pointed, const QString& reason) {
    decided_.push_back(mesh);
    if (!pointed)
        return;
    refused_ = true;
    tell(reason);
}

void SculptTargets::activate(MeshId mesh, ShapeId shape) {
    std::vector<Editor::ActiveShape> shapes = context_.editor.activeShapes();
    std::erase_if(shapes, [&](const Editor::ActiveShape& s) { return s.mesh == mesh; });
    shapes.push_back({mesh, shape});
    context_.editor.setActiveShapes(std::move(shapes));
}

void SculptTargets::tell(const QString& text) {
    told_ = true;
    context_.editor.say(text);
}

bool SculptTargets::anyDriven() const {
    const document::Document& doc = context_.editor.document();
    return std::ranges::any_of(
        all_, [&](const document::SculptTarget& target) { return doc.mesh(target.mesh).isDriven(target.shape); });
}

} // namespace limber::ui
