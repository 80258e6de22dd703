#include "app/settings.h"

#include <QSettings>
#include <QVariant>

#include <algorithm>

namespace limber::app {

namespace {

constexpr int kMaxRecent = 10;
constexpr int kMaxBackups = 9;

class Store : public QSettings {
public:
    Store() : QSettings(QSettings::IniFormat, QSettings::UserScope, "limber", "limber") {}
};

QVariant read(const char* key) {
    return Store().value(key);
}
void write(const char* key, const QVariant& value) {
    Store().setValue(key, value);
}

} // namespace

QStringList Settings::recentFiles() const {
    return read("recentFiles").toStringList();
}

void Settings::addRecentFile(const QString& path) {
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    write("recentFiles", QStringList(files.mid(0, kMaxRecent)));
}

void Settings::removeRecentFile(const QString& path) {
    QStringList files = recentFiles();
    files.removeAll(path);
    write("recentFiles", files);
}

int Settings::backups() const {
    return std::clamp(read("backups").toInt(), 0, kMaxBackups);
}

void Settings::setBackups(int count) {
    write("backups", count);
}

ui::ThemeKind Settings::theme() const {
    return read("theme").toString() == "light" ? ui::ThemeKind::Light : ui::ThemeKind::Dark;
}

void Settings::setTheme(ui::ThemeKind kind) {
    write("theme", kind == ui::ThemeKind::Light ? "light" : "dark");
}

QByteArray Settings::windowGeometry() const {
    return read("window/geometry").toByteArray();
}
QByteArray Settings::windowLayout() const {
    return read("window/layout").toByteArray();
}

void Settings::setWindow(const QByteArray& geometry, const QByteArray& layout) {
    write("window/geometry", geometry);
    write("window/layout", layout);
}

} // namespace limber::app
