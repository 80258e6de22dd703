#include "app/import_worker.h"

#include "app/worker_limits.h"
#include "core/io/assimp_import.h"
#include "core/io/worker_protocol.h"

#include <cerrno>
#include <charconv>
#include <new>
#include <unistd.h>

namespace limber::app {

namespace fs = std::filesystem;

namespace {

// A parent that has gone away ends the worker by SIGPIPE.
bool send(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
    return true;
}

bool sendFailure(const std::string& text) {
    return send(io::textFrame(io::FrameKind::Failure, text));
}

void sendNotes(const std::vector<io::ImportNote>& notes) {
    const bool tooMany = notes.size() > io::kMaxNotes;
    const std::size_t shown = tooMany ? io::kMaxNotes - 1 : notes.size();
    for (std::size_t i = 0; i < shown; ++i)
        send(io::noteFrame({notes[i].code, notes[i].where, notes[i].text, notes[i].count}));
    if (tooMany)
        send(io::noteFrame({"IMPORT_MORE", "", std::to_string(notes.size() - shown) + " further notes are not listed.",
                            notes.size() - shown}));
}

void importAndSend(const fs::path& path) {
    auto imported = io::importWithAssimp(
        path, [](double fraction, const std::string& stage) { send(io::progressFrame(fraction, stage)); });
    if (!imported) {
        sendFailure(imported.error().text);
        return;
    }
    send(io::progressFrame(0.95, "Converting"));
    const auto glb = io::writeGlb(imported->scene);
    if (!glb) {
        sendFailure(glb.error().message());
        return;
    }
    if (glb->size() > io::maxFramePayload(io::FrameKind::Scene)) {
        sendFailure("The scene is too large to be imported.");
        return;
    }
    sendNotes(imported->notes);
    if (send(io::frameHeader(io::FrameKind::Scene, glb->size())))
        send(*glb);
}

template <class T> bool parseNumber(std::string_view text, T& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

} // namespace

int runImportWorker(std::span<char* const> arguments) {
    WorkerLimits limits;
    if (arguments.size() != 3 || !parseNumber(arguments[1], limits.cpuSeconds) ||
        !parseNumber(arguments[2], limits.memoryBytes))
        return 2;
    const fs::path path(arguments[0]);
    if (!limitThisProcess(limits, path.parent_path())) {
        sendFailure("The import worker could not limit itself, so it does not read the file.");
        return 1;
    }
    try {
        importAndSend(path);
    } catch (const std::bad_alloc&) {
        sendFailure("The importer needs more memory for this file than it may have; the file is damaged or too large.");
    } catch (const std::exception& e) {
        sendFailure(std::string("The importer failed on this file (") + e.what() + ").");
    }
    // A scene that was damaged by a faulty importer is not worth tidying up.
    ::_exit(0);
}

} // namespace limber::app
