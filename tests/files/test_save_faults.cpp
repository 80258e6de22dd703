// Saving while the system fails or the process dies: the old file or the new one is whole, and nobody is told
// otherwise. Each call that saving makes is made to fail once with each error, by strace; the program itself also is
// what it traces ("--save FILE TARGET" and "--fill FOLDER").
#include "core/io/gltf_container.h"
#include "core/io/safe_save.h"
#include "tests/files/gltf_edits.h"
#include "tests/files/gltf_text.h"
#include "tests/support/run_limber.h"

#include <QTemporaryDir>

#include <map>
#include <sys/statvfs.h>

using namespace limber;
using namespace limber::test;
using limber::tests::Outcome;

namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, QByteArray>; // by name

QString toQString(const fs::path& path) {
    return QString::fromStdString(path.string());
}

Files filesIn(const fs::path& folder) {
    Files files;
    for (const auto& entry : fs::directory_iterator(folder))
        files[entry.path().filename().string()] = tests::read(toQString(entry.path()));
    return files;
}

void put(const fs::path& folder, const Files& files) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const auto& [name, bytes] : files)
        if (!tests::write(toQString(folder / name), bytes))
            qFatal("The test's files cannot be written.");
}

// A skinned square whose data lies beside it or, as .glb, in it.
Files square(const std::string& name, float size, bool glb) {
    GltfText text;
    const std::size_t positions = text.addFloats({0, 0, 0, size, 0, 0, size, size, 0, 0, size, 0}, "VEC3");
    text.json["accessors"][positions]["min"] = {0, 0, 0};
    text.json["accessors"][positions]["max"] = {size, size, 0};
    text.attributes()["POSITION"] = positions;
    text.primitive()["indices"] = text.add(std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3}, "SCALAR", 5123, 1);
    text.withSkin();
    text.json["buffers"] = {{{"byteLength", text.bytes.size()}}};
    const auto raw = [](const std::vector<std::byte>& bytes) {
        return QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
    };
    if (glb)
        return {{name + ".glb", raw(io::buildGlb(text.json.dump(), text.bytes, {}))}};
    text.json["buffers"][0]["uri"] = "data.bin";
    return {{name + ".gltf", QByteArray::fromStdString(text.json.dump())}, {"data.bin", raw(text.bytes)}};
}

// Opens, changes weights and saves, as the window does.
Status paintAndSave(const fs::path& file, const fs::path& target) {
    const auto loaded = io::loadGltf(file);
    if (!loaded)
        return loaded.error();
    document::Document doc(loaded->state);
    const float first = doc.mesh(MeshId(0)).weights.row(0)[0].weight == 0.625f ? 0.25f : 0.625f;
    paint(doc, MeshId(0), 2, {{0, first}, {1, 1 - first}});
    const auto saved = io::saveGltf(*loaded->source, doc, target);
    return saved ? Status() : Status(saved.error());
}

// What is traced: it works in the folder "work" and changes `target`.
struct Scene {
    QStringList command;
    fs::path folder;
    std::string target;
    Files before, after; // of the folder
};

struct Fault {
    const char* error; // "" : the process is killed
    const char* message;
};
constexpr Fault kFaults[] = {{"ENOSPC", "disk is full"},
                             {"EIO", "input/output error"},
                             {"EACCES", "not allowed"},
                             {"EROFS", "read-only"},
                             {"", ""}};

constexpr const char* kCalls = "openat,write,fchmod,fchmodat,fsync,close,rename";

Outcome traced(const Scene& scene, const fs::path& log, const QStringList& inject) {
    QStringList words{"-f", "-qq", "-o", toQString(log), "-e", QString("trace=") + kCalls};
    return tests::run(words + inject + scene.command, "strace");
}

struct Call {
    QString name;
    int number = 0; // counted from the start of the process
};

// The calls of the first thread from the first temporary on.
QList<Call> callsOfSaving(const fs::path& log) {
    QList<Call> calls;
    std::map<QString, int> counts;
    QByteArray main;
    for (const QByteArray& line : tests::read(toQString(log)).split('\n')) {
        const qsizetype space = line.indexOf(' '), bracket = line.indexOf('(');
        if (main.isEmpty())
            main = line.left(space);
        if (line.left(space) != main || bracket < 0 || line.contains("resumed>"))
            continue;
        const QString name = line.mid(space, bracket - space).trimmed();
        const int number = ++counts[name];
        if (!calls.isEmpty() || line.contains(".limber-save-"))
            calls.append({name, number});
    }
    return calls;
}

// The program takes longer to start: with it, calls that hardly fail are tried with one error and with a kill.
bool isTriedFully(const Call& call) {
    return call.name == "write" || call.name == "fsync" || call.name == "rename";
}

// Empty, or what is wrong with the folder after a save that ended with `outcome`.
QString wrongIn(const Scene& scene, const Outcome& outcome, const Fault& fault) {
    const Files now = filesIn(scene.folder);
    const auto target = now.find(scene.target);
    if (target == now.end())
        return "The file is gone.";
    const bool isNew = target->second == scene.after.at(scene.target);
    if (!isNew && target->second != scene.before.at(scene.target))
        return "The file is neither the old one nor the new one.";
    for (const auto& [name, bytes] : isNew ? scene.after : scene.before)
        if (const auto found = now.find(name); found == now.end() || found->second != bytes)
            return "A file beside it is not whole: " + QString::fromStdString(name);
    const bool killed = !*fault.error;
    for (const auto& [name, bytes] : now)
        if (!scene.before.contains(name) && !scene.after.contains(name) &&
            !(killed && name.starts_with(".limber-save-")))
            return "This is left: " + QString::fromStdString(name);
    if (outcome.code == 0 && !isNew)
        return "It says that it was saved.";
    if (!killed && outcome.code != 0 && !outcome.err.contains(fault.message))
        return "The cause is not named: " + outcome.err;
    return {};
}

bool canTrace() {
    return tests::run({"-f", "-qq", "-e", "trace=none", "true"}, "strace").code == 0;
}

// Fills the disk of `folder` until `left` bytes are free.
bool fill(const fs::path& folder, std::uintmax_t left) {
    struct statvfs facts {};
    if (::statvfs(folder.c_str(), &facts) != 0 || facts.f_bfree * facts.f_bsize < left)
        return false;
    const auto size = static_cast<qsizetype>(facts.f_bfree * facts.f_bsize - left);
    return tests::write(toQString(folder / "filler"), QByteArray(size, 'x')) &&
           ::statvfs(folder.c_str(), &facts) == 0 && facts.f_bfree * facts.f_bsize == left;
}

// Saves a file of about 56 KiB over itself with less and less room. Returns what went wrong.
QString saveOnFullDisk(const fs::path& folder) {
    GltfText text;
    text.withSquare().withSkin();
    text.bytes.resize(56000);
    text.json["buffers"] = {{{"byteLength", text.bytes.size()}}};
    const std::vector<std::byte> glb = io::buildGlb(text.json.dump(), text.bytes, {});
    const Files before{{"a.glb", QByteArray(reinterpret_cast<const char*>(glb.data()), qsizetype(glb.size()))}};
    put(folder / "work", before);
    if (!paintAndSave(folder / "work/a.glb", folder / "work/a.glb").ok())
        return "It cannot be saved at all.";
    const Scene scene{{}, folder / "work", "a.glb", before, filesIn(folder / "work")};
    int full = 0, saved = 0;
    for (std::uintmax_t left = 0; left <= 65536; left += 4096) {
        fs::remove(folder / "filler");
        put(scene.folder, before);
        if (!fill(folder, left))
            return "The disk cannot be filled.";
        const Status done = paintAndSave(scene.folder / "a.glb", scene.folder / "a.glb");
        ++(done ? saved : full);
        const QString error = done ? QString() : QString::fromStdString(done.error().message());
        if (const QString wrong = wrongIn(scene, {done ? 0 : 5, "", error}, kFaults[0]); !wrong.isEmpty())
            return QString("%1 bytes left: %2").arg(left).arg(wrong);
        if ((scene.after != filesIn(scene.folder)) == done.ok())
            return "It was saved and not told, or told and not saved.";
    }
    return full > 10 && saved > 0 ? QString() : QString("full %1 times, saved %2 times").arg(full).arg(saved);
}

} // namespace

class TestSaveFaults : public QObject {
    Q_OBJECT

    QTemporaryDir place_;
    const fs::path folder_ = place_.path().toStdString(), work_ = folder_ / "work";
    const QString self_ = QCoreApplication::applicationFilePath();

    // The program itself saves over the file.
    Scene inPlace(bool glb) {
        const std::string name = glb ? "a.glb" : "a.gltf";
        Scene scene{{self_, "--save", toQString(work_ / name), toQString(work_ / name)}, work_, name, {}, {}};
        put(work_, square("a", 1, glb));
        // A first save makes a buffer that the traced one replaces.
        if (!glb && !paintAndSave(work_ / name, work_ / name).ok())
            qFatal("The scene cannot be saved.");
        scene.before = filesIn(work_);
        return scene;
    }

    // limber pose over the pose of another scene.
    Scene posed(bool glb) {
        const std::string ending = glb ? ".glb" : ".gltf", name = "out" + ending;
        put(folder_ / "one", square("in", 1, glb));
        put(folder_ / "two", square("in", 2, glb));
        put(work_, {});
        tests::write(toQString(folder_ / "pose.json"), tests::poseOf("tip", 30));
        const auto words = [&](const char* from) {
            return QStringList{"pose",   toQString(folder_ / from / ("in" + ending)),
                               "--pose", toQString(folder_ / "pose.json"),
                               "-o",     toQString(work_ / name)};
        };
        const Outcome first = tests::run(words("one"));
        if (first.code != 0)
            qFatal("limber pose: %s", qPrintable(first.err));
        return {QStringList(LIMBER_EXECUTABLE) + words("two"), work_, name, filesIn(work_), {}};
    }

private slots:
    void eachCallFails_data() {
        QTest::addColumn<bool>("program");
        QTest::addColumn<bool>("glb");
        QTest::newRow("a .glb in place") << false << true;
        QTest::newRow("a .gltf with its buffer in place") << false << false;
        QTest::newRow("limber pose over a .glb") << true << true;
        QTest::newRow("limber pose over a .gltf") << true << false;
    }
    void eachCallFails() {
        QFETCH(bool, program);
        QFETCH(bool, glb);
        if (!canTrace())
            QSKIP("strace is not installed or may not trace here");
        Scene scene = program ? posed(glb) : inPlace(glb);
        const fs::path log = folder_ / "log";
        const Outcome clean = traced(scene, log, {});
        QVERIFY2(clean.code == 0, qPrintable(clean.err));
        scene.after = filesIn(work_);
        QVERIFY(scene.after.at(scene.target) != scene.before.at(scene.target));
        const QList<Call> calls = callsOfSaving(log);
        const auto made = [&](const char* name) {
            return std::count_if(calls.begin(), calls.end(), [&](const Call& call) { return call.name == name; });
        };
        QVERIFY(made("write") >= (glb ? 1 : 2) && made("fsync") >= (glb ? 2 : 4) && made("rename") >= (glb ? 1 : 2));

        int failed = 0;
        for (const Call& call : calls)
            for (const Fault& fault : kFaults) {
                if (program && !isTriedFully(call) && *fault.error && &fault != kFaults)
                    continue;
                put(work_, scene.before);
                const QString what = *fault.error ? QString("error=") + fault.error : QString("signal=SIGKILL");
                const QString inject = QString("inject=%1:%2:when=%3").arg(call.name, what).arg(call.number);
                const Outcome outcome = traced(scene, log, {"-e", inject});
                failed += outcome.code != 0;
                const QString wrong = wrongIn(scene, outcome, fault);
                QVERIFY2(wrong.isEmpty(), qPrintable(inject + ": " + wrong));
                const auto back = io::loadGltf(work_ / scene.target);
                QVERIFY2(back.ok(), qPrintable(inject + ": the file does not open"));
            }
        QVERIFY(failed > calls.size());
    }

    void aDiskThatFillsUpIsNamed() {
        const fs::path disk = folder_ / "disk";
        fs::create_directories(disk);
        const QString mount = R"(mount -t tmpfs -o size=1m tmpfs "$0" && exec "$@")";
        const QStringList small{"-rm", "sh", "-c", mount, toQString(disk)};
        if (tests::run(small + QStringList{"true"}, "unshare").code != 0)
            QSKIP("no small disk can be mounted here");
        const Outcome outcome = tests::run(small + QStringList{self_, "--fill", toQString(disk)}, "unshare");
        QVERIFY2(outcome.code == 0, qPrintable(outcome.err));
    }
};

int main(int argc, char** argv) {
    if (argc == 4 && std::string_view(argv[1]) == "--save") {
        const Status saved = paintAndSave(argv[2], argv[3]);
        if (!saved)
            std::fprintf(stderr, "%s\n", saved.error().message().c_str());
        return saved ? 0 : 5;
    }
    if (argc == 3 && std::string_view(argv[1]) == "--fill") {
        const QString wrong = saveOnFullDisk(argv[2]);
        std::fprintf(stderr, "%s\n", qPrintable(wrong));
        return wrong.isEmpty() ? 0 : 1;
    }
    // A leak checker does not run under strace.
    qputenv("ASAN_OPTIONS", "detect_leaks=0");
    QCoreApplication app(argc, argv);
    TestSaveFaults test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_save_faults.moc"
