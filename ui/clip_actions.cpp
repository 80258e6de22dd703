#include "ui/main_window.h"
#include "ui/panels/clips_panel.h"

namespace limber::ui {

void MainWindow::addClipActions() {
    const auto hasClips = [this] { return clips_->hasClips(); };
    const auto showing = [this] { return clips_->showing(); };
    actions_.add({.id = "clip.play",
                  .menu = "Pose",
                  .section = 2,
                  .text = tr("Play Clip"),
                  .tooltip = tr("Play the clip, or pause it"),
                  .shortcuts = {"P"},
                  .icon = "play",
                  .run = [this] { clips_->togglePlaying(); },
                  .enabled = hasClips,
                  .checked = [this] { return clips_->playing(); }});
    actions_.add({.id = "clip.stop",
                  .menu = "Pose",
                  .section = 2,
                  .text = tr("Stop Clip"),
                  .tooltip = tr("Stop and put the pose back"),
                  .shortcuts = {"Shift+P"},
                  .icon = "stop",
                  .run = [this] { clips_->stop(); },
                  .enabled = showing});
    actions_.add({.id = "clip.keep",
                  .menu = "Pose",
                  .section = 2,
                  .text = tr("Keep Clip Pose"),
                  .tooltip = tr("Make the shown pose the document's pose"),
                  .shortcuts = {"Ctrl+P"},
                  .icon = "pose",
                  .run = [this] { clips_->keep(); },
                  .enabled = showing});
    connect(clips_, &ClipsPanel::stateChanged, &actions_, &Actions::refreshSoon);
    connect(clips_, &ClipsPanel::clipsChanged, &actions_, &Actions::refreshSoon);
}

} // namespace limber::ui
