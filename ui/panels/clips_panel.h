// Plays and scrubs the file's clips. What is shown is a preview: stopping puts the pose back, "Keep" makes it the pose.
#pragma once

#include "ui/editor/editor.h"

#include <QElapsedTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QTimer;
class QToolButton;

namespace limber::ui {

class ScrubSlider;

class ClipsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ClipsPanel(Editor& editor, QWidget* parent = nullptr);

    [[nodiscard]] double seconds() const { return seconds_; }
    [[nodiscard]] bool showing() const { return showing_; }
    [[nodiscard]] bool playing() const;
    [[nodiscard]] bool hasClips() const { return clip() != nullptr; }
    void togglePlaying(); // goes on where it paused
    void stop();          // the pose is as it was; does nothing while no clip shows
    void keep();          // the shown pose becomes the document's, one undo step

signals:
    void clipsChanged(bool any); // another document, with clips or without
    void stateChanged();         // playing, paused, stopped

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void connectSignals();
    void rebuild();
    void play(bool on);
    void step();
    void show(double seconds);
    [[nodiscard]] document::ChangeSet showShapes(const rig::Channel& channel, double seconds);
    void leave(); // the preview is gone
    [[nodiscard]] QString keepLabel() const;
    [[nodiscard]] const rig::Clip* clip() const;

    Editor& editor_;
    QComboBox* names_;
    QToolButton* play_;
    QToolButton* stop_;
    QToolButton* keep_;
    ScrubSlider* scrub_;
    QLabel* time_;
    QTimer* timer_;
    QElapsedTimer clock_;
    double seconds_ = 0;
    bool showing_ = false;
    bool setting_ = false;
};

} // namespace limber::ui
