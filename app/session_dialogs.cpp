// The questions of a session as dialogs of the window.
#include "app/paths.h"
#include "app/session.h"

#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

namespace limber::app {

namespace {

const char* const kOpenFilter =
    QT_TRANSLATE_NOOP("Session", "3D scenes (*.glb *.gltf *.fbx *.dae *.bvh *.x *.smd *.md5mesh *.mdl *.mesh *.obj "
                                 "*.ply *.stl *.blend *.3ds);;All files (*)");
const char* const kSaveFilter =
    QT_TRANSLATE_NOOP("Session", "glTF, one file (*.glb);;glTF with buffers beside it (*.gltf)");

void fill(QMessageBox& box, const QString& title, const QString& text, const QString& consequence) {
    box.setIconPixmap(ui::themedIcon("warning").pixmap(32, 32));
    box.setTextFormat(Qt::PlainText); // names of files come from anywhere
    box.setWindowTitle(title);
    box.setText(text);
    box.setInformativeText(consequence);
}

// What is asked before something is done that Cancel keeps as it is.
bool confirm(QWidget* parent, const QString& title, const QString& text, const QString& consequence, const QString& yes,
             QMessageBox::ButtonRole role) {
    QMessageBox box(parent);
    fill(box, title, text, consequence);
    QPushButton* button = box.addButton(yes, role);
    box.setDefaultButton(box.addButton(QMessageBox::Cancel));
    box.exec();
    return box.clickedButton() == button;
}

// "today at 14:05", "on 3 May 2024 at 14:05".
QString when(const QDateTime& time) {
    const QLocale locale;
    const QString clock = locale.toString(time.time(), locale.timeFormat(QLocale::ShortFormat).remove(":ss"));
    if (time.date() == QDate::currentDate())
        return Session::tr("today at %1").arg(clock);
    if (time.date() == QDate::currentDate().addDays(-1))
        return Session::tr("yesterday at %1").arg(clock);
    return Session::tr("on %1 at %2").arg(locale.toString(time.date(), QLocale::LongFormat), clock);
}

// The folder as a person writes it.
QString folderText(const std::filesystem::path& file) {
    const QString folder = toQString(file.parent_path()), home = QDir::homePath();
    return folder == home || folder.startsWith(home + '/') ? '~' + folder.mid(home.size()) : folder;
}

Session::RecoveryAnswer askAboutRecovery(QWidget* parent, const Recoverable& journal) {
    const bool mannequin = journal.file().empty();
    const QString name = mannequin ? Session::tr("the mannequin") : toQString(journal.file().filename());
    const auto changes = static_cast<int>(journal.summary.changes);
    QStringList lines{changes == 1
                          ? Session::tr("1 change, made %1").arg(when(journal.lastChange))
                          : Session::tr("%1 changes, the last made %2").arg(changes).arg(when(journal.lastChange))};
    if (!mannequin)
        lines << Session::tr("The file is in %1").arg(folderText(journal.file()));
    lines << Session::tr("Later keeps them and asks again at the next start.");
    QMessageBox box(parent);
    fill(box, Session::tr("Recover changes"),
         Session::tr("Limber closed before your changes to %1 were saved.").arg(name), lines.join('\n'));
    QPushButton* recover = box.addButton(Session::tr("Recover"), QMessageBox::AcceptRole);
    QPushButton* discard = box.addButton(Session::tr("Discard changes"), QMessageBox::DestructiveRole);
    QPushButton* later = box.addButton(Session::tr("Later"), QMessageBox::RejectRole);
    box.setDefaultButton(recover);
    box.setEscapeButton(later);
    box.exec();
    if (box.clickedButton() == recover)
        return Session::RecoveryAnswer::Recover;
    return box.clickedButton() == discard ? Session::RecoveryAnswer::Discard : Session::RecoveryAnswer::Later;
}

} // namespace

void Session::useDialogs() {
    askUnsaved = [this] {
        QMessageBox box(window_);
        fill(box, tr("Unsaved changes"), tr("%1 has changes that are not saved.").arg(name()),
             tr("What is not saved will be lost."));
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
        return confirm(
            window_, tr("The file has changed"), tr("%1 was changed by another program since it was opened.").arg(file),
            tr("Saving replaces what the other program wrote."), tr("Replace it"), QMessageBox::DestructiveRole);
    };
    askReplace = [this](const QString& file) {
        return confirm(window_, tr("The file exists"), tr("There is a file %1 already.").arg(file),
                       tr("Saving replaces it."), tr("Replace it"), QMessageBox::DestructiveRole);
    };
    askOpenTwice = [this](const QString& file) {
        return confirm(window_, tr("Open in another window"), tr("%1 is open in another window of Limber.").arg(file),
                       tr("The two windows do not merge their changes. Before this window replaces what the other "
                          "one has saved, it asks."),
                       tr("Open anyway"), QMessageBox::AcceptRole);
    };
    askSaveOverOpen = [this](const QString& file) {
        return confirm(window_, tr("Open in another window"), tr("%1 is open in another window of Limber.").arg(file),
                       tr("Saving replaces the file. The other window keeps what it shows, and asks before it replaces "
                          "yours."),
                       tr("Replace it"), QMessageBox::DestructiveRole);
    };
    askOpenChanged = [this](const QString& file) {
        return confirm(window_, tr("The changes no longer fit"),
                       tr("%1 has changed since those changes were made.").arg(file),
                       tr("If you had just saved it, it has them already. They stay to be recovered, should the other "
                          "file come back."),
                       tr("Open without them"), QMessageBox::AcceptRole);
    };
    askRecover = [this](const Recoverable& journal) { return askAboutRecovery(window_, journal); };
}

void Session::useFileDialogs() {
    askSavePath = [this](const QString& suggestion) {
        QString filter = suggestion.endsWith(".gltf", Qt::CaseInsensitive) ? tr(kSaveFilter).section(";;", 1)
                                                                           : tr(kSaveFilter).section(";;", 0, 0);
        return QFileDialog::getSaveFileName(window_, tr("Save As"), suggestion, tr(kSaveFilter), &filter);
    };
    askOpenPath = [this] {
        const QString folder = path_.empty() ? QString() : toQString(path_.parent_path());
        QFileDialog dialog(window_, tr("Open"), folder, tr(kOpenFilter));
        dialog.setAcceptMode(QFileDialog::AcceptOpen);
        dialog.setFileMode(QFileDialog::ExistingFile);
        // Qt's own dialog: its list of completions takes the Enter behind a path that is typed in full.
        if (auto* name = dialog.findChild<QLineEdit*>("fileNameEdit"))
            name->setCompleter(nullptr);
        return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
    };
}

} // namespace limber::app
