#include "ui/main_window.h"
#include "ui/panels/action_search.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace limber::ui {

namespace {

QDialog* makeDialog(QWidget* parent, const QString& title) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* column = new QVBoxLayout(dialog);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    return dialog;
}

void addCloseButton(QDialog& dialog) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, &dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::close);
    dialog.layout()->addWidget(buttons);
}

void showShortcuts(QWidget* parent, const Actions& actions) {
    QDialog* dialog = makeDialog(parent, QObject::tr("Keyboard Shortcuts"));
    auto* list = new QTreeWidget(dialog);
    list->setAccessibleName(QObject::tr("Keyboard shortcuts"));
    list->setColumnCount(2);
    list->setHeaderHidden(true);
    list->setSelectionMode(QAbstractItemView::NoSelection);
    QTreeWidgetItem* menu = nullptr;
    QString last;
    for (QAction* action : actions.all()) {
        const QString name = actions.spec(action).menu;
        if (!menu || name != last) {
            menu = new QTreeWidgetItem(list, {name});
            last = name;
            QFont bold = menu->font(0);
            bold.setBold(true);
            menu->setFont(0, bold);
        }
        QStringList keys;
        for (const QKeySequence& key : action->shortcuts())
            keys << key.toString(QKeySequence::NativeText);
        auto* row = new QTreeWidgetItem(menu, {action->text(), keys.join(QObject::tr("  or  "))});
        row->setToolTip(0, actions.spec(action).tooltip);
    }
    list->expandAll();
    list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    dialog->layout()->addWidget(list);
    addCloseButton(*dialog);
    dialog->resize(480, 640);
    dialog->show();
}

void showAbout(QWidget* parent) {
    QDialog* dialog = makeDialog(parent, QObject::tr("About Limber"));
    auto* icon = new QLabel(dialog);
    icon->setPixmap(QIcon(":/icons/limber.svg").pixmap(64, 64));
    auto* name = new QLabel(QObject::tr("Limber %1").arg(QCoreApplication::applicationVersion()), dialog);
    name->setProperty("role", "heading");
    auto* text = new QLabel(QObject::tr("An open-source rigging and pose editor: pose a character, paint its weights, "
                                        "sculpt corrective shapes, and keep everything else in the file as it is.\n\n"
                                        "Free software under the MIT licence."),
                            dialog);
    text->setWordWrap(true);
    text->setMinimumWidth(360);
    for (QLabel* label : {icon, name, text})
        dialog->layout()->addWidget(label);
    addCloseButton(*dialog);
    dialog->show();
}

} // namespace

void MainWindow::addHelpActions() {
    actions_.add({.id = "help.search",
                  .menu = "Help",
                  .text = tr("Search Actions"),
                  .tooltip = tr("Find any action by its name"),
                  .shortcuts = {"F3"},
                  .icon = "search",
                  .run = [this] { search_->open(); }});
    actions_.add({.id = "help.shortcuts",
                  .menu = "Help",
                  .text = tr("Keyboard Shortcuts"),
                  .tooltip = tr("List all shortcuts"),
                  .shortcuts = {"F1"},
                  .run = [this] { showShortcuts(this, actions_); }});
    actions_.add({.id = "help.about",
                  .menu = "Help",
                  .section = 1,
                  .text = tr("About Limber"),
                  .tooltip = tr("Version and licence"),
                  .shortcuts = {"Shift+F1"},
                  .run = [this] { showAbout(this); }});
}

} // namespace limber::ui
