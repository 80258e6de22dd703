#include "ui/viewport/hud.h"

#include "ui/editor/editor.h"
#include "ui/theme.h"

#include <QGuiApplication>
#include <QLineF>
#include <QLinearGradient>
#include <QLocale>

#include <algorithm>
#include <array>

namespace limber::ui {

namespace {

const QColor kText(0xd7, 0xda, 0xdd), kSecondary(0xa6, 0xac, 0xb3), kBox(0x1b, 0x1d, 0x20, 0xd8);
const std::array<QColor, 3> kAxes{QColor(0xff, 0x6b, 0x6f), QColor(0x5f, 0xc8, 0x73), QColor(0x5a, 0xa2, 0xff)};
constexpr qreal kMargin = 12;
constexpr double kPosed = 1e-4; // of a transform; less is rounding of the file

void boxedText(QPainter& p, QPointF at, const QString& text, const QColor& color, QSizeF view) {
    const QFontMetricsF metrics(p.font());
    QRectF box(at.x() - 7, at.y() - metrics.ascent() - 4, metrics.horizontalAdvance(text) + 14, metrics.height() + 8);
    box.moveLeft(std::clamp(box.left(), 4.0, std::max(4.0, view.width() - box.width() - 4)));
    box.moveTop(std::clamp(box.top(), 4.0, std::max(4.0, view.height() - box.height() - 4)));
    p.setPen(Qt::NoPen);
    p.setBrush(kBox);
    p.drawRoundedRect(box, 4, 4);
    p.setPen(color);
    p.drawText(QPointF(box.left() + 7, box.top() + 4 + metrics.ascent()), text);
}

// Text straight on the picture, in a halo so that it reads over any mesh.
void plainText(QPainter& p, QPointF at, const QString& text, const QColor& color) {
    p.setPen(themeColors().viewHalo);
    for (const int x : {-1, 0, 1})
        for (const int y : {-1, 0, 1})
            if (x != 0 || y != 0)
                p.drawText(at + QPointF(x, y), text);
    p.setPen(color);
    p.drawText(at, text);
}

void paintHeading(QPainter& p, Editor& editor, const Camera& camera) {
    const QFontMetricsF metrics(p.font());
    const qreal line = std::ceil(metrics.height()) + 2;
    plainText(p, QPointF(kMargin, kMargin + metrics.ascent()),
              camera.orthographic() ? QObject::tr("Orthographic") : QObject::tr("Perspective"), themeColors().viewText);
    plainText(p, QPointF(kMargin, kMargin + metrics.ascent() + line), sceneSummary(editor),
              themeColors().viewSecondary);
}

constexpr qreal kAxesRadius = 32, kAxesReach = 22, kTipRadius = 7;

QPointF axesCenter(QSizeF size) {
    return {size.width() - kMargin - kAxesRadius, kMargin + kAxesRadius};
}

struct AxisTip {
    int axis;
    QPointF at;
    double toEye;
};

// Far to near.
std::array<AxisTip, 3> axisTips(QSizeF size, const Camera& camera) {
    std::array<AxisTip, 3> tips;
    for (int axis = 0; axis < 3; ++axis) {
        const Eigen::Vector3d a = Eigen::Vector3d::Unit(axis);
        const QPointF offset(a.dot(camera.right()), -a.dot(camera.up()));
        tips[static_cast<std::size_t>(axis)] = {axis, axesCenter(size) + offset * kAxesReach, -a.dot(camera.forward())};
    }
    std::sort(tips.begin(), tips.end(), [](const AxisTip& a, const AxisTip& b) { return a.toEye < b.toEye; });
    return tips;
}

void paintAxes(QPainter& p, QSizeF size, const Camera& camera) {
    p.setPen(Qt::NoPen);
    p.setBrush(QColor(0x1b, 0x1d, 0x20, 0x58));
    p.drawEllipse(axesCenter(size), kAxesRadius, kAxesRadius);
    p.save();
    QFont font = p.font();
    font.setPixelSize(10);
    font.setBold(true);
    p.setFont(font);
    for (const AxisTip& tip : axisTips(size, camera)) {
        QColor color = kAxes[static_cast<std::size_t>(tip.axis)];
        color.setAlphaF(tip.toEye < -0.3 ? 0.6f : 1.0f);
        p.setPen(QPen(color, 2, Qt::SolidLine, Qt::RoundCap));
        p.drawLine(axesCenter(size), tip.at);
        p.setPen(Qt::NoPen);
        p.setBrush(color);
        p.drawEllipse(tip.at, kTipRadius, kTipRadius);
        p.setPen(QColor(0x1b, 0x1d, 0x20));
        p.drawText(QRectF(tip.at.x() - kTipRadius, tip.at.y() - kTipRadius, 2 * kTipRadius, 2 * kTipRadius),
                   Qt::AlignCenter, QString(QChar(u'X' + static_cast<char16_t>(tip.axis))));
    }
    p.restore();
}

QString legendTitle(const Editor& editor) {
    if (const auto map = editor.view().shownMap)
        return *map == skin::PaintedMap::MethodShare ? QObject::tr("Method share") : QObject::tr("Delta mush share");
    const JointId joint = editor.activeJoint();
    return joint.valid() ? QObject::tr("Weights of %1").arg(shownJointName(editor, joint))
                         : QObject::tr("Weights: no active joint");
}

// The colours of heat.glsl.
void paintLegend(QPainter& p, QSizeF size, const Editor& editor) {
    static const std::array<QColor, 10> kRamp{
        QColor(0x00, 0x22, 0x4e), QColor(0x12, 0x35, 0x70), QColor(0x3b, 0x49, 0x6c), QColor(0x57, 0x5d, 0x6d),
        QColor(0x70, 0x71, 0x73), QColor(0x8a, 0x86, 0x78), QColor(0xa5, 0x9c, 0x74), QColor(0xc3, 0xb3, 0x69),
        QColor(0xe1, 0xcc, 0x55), QColor(0xfe, 0xe8, 0x38)};
    constexpr qreal kWidth = 168, kBar = 8;
    const QFontMetricsF metrics(p.font());
    const qreal text = std::ceil(metrics.height());
    const QRectF box(kMargin, size.height() - kMargin - (3 * text + kBar + 22), kWidth + 20, 3 * text + kBar + 22);
    p.setPen(Qt::NoPen);
    p.setBrush(QColor(0x1b, 0x1d, 0x20, 0xb8));
    p.drawRoundedRect(box, 4, 4);

    qreal y = box.top() + 6;
    const qreal left = box.left() + 10;
    p.setPen(kText);
    p.drawText(QPointF(left, y + metrics.ascent()), metrics.elidedText(legendTitle(editor), Qt::ElideRight, kWidth));
    y += text + 4;
    QLinearGradient ramp(left, 0, left + kWidth, 0);
    for (std::size_t k = 0; k < kRamp.size(); ++k)
        ramp.setColorAt(static_cast<qreal>(k) / (kRamp.size() - 1), kRamp[k]);
    p.setPen(Qt::NoPen);
    p.setBrush(ramp);
    p.drawRoundedRect(QRectF(left, y, kWidth, kBar), 2, 2);
    y += kBar + 2;
    p.setPen(kSecondary);
    p.drawText(QRectF(left, y, kWidth, text), Qt::AlignLeft, QStringLiteral("0"));
    p.drawText(QRectF(left, y, kWidth, text), Qt::AlignHCenter, QStringLiteral("0.5"));
    p.drawText(QRectF(left, y, kWidth, text), Qt::AlignRight, QStringLiteral("1"));
    y += text + 4;
    const auto key = [&](qreal x, const QColor& color, const QString& label) {
        p.setPen(Qt::NoPen);
        p.setBrush(color);
        p.drawEllipse(QPointF(x + 4, y + text / 2), 4, 4);
        p.setPen(kSecondary);
        p.drawText(QPointF(x + 13, y + metrics.ascent()), label);
    };
    key(left, QColor(0xbc, 0xbd, 0xbf), QObject::tr("none"));
    if (!editor.view().shownMap) // a map has a value everywhere
        key(left + 68, QColor(0xed, 0x30, 0xcd), QObject::tr("unweighted"));
}

void paintHoveredName(QPainter& p, QSizeF size, Editor& editor, const Camera& camera) {
    const JointId joint = editor.hoveredJoint();
    if (!joint.valid() || (editor.hasPreview() && !editor.holdsPreview()))
        return;
    const Eigen::Vector3d at = camera.project(editor.evaluator().world(joint).translation());
    if (!camera.orthographic() && at.z() <= 0)
        return;
    boxedText(p, QPointF(at.x() + 16, at.y() - 10), shownJointName(editor, joint), kText, size);
}

void paintOverlay(QPainter& p, QSizeF size, const Overlay& overlay) {
    for (const OverlayPath& path : overlay.paths) {
        p.setPen(path.line.isValid() ? QPen(path.line, path.width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin)
                                     : QPen(Qt::NoPen));
        p.setBrush(path.fill.isValid() ? QBrush(path.fill) : QBrush(Qt::NoBrush));
        if (path.closed || path.fill.isValid())
            p.drawPolygon(path.points);
        else
            p.drawPolyline(path.points);
    }
    for (const OverlayText& text : overlay.texts) {
        if (text.box) {
            boxedText(p, text.at, text.text, text.color, size);
        } else {
            plainText(p, text.at, text.text, text.color);
        }
    }
}

} // namespace

QString shownJointName(const Editor& editor, JointId joint) {
    const std::string& name = editor.document().skeleton()[joint].name;
    return name.empty() ? QObject::tr("joint %1").arg(joint.index()) : QString::fromStdString(name);
}

std::optional<Camera::View> axisViewAt(QPointF at, QSizeF size, const Camera& camera) {
    using View = Camera::View;
    static constexpr std::array<std::array<View, 2>, 3> kViews{
        {{View::Right, View::Left}, {View::Top, View::Bottom}, {View::Front, View::Back}}};
    const std::array<AxisTip, 3> tips = axisTips(size, camera);
    for (auto tip = tips.rbegin(); tip != tips.rend(); ++tip) // the nearest is on top
        if (QLineF(tip->at, at).length() <= kTipRadius + 2)
            return kViews[static_cast<std::size_t>(tip->axis)][tip->toEye > 0.999 ? 1 : 0];
    return std::nullopt;
}

namespace {

bool isPosed(const Editor& editor) {
    if (editor.preview().hasJoints())
        return true;
    const rig::Pose& pose = editor.document().state().pose;
    return std::any_of(pose.begin(), pose.end(),
                       [](const rig::Affine& u) { return math::distance(u, rig::Affine::Identity()) > kPosed; });
}

} // namespace

QString sceneSummary(Editor& editor) {
    const document::Document& doc = editor.document();
    qulonglong triangles = 0;
    for (std::size_t i = 0; i < doc.instanceCount(); ++i)
        if (!editor.view().hidden.contains(InstanceId(i)))
            triangles += doc.mesh(doc.instance(InstanceId(i)).mesh).geometry.triangleCount();
    QString line;
    if (const JointId joint = editor.activeJoint(); joint.valid())
        line = shownJointName(editor, joint) + QStringLiteral(" · ");
    line += QObject::tr("%1 triangles").arg(QLocale(QLocale::English).toString(triangles));
    if (doc.instanceCount() > 0)
        line += QStringLiteral(" · ") + (isPosed(editor) ? QObject::tr("posed") : QObject::tr("at bind"));
    return line;
}

void paintHud(QPainter& p, QSizeF size, Editor& editor, const Camera& camera, const Overlay& overlay) {
    p.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    QFont font = QGuiApplication::font();
    font.setPixelSize(12);
    p.setFont(font);
    if (editor.view().heatMap)
        paintLegend(p, size, editor);
    paintOverlay(p, size, overlay);
    paintHeading(p, editor, camera);
    paintAxes(p, size, camera);
    if (editor.view().skeleton)
        paintHoveredName(p, size, editor, camera);
}

} // namespace limber::ui
