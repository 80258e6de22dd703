#include "ui/actions.h"

#include "ui/theme.h"

#include <QActionGroup>
#include <QMenu>
#include <QMenuBar>
#include <QTimer>

#include <cassert>
#include <utility>

namespace limber::ui {

Actions::Actions(QObject* parent) : QObject(parent) {}

Actions::~Actions() = default;

QAction* Actions::add(ActionSpec spec) {
    assert(!byId_.contains(spec.id));
    auto* action = new QAction(spec.text, this);
    action->setObjectName(spec.id);
    action->setCheckable(bool(spec.checked) || !spec.group.isEmpty());
    if (!spec.icon.isEmpty())
        action->setIcon(themedIcon(spec.icon, action->isCheckable() ? IconUse::OnAccent : IconUse::Plain));
    // In a menu the check mark has the icon's place.
    action->setIconVisibleInMenu(!action->isCheckable());
    QList<QKeySequence> keys;
    for (const QString& shortcut : spec.shortcuts)
        keys.append(QKeySequence(shortcut, QKeySequence::PortableText));
    action->setShortcuts(keys);
    const QString shown = keys.isEmpty() ? QString() : keys.front().toString(QKeySequence::NativeText);
    action->setToolTip(shown.isEmpty() ? spec.tooltip : QString("%1 (%2)").arg(spec.tooltip, shown));
    if (!spec.group.isEmpty()) {
        QActionGroup*& group = groups_[spec.group];
        if (!group)
            group = new QActionGroup(this);
        group->addAction(action);
    }
    connect(action, &QAction::triggered, this, [this, action] {
        const ActionSpec& what = specs_.at(action);
        if (what.run)
            what.run();
        refreshSoon();
    });
    order_.push_back(action);
    byId_[spec.id] = action;
    const auto at = specs_.emplace(action, std::move(spec)).first;
    apply(*action, at->second);
    return action;
}

QAction* Actions::action(const QString& id) const {
    const auto at = byId_.find(id);
    assert(at != byId_.end());
    return at->second;
}

const ActionSpec& Actions::spec(const QAction* action) const {
    return specs_.at(action);
}

QMenu* Actions::addSubmenu(const QString& menu, int section, const QString& text) {
    submenus_.push_back({menu, section, std::make_unique<QMenu>(text)});
    return submenus_.back().object.get();
}

void Actions::fillMenuBar(QMenuBar& bar, const QStringList& menus) {
    for (const QString& name : menus) {
        QMenu* menu = bar.addMenu("&" + name);
        menu->setAccessibleName(name + " menu");
        menu->setToolTipsVisible(true);
        fillMenu(*menu, name);
        connect(menu, &QMenu::aboutToShow, this, &Actions::refresh);
    }
}

void Actions::fillMenu(QMenu& menu, const QString& path) {
    int lastSection = -1;
    const auto closeSection = [&](int section) {
        for (const Submenu& submenu : submenus_)
            if (submenu.menu == path && submenu.section == section) {
                menu.addMenu(submenu.object.get());
                submenu.object->setToolTipsVisible(true);
                fillMenu(*submenu.object, path + '/' + submenu.object->title());
            }
    };
    for (QAction* action : order_) {
        const ActionSpec& what = specs_.at(action);
        if (what.menu != path)
            continue;
        if (lastSection >= 0 && what.section != lastSection) {
            closeSection(lastSection);
            menu.addSeparator();
        }
        lastSection = what.section;
        menu.addAction(action);
    }
    closeSection(lastSection);
}

void Actions::apply(QAction& action, const ActionSpec& spec) {
    action.setEnabled(!spec.enabled || spec.enabled());
    if (spec.checked)
        action.setChecked(spec.checked());
    if (spec.label)
        action.setText(spec.label());
}

void Actions::refresh() {
    for (QAction* action : order_)
        apply(*action, specs_.at(action));
    emit refreshed();
}

void Actions::refreshSoon() {
    if (std::exchange(refreshPending_, true))
        return;
    QTimer::singleShot(0, this, [this] {
        refreshPending_ = false;
        refresh();
    });
}

} // namespace limber::ui
