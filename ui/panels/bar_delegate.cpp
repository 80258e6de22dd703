#include "ui/panels/bar_delegate.h"

#include "ui/theme.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace limber::ui {

void drawBar(QPainter& painter, const QRect& rect, double share, const QColor& fill, int height) {
    const ThemeColors& colors = themeColors();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF groove(rect.left(), rect.center().y() + 1 - height / 2.0, rect.width(), height);
    painter.setBrush(colors.field);
    painter.drawRoundedRect(groove, height / 3.0, height / 3.0);
    if (share > 0) {
        QRectF filled = groove;
        filled.setWidth(std::max(3.0, groove.width() * std::min(1.0, share)));
        painter.setBrush(fill);
        painter.drawRoundedRect(filled, height / 3.0, height / 3.0);
    }
    painter.restore();
}

void BarDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem base = option;
    initStyleOption(&base, index);
    const QString text = base.text;
    base.text.clear();
    QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &base, painter, base.widget);
    const ThemeColors& colors = themeColors();
    const bool active = index.data(kActiveRole).toBool();
    constexpr int kGap = 8, kRight = 6;
    const int number = option.fontMetrics.horizontalAdvance(QStringLiteral("100.0 %"));
    drawBar(*painter, option.rect.adjusted(4, 0, -number - kGap - kRight, 0), index.data(kShareRole).toDouble(),
            active ? colors.accent : colors.secondary);
    painter->setPen(option.state & QStyle::State_Selected ? colors.accentInk : colors.text);
    painter->drawText(option.rect.adjusted(0, 0, -kRight, 0), Qt::AlignRight | Qt::AlignVCenter, text);
}

} // namespace limber::ui
