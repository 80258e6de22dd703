// A slider drawn as a flat bar with its number; of a value that something else drives it only shows the bar.
#pragma once

#include <QSlider>

namespace limber::ui {

class ValueSlider : public QSlider {
    Q_OBJECT
public:
    explicit ValueSlider(const QString& accessibleName, QWidget* parent = nullptr);

    static constexpr int kSteps = 1000; // of one
    void showValue(double value);       // 0 .. 1, without telling anybody
    [[nodiscard]] double share() const { return double(value()) / kSteps; }
    void setDriven(bool driven);
    void setActive(bool active);

    [[nodiscard]] QSize sizeHint() const override { return {120, 22}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {64, 22}; }

signals:
    void moved(double value);   // while it is dragged
    void settled(double value); // a change is complete: released, or one key or wheel step

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] QRect groove() const;
    void follow(const QPoint& at);

    bool driven_ = false, active_ = false, dragging_ = false;
    bool byKeys_ = false; // the focus came by keys: it is shown
};

} // namespace limber::ui
