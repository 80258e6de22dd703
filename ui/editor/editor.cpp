#include "ui/editor/editor.h"

#include <algorithm>

namespace limber::ui {

namespace {

bool changesPose(const document::Edit& edit) {
    return std::any_of(edit.patches.begin(), edit.patches.end(),
                       [](const document::Patch& patch) { return std::holds_alternative<document::PosePatch>(patch); });
}

// Those of `wanted` that have a skin, each once; else the first of the scene.
std::vector<MeshId> skinnedMeshes(const document::Document& doc, const std::vector<MeshId>& wanted) {
    std::vector<MeshId> meshes;
    const auto isSkinned = [&](MeshId mesh) {
        for (std::size_t i = 0; i < doc.instanceCount(); ++i)
            if (doc.instance(InstanceId(i)).mesh == mesh && doc.isSkinned(InstanceId(i)))
                return true;
        return false;
    };
    for (const MeshId mesh : wanted)
        if (isSkinned(mesh) && std::find(meshes.begin(), meshes.end(), mesh) == meshes.end())
            meshes.push_back(mesh);
    for (std::size_t i = 0; meshes.empty() && i < doc.instanceCount(); ++i)
        if (doc.isSkinned(InstanceId(i)))
            meshes.push_back(doc.instance(InstanceId(i)).mesh);
    return meshes;
}

} // namespace

Editor::Editor(QObject* parent)
    : QObject(parent), document_(std::make_unique<document::Document>()),
      evaluator_(std::make_unique<document::Evaluator>(*document_, preview_)) {
    history_.observe([this](const history::Step& step) { emit stepTaken(step); });
}

Editor::~Editor() = default;

void Editor::replaceDocument(document::DocumentState state, QStringList notes, QStringList information,
                             history::History history) {
    // While the old document stands: what a tool takes back then is the old one's.
    if (hasPreview())
        cancelPreview();
    else
        emit previewDropped();
    warmUp_.reset();
    evaluator_.reset();
    held_.reset();
    history_.takeSteps(std::move(history));
    selection_.clear();
    activeShapes_.clear();
    hovered_ = {};
    view_.hidden.clear();
    activeMeshes_.clear();
    notes_ = std::move(notes);
    information_ = std::move(information);
    // The document keeps its address, so that a reference to it stays good.
    *document_ = document::Document(std::move(state));
    evaluator_ = std::make_unique<document::Evaluator>(*document_, preview_);
    warmUp_ = std::make_unique<document::WarmUp>(
        *document_, [this] { QMetaObject::invokeMethod(this, &Editor::takeWarm, Qt::QueuedConnection); });

    activeMeshes_ = skinnedMeshes(*document_, {});

    emit documentReplaced();
    emit activeMeshesChanged();
    emit historyChanged();
    emit selectionChanged();
    emit hoverChanged();
    emit activeShapesChanged();
    emit viewChanged();
}

// Another document may have come since it was queued: then there is nothing, or what is of that one.
void Editor::takeWarm() {
    if (!warming())
        finishWarmUp();
}

void Editor::finishWarmUp() {
    if (!warmUp_)
        return;
    for (std::size_t i = 0; i < document_->instanceCount(); ++i)
        evaluator_->adoptRays(InstanceId(i), warmUp_->takeRays(InstanceId(i)));
    warmUp_.reset();
    emit warmedUp();
}

void Editor::addNote(const QString& note) {
    if (notes_.contains(note))
        return;
    notes_ << note;
    emit notesChanged();
    say(note);
}

void Editor::perform(document::Edit edit) {
    if (!held_ || changesPose(edit))
        cancelPreview();
    if (edit.empty())
        return;
    publish(history_.perform(*document_, std::move(edit)));
    dropInvalidShapes();
    emit historyChanged();
}

void Editor::undo() {
    if (history_.canUndo())
        goToStep(history_.cursor() - 1);
}

void Editor::redo() {
    if (history_.canRedo())
        goToStep(history_.cursor() + 1);
}

void Editor::goToStep(std::size_t cursor) {
    cancelPreview();
    cursor = std::min(cursor, history_.size());
    if (cursor == history_.cursor())
        return;
    document::ChangeSet changes;
    while (history_.cursor() > cursor)
        changes.merge(history_.undo(*document_));
    while (history_.cursor() < cursor)
        changes.merge(history_.redo(*document_));
    publish(changes);
    dropInvalidShapes();
    emit historyChanged();
}

void Editor::markClean() {
    history_.markClean();
    emit historyChanged();
}

void Editor::previewChanged(const document::ChangeSet& changes) {
    publish(changes);
}

void Editor::performProvisional(document::Edit edit) {
    if (edit.empty())
        return;
    const document::ChangeSet changes = document_->apply(edit);
    provisional_.push_back(std::move(edit));
    publish(changes);
}

void Editor::beginEdit() {
    if (!held_)
        return;
    const QString label = *held_;
    commitPreview(label);
    say(tr("Kept what the clip showed: %1").arg(label));
}

void Editor::commitPreview(const QString& label) {
    held_.reset();
    if (!hasPreview())
        return;
    document::Edit dragged = preview_.toEdit(*document_, label.toStdString());
    document::ChangeSet changes = preview_.clear();
    if (!dragged.empty())
        changes.merge(document_->apply(dragged));

    document::Edit step;
    step.label = label.toStdString();
    for (document::Edit& edit : provisional_)
        std::move(edit.patches.begin(), edit.patches.end(), std::back_inserter(step.patches));
    std::move(dragged.patches.begin(), dragged.patches.end(), std::back_inserter(step.patches));
    provisional_.clear();

    const bool recorded = !step.empty();
    if (recorded)
        history_.record(std::move(step));
    publish(changes);
    if (recorded)
        emit historyChanged();
}

void Editor::cancelPreview() {
    held_.reset();
    if (!hasPreview())
        return;
    document::ChangeSet changes = preview_.clear();
    while (!provisional_.empty()) {
        changes.merge(document_->revert(provisional_.back()));
        provisional_.pop_back();
    }
    publish(changes);
    dropInvalidShapes();
    emit previewDropped();
}

void Editor::setSelection(document::Selection selection) {
    if (selection == selection_)
        return;
    selection_ = std::move(selection);
    emit selectionChanged();
}

void Editor::setHoveredJoint(JointId joint) {
    if (joint == hovered_)
        return;
    hovered_ = joint;
    emit hoverChanged();
}

void Editor::setView(ViewState view) {
    if (view == view_)
        return;
    view_ = std::move(view);
    emit viewChanged();
}

void Editor::setBrush(BrushSettings brush) {
    if (brush == brush_)
        return;
    brush_ = brush;
    emit brushChanged();
}

void Editor::setGizmo(GizmoSettings gizmo) {
    if (gizmo == gizmo_)
        return;
    gizmo_ = gizmo;
    emit gizmoChanged();
}

void Editor::setActiveMeshes(std::vector<MeshId> meshes) {
    meshes = skinnedMeshes(*document_, meshes);
    if (meshes == activeMeshes_)
        return;
    activeMeshes_ = std::move(meshes);
    emit activeMeshesChanged();
}

void Editor::setActiveShapes(std::vector<ActiveShape> shapes) {
    if (shapes == activeShapes_)
        return;
    activeShapes_ = std::move(shapes);
    emit activeShapesChanged();
}

void Editor::publish(const document::ChangeSet& changes) {
    if (changes.empty())
        return;
    evaluator_->invalidate(changes);
    emit changed(changes);
}

void Editor::dropInvalidShapes() {
    const auto gone = [this](const ActiveShape& active) {
        return active.mesh.index() >= document_->state().meshes.size() ||
               !document_->mesh(active.mesh).findShape(active.shape);
    };
    if (std::erase_if(activeShapes_, gone) > 0)
        emit activeShapesChanged();
}

} // namespace limber::ui
