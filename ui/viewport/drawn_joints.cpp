#include "ui/viewport/drawn_joints.h"

#include "ui/editor/editor.h"
#include "ui/viewport/bone_shape.h"

namespace limber::ui {

DrawnJoints::DrawnJoints(Editor& editor) : QObject(&editor) {
    connect(&editor, &Editor::documentReplaced, this, [this] { revision_.reset(); });
    connect(&editor, &Editor::changed, this, [this](const document::ChangeSet& changes) {
        weightsChanged_ = weightsChanged_ || !changes.meshes.empty() || !changes.skins.empty();
    });
}

const std::vector<std::uint8_t>& DrawnJoints::of(Editor& editor) {
    auto* known = editor.findChild<DrawnJoints*>(QString(), Qt::FindDirectChildrenOnly);
    if (!known)
        known = new DrawnJoints(editor);
    // A preview changes nothing in the document yet, a pose nothing in the weights.
    const std::uint64_t revision = editor.document().revision();
    if (!known->revision_ || (known->weightsChanged_ && *known->revision_ != revision)) {
        known->drawn_ = drawnJoints(editor.document().state());
        known->revision_ = revision;
        known->weightsChanged_ = false;
    }
    return known->drawn_;
}

} // namespace limber::ui
