// What nobody edited comes back: every file of the test data that opens, saved in its own kind and in the other. The
// comparison knows nothing of the reader: JSON as JSON, and the bytes that it points to.
#include "core/document/document.h"
#include "core/io/gltf_file.h"
#include "tests/support/test_data.h"

#include <QTemporaryDir>
#include <QTest>
#include <QUrl>
#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

using namespace limber;
using Json = nlohmann::ordered_json;

namespace {

QByteArray fileBytes(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    return QByteArray::fromStdString(text);
}

std::uint32_t word(const QByteArray& bytes, qsizetype at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.constData() + at, 4);
    return value;
}

// A glTF file taken apart without the reader.
struct Plain {
    Json json;
    std::vector<QByteArray> buffers; // cut to their declared length; empty where there is no data

    explicit Plain(const std::filesystem::path& path) {
        const QByteArray whole = fileBytes(path);
        QByteArray text = whole, chunk;
        if (whole.startsWith("glTF")) {
            const qsizetype end = 20 + word(whole, 12);
            text = whole.mid(20, end - 20);
            if (whole.size() >= end + 8 && word(whole, end + 4) == 0x004E4942)
                chunk = whole.mid(end + 8, word(whole, end));
        }
        while (text.endsWith('\0'))
            text.chop(1);
        json = Json::parse(text.startsWith("\xEF\xBB\xBF") ? text.mid(3).toStdString() : text.toStdString());
        for (const Json& buffer : json.value("buffers", Json::array())) {
            const std::string uri = buffer.value("uri", "");
            QByteArray bytes = buffers.empty() && uri.empty() ? chunk : contentOf(uri, path.parent_path());
            buffers.push_back(bytes.left(buffer.value("byteLength", 0)));
        }
    }

    static QByteArray contentOf(const std::string& uri, const std::filesystem::path& folder) {
        const QByteArray encoded = QByteArray::fromStdString(uri);
        if (encoded.startsWith("data:"))
            return QByteArray::fromBase64(encoded.mid(encoded.indexOf(',') + 1));
        return uri.empty() ? QByteArray() : fileBytes(folder / QUrl::fromPercentEncoding(encoded).toStdString());
    }

    // What a buffer view, or the extension that compresses it, points to.
    [[nodiscard]] QByteArray bytesOf(const Json& view) const {
        const std::size_t buffer = view.value("buffer", std::size_t(0));
        return buffer < buffers.size()
                   ? buffers[buffer].mid(view.value("byteOffset", 0), view.value("byteLength", qsizetype(0)))
                   : QByteArray();
    }
};

const Json* packedPart(const Json& view) {
    const Json* extensions = view.contains("extensions") ? &view["extensions"] : nullptr;
    return extensions && extensions->contains("EXT_meshopt_compression") ? &(*extensions)["EXT_meshopt_compression"]
                                                                         : nullptr;
}

// Every byte that views point to, in the views' order.
std::vector<QByteArray> viewContents(const Plain& file) {
    std::vector<QByteArray> contents;
    for (const Json& view : file.json.value("bufferViews", Json::array())) {
        contents.push_back(file.bytesOf(view));
        if (const Json* packed = packedPart(view))
            contents.push_back(file.bytesOf(*packed));
    }
    return contents;
}

std::vector<QByteArray> imageContents(const Plain& file, const std::filesystem::path& folder) {
    std::vector<QByteArray> contents;
    for (const Json& image : file.json.value("images", Json::array()))
        contents.push_back(image.contains("bufferView") && image["bufferView"] < file.json["bufferViews"].size()
                               ? file.bytesOf(file.json["bufferViews"][image["bufferView"].get<std::size_t>()])
                               : Plain::contentOf(image.value("uri", ""), folder));
    return contents;
}

void erasePlace(Json& view) {
    view.erase("buffer");
    view.erase("byteOffset");
}

// Without what says where bytes are kept: that is what saving in the other container changes. `views` of the buffer
// views are kept: those added for pictures follow.
std::string withoutPlaces(Json json, std::size_t views) {
    json.erase("buffers");
    if (json.contains("images"))
        for (Json& image : json["images"])
            for (const char* key : {"uri", "bufferView", "mimeType"})
                image.erase(key);
    if (!json.contains("bufferViews"))
        return json.dump();
    Json& all = json["bufferViews"];
    while (all.size() > views)
        all.erase(all.size() - 1);
    for (Json& view : all) {
        erasePlace(view);
        if (packedPart(view))
            erasePlace(view["extensions"]["EXT_meshopt_compression"]);
    }
    if (all.empty())
        json.erase("bufferViews");
    return json.dump();
}

bool namesFiles(const Json& json) {
    for (const char* list : {"buffers", "images"})
        for (const Json& item : json.value(list, Json::array()))
            if (const std::string uri = item.value("uri", ""); !uri.empty() && !uri.starts_with("data:"))
                return true;
    return false;
}

// Files named by buffers and images lie beside both, with the same bytes.
QString lostBeside(const Json& json, const std::filesystem::path& before, const std::filesystem::path& after) {
    for (const char* list : {"buffers", "images"})
        for (const Json& item : json.value(list, Json::array())) {
            const std::string uri = item.value("uri", "");
            if (!uri.empty() && Plain::contentOf(uri, before) != Plain::contentOf(uri, after))
                return QString::fromStdString(uri);
        }
    return {};
}

// `refusable`: the folder has files that are wrong; which of them are refused is another test's.
void addFiles() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("refusable");
    for (const char* folder : {"demo", "gltf", "khronos", "invalid", "hostile"}) {
        const std::filesystem::path root = tests::dataFile(folder);
        const bool refusable = std::string_view(folder) != "demo" && std::string_view(folder) != "gltf";
        if (root.empty()) {
            QTest::newRow(folder) << QString() << refusable;
            continue;
        }
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
            if (entry.path().extension() == ".glb" || entry.path().extension() == ".gltf")
                QTest::newRow((folder / std::filesystem::relative(entry.path(), root)).c_str())
                    << QString::fromStdString(entry.path().string()) << refusable;
    }
}

} // namespace

class TestRoundTrip : public QObject {
    Q_OBJECT

private slots:
    void anUneditedFileIsTheSameFile_data() { addFiles(); }
    void anUneditedFileIsTheSameFile() {
        QFETCH(QString, path);
        QFETCH(bool, refusable);
        if (path.isEmpty())
            QSKIP("The test data is not there.");
        const auto opened = openedFile(path);
        if (!opened && refusable)
            QSKIP("The file is refused.");
        QVERIFY2(opened, "a good file is refused");
        const std::filesystem::path from = path.toStdString();
        QTemporaryDir folder;
        const auto to = std::filesystem::path(folder.path().toStdString()) / from.filename();
        const auto saved = io::saveGltf(*opened->source, document::Document(opened->state), to);
        QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().message().c_str());
        const Json json = Plain(from).json;
        // A .glb that names pictures beside it takes them along into another folder.
        if (from.extension() == ".glb" && namesFiles(json)) {
            const auto same = io::writeGltf(*opened->source, document::Document(opened->state), io::Container::Glb);
            QVERIFY2(same.ok() && QByteArray(reinterpret_cast<const char*>(same->bytes.data()),
                                             static_cast<qsizetype>(same->bytes.size())) == fileBytes(from),
                     "the bytes differ");
            return;
        }
        QVERIFY2(fileBytes(to) == fileBytes(from), "the bytes differ");
        const QString lost = lostBeside(json, from.parent_path(), to.parent_path());
        QVERIFY2(lost.isEmpty(), qPrintable(lost));
    }

    void theOtherContainerHoldsTheSame_data() { addFiles(); }
    void theOtherContainerHoldsTheSame() {
        QFETCH(QString, path);
        QFETCH(bool, refusable);
        if (path.isEmpty())
            QSKIP("The test data is not there.");
        const auto opened = openedFile(path);
        if (!opened && refusable)
            QSKIP("The file is refused.");
        QVERIFY2(opened, "a good file is refused");
        const std::filesystem::path from = path.toStdString();
        QTemporaryDir folder;
        const auto to = std::filesystem::path(folder.path().toStdString()) /
                        (from.extension() == ".glb" ? "saved.gltf" : "saved.glb");
        const auto saved = io::saveGltf(*opened->source, document::Document(opened->state), to);
        QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().message().c_str());

        const Plain before(from), after(to);
        const std::size_t views = before.json.value("bufferViews", Json::array()).size();
        QCOMPARE(QString::fromStdString(withoutPlaces(after.json, views)),
                 QString::fromStdString(withoutPlaces(before.json, views)));
        const std::vector<QByteArray> contents = viewContents(before);
        std::vector<QByteArray> now = viewContents(after);
        QVERIFY(now.size() >= contents.size());
        now.resize(contents.size());
        QVERIFY2(now == contents, "the bytes of a view differ");
        QVERIFY2(imageContents(after, to.parent_path()) == imageContents(before, from.parent_path()),
                 "the bytes of a picture differ");
    }

private:
    static std::optional<io::LoadedFile> openedFile(const QString& path) {
        auto file = io::loadGltf(path.toStdString());
        return file ? std::optional(std::move(*file)) : std::nullopt;
    }
};

QTEST_APPLESS_MAIN(TestRoundTrip)
#include "test_round_trip.moc"
