// A number: right-aligned, without arrows, changed by typing, keys, or the wheel once it has the focus.
#pragma once

#include <QDoubleSpinBox>

namespace limber::ui {

class NumberField : public QDoubleSpinBox {
    Q_OBJECT
public:
    NumberField(const QString& accessibleName, double minimum, double maximum, int decimals, double step,
                QWidget* parent = nullptr);

    // Any number may be typed; one outside the range becomes the end of the range that is nearer.
    [[nodiscard]] QValidator::State validate(QString& text, int& cursor) const override;
    void fixup(QString& text) const override;

    void showValue(double value); // without telling anybody; leaves a field alone that is being typed into

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
};

} // namespace limber::ui
