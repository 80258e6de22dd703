// The arrows of the architecture: which folder may include from which.

#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace {

// Folder -> folders it may include from, itself apart. "core/io" and the like; "ui" and "app" stand for all below them.
const QMap<QString, QStringList>& allowed() {
    static const QStringList geometry{"core/base", "core/math", "core/mesh"};
    static const QStringList kernels = geometry + QStringList{"core/rig", "core/skin"};
    static const QStringList operators = kernels + QStringList{"core/weights", "core/shape", "core/stroke"};
    static const QStringList document = operators + QStringList{"core/document"};
    static const QStringList core = document + QStringList{"core/io", "core/history", "core/check"};
    static const QMap<QString, QStringList> table{
        {"core/base", {}},
        {"core/math", {"core/base"}},
        {"core/mesh", {"core/base", "core/math"}},
        {"core/rig", geometry},
        {"core/skin", geometry},
        {"core/weights", kernels},
        {"core/shape", kernels},
        {"core/stroke", kernels},
        {"core/document", operators},
        {"core/io", document},
        {"core/history", document},
        {"core/check", document},
        {"ui", core},
        {"app", core + QStringList{"ui"}},
    };
    return table;
}

QString roomOf(const QString& path) {
    const QStringList parts = path.split('/');
    return parts[0] == "core" && parts.size() > 2 ? parts[0] + '/' + parts[1] : parts[0];
}

struct Include {
    QString file, target;
    bool quoted;
};

QList<Include> includesBelow(const QString& folder) {
    static const QRegularExpression pattern(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])",
                                            QRegularExpression::MultilineOption);
    QList<Include> found;
    const QDir root(LIMBER_SOURCE_DIR);
    QDirIterator it(root.filePath(folder), {"*.h", "*.cpp"}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
        QFile file(it.next());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QString text = QString::fromUtf8(file.readAll());
        for (auto match = pattern.globalMatch(text); match.hasNext();) {
            const QRegularExpressionMatch m = match.next();
            found.append({root.relativeFilePath(file.fileName()), m.captured(2), m.captured(1) == "\""});
        }
    }
    return found;
}

bool isQt(const QString& header) {
    static const QRegularExpression pattern("^(Qt?[A-Z0-9]|Qt$)");
    return pattern.match(header).hasMatch();
}

QString fault(const Include& i, const char* rule) {
    return QStringLiteral("%1 includes %2: %3").arg(i.file, i.target, QLatin1String(rule));
}

} // namespace

class TestLayers : public QObject {
    Q_OBJECT
private slots:
    void foldersIncludeAlongTheArrowsOnly();
    void coreKnowsNoWindow();
    void qt3dStaysInTheViewport();
    void assimpStaysInItsImporter();
    void theTopLevelIsFixed();
};

void TestLayers::foldersIncludeAlongTheArrowsOnly() {
    QStringList faults;
    int checked = 0;
    for (const QString& top : {QStringLiteral("core"), QStringLiteral("ui"), QStringLiteral("app")})
        for (const Include& i : includesBelow(top)) {
            if (!i.quoted || !i.target.contains('/') || i.target.startsWith("ui_"))
                continue;
            const QString from = roomOf(i.file), to = roomOf(i.target);
            ++checked;
            if (from != to && !allowed().value(from).contains(to))
                faults << fault(i, "against the arrows");
        }
    QVERIFY(checked > 50);
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
}

void TestLayers::coreKnowsNoWindow() {
    static const QSet<QString> coreQt{"QByteArray", "QFile",         "QFileInfo",     "QSaveFile", "QLockFile",
                                      "QDir",       "QString",       "QStringList",   "QProcess",  "QtGlobal",
                                      "QtEndian",   "QElapsedTimer", "QStandardPaths"};
    QStringList faults;
    for (const Include& i : includesBelow("core")) {
        if (!isQt(i.target))
            continue;
        if (roomOf(i.file) != "core/io")
            faults << fault(i, "core is without Qt");
        else if (!coreQt.contains(i.target))
            faults << fault(i, "core/io uses Qt Core alone");
    }
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
}

void TestLayers::qt3dStaysInTheViewport() {
    QStringList faults;
    for (const QString& top : {QStringLiteral("ui"), QStringLiteral("app")})
        for (const Include& i : includesBelow(top))
            if (i.target.startsWith("Qt3D") && !i.file.startsWith("ui/viewport/"))
                faults << fault(i, "Qt3D belongs to ui/viewport");
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
}

void TestLayers::assimpStaysInItsImporter() {
    QStringList faults;
    for (const QString& top : {QStringLiteral("core"), QStringLiteral("ui"), QStringLiteral("app")})
        for (const Include& i : includesBelow(top))
            if (i.target.startsWith("assimp/") && !i.file.startsWith("core/io/assimp_"))
                faults << fault(i, "Assimp belongs to core/io/assimp_*");
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join('\n')));
}

void TestLayers::theTopLevelIsFixed() {
    static const QSet<QString> known{"app", "core", "ui", "resources", "tests", "CMakeLists.txt", "README.md"};
    QStringList faults;
    const QDir root(LIMBER_SOURCE_DIR);
    for (const QString& entry : root.entryList(QDir::AllEntries | QDir::NoDotAndDotDot))
        if (!known.contains(entry) && entry != "build" && !entry.startsWith("build-"))
            faults << entry;
    QVERIFY2(faults.isEmpty(), qPrintable(faults.join(' ')));
}

QTEST_APPLESS_MAIN(TestLayers)
#include "test_layers.moc"
