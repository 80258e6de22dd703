#include "ui/tools/tool_manager.h"

#include "ui/editor/editor.h"
#include "ui/tools/paint_tool.h"
#include "ui/tools/pose_tool.h"
#include "ui/tools/sculpt_tool.h"

namespace limber::ui {

namespace {

std::unique_ptr<Tool> makeTool(ToolId id, ToolContext context) {
    switch (id) {
    case ToolId::Select:
        return std::make_unique<PoseTool>(context, PoseTool::Kind::Select);
    case ToolId::Move:
        return std::make_unique<PoseTool>(context, PoseTool::Kind::Move);
    case ToolId::Rotate:
        return std::make_unique<PoseTool>(context, PoseTool::Kind::Rotate);
    case ToolId::Scale:
        return std::make_unique<PoseTool>(context, PoseTool::Kind::Scale);
    case ToolId::Paint:
        return std::make_unique<PaintTool>(context);
    case ToolId::Sculpt:
        return std::make_unique<SculptTool>(context);
    }
    return nullptr;
}

} // namespace

ToolManager::ToolManager(Editor& editor, const Camera& camera, QObject* parent) : QObject(parent), editor_(editor) {
    for (const ToolId id : kTools)
        tools_[std::size_t(id)] = makeTool(id, ToolContext{editor, camera});
    hint_ = tool().hint();

    // An undo or another edit in the middle of a drag has taken the ground from under it. (A tool that commits or
    // cancels is no longer busy when the editor tells of it.)
    connect(&editor, &Editor::previewDropped, this, &ToolManager::cancel);
    connect(&editor, &Editor::historyChanged, this, &ToolManager::cancel);
    for (const auto signal :
         {&Editor::documentReplaced, &Editor::selectionChanged, &Editor::gizmoChanged, &Editor::brushChanged})
        connect(&editor, signal, this, &ToolManager::refresh);
    connect(&editor, &Editor::brushChanged, this, &ToolManager::showTarget);
    connect(&editor, &Editor::warmedUp, this, &ToolManager::overlayChanged); // a pointer at rest has a ring now
}

ToolManager::~ToolManager() = default;

void ToolManager::setTool(ToolId id) {
    if (id == current_)
        return;
    tool().cancel();
    tool().leave();
    const bool painted = current_ == ToolId::Paint;
    current_ = id;
    if (painted != (id == ToolId::Paint))
        showHeatMap(!painted);
    showTarget();
    emit toolChanged(id);
    refresh();
}

void ToolManager::showHeatMap(bool painting) {
    ViewState view = editor_.view();
    if (painting)
        heatMapBefore_ = view.heatMap;
    view.heatMap = painting || heatMapBefore_;
    editor_.setView(std::move(view));
}

// What is painted is what the heat map shows; a stroke in progress was of the target before.
void ToolManager::showTarget() {
    ViewState view = editor_.view();
    view.shownMap = current_ == ToolId::Paint ? editor_.brush().paintTarget : std::nullopt;
    if (view.shownMap != editor_.view().shownMap)
        cancel();
    editor_.setView(std::move(view));
}

QString ToolManager::hint() const {
    return tool().hint();
}

void ToolManager::refresh() {
    if (QString now = tool().hint(); now != hint_) {
        hint_ = std::move(now);
        emit hintChanged(hint_);
    }
    emit overlayChanged();
}

void ToolManager::hover(const PointerSample& sample) {
    tool().hover(sample);
    refresh();
}

void ToolManager::leave() {
    tool().leave();
    refresh();
}

bool ToolManager::press(const PointerSample& sample, Qt::MouseButton button) {
    if (button != Qt::LeftButton || sample.modifiers & Qt::AltModifier)
        return false;
    const bool taken = tool().press(sample);
    refresh();
    return taken;
}

void ToolManager::drag(const PointerSample& sample) {
    tool().drag(sample);
    refresh();
}

void ToolManager::release(const PointerSample& sample) {
    tool().release(sample);
    refresh();
}

void ToolManager::click(const PointerSample& sample) {
    tool().click(sample);
    refresh();
}

bool ToolManager::key(int qtKey, const QString& text) {
    if (!busy())
        return false;
    if (qtKey == Qt::Key_Escape) {
        cancel();
        return true;
    }
    const bool used = tool().key(qtKey, text);
    refresh();
    return used;
}

void ToolManager::cancel() {
    if (!busy())
        return;
    tool().cancel();
    refresh();
}

bool ToolManager::busy() const {
    return tool().busy();
}

void ToolManager::draw(Overlay& overlay) const {
    tool().draw(overlay);
}

} // namespace limber::ui
