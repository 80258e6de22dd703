// Draws a share as a flat bar with its number at the right.
#pragma once

#include <QStyledItemDelegate>

namespace limber::ui {

class BarDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    static constexpr int kShareRole = Qt::UserRole + 1;  // 0 .. 1: length of the bar
    static constexpr int kActiveRole = Qt::UserRole + 2; // true: in the accent colour

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

// The bar itself: a groove with a filled part, `height` px high, in the middle of `rect`.
void drawBar(QPainter& painter, const QRect& rect, double share, const QColor& fill, int height = 6);

} // namespace limber::ui
