#include "ui/editor/corrective_watch.h"

#include "core/document/refit_correctives.h"
#include "core/document/skinning_intents.h"
#include "ui/actions/editor_actions.h"

#include <QGuiApplication>

#include <utility>

namespace limber::ui {

namespace {

QString methodText(const skin::Skinning& skinning) {
    const QString method = methodName(skinning.method);
    return skinning.mush.on ? QObject::tr("%1 with Delta Mush").arg(method) : method;
}

} // namespace

CorrectiveWatch::CorrectiveWatch(Editor& editor, QObject* parent) : QObject(parent), editor_(editor) {
    connect(&editor_, &Editor::stepTaken, this, &CorrectiveWatch::follow);
    connect(&editor_, &Editor::documentReplaced, this, [this] {
        if (!std::exchange(former_, {}).empty())
            emit changed();
    });
}

// Back at the method that they were sculpted for, by whatever way, they fit again.
void CorrectiveWatch::follow(const history::Step& step) {
    bool told = false;
    for (const document::Patch& patch : step.edit->patches) {
        const auto* skinning = std::get_if<document::SkinningPatch>(&patch);
        if (!skinning)
            continue;
        const document::MeshData& mesh = editor_.document().mesh(skinning->mesh);
        const bool undone = step.kind == history::Step::Kind::Undo;
        const skin::Skinning& was = undone ? skinning->after : skinning->before;
        const auto at = former_.try_emplace(skinning->mesh, was).first;
        if (at->second == mesh.skinning || document::correctivesOf(mesh).empty())
            former_.erase(at);
        told = true;
    }
    if (told)
        emit changed();
}

QString CorrectiveWatch::what() const {
    if (former_.empty())
        return {};
    const document::Document& doc = editor_.document();
    const auto& [mesh, was] = *former_.begin();
    const QString name = QString::fromStdString(document::meshName(doc, mesh));
    return former_.size() > 1 ? tr("Correctives of %1 meshes were sculpted for other skinning").arg(former_.size())
                              : tr("Correctives of ‘%1’ were sculpted for %2").arg(name, methodText(was));
}

QString CorrectiveWatch::details() const {
    return former_.empty() ? QString() : tr("Fitting them keeps what each does in its pose. Undo takes it back.");
}

void CorrectiveWatch::fit() {
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    editor_.beginEdit();
    document::Edit step;
    std::size_t shapes = 0, unreachable = 0;
    for (const auto& [mesh, was] : former_) {
        document::RefitCorrectives refit = document::refitCorrectives(editor_.document(), mesh, was);
        std::move(refit.edit.patches.begin(), refit.edit.patches.end(), std::back_inserter(step.patches));
        shapes += refit.shapes;
        unreachable += refit.unreachable;
    }
    const QString label =
        shapes == 1 ? tr("Fit 1 corrective to the skinning") : tr("Fit %1 correctives to the skinning").arg(shapes);
    step.label = label.toStdString();
    former_.clear();
    editor_.perform(std::move(step));
    QGuiApplication::restoreOverrideCursor();
    emit changed();
    editor_.say(
        unreachable > 0
            ? tr("%1 correctives fit again; %2 vertices cannot be brought all the way.").arg(shapes).arg(unreachable)
        : shapes == 1 ? tr("1 corrective fits again")
                      : tr("%1 correctives fit again").arg(shapes));
}

} // namespace limber::ui
