#include "ui/panels/action_search.h"

#include "ui/theme.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace limber::ui {

namespace {

constexpr int kActionRole = Qt::UserRole, kPlaceRole = Qt::UserRole + 1, kShortcutRole = Qt::UserRole + 2;

// Text at the left, the menu it is in after it, the shortcut at the right.
class RowDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const ThemeColors& colors = themeColors();
        const QRect right = option.rect.adjusted(0, 0, -12, 0);
        painter->setPen(colors.secondary);
        painter->drawText(right, Qt::AlignRight | Qt::AlignVCenter, index.data(kShortcutRole).toString());
        const int used = option.fontMetrics.horizontalAdvance(index.data().toString()) + 48;
        painter->setPen(colors.secondary);
        painter->drawText(option.rect.adjusted(used, 0, -96, 0), Qt::AlignLeft | Qt::AlignVCenter,
                          index.data(kPlaceRole).toString());
    }
};

bool hasAllWords(const QString& text, const QStringList& words) {
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

ActionSearch::ActionSearch(Actions& actions, QWidget* window)
    : QFrame(window, Qt::Popup), actions_(actions), input_(new QLineEdit(this)), list_(new QListWidget(this)) {
    setAccessibleName(tr("Search actions"));
    setFrameShape(QFrame::StyledPanel);
    input_->setPlaceholderText(tr("What do you want to do?"));
    input_->setAccessibleName(tr("Search actions"));
    input_->addAction(themedIcon("search"), QLineEdit::LeadingPosition);
    list_->setAccessibleName(tr("Actions found"));
    list_->setItemDelegate(new RowDelegate(list_));
    list_->setIconSize({16, 16});
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(input_);
    column->addWidget(list_);
    input_->installEventFilter(this);
    connect(input_, &QLineEdit::textChanged, this, &ActionSearch::fill);
    connect(input_, &QLineEdit::returnPressed, this, &ActionSearch::runCurrent);
    connect(list_, &QListWidget::itemClicked, this, &ActionSearch::runCurrent);
}

void ActionSearch::open() {
    actions_.refresh();
    input_->clear();
    fill({});
    QWidget* window = parentWidget();
    const int width = std::min(520, window->width() - 32);
    resize(width, std::min(420, window->height() - 120));
    move(window->mapToGlobal(QPoint((window->width() - width) / 2, 72)));
    show();
    input_->setFocus();
}

void ActionSearch::fill(const QString& text) {
    list_->clear();
    QPixmap blank(16, 16);
    blank.fill(Qt::transparent);
    const QStringList words = text.split(' ', Qt::SkipEmptyParts);
    for (QAction* action : actions_.all()) {
        const ActionSpec& spec = actions_.spec(action);
        if (spec.id == "help.search" || !hasAllWords(action->text() + ' ' + spec.menu + ' ' + spec.tooltip, words))
            continue;
        auto* item =
            new QListWidgetItem(spec.icon.isEmpty() ? QIcon(blank) : themedIcon(spec.icon), action->text(), list_);
        item->setData(kActionRole, spec.id);
        item->setData(kPlaceRole, spec.menu);
        item->setData(kShortcutRole, action->shortcut().toString(QKeySequence::NativeText));
        item->setToolTip(spec.tooltip);
        if (!action->isEnabled()) {
            item->setFlags(Qt::NoItemFlags);
            item->setForeground(themeColors().disabled);
        }
    }
    if (list_->count() == 0) {
        auto* none = new QListWidgetItem(QIcon(blank), tr("No action matches"), list_);
        none->setFlags(Qt::NoItemFlags);
        none->setForeground(themeColors().secondary);
    }
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->flags() & Qt::ItemIsEnabled) {
            list_->setCurrentRow(i);
            break;
        }
}

void ActionSearch::runCurrent() {
    QListWidgetItem* item = list_->currentItem();
    if (!item || !(item->flags() & Qt::ItemIsEnabled))
        return;
    QAction* action = actions_.action(item->data(kActionRole).toString());
    hide();
    action->trigger();
}

bool ActionSearch::eventFilter(QObject* watched, QEvent* event) {
    if (watched == input_ && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const int step = key->key() == Qt::Key_Down ? 1 : key->key() == Qt::Key_Up ? -1 : 0;
        if (step != 0) {
            int row = list_->currentRow() + step;
            while (row >= 0 && row < list_->count() && !(list_->item(row)->flags() & Qt::ItemIsEnabled))
                row += step;
            if (row >= 0 && row < list_->count())
                list_->setCurrentRow(row);
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace limber::ui
