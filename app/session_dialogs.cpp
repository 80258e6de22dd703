#include "app/session.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

namespace limber::app {

namespace {

const char* const kOpenFilter = QT_TRANSLATE_NOOP(
    "Session",
    "3D scenes (*.glb *.gltf *.fbx *.dae *.bvh *.x *.md5mesh *.obj *.ply *.stl *.blend *.3ds);;All files (*)");
const char* const kSaveFilter =
    QT_TRANSLATE_NOOP("Session", "glTF, one file (*.glb);;glTF with buffers beside it (*.gltf)");

} // namespace

void Session::useDialogs() {
    askUnsaved = [this] {
        QMessageBox box(window_);
        box.setIconPixmap(ui::themedIcon("warning").pixmap(32, 32));
        box.setWindowTitle(tr("Unsaved changes"));
        box.setText(tr("%1 has changes that are not saved.").arg(name()));
        box.setInformativeText(tr("What is not saved will be lost."));
        QPushButton* save = box.addButton(tr("Save"), QMessageBox::AcceptRole);
        QPushButton* discard = box.addButton(tr("Do not save"), QMessageBox::DestructiveRole);
        box.addButton(QMessageBox::Cancel);
        box.setDefaultButton(save);
        box.exec();
        if (box.clickedButton() == save)
            return Answer::Save;
        return box.clickedButton() == discard ? Answer::Discard : Answer::Cancel;
    };
    askOverwriteChanged = [this](const QString& file) {
        QMessageBox box(window_);
        box.setIconPixmap(ui::themedIcon("warning").pixmap(32, 32));
        box.setWindowTitle(tr("The file has changed"));
        box.setText(tr("%1 was changed by another program since it was opened.").arg(file));
        box.setInformativeText(tr("Saving replaces what the other program wrote."));
        QPushButton* replace = box.addButton(tr("Replace it"), QMessageBox::DestructiveRole);
        box.setDefaultButton(box.addButton(QMessageBox::Cancel));
        box.exec();
        return box.clickedButton() == replace;
    };
    askReplace = [this](const QString& file) {
        QMessageBox box(window_);
        box.setIconPixmap(ui::themedIcon("warning").pixmap(32, 32));
        box.setWindowTitle(tr("The file exists"));
        box.setText(tr("There is a file %1 already.").arg(file));
        box.setInformativeText(tr("Saving replaces it."));
        QPushButton* replace = box.addButton(tr("Replace it"), QMessageBox::DestructiveRole);
        box.setDefaultButton(box.addButton(QMessageBox::Cancel));
        box.exec();
        return box.clickedButton() == replace;
    };
    askSavePath = [this](const QString& suggestion) {
        QString filter = suggestion.endsWith(".gltf", Qt::CaseInsensitive) ? tr(kSaveFilter).section(";;", 1)
                                                                           : tr(kSaveFilter).section(";;", 0, 0);
        return QFileDialog::getSaveFileName(window_, tr("Save As"), suggestion, tr(kSaveFilter), &filter);
    };
    askOpenPath = [this] {
        const QString folder = path_.empty() ? QString() : QString::fromStdString(path_.parent_path().string());
        QFileDialog dialog(window_, tr("Open"), folder, tr(kOpenFilter));
        dialog.setAcceptMode(QFileDialog::AcceptOpen);
        dialog.setFileMode(QFileDialog::ExistingFile);
        // Qt's own dialog: its list of completions takes the Enter behind a path that is typed in full.
        if (auto* name = dialog.findChild<QLineEdit*>("fileNameEdit"))
            name->setCompleter(nullptr);
        return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
    };
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
                         open(std::filesystem::path(path.toStdString()));
                 }});
    recent_ = actions.addSubmenu("File", 0, tr("Open Recent"));
    fillRecent();
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

void Session::fillRecent() {
    if (!recent_)
        return;
    recent_->clear();
    for (const QString& path : settings_.recentFiles()) {
        QAction* entry = recent_->addAction(QFileInfo(path).fileName());
        entry->setToolTip(path);
        connect(entry, &QAction::triggered, this, [this, path] { open(std::filesystem::path(path.toStdString())); });
    }
    recent_->setToolTipsVisible(true);
    recent_->setEnabled(!recent_->isEmpty());
}

} // namespace limber::app
