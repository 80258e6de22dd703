#include "ui/panels/clips_panel.h"

#include "ui/panels/scrub_slider.h"
#include "ui/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QStylePainter>
#include <QTimer>
#include <QToolButton>

#include <cmath>
#include <set>

namespace limber::ui {

namespace {

constexpr double kTicksPerSecond = 3000, kMostTicks = 1e9, kFramesPerSecond = 30;
constexpr int kFrameMs = 33;
constexpr int kRoomForWords = 520; // pixels

// Positions of the slider per second of the clip.
double ticksPerSecond(double duration) {
    return duration * kTicksPerSecond > kMostTicks ? kMostTicks / duration : kTicksPerSecond;
}

// Qt cuts a long choice off without a sign of it.
class ElidedComboBox : public QComboBox {
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent*) override {
        QStylePainter painter(this);
        QStyleOptionComboBox option;
        initStyleOption(&option);
        painter.drawComplexControl(QStyle::CC_ComboBox, option);
        const QRect room = style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
        option.currentText = fontMetrics().elidedText(option.currentText, Qt::ElideRight, room.width() - 2);
        painter.drawControl(QStyle::CE_ComboBoxLabel, option);
    }
};

QToolButton* button(const char* icon, const QString& name, const QString& tooltip, QWidget* parent) {
    auto* made = new QToolButton(parent);
    made->setIcon(themedIcon(icon));
    made->setIconSize({16, 16});
    made->setAccessibleName(name);
    made->setToolTip(tooltip);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

} // namespace

ClipsPanel::ClipsPanel(Editor& editor, QWidget* parent)
    : QWidget(parent), editor_(editor), names_(new ElidedComboBox(this)),
      play_(button("play", tr("Play"), tr("Play the clip"), this)),
      stop_(button("stop", tr("Stop"), tr("Stop and put the pose back"), this)),
      keep_(button("pose", tr("Keep this pose"), tr("Make the shown pose the document's pose"), this)),
      scrub_(new ScrubSlider(tr("Time in the clip"), this)), time_(new QLabel(this)), timer_(new QTimer(this)) {
    names_->setAccessibleName(tr("Clip"));
    names_->setMinimumWidth(70);
    names_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    keep_->setText(tr("Keep pose"));
    keep_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    keep_->setMinimumWidth(stop_->sizeHint().width()); // its word goes where there is no room
    scrub_->setMinimumWidth(60);
    scrub_->setToolTip(tr("Click or drag to scrub; the arrow keys go by a frame"));
    time_->setProperty("role", "secondary");
    time_->setMinimumWidth(time_->fontMetrics().horizontalAdvance(QStringLiteral("00.00 / 00.00 s")));
    time_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    timer_->setInterval(kFrameMs);
    timer_->setTimerType(Qt::PreciseTimer);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 8);
    row->setSpacing(8);
    row->addWidget(play_);
    row->addWidget(stop_);
    row->addWidget(names_);
    row->addWidget(scrub_, 1);
    row->addWidget(time_);
    row->addWidget(keep_);
    connectSignals();
    rebuild();
}

void ClipsPanel::connectSignals() {
    connect(play_, &QToolButton::clicked, this, &ClipsPanel::togglePlaying);
    connect(stop_, &QToolButton::clicked, this, &ClipsPanel::stop);
    connect(keep_, &QToolButton::clicked, this, &ClipsPanel::keep);
    connect(timer_, &QTimer::timeout, this, &ClipsPanel::step);
    connect(scrub_, &ScrubSlider::scrubbed, this, [this] { play(false); });
    connect(scrub_, &QSlider::valueChanged, this, [this](int value) {
        if (const rig::Clip* now = clip())
            show(std::min(now->duration, value / ticksPerSecond(now->duration)));
    });
    connect(names_, &QComboBox::currentIndexChanged, this, [this] {
        names_->setToolTip(tr("Clip: %1").arg(names_->currentText()));
        const bool running = timer_->isActive();
        stop();
        play(running);
    });
    connect(&editor_, &Editor::documentReplaced, this, &ClipsPanel::rebuild);
    // Somebody else dropped or committed the preview.
    connect(&editor_, &Editor::changed, this, [this] {
        if (showing_ && !setting_ && !editor_.preview().hasPose())
            leave();
    });
}

void ClipsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    keep_->setToolButtonStyle(width() < kRoomForWords ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
}

bool ClipsPanel::playing() const {
    return timer_->isActive();
}

void ClipsPanel::togglePlaying() {
    play(!playing());
}

const rig::Clip* ClipsPanel::clip() const {
    const auto& clips = editor_.document().state().clips;
    const int at = names_->currentIndex();
    return at >= 0 && std::size_t(at) < clips.size() ? &clips[std::size_t(at)] : nullptr;
}

void ClipsPanel::rebuild() {
    const auto& clips = editor_.document().state().clips;
    {
        const QSignalBlocker quiet(names_);
        names_->clear();
        for (std::size_t i = 0; i < clips.size(); ++i)
            names_->addItem(clips[i].name.empty() ? tr("clip %1").arg(i) : QString::fromStdString(clips[i].name));
        names_->setToolTip(tr("Clip: %1").arg(names_->currentText()));
    }
    leave();
    emit clipsChanged(!clips.empty());
}

void ClipsPanel::play(bool on) {
    if (!on || !clip()) {
        timer_->stop();
    } else {
        clock_.restart();
        timer_->start();
        show(seconds_);
    }
    play_->setIcon(themedIcon(timer_->isActive() ? "pause" : "play"));
    play_->setAccessibleName(timer_->isActive() ? tr("Pause") : tr("Play"));
    emit stateChanged();
}

void ClipsPanel::step() {
    const rig::Clip* now = clip();
    if (!now)
        return;
    const double next = seconds_ + double(clock_.restart()) / 1000;
    show(now->duration > 0 ? std::fmod(next, now->duration) : 0);
}

void ClipsPanel::show(double seconds) {
    const rig::Clip* now = clip();
    if (!now)
        return;
    // A drag or stroke of somebody else is not to be mixed with.
    if (!showing_)
        editor_.cancelPreview();
    seconds_ = seconds;
    const document::Document& doc = editor_.document();
    rig::Pose pose = doc.state().pose;
    rig::sampleClip(*now, seconds, doc.skeleton(), doc.state().pose, pose);
    std::set<JointId> moved;
    for (const rig::Channel& channel : now->channels)
        if (channel.path != rig::Channel::Path::Weights)
            moved.insert(channel.joint);
    document::ChangeSet changes;
    for (JointId j : moved)
        changes.merge(editor_.preview().setJoint(j, pose[j.index()]));
    for (const rig::Channel& channel : now->channels)
        if (channel.path == rig::Channel::Path::Weights)
            changes.merge(showShapes(channel, seconds));
    setting_ = true;
    editor_.previewChanged(changes);
    setting_ = false;
    const bool shown = showing_;
    showing_ = editor_.preview().hasPose();
    if (showing_ != shown)
        emit stateChanged();
    if (showing_)
        editor_.holdPreview(keepLabel());
    stop_->setEnabled(showing_);
    keep_->setEnabled(showing_);
    const QSignalBlocker quiet(scrub_);
    scrub_->setValue(int(std::lround(seconds * ticksPerSecond(now->duration))));
    time_->setText(QString("%1 / %2 s").arg(seconds, 0, 'f', 2).arg(now->duration, 0, 'f', 2));
}

// The file's shapes are a mesh's first ones, in the order of the channel's values.
document::ChangeSet ClipsPanel::showShapes(const rig::Channel& channel, double seconds) {
    const document::Document& doc = editor_.document();
    const std::vector<double> weights = rig::sampleChannel(channel, seconds);
    document::ChangeSet changes;
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        const document::Instance& instance = doc.instance(InstanceId(i));
        if (instance.node != channel.joint)
            continue;
        const auto& shapes = doc.mesh(instance.mesh).shapes;
        for (std::size_t k = 0; k < std::min(weights.size(), shapes.size()); ++k)
            changes.merge(editor_.preview().setShapeWeight(InstanceId(i), shapes[k].id, weights[k]));
    }
    return changes;
}

void ClipsPanel::stop() {
    const bool was = showing_;
    leave();
    if (was)
        editor_.cancelPreview();
}

void ClipsPanel::keep() {
    if (!showing_)
        return;
    const QString label = keepLabel();
    leave();
    editor_.commitPreview(label);
}

QString ClipsPanel::keepLabel() const {
    return tr("Pose from %1, %2 s").arg(names_->currentText()).arg(seconds_, 0, 'f', 2);
}

void ClipsPanel::leave() {
    showing_ = false;
    seconds_ = 0;
    play(false);
    stop_->setEnabled(false);
    keep_->setEnabled(false);
    const QSignalBlocker quiet(scrub_);
    const rig::Clip* now = clip();
    const double ticks = now ? ticksPerSecond(now->duration) : 0;
    scrub_->setEnabled(now && now->duration > 0);
    scrub_->setRange(0, now ? int(std::ceil(now->duration * ticks)) : 0);
    scrub_->setSingleStep(std::max(1, int(ticks / kFramesPerSecond)));
    scrub_->setPageStep(10 * scrub_->singleStep());
    scrub_->setValue(0);
    time_->setText(now ? QString("0.00 / %1 s").arg(now->duration, 0, 'f', 2) : QString());
}

} // namespace limber::ui
