#include "app/recovery.h"

#include "app/paths.h"
#include "core/io/mannequin.h"
#include "core/io/safe_save.h"
#include "core/io/temporaries.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <xxhash.h>

namespace limber::app {

namespace fs = std::filesystem;

namespace {

constexpr const char* kExtension = ".journal";

fs::path lockOf(const fs::path& journal) {
    return fs::path(journal).concat(".lock");
}

// False where the start of the journal says that it is of another file.
bool mayBeOf(const fs::path& journal, const fs::path& file) {
    std::vector<char> start(std::size_t(1) << 16);
    std::ifstream from(journal, std::ios::binary);
    from.read(start.data(), static_cast<std::streamsize>(start.size()));
    const auto got = static_cast<std::size_t>(from.gcount());
    const auto header = history::readJournalHeader(std::as_bytes(std::span(start).first(got)));
    // A longer header is read with all the rest.
    return header ? isSameFile(header->path, file) : got == start.size();
}

// What would be recovered, where its process is gone and there is anything.
std::optional<Recoverable> examine(const fs::path& journal, bool& ending) {
    FileLock taken = takeLock(lockOf(journal));
    ending |= taken.ending;
    if (!taken.lock)
        return std::nullopt;
    const auto bytes = io::readFile(journal);
    const auto summary = bytes ? history::summarizeJournal(*bytes) : Result<history::JournalSummary>(bytes.error());
    if (!summary) // of another version, perhaps: that one may still read it
        return std::nullopt;
    std::error_code unused;
    if (summary->changes == 0) {
        fs::remove(journal, unused);
        return std::nullopt;
    }
    return Recoverable{journal, *summary, QFileInfo(toQString(journal)).lastModified(), std::move(taken.lock)};
}

// Halves of journals and locks whose process is gone.
void sweep(const fs::path& folder) {
    std::error_code unused;
    for (const fs::path& file : filesIn(folder)) {
        const fs::path journal = fs::path(file).replace_extension();
        if (journal.extension() != kExtension)
            continue;
        if (file.extension() == ".new" || (file.extension() == ".lock" && !fs::exists(journal, unused)))
            if (const FileLock taken = takeLock(lockOf(journal)); taken.lock) // removed with the lock
                fs::remove(fs::path(journal).concat(".new"), unused);
    }
}

// The tools need it at their first touch, in the window's thread; here nobody waits for it.
void weldMeshes(const document::DocumentState& state) {
    for (const document::MeshData& mesh : state.meshes)
        static_cast<void>(mesh.weld());
}

Result<Opening> openSample() {
    auto bytes = io::mannequinGlb();
    if (!bytes)
        return bytes.error();
    Opening opening;
    opening.header.fileSize = bytes->size();
    opening.header.fileHash = XXH3_64bits(bytes->data(), bytes->size());
    auto loaded = io::loadGlb(std::move(bytes).value(), "glb");
    if (!loaded)
        return loaded.error();
    opening.loaded = std::move(loaded).value();
    return opening;
}

Result<Opening> openReal(const fs::path& path, const OpenProgress& progress) {
    Opening opening;
    const std::optional<FileStamp> before = stampOf(path);
    auto loaded = openFile(path, progress);
    if (!loaded)
        return loaded.error();
    opening.loaded = std::move(loaded).value();
    opening.header.path = tidy(path).string();
    // What was read is what was there before; where that has changed meanwhile, it is noticed at the next save.
    opening.stamps.add(opening.header.path, before);
    for (const fs::path& file : io::filesBeside(*opening.loaded.source))
        opening.stamps.add(file, stampOf(file));
    opening.header.fileSize = opening.stamps.front().size;
    opening.header.fileHash = opening.stamps.front().hash;
    io::sweepTemporaries(fs::path(opening.header.path).parent_path());
    return opening;
}

} // namespace

OwnJournal makeOwnJournal(const fs::path& stateFolder) {
    static std::atomic<int> count = 0;
    const QString name = QString("%1-%2-%3%4")
                             .arg(QCoreApplication::applicationPid())
                             .arg(QDateTime::currentMSecsSinceEpoch())
                             .arg(++count)
                             .arg(kExtension);
    OwnJournal own;
    own.file = stateFolder / "journals" / toPath(name);
    FileLock taken = takeLock(lockOf(own.file));
    own.lock = std::move(taken.lock);
    own.why = std::move(taken.why);
    std::error_code unused; // edits are nobody else's business
    fs::permissions(own.file.parent_path(), fs::perms::owner_all, unused);
    return own;
}

FoundJournals findRecoverable(const fs::path& stateFolder, const std::optional<fs::path>& of) {
    const fs::path folder = stateFolder / "journals";
    FoundJournals found;
    for (const fs::path& file : filesIn(folder)) {
        if (file.extension() != kExtension || (of && !mayBeOf(file, *of)))
            continue;
        auto one = examine(file, found.more);
        if (one && (!of || isSameFile(one->file(), *of)))
            found.journals.push_back(std::move(*one));
    }
    sweep(folder);
    std::sort(found.journals.begin(), found.journals.end(),
              [](const Recoverable& a, const Recoverable& b) { return a.lastChange > b.lastChange; });
    return found;
}

void discard(const Recoverable& journal) {
    std::error_code unused;
    fs::remove(journal.journal, unused);
}

Result<Opening> openStamped(const std::optional<fs::path>& path, const OpenProgress& progress) {
    auto opening = path ? openReal(*path, progress) : openSample();
    if (!opening)
        return opening;
    document::improveOrders(opening->loaded.state);
    opening->header.shapes = history::shapeIdsOf(opening->loaded.state);
    opening->header.orders = document::vertexOrders(opening->loaded.state);
    weldMeshes(opening->loaded.state);
    return opening;
}

Result<Opening> openRecovered(const Recoverable& journal, const OpenProgress& progress) {
    const auto bytes = io::readFile(journal.journal);
    if (!bytes)
        return bytes.error();
    auto read = history::readJournal(*bytes);
    if (!read)
        return read.error();
    const history::JournalHeader& header = read->header;
    auto opening = openStamped(header.path.empty() ? std::nullopt : std::optional<fs::path>(header.path), progress);
    if (!opening)
        return opening.error();
    io::LoadedFile& loaded = opening->loaded;
    opening->changed = opening->header.fileHash != header.fileHash || opening->header.fileSize != header.fileSize ||
                       !history::adoptShapeIds(loaded.state, header.shapes);
    if (opening->changed)
        return opening;
    document::Document doc(std::move(loaded.state));
    history::Replayed replayed = history::replay(doc, read->entries);
    loaded.state = doc.state();
    opening->header.shapes = header.shapes;
    opening->history = std::move(replayed.history);
    opening->left = read->entries.size() - replayed.entries;
    opening->entries = std::move(read->entries);
    opening->entries.resize(replayed.entries);
    return opening;
}

} // namespace limber::app
