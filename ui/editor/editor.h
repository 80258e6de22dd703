// One open document with its history, selection, preview and evaluator, as the window's parts see it.
// Lives on the window's thread; owned by the application.
#pragma once

#include "core/document/edit.h"
#include "core/document/evaluator.h"
#include "core/document/preview.h"
#include "core/document/selection.h"
#include "core/document/warm_up.h"
#include "core/history/history.h"
#include "ui/editor/brush_settings.h"
#include "ui/editor/view_state.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace limber::ui {

class Editor : public QObject {
    Q_OBJECT
public:
    explicit Editor(QObject* parent = nullptr);
    ~Editor() override;

    [[nodiscard]] const document::Document& document() const { return *document_; }
    [[nodiscard]] document::Evaluator& evaluator() { return *evaluator_; }
    [[nodiscard]] const history::History& history() const { return history_; }
    [[nodiscard]] const document::Selection& selection() const { return selection_; }
    [[nodiscard]] JointId activeJoint() const { return selection_.active(); }
    [[nodiscard]] JointId hoveredJoint() const { return hovered_; }
    [[nodiscard]] const ViewState& view() const { return view_; }
    [[nodiscard]] const BrushSettings& brush() const { return brush_; }
    [[nodiscard]] const GizmoSettings& gizmo() const { return gizmo_; }

    // A newly opened document; `notes` are what the import repaired or found odd, `information` what is only good to
    // know about it. `history` is what was done to a document that is recovered.
    void replaceDocument(document::DocumentState state, QStringList notes, QStringList information = {},
                         history::History history = history::History());
    [[nodiscard]] const QStringList& notes() const { return notes_; }
    [[nodiscard]] const QStringList& information() const { return information_; }
    void addNote(const QString& note); // found after the opening; said as well, each only once

    // What brushes need of large meshes is still being made, beside the window. Whoever cannot go on without it waits
    // for it by finishWarmUp(): up to a second for a million vertices.
    [[nodiscard]] bool warming() const { return warmUp_ && warmUp_->working(); }
    void finishWarmUp();

    // Applies as one undo step. Drops a preview first, but leaves one alone that is held and not about what is edited.
    // Empty edits do nothing.
    void perform(document::Edit edit);
    void undo();
    void redo();
    void goToStep(std::size_t cursor); // undo or redo until history().cursor() is there
    void markClean();
    [[nodiscard]] bool isModified() const { return !history_.isClean(); }

    // The preview of a drag or stroke. Change it, then pass its change set to previewChanged().
    [[nodiscard]] document::Preview& preview() { return preview_; }
    [[nodiscard]] const document::Preview& preview() const { return preview_; }
    void previewChanged(const document::ChangeSet& changes);
    // What a stroke must create before it can preview (a new corrective): applied now, recorded by commit, taken
    // back by cancel. May be called several times in a stroke.
    void performProvisional(document::Edit edit);
    void commitPreview(const QString& label); // one undo step with the provisional edits and the preview
    void cancelPreview();                     // as if the drag had never begun
    // The preview is there to be looked at (the frame of a clip). What edits the pose or works on what is shown calls
    // beginEdit() first: what is held is then committed as an undo step of its own, named `label`, so nothing jumps.
    void holdPreview(const QString& label) { held_ = label; }
    [[nodiscard]] bool holdsPreview() const { return held_.has_value(); }
    void beginEdit();
    [[nodiscard]] bool hasPreview() const { return preview_.active() || !provisional_.empty(); }

    void setSelection(document::Selection selection);
    void setHoveredJoint(JointId joint);
    void setView(ViewState view);
    void setBrush(BrushSettings brush);
    void setGizmo(GizmoSettings gizmo);

    // The corrective that sculpting goes into, per mesh; meshes without one start one at the first stroke.
    struct ActiveShape {
        MeshId mesh;
        ShapeId shape;
        friend bool operator==(const ActiveShape&, const ActiveShape&) = default;
    };
    [[nodiscard]] const std::vector<ActiveShape>& activeShapes() const { return activeShapes_; }
    void setActiveShapes(std::vector<ActiveShape> shapes);

    // The skinned meshes that skinning is set for, the one that panels show last; never empty where there is a skinned
    // mesh.
    [[nodiscard]] const std::vector<MeshId>& activeMeshes() const { return activeMeshes_; }
    [[nodiscard]] MeshId activeMesh() const { return activeMeshes_.empty() ? MeshId{} : activeMeshes_.back(); }
    void setActiveMeshes(std::vector<MeshId> meshes); // meshes without a skin are left out

    // A message that needs no answer, shown at the bottom for some seconds.
    void say(const QString& text) { emit message(text); }

signals:
    void documentReplaced();
    void warmedUp();
    void notesChanged();
    void changed(const limber::document::ChangeSet& changes); // of the document or the preview
    // What was previewed or provisional is gone, not committed. Also sent before another document comes, while the
    // old one is still there: a drag or stroke in progress must end without touching the preview again.
    void previewDropped();
    void selectionChanged();
    void hoverChanged();
    void historyChanged();
    void stepTaken(const limber::history::Step& step); // an edit was committed, undone or redone
    void viewChanged();
    void brushChanged();
    void gizmoChanged();
    void activeShapesChanged();
    void activeMeshesChanged();
    void message(const QString& text);

private:
    void publish(const document::ChangeSet& changes);
    void takeWarm();
    void dropInvalidShapes();

    std::unique_ptr<document::Document> document_;
    document::Preview preview_;
    std::unique_ptr<document::Evaluator> evaluator_;
    std::unique_ptr<document::WarmUp> warmUp_; // of document_, until the evaluator has what it made
    history::History history_;
    document::Selection selection_;
    std::vector<document::Edit> provisional_;
    std::optional<QString> held_; // the label of a held preview
    std::vector<ActiveShape> activeShapes_;
    std::vector<MeshId> activeMeshes_;
    JointId hovered_;
    ViewState view_;
    BrushSettings brush_;
    GizmoSettings gizmo_;
    QStringList notes_, information_;
};

} // namespace limber::ui
