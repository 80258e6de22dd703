// The File menu.
#include "app/paths.h"
#include "app/session.h"

#include <QFileInfo>
#include <QMenu>

#include <algorithm>

namespace limber::app {

namespace {
constexpr int kBackups = 3;
}

void Session::addActions(ui::Actions& actions) {
    actions.add({.id = "file.open",
                 .menu = "File",
                 .text = tr("Open\u2026"),
                 .tooltip = tr("Open a glTF, FBX or Collada file"),
                 .shortcuts = {"Ctrl+O"},
                 .icon = "open",
                 .run = [this] {
                     const QString path = askOpenPath ? askOpenPath() : QString();
                     if (!path.isEmpty())
                         open(toPath(path));
                 }});
    recent_ = actions.addSubmenu("File", 0, tr("Open Recent"));
    fillRecent();
    actions.add({.id = "file.recover",
                 .menu = "File",
                 .text = tr("Recover Changes\u2026"),
                 .tooltip = tr("Show what was not saved when Limber closed unexpectedly"),
                 .shortcuts = {},
                 .run = [this] { recoverAsked(); },
                 .enabled = [this] { return !state_.empty(); }});
    actions.add({.id = "file.save",
                 .menu = "File",
                 .section = 1,
                 .text = tr("Save"),
                 .tooltip = tr("Write the changes into the file"),
                 .shortcuts = {"Ctrl+S"},
                 .icon = "save",
                 .run =
                     [this] {
                         if (const auto path = savePath())
                             startSaving(*path);
                     },
                 .enabled = [this] { return source_ != nullptr; }});
    actions.add({.id = "file.saveAs",
                 .menu = "File",
                 .section = 1,
                 .text = tr("Save As\u2026"),
                 .tooltip = tr("Write a new .glb or .gltf file"),
                 .shortcuts = {"Ctrl+Shift+S"},
                 .run =
                     [this] {
                         if (const auto path = saveAsPath())
                             startSaving(*path);
                     },
                 .enabled = [this] { return source_ != nullptr; }});
    actions.add({.id = "file.backups",
                 .menu = "File",
                 .section = 1,
                 .text = tr("Keep Previous Saves"),
                 .tooltip = tr("Keep the last three saves of a file beside it, as NAME.1~ to NAME.3~"),
                 .shortcuts = {},
                 .run = [this] { settings_.setBackups(settings_.backups() > 0 ? 0 : kBackups); },
                 .checked = [this] { return settings_.backups() > 0; }});
    actions.add({.id = "file.close",
                 .menu = "File",
                 .section = 2,
                 .text = tr("Close File"),
                 .tooltip = tr("Close the file and show the mannequin"),
                 .shortcuts = {"Ctrl+W"},
                 .run = [this] { openMannequin(); },
                 .enabled = [this] { return !path_.empty() || editor_.isModified(); }});
    actions.add({.id = "file.quit",
                 .menu = "File",
                 .section = 2,
                 .text = tr("Quit"),
                 .tooltip = tr("Leave the program"),
                 .shortcuts = {"Ctrl+Q"},
                 .run = [this] {
                     if (window_)
                         window_->close();
                 }});
}

// The open document gives way only to one that is recovered.
void Session::recoverAsked() {
    std::vector<Recoverable> found = findRecoverable(state_).journals;
    if (found.empty())
        editor_.say(tr("There is nothing to recover"));
    else if (askRecover && mayDiscard())
        offer(std::move(found));
}

void Session::fillRecent() {
    if (!recent_)
        return;
    recent_->clear();
    const QStringList files = settings_.recentFiles();
    const auto named = [&](const QString& name) {
        return std::count_if(files.begin(), files.end(),
                             [&](const QString& path) { return QFileInfo(path).fileName() == name; });
    };
    for (const QString& path : files) {
        const QFileInfo facts(path);
        QString text = facts.fileName();
        if (named(text) > 1)
            text = tr("%1 in %2").arg(text, facts.path());
        QAction* entry = recent_->addAction(text.replace('&', "&&"));
        entry->setToolTip(path);
        connect(entry, &QAction::triggered, this, [this, path] { open(toPath(path)); });
    }
    recent_->setToolTipsVisible(true);
    recent_->setEnabled(!recent_->isEmpty());
}

} // namespace limber::app
