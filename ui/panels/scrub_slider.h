// A flat time line: a click or drag anywhere on it goes there, the arrow keys go by single steps.
#pragma once

#include <QSlider>

namespace limber::ui {

class ScrubSlider : public QSlider {
    Q_OBJECT
public:
    explicit ScrubSlider(const QString& accessibleName, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override { return {240, 22}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {80, 22}; }

signals:
    void scrubbed(); // by hand, before the value changes

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    [[nodiscard]] QRectF groove() const;
    void follow(double x);

    bool dragging_ = false;
    bool byKeys_ = false; // the focus came by keys: it is shown
};

} // namespace limber::ui
