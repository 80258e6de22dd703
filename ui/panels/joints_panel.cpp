#include "ui/panels/joints_panel.h"

#include "core/document/intents.h"
#include "ui/actions/editor_actions.h"
#include "ui/theme.h"
#include "ui/tools/joint_text.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

namespace limber::ui {

namespace {

// Deep trees are indented less, so that names keep room. Past kChainLevel a joint that is the only child stands below
// its parent without being indented, past kDeepest every one.
constexpr int kMostIndent = 10, kLeastIndent = 2, kIndentRoom = 110, kDeepest = kIndentRoom / kLeastIndent;
constexpr int kChainLevel = 16;

constexpr int kJointRole = Qt::UserRole;
constexpr int kNameColumn = 0, kLockColumn = 1;

// 1 for one at the top, 0 for none.
int levelOf(const QTreeWidgetItem* item) {
    int level = 0;
    for (; item; item = item->parent())
        ++level;
    return level;
}

} // namespace

JointsPanel::JointsPanel(Editor& editor, QWidget* parent)
    : QWidget(parent), editor_(editor), filter_(new QLineEdit(this)), tree_(new QTreeWidget(this)) {
    filter_->setPlaceholderText(tr("Filter joints"));
    filter_->setAccessibleName(tr("Filter joints"));
    filter_->setClearButtonEnabled(true);
    filter_->addAction(themedIcon("search"), QLineEdit::LeadingPosition);

    tree_->setAccessibleName(tr("Joints"));
    tree_->setColumnCount(2);
    tree_->setHeaderHidden(true);
    tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tree_->setUniformRowHeights(true);
    tree_->setMinimumWidth(190); // room for names deep in the tree
    tree_->setIconSize({14, 14});
    tree_->setMouseTracking(true);
    tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    tree_->header()->setStretchLastSection(false);
    tree_->header()->setMinimumSectionSize(22);
    tree_->header()->setSectionResizeMode(kNameColumn, QHeaderView::Stretch);
    tree_->header()->setSectionResizeMode(kLockColumn, QHeaderView::Fixed);
    tree_->header()->resizeSection(kLockColumn, 22);
    tree_->viewport()->installEventFilter(this);
    filter_->installEventFilter(this);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 0, 4, 4);
    column->setSpacing(4);
    column->addWidget(filter_);
    column->addWidget(tree_);
    setFocusProxy(tree_);
    connectSignals();
    rebuild();
}

void JointsPanel::connectSignals() {
    connect(filter_, &QLineEdit::textChanged, this, &JointsPanel::filter);
    connect(filter_, &QLineEdit::returnPressed, this, &JointsPanel::selectFirstMatch);
    connect(tree_, &QTreeWidget::itemSelectionChanged, this, &JointsPanel::takeSelection);
    connect(tree_, &QTreeWidget::itemEntered, this,
            [this](QTreeWidgetItem* item) { editor_.setHoveredJoint(jointOf(item)); });
    connect(tree_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item, int col) {
        if (col != kLockColumn)
            return;
        const JointId j = jointOf(item);
        const bool locked = editor_.document().state().locked[j.index()];
        editor_.perform(document::setLocked(editor_.document(), std::array{j}, !locked));
    });
    connect(&editor_, &Editor::documentReplaced, this, &JointsPanel::rebuild);
    connect(&editor_, &Editor::selectionChanged, this, &JointsPanel::showSelection);
    connect(&editor_, &Editor::hoverChanged, this, &JointsPanel::showHover);
    connect(&editor_, &Editor::changed, this, [this](const document::ChangeSet& changes) {
        if (changes.locks)
            showLocks();
        if (changes.names)
            showNames();
    });
}

void JointsPanel::focusFilter() {
    filter_->setFocus(Qt::ShortcutFocusReason);
}

JointId JointsPanel::jointOf(const QTreeWidgetItem* item) const {
    return item ? JointId(std::size_t(item->data(kNameColumn, kJointRole).toUInt())) : JointId{};
}

void JointsPanel::rebuild() {
    const QSignalBlocker quiet(tree_);
    tree_->clear();
    items_.clear();
    hovered_ = {};
    const document::Document& doc = editor_.document();
    const std::vector<JointId> joints = shownJoints(doc);
    std::unordered_map<JointId, int> children;
    for (JointId j : joints)
        ++children[doc.skeleton()[j].parent];
    int depth = 1;
    for (JointId j : joints) {
        const JointId parent = doc.skeleton()[j].parent;
        QTreeWidgetItem* above = items_.contains(parent) ? items_[parent] : nullptr;
        const int level = levelOf(above);
        if (level > kDeepest || (level > kChainLevel && children[parent] == 1))
            above = above->parent();
        auto* item = above ? new QTreeWidgetItem(above) : new QTreeWidgetItem(tree_);
        item->setData(kNameColumn, kJointRole, uint(j.index()));
        if (!doc.skeleton()[j].deforms)
            item->setForeground(kNameColumn, themeColors().secondary);
        items_[j] = item;
        depth = std::max(depth, levelOf(item));
    }
    tree_->setIndentation(std::clamp(kIndentRoom / depth, kLeastIndent, kMostIndent));
    tree_->expandAll();
    showNames();
    showLocks();
    tree_->scrollToTop();
    showSelection();
    emit countChanged(QString::number(joints.size()));
}

void JointsPanel::showNames() {
    for (const auto& [joint, item] : items_) {
        const QString name = jointLabel(editor_.document(), joint);
        item->setText(kNameColumn, name);
        item->setToolTip(kNameColumn, name);
    }
    filter(filter_->text());
}

void JointsPanel::showSelection() {
    if (syncing_)
        return;
    const QSignalBlocker quiet(tree_);
    tree_->clearSelection();
    QTreeWidgetItem* active = nullptr;
    for (JointId j : editor_.selection().joints())
        if (const auto at = items_.find(j); at != items_.end()) {
            at->second->setSelected(true);
            active = at->second;
        }
    tree_->setCurrentItem(active, kNameColumn, QItemSelectionModel::NoUpdate);
    if (active)
        tree_->scrollToItem(active);
}

void JointsPanel::takeSelection() {
    if (!editor_.document().skeleton().size())
        return;
    // Joints that were selected keep their order; the one under the cursor is the active one.
    std::vector<JointId> joints = editor_.selection().joints();
    std::erase_if(joints, [&](JointId j) {
        const auto at = items_.find(j);
        return at == items_.end() || !at->second->isSelected();
    });
    const document::Selection before = editor_.selection();
    for (QTreeWidgetItem* item : tree_->selectedItems())
        if (const JointId j = jointOf(item); !before.contains(j))
            joints.push_back(j);
    const JointId current = jointOf(tree_->currentItem());
    if (current.valid() && tree_->currentItem()->isSelected()) {
        std::erase(joints, current);
        joints.push_back(current);
    }
    syncing_ = true;
    document::Selection selection;
    selection.set(std::move(joints));
    editor_.setSelection(std::move(selection));
    syncing_ = false;
}

void JointsPanel::showHover() {
    const QSignalBlocker quiet(tree_);
    if (const auto at = items_.find(hovered_); at != items_.end())
        at->second->setData(kNameColumn, Qt::BackgroundRole, QVariant());
    hovered_ = editor_.hoveredJoint();
    if (const auto at = items_.find(hovered_); at != items_.end())
        at->second->setBackground(kNameColumn, themeColors().raised);
}

void JointsPanel::showLocks() {
    const QSignalBlocker quiet(tree_);
    const std::vector<std::uint8_t>& locked = editor_.document().state().locked;
    const QIcon closed = themedIcon("lock");
    for (const auto& [joint, item] : items_) {
        const bool on = joint.index() < locked.size() && locked[joint.index()];
        item->setIcon(kLockColumn, on ? closed : QIcon());
        item->setToolTip(kLockColumn, on ? tr("Weights are locked; click to unlock") : tr("Click to lock the weights"));
        item->setData(kLockColumn, Qt::AccessibleTextRole, on ? tr("locked") : tr("not locked"));
    }
}

void JointsPanel::filter(const QString& text) {
    const QString wanted = text.trimmed();
    // A row stays when it, or a row below it, has the text in its name.
    const std::function<bool(QTreeWidgetItem*)> visit = [&](QTreeWidgetItem* item) {
        bool shown = wanted.isEmpty() || item->text(kNameColumn).contains(wanted, Qt::CaseInsensitive);
        for (int i = 0; i < item->childCount(); ++i)
            shown = visit(item->child(i)) || shown;
        item->setHidden(!shown);
        return shown;
    };
    for (int i = 0; i < tree_->topLevelItemCount(); ++i)
        visit(tree_->topLevelItem(i));
}

void JointsPanel::selectFirstMatch() {
    for (QTreeWidgetItemIterator it(tree_, QTreeWidgetItemIterator::NotHidden); *it; ++it)
        if ((*it)->text(kNameColumn).contains(filter_->text().trimmed(), Qt::CaseInsensitive)) {
            tree_->setCurrentItem(*it);
            tree_->setFocus();
            return;
        }
}

bool JointsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == tree_->viewport() && event->type() == QEvent::Leave)
        editor_.setHoveredJoint({});
    if (watched == filter_ && (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride)) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Escape && key->modifiers() == Qt::NoModifier) {
            event->accept();
            if (event->type() == QEvent::ShortcutOverride)
                return true;
            if (filter_->text().isEmpty())
                emit filterLeft();
            else
                filter_->clear();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace limber::ui
