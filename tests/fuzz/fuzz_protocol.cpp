#include "core/io/worker_protocol.h"
#include "tests/fuzz/targets.h"

#include <algorithm>
#include <random>

namespace limber::fuzz {

namespace {

struct Heard {
    std::vector<io::Frame> frames;
    bool whole = true, atBoundary = true;
};

// Listens to a stream that arrives in pieces of up to `longest` bytes.
Heard listen(Bytes stream, unsigned seed, std::size_t longest) {
    std::mt19937 random(seed);
    io::FrameReader reader;
    Heard heard;
    while (heard.whole && !stream.empty()) {
        const std::size_t size = std::min<std::size_t>(stream.size(), 1 + random() % longest);
        heard.whole = reader.append(stream.first(size));
        stream = stream.subspan(size);
        while (auto frame = reader.next())
            heard.frames.push_back(std::move(*frame));
    }
    heard.atBoundary = reader.atBoundary();
    return heard;
}

void understand(const io::Frame& frame) {
    require(frame.payload.size() <= io::maxFramePayload(frame.kind), "A payload beyond its limit.");
    if (const auto progress = io::parseProgress(frame))
        require(progress->fraction >= 0 && progress->fraction <= 1, "A progress beyond its range.");
    if (const auto note = io::parseNote(frame)) {
        const auto bytes = io::noteFrame(*note);
        const Heard again = listen(bytes, 1, bytes.size());
        require(again.whole && again.frames.size() == 1, "A note that cannot be sent on.");
    }
}

} // namespace

void protocol(Bytes input) {
    if (input.empty())
        return;
    const unsigned seed = std::to_integer<unsigned>(input.front());
    const Bytes stream = input.subspan(1);
    const Heard pieces = listen(stream, seed, 1 + seed % 40);
    const Heard atOnce = listen(stream, 0, 1 + stream.size());
    require(pieces.whole == atOnce.whole && pieces.frames.size() == atOnce.frames.size() &&
                (!pieces.whole || pieces.atBoundary == atOnce.atBoundary),
            "What is heard depends on the pieces.");
    for (std::size_t f = 0; f < pieces.frames.size(); ++f) {
        require(pieces.frames[f].payload == atOnce.frames[f].payload, "A frame depends on the pieces.");
        understand(pieces.frames[f]);
    }
}

} // namespace limber::fuzz
