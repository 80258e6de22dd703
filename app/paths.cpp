#include "app/paths.h"

#include "core/io/asset_path.h"

#include <QDir>
#include <QStandardPaths>

namespace limber::app {

namespace fs = std::filesystem;

QString toQString(const fs::path& path) {
    return QString::fromStdString(path.string());
}

fs::path toPath(const QString& text) {
    return text.toStdString();
}

bool isGltf(const fs::path& path) {
    const std::string extension = io::lowerExtension(path);
    return extension == ".glb" || extension == ".gltf";
}

bool isSameFile(const fs::path& a, const fs::path& b) {
    std::error_code failed;
    if (a.empty() || b.empty())
        return false;
    if (fs::equivalent(a, b, failed) && !failed)
        return true;
    const fs::path left = fs::weakly_canonical(a, failed), right = fs::weakly_canonical(b, failed);
    return !failed && left == right;
}

fs::path tidy(const fs::path& path) {
    std::error_code failed;
    const fs::path whole = fs::absolute(path, failed);
    const fs::path normal = whole.lexically_normal();
    if (failed)
        return path;
    // A ".." behind a link leads elsewhere.
    return normal == whole || isSameFile(normal, whole) ? normal : whole;
}

std::vector<fs::path> filesIn(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed); !failed && entry != fs::directory_iterator();
         entry.increment(failed))
        files.push_back(entry->path());
    return files;
}

fs::path stateFolder() {
#if defined(__unix__) && !defined(__APPLE__)
    const QString named = qEnvironmentVariable("XDG_STATE_HOME");
    if (QDir::isAbsolutePath(named))
        return toPath(named) / "limber";
    if (const QString home = qEnvironmentVariable("HOME"); !home.isEmpty())
        return toPath(home) / ".local/state/limber";
#endif
    return toPath(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation));
}

} // namespace limber::app
