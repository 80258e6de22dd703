// The colours of the window by role, and what makes Qt use them. Nothing else names a colour.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

class QApplication;
class QPalette;

namespace limber::ui {

enum class ThemeKind { Dark, Light };

struct ThemeColors {
    QColor window, field, raised, hover, border; // surfaces, from panels to what lies under the pointer
    QColor text, secondary, disabled;            // text, at least 4.5:1 on window and field (disabled excepted)
    QColor accent, accentInk, onAccent;          // amber as a fill, as text on a panel, and text on the fill
    QColor selected;                             // fill of selected rows, under accentInk
    QColor driven, warning;                      // values that the pose sets; notes to look at
    QColor axisX, axisY, axisZ;
    QColor viewTop, viewBottom;               // the view's background
    QColor viewText, viewSecondary, viewHalo; // text straight on the view, and what sets it off from the scene
    QColor viewGrid;
};

[[nodiscard]] const ThemeColors& themeColors(ThemeKind kind);
// Of the theme that is on, told by the application's palette.
[[nodiscard]] const ThemeColors& themeColors();
[[nodiscard]] ThemeKind currentTheme();

// Palette, style and style sheet of the application. May be called again to switch.
void applyTheme(QApplication& app, ThemeKind kind);

// One of our own pictures in resources/icons, drawn in the colours of the theme that is on when it is painted.
// OnAccent: for a button that is filled with the accent while it is checked.
enum class IconUse { Plain, OnAccent };
[[nodiscard]] QIcon themedIcon(const QString& name, IconUse use = IconUse::Plain);

} // namespace limber::ui
