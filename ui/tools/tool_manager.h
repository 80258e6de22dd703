// The tools, of which one is current: takes the pointer from the view and keys from the window.
#pragma once

#include "ui/tools/tool.h"
#include "ui/viewport/pointer_handler.h"

#include <QObject>

#include <array>
#include <memory>

namespace limber::ui {

enum class ToolId { Select, Move, Rotate, Scale, Paint, Sculpt };
inline constexpr std::array kTools = {ToolId::Select, ToolId::Move,  ToolId::Rotate,
                                      ToolId::Scale,  ToolId::Paint, ToolId::Sculpt};

class ToolManager final : public QObject, public PointerHandler {
    Q_OBJECT
public:
    // Keeps references: the editor and the camera must outlive it.
    ToolManager(Editor& editor, const Camera& camera, QObject* parent = nullptr);
    ~ToolManager() override;

    [[nodiscard]] ToolId current() const { return current_; }
    // Cancels what the former tool was doing. The paint tool shows the heat map while it is current.
    void setTool(ToolId tool);

    [[nodiscard]] QString hint() const; // what the mouse can do now

    void hover(const PointerSample& sample) override;
    void leave() override;
    bool press(const PointerSample& sample, Qt::MouseButton button) override;
    void drag(const PointerSample& sample) override;
    void release(const PointerSample& sample) override;
    void click(const PointerSample& sample) override;
    bool key(int qtKey, const QString& text) override;
    void cancel() override;
    [[nodiscard]] bool busy() const override;
    void draw(Overlay& overlay) const override;

signals:
    void toolChanged(limber::ui::ToolId tool);
    void hintChanged(const QString& hint);
    void overlayChanged(); // what draw() gives is different now

private:
    [[nodiscard]] Tool& tool() const { return *tools_[std::size_t(current_)]; }
    void showHeatMap(bool painting);
    void showTarget();
    void refresh();

    Editor& editor_;
    std::array<std::unique_ptr<Tool>, kTools.size()> tools_;
    ToolId current_ = ToolId::Select;
    bool heatMapBefore_ = false;
    QString hint_;
};

} // namespace limber::ui
