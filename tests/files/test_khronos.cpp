// The Khronos validator's corpus: what it finds wrong in a part that is read is refused or listed under the same code,
// and what is right opens without a word.
#include "core/io/gltf_file.h"
#include "tests/support/test_data.h"
#include "tests/support/time_limit.h"

#include <QElapsedTimer>
#include <QTest>

#include <fstream>
#include <set>
#include <string>

using namespace limber;

namespace {

constexpr qint64 kLimitMs = test::timeLimit(3000);

// Where the fault lies in a part that is only carried along; the file may pass. `path` begins the names of the files.
struct Carried {
    const char* path;
    const char* part;
};
constexpr Carried kCarried[] = {
    {"base/camera/empty_objects.gltf", "cameras"},
    {"base/camera/orthographic_z.gltf", "cameras"},
    {"ext/EXT_texture_webp/", "images and textures"},
    {"ext/KHR_animation_pointer/", "the extension's own pointers, which are not played"},
    {"ext/KHR_lights_punctual/", "lights"},
    {"ext/KHR_materials_anisotropy/", "materials: the tangents they would like"},
    {"ext/KHR_materials_clearcoat/", "materials"},
    {"ext/KHR_materials_dispersion/", "materials"},
    {"ext/KHR_materials_ior/", "materials"},
    {"ext/KHR_materials_iridescence/", "materials"},
    {"ext/KHR_materials_sheen/", "materials"},
    {"ext/KHR_materials_specular/", "materials"},
    {"ext/KHR_materials_transmission/", "materials"},
    {"ext/KHR_materials_variants/", "materials: which of them are shown"},
    {"ext/KHR_node_visibility/", "the place of an extension that is not read"},
    {"ext/KHR_texture_transform/textureInfo/unexpected_extension.gltf", "textures"},
};

// Valid files in which reading nevertheless finds something to say, and why that is right.
struct Remark {
    const char* file;
    const char* code;
    const char* reason;
};
constexpr Remark kRemarks[] = {
    {"base/asset/min_version_valid.gltf", "UNKNOWN_ASSET_MINOR_VERSION", "it asks for glTF 2.1"},
    {"base/glb/extra_data.glb", "GLB_EXTRA_DATA", "the validator warns of it"},
    {"base/mesh/primitive_incompatible_mode.gltf", "MESH_PRIMITIVE_INCOMPATIBLE_MODE", "the validator warns of it"},
    {"base/root/named_objects.gltf", "UNWEIGHTED_VERTICES", "its weights have no data and read as zeros"},
    {"base/skin/ignored_parent_transform.gltf", "UNWEIGHTED_VERTICES", "its weights have no data and read as zeros"},
    {"base/skin/valid.gltf", "ACCESSOR_INVALID_IBM", "its matrices have no data and read as zeros"},
    {"base/skin/valid.gltf", "SKIN_IBM_SINGULAR", "its matrices have no data and read as zeros"},
};

struct Expected {
    QString file;
    QStringList codes; // empty: the file is valid
};

std::vector<Expected> expectations() {
    std::vector<Expected> all;
    std::ifstream table(tests::dataFile("khronos/EXPECTED.csv"));
    std::string line;
    std::getline(table, line); // the columns' names
    while (std::getline(table, line)) {
        const QStringList cells = QString::fromStdString(line).trimmed().split(',');
        all.push_back({cells[0], cells[2].split(' ', Qt::SkipEmptyParts)});
    }
    return all;
}

bool isCarried(const QString& file) {
    return std::any_of(std::begin(kCarried), std::end(kCarried),
                       [&](const Carried& c) { return file.startsWith(c.path); });
}

void addRows(bool wrong) {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("codes");
    for (const Expected& expected : expectations())
        if (expected.codes.isEmpty() != wrong)
            QTest::newRow(qPrintable(expected.file)) << expected.file << expected.codes;
    if (tests::dataFile("khronos").empty())
        QTest::newRow("no test data") << QString() << QStringList();
}

Result<io::LoadedFile> open(const QString& file) {
    return io::loadGltf(tests::dataFile("khronos") / file.toStdString());
}

} // namespace

class TestKhronos : public QObject {
    Q_OBJECT

private slots:
    void validFilesOpenWithoutAWord_data() { addRows(false); }
    void validFilesOpenWithoutAWord() {
        QFETCH(QString, file);
        if (file.isEmpty())
            QSKIP("The test data is not there.");
        const auto opened = open(file);
        QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
        for (const io::Repair& repair : opened->repairs) {
            const bool expected = std::any_of(std::begin(kRemarks), std::end(kRemarks),
                                              [&](const Remark& r) { return file == r.file && repair.code == r.code; });
            QVERIFY2(expected || repair.count == 0, (repair.code + " " + repair.where + " " + repair.text).c_str());
        }
    }

    void wrongFilesAreRefusedOrListed_data() { addRows(true); }
    void wrongFilesAreRefusedOrListed() {
        QFETCH(QString, file);
        QFETCH(QStringList, codes);
        if (file.isEmpty())
            QSKIP("The test data is not there.");
        QElapsedTimer timer;
        timer.start();
        const auto opened = open(file);
        QVERIFY(timer.elapsed() < kLimitMs);
        if (!opened) {
            const QString text = QString::fromStdString(opened.error().text);
            const bool named = std::any_of(codes.begin(), codes.end(),
                                           [&](const QString& code) { return text.endsWith(" [" + code + "]"); });
            QVERIFY2(named || isCarried(file), qPrintable(text));
            QVERIFY(!opened.error().where.empty());
            return;
        }
        std::set<QString> listed;
        for (const io::Repair& repair : opened->repairs)
            if (repair.count > 0 && !repair.where.empty() && !repair.text.empty())
                listed.insert(QString::fromStdString(repair.code));
        for (const QString& code : codes)
            QVERIFY2(listed.contains(code) || isCarried(file), qPrintable(code + " is not listed"));
    }

    void everyExceptionIsOfAFileThatIsThere() {
        const std::vector<Expected> all = expectations();
        if (all.empty())
            QSKIP("The test data is not there.");
        for (const Carried& carried : kCarried)
            QVERIFY2(
                std::any_of(all.begin(), all.end(),
                            [&](const Expected& e) { return e.file.startsWith(carried.path) && !e.codes.isEmpty(); }),
                carried.path);
        for (const Remark& remark : kRemarks) {
            const auto opened = open(remark.file);
            QVERIFY2(opened && std::any_of(opened->repairs.begin(), opened->repairs.end(),
                                           [&](const io::Repair& r) { return r.code == remark.code; }),
                     remark.file);
        }
    }
};

QTEST_APPLESS_MAIN(TestKhronos)
#include "test_khronos.moc"
