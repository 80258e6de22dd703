// What the program remembers between two starts; kept by QSettings in the user's configuration.
#pragma once

#include "ui/theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace limber::app {

class Settings {
public:
    [[nodiscard]] QStringList recentFiles() const; // newest first, at most ten
    void addRecentFile(const QString& path);
    void removeRecentFile(const QString& path);

    [[nodiscard]] int backups() const; // previous saves that are kept beside a file
    void setBackups(int count);

    [[nodiscard]] ui::ThemeKind theme() const;
    void setTheme(ui::ThemeKind kind);

    [[nodiscard]] QByteArray windowGeometry() const;
    [[nodiscard]] QByteArray windowLayout() const;
    void setWindow(const QByteArray& geometry, const QByteArray& layout);
};

} // namespace limber::app
