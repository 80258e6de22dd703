#include "app/session.h"

#include "app/paths.h"
#include "ui/panels/view_frame.h"

#include <utility>

namespace limber::app {

Session::Session(ui::Editor& editor, Settings& settings) : editor_(editor), settings_(settings) {
    gestureGoesOn = [this] { return editor_.hasPreview() && !editor_.holdsPreview(); };
    connect(&editor_, &ui::Editor::stepTaken, this, &Session::note);
}

void Session::attach(ui::MainWindow& window) {
    window_ = &window;
    useDialogs();
    useFileDialogs();
    window.mayClose = [this] {
        if (!mayDiscard())
            return false;
        if (journal_)
            journal_->end();
        return true;
    };
    connect(&window, &ui::MainWindow::fileDropped, this, [this](const QString& path) { open(toPath(path)); });
}

void Session::keepState(const std::filesystem::path& folder) {
    state_ = folder;
    if (state_.empty())
        return;
    sweepLocks(state_);
    ownJournal_ = makeOwnJournal(state_);
    journal_ = std::make_unique<history::Journal>(ownJournal_.file, [this](const std::string& why) {
        QMetaObject::invokeMethod(
            this, [this, why = QString::fromStdString(why)] { tellUnwritableState(why); }, Qt::QueuedConnection);
    });
}

// It stays: the risk does too.
void Session::tellUnwritableState(const QString& why) {
    QString text = tr("Limber cannot note your changes in %1: %2").arg(toQString(ownJournal_.file.parent_path()), why);
    if (!ownJournal_.lock)
        text += ' ' + tr("Nor can it tell whether another window has the same file open.");
    notice(tr("A crash would lose what you do from now on"), text);
}

void Session::flushJournal() {
    if (journal_)
        journal_->flush();
}

QString Session::name() const {
    return path_.empty() ? tr("Mannequin") : toQString(path_.filename());
}

bool Session::mayDiscard() {
    waitForSaving();
    if (!editor_.isModified() || !askUnsaved)
        return true;
    switch (askUnsaved()) {
    case Answer::Save:
        return save();
    case Answer::Discard:
        return true;
    case Answer::Cancel:
        break;
    }
    return false;
}

void Session::notice(const QString& what, const QString& why) {
    if (window_)
        window_->frame().showNotice(what, why);
}

void Session::noticeNotSaved(const QString& what, const QString& why) {
    if (window_)
        window_->frame().showNotice(what, why, tr("Save As\u2026"), [this] {
            if (const auto path = saveAsPath())
                startSaving(*path);
        });
}

} // namespace limber::app
