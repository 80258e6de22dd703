// The one registry of what the window can do. Menus, bars and the search list are built from it.
#pragma once

#include <QAction>
#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <map>
#include <memory>
#include <vector>

class QActionGroup;
class QMenu;
class QMenuBar;

namespace limber::ui {

struct ActionSpec {
    QString id;      // "edit.undo": unique, never shown
    QString menu;    // "Edit", or "View/Look" for a submenu
    int section = 0; // a line is drawn where it changes within a menu
    QString text;
    QString tooltip;       // one sentence: what it does
    QStringList shortcuts; // portable text; the first is shown
    QString icon = {};
    QString group = {}; // not empty: checkable, one of the group at a time
    std::function<void()> run = {};
    std::function<bool()> enabled = {};  // empty: always
    std::function<bool()> checked = {};  // not empty: checkable
    std::function<QString()> label = {}; // text that follows the state ("Undo Rotate hand_l")
};

class Actions : public QObject {
    Q_OBJECT
public:
    explicit Actions(QObject* parent = nullptr);
    ~Actions() override;

    QAction* add(ActionSpec spec);
    [[nodiscard]] QAction* action(const QString& id) const; // asserts that there is one
    [[nodiscard]] const std::vector<QAction*>& all() const { return order_; }
    [[nodiscard]] const ActionSpec& spec(const QAction* action) const;

    // Menus in the order given; those without actions are left out.
    void fillMenuBar(QMenuBar& bar, const QStringList& menus);
    // A submenu at the end of a section of a menu: with the actions whose menu is "menu/text", or filled by somebody
    // else. Call before fillMenuBar.
    QMenu* addSubmenu(const QString& menu, int section, const QString& text);

    // Asks every action anew whether it is enabled and checked, and for its text. O(actions).
    void refresh();
    // The same once the present event is handled, however often it is asked for.
    void refreshSoon();

signals:
    void refreshed();

private:
    struct Submenu {
        QString menu;
        int section;
        std::unique_ptr<QMenu> object;
    };
    void apply(QAction& action, const ActionSpec& spec);
    void fillMenu(QMenu& menu, const QString& path);

    std::vector<QAction*> order_;
    std::map<const QAction*, ActionSpec> specs_;
    std::map<QString, QAction*> byId_;
    std::map<QString, QActionGroup*> groups_;
    std::vector<Submenu> submenus_;
    bool refreshPending_ = false;
};

} // namespace limber::ui
