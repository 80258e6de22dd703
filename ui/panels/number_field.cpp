#include "ui/panels/number_field.h"

#include <QFocusEvent>
#include <QLineEdit>
#include <QLocale>
#include <QSignalBlocker>
#include <QTimer>
#include <QWheelEvent>

namespace limber::ui {

NumberField::NumberField(const QString& accessibleName, double minimum, double maximum, int decimals, double step,
                         QWidget* parent)
    : QDoubleSpinBox(parent) {
    setAccessibleName(accessibleName);
    setLocale(QLocale::c());
    setRange(minimum, maximum);
    setDecimals(decimals);
    setSingleStep(step);
    setButtonSymbols(QAbstractSpinBox::NoButtons);
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setKeyboardTracking(false);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumWidth(48);
}

void NumberField::showValue(double value) {
    if (hasFocus() && lineEdit()->isModified())
        return;
    const QSignalBlocker quiet(this);
    setValue(value);
}

void NumberField::wheelEvent(QWheelEvent* event) {
    if (hasFocus())
        QDoubleSpinBox::wheelEvent(event);
    else
        event->ignore();
}

void NumberField::focusInEvent(QFocusEvent* event) {
    QDoubleSpinBox::focusInEvent(event);
    // After the click has put the cursor somewhere.
    QTimer::singleShot(0, this, [this] { selectAll(); });
}

} // namespace limber::ui
