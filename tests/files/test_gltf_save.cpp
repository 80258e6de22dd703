// Saving to disk: what lies beside the target and belongs to others is never replaced, and a scene takes along what it
// needs.
#include "core/io/gltf_container.h"
#include "core/io/safe_save.h"
#include "tests/files/gltf_compare.h"
#include "tests/files/gltf_edits.h"
#include "tests/files/gltf_text.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <sys/stat.h>

using namespace limber;
using namespace limber::test;
using document::Document;

namespace {

namespace fs = std::filesystem;

void put(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::string get(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string textOf(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

QStringList namesIn(const fs::path& folder) {
    QStringList names;
    for (const auto& entry : fs::directory_iterator(folder))
        names << QString::fromStdString(entry.path().filename().string());
    names.sort();
    return names;
}

const std::string kPicture = std::string("\x89PNG") + "something";

// A rigged square whose data lies in `uri`.
GltfText external(const std::string& uri) {
    GltfText text;
    text.withSquare().withSkin();
    text.json["buffers"] = {{{"byteLength", text.bytes.size()}, {"uri", uri}}};
    return text;
}

io::LoadedFile load(const fs::path& path) {
    auto file = io::loadGltf(path);
    if (!file)
        qFatal("%s", file.error().message().c_str());
    return std::move(*file);
}

Document painted(const io::LoadedFile& file, float first = 0.625f) {
    Document doc(file.state);
    paint(doc, MeshId(0), 2, {{0, first}, {1, 1 - first}});
    return doc;
}

QString saved(const io::LoadedFile& file, const Document& doc, const fs::path& path) {
    const auto notes = io::saveGltf(*file.source, doc, path);
    return notes ? QString() : QString::fromStdString(notes.error().message());
}

QString lostIn(const Document& doc, const fs::path& path) {
    const auto back = io::loadGltf(path);
    return back ? lostBetween(doc.state(), back->state) : QString::fromStdString(back.error().message());
}

} // namespace

class TestGltfSave : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> place_;
    fs::path folder_;

private slots:
    void init() {
        place_ = std::make_unique<QTemporaryDir>();
        folder_ = place_->path().toStdString();
    }

    void anEditedCopyLeavesTheOriginalsBufferAlone() {
        const GltfText text = external("data.bin");
        put(folder_ / "a.gltf", text.json.dump());
        put(folder_ / "data.bin", textOf(text.bytes));
        const io::LoadedFile file = load(folder_ / "a.gltf");
        const Document doc = painted(file);
        QCOMPARE(saved(file, doc, folder_ / "b.gltf"), QString());
        QCOMPARE(get(folder_ / "data.bin"), textOf(text.bytes));
        QCOMPARE(get(folder_ / "a.gltf"), text.json.dump());
        QCOMPARE(lostIn(doc, folder_ / "b.gltf"), QString());
        QCOMPARE(namesIn(folder_), QStringList({"a.gltf", "b.bin", "b.gltf", "data.bin"}));
    }

    void savingInPlaceNeverRewritesABufferAndDoesNotPileThemUp() {
        const GltfText text = external("a.bin");
        put(folder_ / "a.gltf", text.json.dump());
        put(folder_ / "a.bin", textOf(text.bytes));
        const io::LoadedFile first = load(folder_ / "a.gltf");
        for (int round = 0; round < 4; ++round) {
            const io::LoadedFile now = load(folder_ / "a.gltf");
            // As the window does (it keeps what it opened), and as a program that opens the file again.
            const io::LoadedFile& file = round % 2 ? now : first;
            const Document doc = painted(file, 0.15f + 0.2f * static_cast<float>(round));
            QCOMPARE(saved(file, doc, folder_ / "a.gltf"), QString());
            QCOMPARE(lostIn(doc, folder_ / "a.gltf"), QString());
            QCOMPARE(get(folder_ / "a.bin"), textOf(text.bytes));
            QCOMPARE(namesIn(folder_).size(), 3);
        }
    }

    void aBufferThatACopyOfTheFileNamesStays_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("beside it") << "copy.gltf";
        QTest::newRow("as a backup") << "a.gltf.bak";
    }
    void aBufferThatACopyOfTheFileNamesStays() {
        QFETCH(QString, name);
        const std::string copy = name.toStdString();
        const GltfText text = external("data.bin");
        put(folder_ / "a.gltf", text.json.dump());
        put(folder_ / "data.bin", textOf(text.bytes));
        const io::LoadedFile file = load(folder_ / "a.gltf");
        const Document doc = painted(file);
        QCOMPARE(saved(file, doc, folder_ / "a.gltf"), QString());
        fs::copy(folder_ / "a.gltf", folder_ / copy);
        const io::LoadedFile again = load(folder_ / "a.gltf");
        QCOMPARE(saved(again, painted(again, 0.25f), folder_ / "a.gltf"), QString());
        QCOMPARE(lostIn(doc, folder_ / copy), QString());
    }

    void aStrangersBufferIsNeverReplaced_data() {
        QTest::addColumn<bool>("named");
        QTest::newRow("beside the target") << false;
        QTest::newRow("named by the file that is replaced") << true;
    }
    void aStrangersBufferIsNeverReplaced() {
        QFETCH(bool, named);
        put(folder_ / "x.bin", "precious");
        if (named)
            put(folder_ / "x.gltf", R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":8,"uri":"x.bin"}]})");
        const Opened opened = openText(GltfText().withSquare().withSkin());
        const std::vector<std::byte> glb = written(opened, io::Container::Glb);
        const auto file = io::loadGlb(glb, "");
        QVERIFY(file.ok());
        const Document doc(file->state);
        QCOMPARE(saved(*file, doc, folder_ / "x.gltf"), QString());
        QCOMPARE(get(folder_ / "x.bin"), std::string("precious"));
        QCOMPARE(lostIn(doc, folder_ / "x.gltf"), QString());
        QCOMPARE(saved(*file, doc, folder_ / "x.gltf"), QString());
        QCOMPARE(namesIn(folder_), QStringList({"x-1.bin", "x.bin", "x.gltf"}));
    }

    void aPictureNamedLikeTheNewBufferKeepsItsName() {
        GltfText text;
        text.withSquare().withSkin().json["images"] = {{{"uri", "x.bin"}}};
        put(folder_ / "x.bin", kPicture);
        put(folder_ / "z.glb", textOf(written(openText(text), io::Container::Glb)));
        const io::LoadedFile glb = load(folder_ / "z.glb");
        const Document doc = painted(glb);
        QCOMPARE(saved(glb, doc, folder_ / "x.gltf"), QString());
        QCOMPARE(get(folder_ / "x.bin"), kPicture);
        QCOMPARE(lostIn(doc, folder_ / "x.gltf"), QString());
    }

    void aPictureThatNoGlbCanHoldIsARepair() {
        GltfText text;
        text.withSquare().withSkin().json["images"] = {{{"uri", "skin.png"}}};
        put(folder_ / "a.gltf", textOf(written(openText(text), io::Container::Gltf)));
        put(folder_ / "skin.png", kPicture);
        QVERIFY(load(folder_ / "a.gltf").repairs.empty());
        put(folder_ / "skin.png", "no picture");
        const auto repairs = load(folder_ / "a.gltf").repairs;
        QVERIFY(repairs.size() == 1 && repairs[0].code == "IMAGE_UNRECOGNIZED_FORMAT" && repairs[0].count == 1);
    }

    void aGlbTakesItsPicturesIntoAnotherFolder() {
        GltfText text;
        text.withSquare().withSkin().json["images"] = {{{"uri", "skin.png"}}, {{"uri", "lost.png"}}};
        const std::vector<std::byte> glb = written(openText(text), io::Container::Glb);
        put(folder_ / "a.glb", textOf(glb));
        put(folder_ / "skin.png", kPicture);
        const io::LoadedFile file = load(folder_ / "a.glb");
        const Document doc(file.state);
        fs::create_directory(folder_ / "other");
        const auto notes = io::saveGltf(*file.source, doc, folder_ / "other/b.glb");
        QVERIFY(notes.ok());
        QCOMPARE(notes->size(), std::size_t(1)); // the picture that is lost
        const io::LoadedFile back = load(folder_ / "other/b.glb");
        QCOMPARE(back.state.images[0].bytes->size(), kPicture.size());
        const Json images = jsonOf(*io::readFile(folder_ / "other/b.glb"))["images"];
        QCOMPARE(show(images[1]), QString(R"({"uri":"lost.png"})"));
        QCOMPARE(show(images[0]["mimeType"]), QString(R"("image/png")"));
        QCOMPARE(lostIn(doc, folder_ / "other/b.glb"), QString());
        // Beside its pictures it stays as it is.
        QCOMPARE(saved(file, doc, folder_ / "b.glb"), QString());
        QVERIFY(get(folder_ / "b.glb") == textOf(glb));
    }

    void aGlbSavedOverItselfLeavesItsFilesOutside_data() {
        QTest::addColumn<bool>("ownBuffer");
        QTest::newRow("data in a file of its own") << false;
        QTest::newRow("data in the .glb, and a buffer that nothing changes") << true;
    }
    void aGlbSavedOverItselfLeavesItsFilesOutside() {
        QFETCH(bool, ownBuffer);
        GltfText text = ownBuffer ? GltfText() : external("data.bin");
        if (ownBuffer) {
            text.withSquare().withSkin();
            text.json["buffers"] = {{{"byteLength", text.bytes.size()}}, {{"byteLength", 4}, {"uri", "data.bin"}}};
        }
        text.json["images"] = {{{"uri", "skin.png"}}};
        put(folder_ / "data.bin", textOf(text.bytes));
        put(folder_ / "skin.png", kPicture);
        put(folder_ / "a.glb",
            textOf(io::buildGlb(text.json.dump(),
                                ownBuffer ? std::span<const std::byte>(text.bytes) : std::span<const std::byte>(),
                                {})));
        const io::LoadedFile file = load(folder_ / "a.glb");
        Document doc(file.state);
        if (ownBuffer)
            doc = painted(file);
        else
            turn(doc, JointId(1), 0.5);
        QCOMPARE(saved(file, doc, folder_ / "a.glb"), QString());
        QCOMPARE(namesIn(folder_), QStringList({"a.glb", "data.bin", "skin.png"}));
        const Json json = jsonOf(*io::readFile(folder_ / "a.glb"));
        QCOMPARE(show(json["images"]), QString(R"([{"uri":"skin.png"}])"));
        QCOMPARE(show(json["buffers"].back()["uri"]), QString(R"("data.bin")"));
        QCOMPARE(lostIn(doc, folder_ / "a.glb"), QString());
        // Under another name it takes them in.
        QCOMPARE(saved(file, doc, folder_ / "b.glb"), QString());
        const Json other = jsonOf(*io::readFile(folder_ / "b.glb"));
        QVERIFY(!other["images"][0].contains("uri") && other["buffers"].size() == 1);
        QVERIFY(!other["buffers"][0].contains("uri"));
        QCOMPARE(lostIn(doc, folder_ / "b.glb"), QString());
    }

    void aBufferOutsideThatIsEditedMovesIntoTheGlb() {
        const GltfText text = external("data.bin");
        put(folder_ / "data.bin", textOf(text.bytes));
        put(folder_ / "a.glb", textOf(io::buildGlb(text.json.dump(), {}, {})));
        const io::LoadedFile file = load(folder_ / "a.glb");
        const Document doc = painted(file);
        QCOMPARE(saved(file, doc, folder_ / "a.glb"), QString());
        QCOMPARE(get(folder_ / "data.bin"), textOf(text.bytes));
        QVERIFY(!jsonOf(*io::readFile(folder_ / "a.glb"))["buffers"][0].contains("uri"));
        QCOMPARE(lostIn(doc, folder_ / "a.glb"), QString());
    }

    void aGlbSavedAsGltfIsFollowedByItsFiles() {
        GltfText text = external("data.bin");
        text.json["images"] = {{{"uri", "skin.png"}}};
        put(folder_ / "data.bin", textOf(text.bytes));
        put(folder_ / "skin.png", kPicture);
        put(folder_ / "a.glb", textOf(io::buildGlb(text.json.dump(), {}, {})));
        const io::LoadedFile file = load(folder_ / "a.glb");
        const Document doc(file.state);
        fs::create_directory(folder_ / "other");
        QCOMPARE(saved(file, doc, folder_ / "other/b.gltf"), QString());
        QCOMPARE(namesIn(folder_ / "other"), QStringList({"b.gltf", "data.bin", "skin.png"}));
        QCOMPARE(get(folder_ / "other/data.bin"), textOf(text.bytes));
        QCOMPARE(lostIn(doc, folder_ / "other/b.gltf"), QString());
    }

    void keptSavesKeepTheirBuffers() {
        const GltfText text = external("data.bin");
        put(folder_ / "a.gltf", text.json.dump());
        put(folder_ / "data.bin", textOf(text.bytes));
        for (int save = 1; save <= 6; ++save) {
            const io::LoadedFile file = load(folder_ / "a.gltf");
            const Document doc = painted(file, static_cast<float>(save) / 8);
            QVERIFY(io::saveGltf(*file.source, doc, folder_ / "a.gltf", {2}).ok());
        }
        for (int k = 0; k <= 2; ++k) {
            const io::LoadedFile back = load(k ? io::backupPath(folder_ / "a.gltf", k) : folder_ / "a.gltf");
            QCOMPARE(back.state.meshes[0].weights.row(0)[0].weight, static_cast<float>(6 - k) / 8);
        }
        // Three saves, their three buffers, and what was not Limber's.
        QCOMPARE(namesIn(folder_).size(), qsizetype(7));
    }

    void aGlbTakesItsBuffersIntoAnotherFolder() {
        const GltfText text = external("data.bin");
        put(folder_ / "data.bin", textOf(text.bytes));
        put(folder_ / "a.glb", textOf(io::buildGlb(text.json.dump(), {}, {})));
        const io::LoadedFile file = load(folder_ / "a.glb");
        fs::create_directory(folder_ / "other");
        const Document doc(file.state);
        QCOMPARE(saved(file, doc, folder_ / "other/b.glb"), QString());
        QCOMPARE(lostIn(doc, folder_ / "other/b.glb"), QString());
    }

    void aFailedSaveLeavesNoNewBuffer() {
        const GltfText text = external("data.bin");
        put(folder_ / "a.gltf", text.json.dump());
        put(folder_ / "data.bin", textOf(text.bytes));
        const io::LoadedFile file = load(folder_ / "a.gltf");
        fs::create_directory(folder_ / "b.gltf");
        QVERIFY(!saved(file, painted(file), folder_ / "b.gltf").isEmpty());
        QCOMPARE(namesIn(folder_), QStringList({"a.gltf", "b.gltf", "data.bin"}));
    }

    void aNewBufferIsAsPrivateAsItsFile() {
        const GltfText text = external("data.bin");
        put(folder_ / "a.gltf", text.json.dump());
        put(folder_ / "data.bin", textOf(text.bytes));
        ::chmod((folder_ / "a.gltf").c_str(), 0600);
        const io::LoadedFile file = load(folder_ / "a.gltf");
        QCOMPARE(saved(file, painted(file), folder_ / "a.gltf"), QString());
        struct stat facts {};
        QCOMPARE(::stat((folder_ / "a.bin").c_str(), &facts), 0);
        QCOMPARE(facts.st_mode & 0777, mode_t(0600));
    }

    void saveAsMovesExternalFilesAlong() {
        QTemporaryDir from, to;
        GltfText text;
        text.withSquare();
        text.json["buffers"] = {{{"byteLength", text.bytes.size()}, {"uri", "data%20of%20it.bin"}}};
        text.json["images"] = {{{"uri", "skin.png"}}};
        const std::string picture = std::string("\x89PNG") + "something";
        const std::string dumped = text.json.dump();
        const fs::path folder = from.path().toStdString();
        QVERIFY(io::safeSave(folder / "a.gltf", std::as_bytes(std::span(dumped))).ok());
        QVERIFY(io::safeSave(folder / "data of it.bin", text.bytes).ok());
        QVERIFY(io::safeSave(folder / "skin.png", std::as_bytes(std::span(picture))).ok());
        const auto file = io::loadGltf(folder / "a.gltf");
        QVERIFY2(file.ok(), file.ok() ? "" : file.error().message().c_str());
        const Document doc(file->state);
        const fs::path other = to.path().toStdString();
        QVERIFY(io::saveGltf(*file->source, doc, other / "b.gltf").ok());
        QVERIFY(io::saveGltf(*file->source, doc, other / "b.glb").ok());
        QVERIFY(*io::readFile(other / "data of it.bin") == text.bytes);
        for (const char* name : {"b.gltf", "b.glb"}) {
            const auto back = io::loadGltf(other / name);
            QVERIFY2(back.ok() && back->repairs.empty(), name);
            QCOMPARE(back->state.images[0].bytes->size(), picture.size());
            QCOMPARE(back->state.meshes[0].geometry.positions, file->state.meshes[0].geometry.positions);
        }
        QVERIFY(!jsonOf(*io::readFile(other / "b.glb"))["images"][0].contains("uri"));
        // A stranger's picture of the same name is not overwritten.
        QVERIFY(io::safeSave(other / "skin.png", text.bytes).ok());
        QCOMPARE(io::saveGltf(*file->source, doc, other / "c.gltf").error().code, ErrorCode::WriteFailed);
    }

    void anEditedExternalBufferIsSavedInPlace_data() {
        QTest::addColumn<bool>("shared");
        QTest::newRow("own file") << false;
        QTest::newRow("file that goes on behind the buffer") << true;
    }
    void anEditedExternalBufferIsSavedInPlace() {
        QFETCH(bool, shared);
        QTemporaryDir place;
        const fs::path folder = place.path().toStdString();
        GltfText text;
        text.withSquare().withSkin();
        text.json["buffers"] = {{{"byteLength", text.bytes.size()}, {"uri", "data.bin"}}};
        if (shared)
            text.bytes.resize(text.bytes.size() + 100, std::byte{7});
        const std::string dumped = text.json.dump();
        QVERIFY(io::safeSave(folder / "a.gltf", std::as_bytes(std::span(dumped))).ok());
        QVERIFY(io::safeSave(folder / "data.bin", text.bytes).ok());
        const auto file = io::loadGltf(folder / "a.gltf");
        QVERIFY(file.ok());
        Document doc(file->state);
        paint(doc, MeshId(0), 2);
        QVERIFY(io::saveGltf(*file->source, doc, folder / "a.gltf").ok());
        const auto back = io::loadGltf(folder / "a.gltf");
        QVERIFY2(back.ok(), back.ok() ? "" : back.error().message().c_str());
        QVERIFY2(lostBetween(doc.state(), back->state).isEmpty(), "the weights are lost");
        QVERIFY(*io::readFile(folder / "data.bin") == text.bytes);
    }
};

QTEST_APPLESS_MAIN(TestGltfSave)
#include "test_gltf_save.moc"
