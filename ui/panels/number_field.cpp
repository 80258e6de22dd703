#include "ui/panels/number_field.h"

#include <QFocusEvent>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QTimer>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <optional>

namespace limber::ui {

namespace {

// A comma is taken for a point.
std::optional<double> numberIn(QString text) {
    bool isNumber = false;
    const double value = text.trimmed().replace(',', '.').toDouble(&isNumber);
    return isNumber && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

bool mayBecomeNumber(const QString& text) {
    static const QRegularExpression start(QStringLiteral("^\\s*[-+]?\\d*[.,]?\\d*\\s*$"));
    return start.match(text).hasMatch();
}

} // namespace

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

QValidator::State NumberField::validate(QString& text, int& cursor) const {
    const QValidator::State state = QDoubleSpinBox::validate(text, cursor);
    return state == QValidator::Invalid && mayBecomeNumber(text) ? QValidator::Intermediate : state;
}

void NumberField::fixup(QString& text) const {
    if (const auto value = numberIn(text))
        text = textFromValue(std::clamp(*value, minimum(), maximum()));
}

void NumberField::showValue(double value) {
    if (hasFocus() && lineEdit()->isModified())
        return;
    const QSignalBlocker quiet(this);
    setValue(value);
}

bool NumberField::event(QEvent* event) {
    // Letters mean nothing to a number, and undo is the document's: they stay shortcuts.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool letter = !key->text().isEmpty() && key->text().front().isLetter();
        if (letter || key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return false;
        }
    }
    return QDoubleSpinBox::event(event);
}

void NumberField::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        lineEdit()->setModified(false);
        lineEdit()->setText(textFromValue(value()));
    } else {
        QDoubleSpinBox::keyPressEvent(event);
    }
    // Done: the next key is for the view again.
    if (event->key() == Qt::Key_Escape || event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        lineEdit()->setModified(false);
        clearFocus();
    }
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
