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
        const QString text = tr("A crash would lose what you do from now on: %1").arg(QString::fromStdString(why));
        QMetaObject::invokeMethod(
            this, [this, text] { editor_.say(text); }, Qt::QueuedConnection);
    });
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

} // namespace limber::app
