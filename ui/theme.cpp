#include "ui/theme.h"

#include <QApplication>
#include <QFile>
#include <QPalette>
#include <QRegularExpression>
#include <QStyle>
#include <QStyleFactory>

#include <utility>

// Resources of a static library are linked in only where something asks for them; the macro wants the global namespace.
static void initResources() {
    Q_INIT_RESOURCE(limber);
}

namespace limber::ui {

namespace {

ThemeColors darkColors() {
    ThemeColors c;
    c.window = QColor("#26282c");
    c.field = QColor("#1b1d20");
    c.raised = QColor("#32353a");
    c.hover = QColor("#3c4046");
    c.border = QColor("#1a1c1f");
    c.text = QColor("#d7dadd");
    c.secondary = QColor("#9aa0a6");
    c.disabled = QColor("#63686f");
    c.accent = QColor("#f2a33a");
    c.accentInk = QColor("#ffd08a");
    c.onAccent = QColor("#1b1d20");
    c.selected = QColor("#4b391f");
    c.driven = QColor("#5fc873");
    c.warning = QColor("#f2a33a");
    c.axisX = QColor("#ff6b6f");
    c.axisY = QColor("#5fc873");
    c.axisZ = QColor("#5aa2ff");
    c.viewTop = QColor("#45494f");
    c.viewBottom = QColor("#2a2c30");
    c.viewText = QColor("#d7dadd");
    c.viewSecondary = QColor("#a6acb3");
    c.viewHalo = QColor(0x14, 0x16, 0x18, 0xb0);
    c.viewGrid = QColor("#b8bfcc");
    return c;
}

ThemeColors lightColors() {
    ThemeColors c;
    c.window = QColor("#eef0f2");
    c.field = QColor("#ffffff");
    c.raised = QColor("#dfe2e6");
    c.hover = QColor("#d2d6db");
    c.border = QColor("#c9cdd2");
    c.text = QColor("#1f2328");
    c.secondary = QColor("#555c64");
    c.disabled = QColor("#9ba1a8");
    c.accent = QColor("#f2a33a");
    c.accentInk = QColor("#744300");
    c.onAccent = QColor("#1b1d20");
    c.selected = QColor("#ffe3b8");
    c.driven = QColor("#1d7a36");
    c.warning = QColor("#8a5200");
    c.axisX = QColor("#c22b31");
    c.axisY = QColor("#1d7a36");
    c.axisZ = QColor("#1b5fc4");
    c.viewTop = QColor("#dde1e6");
    c.viewBottom = QColor("#bcc2ca");
    c.viewText = QColor("#1f2328");
    c.viewSecondary = QColor("#434a52");
    c.viewHalo = QColor(0xff, 0xff, 0xff, 0x90);
    c.viewGrid = QColor("#4a525c");
    return c;
}

QPalette paletteOf(const ThemeColors& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.field);
    p.setColor(QPalette::AlternateBase, c.window);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::PlaceholderText, c.secondary);
    p.setColor(QPalette::Button, c.raised);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.text);
    p.setColor(QPalette::ToolTipBase, c.field);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::Highlight, c.selected);
    p.setColor(QPalette::HighlightedText, c.accentInk);
    p.setColor(QPalette::Link, c.accentInk);
    p.setColor(QPalette::Light, c.raised);
    p.setColor(QPalette::Midlight, c.raised);
    p.setColor(QPalette::Mid, c.border);
    p.setColor(QPalette::Dark, c.border);
    p.setColor(QPalette::Shadow, c.border);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        p.setColor(QPalette::Disabled, role, c.disabled);
    return p;
}

QString styleSheet(const ThemeColors& c) {
    QFile file(":/themes/limber.qss");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const std::pair<const char*, QColor> roles[] = {
        {"@window", c.window},       {"@field", c.field},   {"@raised", c.raised},       {"@hover", c.hover},
        {"@border", c.border},       {"@text", c.text},     {"@secondary", c.secondary}, {"@disabled", c.disabled},
        {"@accentInk", c.accentInk}, {"@accent", c.accent}, {"@onAccent", c.onAccent},   {"@selected", c.selected},
        {"@axisX", c.axisX},         {"@axisY", c.axisY},   {"@axisZ", c.axisZ},         {"@driven", c.driven},
    };
    for (const auto& [name, color] : roles)
        sheet.replace(QRegularExpression(QString(name) + "\\b"), color.name());
    return sheet;
}

} // namespace

const ThemeColors& themeColors(ThemeKind kind) {
    static const ThemeColors dark = darkColors(), light = lightColors();
    return kind == ThemeKind::Dark ? dark : light;
}

ThemeKind currentTheme() {
    return QApplication::palette().color(QPalette::Window).lightness() < 128 ? ThemeKind::Dark : ThemeKind::Light;
}

const ThemeColors& themeColors() {
    return themeColors(currentTheme());
}

void applyTheme(QApplication& app, ThemeKind kind) {
    initResources();
    const ThemeColors& colors = themeColors(kind);
    if (app.style()->name().compare("fusion", Qt::CaseInsensitive) != 0)
        app.setStyle(QStyleFactory::create("Fusion"));
    QApplication::setPalette(paletteOf(colors));
    app.setStyleSheet(styleSheet(colors));
}

} // namespace limber::ui
