#include "core/io/gltf_container.h"

#include <cstring>
#include <limits>

namespace limber::io {

namespace {

constexpr std::uint32_t kMagic = 0x46546C67;     // "glTF"
constexpr std::uint32_t kJsonChunk = 0x4E4F534A; // "JSON"
constexpr std::uint32_t kBinaryChunk = 0x004E4942;

// glTF is little-endian, as are all machines Limber is built for.
std::uint32_t word(std::span<const std::byte> bytes, std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, 4);
    return value;
}

std::span<const std::byte> withoutByteOrderMark(std::span<const std::byte> text, std::vector<Repair>& repairs) {
    constexpr unsigned char kMark[] = {0xEF, 0xBB, 0xBF};
    if (text.size() < 3 || std::memcmp(text.data(), kMark, 3) != 0)
        return text;
    repairs.push_back({"INVALID_JSON", "JSON", "The text starts with a byte order mark, which was left out.", 1});
    return text.subspan(3);
}

// Runs before the parser: a file of a million brackets must not exhaust the stack.
void checkNesting(std::span<const std::byte> text) {
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = static_cast<char>(text[i]);
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kDeepestJson)
                refuse("JSON",
                       "The lists and objects are nested more than " + std::to_string(kDeepestJson) +
                           " deep; no real file is.",
                       "INVALID_JSON");
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
}

Json parseJson(std::span<const std::byte> text) {
    checkNesting(text);
    try {
        const char* begin = reinterpret_cast<const char*>(text.data());
        Json json = Json::parse(begin, begin + text.size());
        if (!json.is_object())
            refuse("JSON", "The file does not hold a JSON object.", "TYPE_MISMATCH");
        return json;
    } catch (const Json::parse_error& error) {
        refuse("JSON",
               "The JSON is damaged at byte " + std::to_string(error.byte) +
                   ": the file is truncated, not UTF-8, or was edited by hand.",
               "INVALID_JSON");
    } catch (const Json::out_of_range&) {
        refuse("JSON", "A number is beyond what numbers can hold.", "VALUE_NOT_IN_RANGE");
    }
}

std::span<const std::byte> withoutPadding(std::span<const std::byte> text) {
    while (!text.empty() && (text.back() == std::byte{' '} || text.back() == std::byte{0}))
        text = text.first(text.size() - 1);
    return text;
}

struct Chunk {
    std::uint32_t type = 0;
    std::span<const std::byte> data;
    std::size_t end = 0;
};

// `cut`: the file is shorter than its header says.
Chunk chunkAt(std::span<const std::byte> bytes, std::size_t at, bool cut = false) {
    if (bytes.size() - at < 8)
        refuse("GLB", "The file ends inside a chunk's header: it is truncated.", "GLB_UNEXPECTED_END_OF_CHUNK_HEADER");
    const std::uint64_t length = word(bytes, at);
    if (length > bytes.size() - at - 8)
        refuse("GLB",
               "A chunk of " + std::to_string(length) + " bytes does not fit: only " +
                   std::to_string(bytes.size() - at - 8) + " are left. The file is truncated.",
               cut ? "GLB_UNEXPECTED_END_OF_CHUNK_DATA" : "GLB_CHUNK_TOO_BIG");
    return {word(bytes, at + 4), bytes.subspan(at + 8, length), at + 8 + static_cast<std::size_t>(length)};
}

[[noreturn]] void refuseCut(std::span<const std::byte> bytes, std::uint64_t announced) {
    for (std::size_t at = 12; at < bytes.size();)
        at = chunkAt(bytes, at, true).end;
    refuse("GLB",
           "The header announces " + std::to_string(announced) + " bytes, the file has " +
               std::to_string(bytes.size()) + ": it is truncated.",
           "GLB_LENGTH_MISMATCH");
}

ParsedContainer parseGlb(std::span<const std::byte> bytes, std::vector<Repair>& repairs) {
    if (bytes.size() < 12)
        refuse("GLB", "The file ends inside its header: it is truncated.", "GLB_UNEXPECTED_END_OF_HEADER");
    if (const std::uint32_t version = word(bytes, 4); version != 2)
        refuse("GLB", "This is version " + std::to_string(version) + " of the binary glTF container; only 2 is read.",
               "GLB_INVALID_VERSION");
    const std::uint32_t length = word(bytes, 8);
    if (length > bytes.size())
        refuseCut(bytes, length);
    if (length < 12)
        refuse("GLB", "The header announces fewer bytes than the header itself has.", "GLB_LENGTH_TOO_SMALL");
    if (length < 20 && length < bytes.size())
        refuse("GLB", "The header announces " + std::to_string(length) + " bytes, too few for any JSON.",
               "GLB_LENGTH_MISMATCH");
    if (length < bytes.size()) {
        repairs.push_back({"GLB_EXTRA_DATA", "GLB",
                           std::to_string(bytes.size() - length) + " bytes behind the announced end were ignored.", 1});
        bytes = bytes.first(length);
    }
    if (bytes.size() == 12)
        refuse("GLB", "The file has a header and nothing else.", "GLB_LENGTH_TOO_SMALL");

    ParsedContainer parsed;
    parsed.glb = true;
    const Chunk first = chunkAt(bytes, 12);
    if (first.type != kJsonChunk)
        refuse("GLB", "The first chunk is not JSON.", "GLB_UNEXPECTED_FIRST_CHUNK");
    parsed.jsonText = withoutByteOrderMark(withoutPadding(first.data), repairs);
    if (parsed.jsonText.empty())
        refuse("GLB", "The JSON chunk is empty.", "GLB_EMPTY_CHUNK");
    std::size_t at = first.end;
    if (at < bytes.size()) {
        const Chunk second = chunkAt(bytes, at);
        if (second.type == kBinaryChunk) {
            parsed.binary = second.data;
            parsed.hasBinary = true;
            at = second.end;
        }
    }
    parsed.laterChunks = bytes.subspan(at);
    while (at < bytes.size()) {
        const Chunk later = chunkAt(bytes, at);
        if (later.type == kJsonChunk || later.type == kBinaryChunk)
            refuse("GLB", "There are two chunks of the same kind: which one is meant cannot be told.",
                   "GLB_DUPLICATE_CHUNK");
        at = later.end;
    }
    parsed.json = parseJson(parsed.jsonText);
    return parsed;
}

void appendWord(std::vector<std::byte>& out, std::uint64_t value) {
    const auto word32 = static_cast<std::uint32_t>(value);
    const auto* raw = reinterpret_cast<const std::byte*>(&word32);
    out.insert(out.end(), raw, raw + 4);
}

} // namespace

ParsedContainer parseContainer(std::span<const std::byte> bytes, std::vector<Repair>& repairs) {
    if (bytes.empty())
        refuse("", "The file is empty.");
    if (bytes.size() >= 4 && word(bytes, 0) == kMagic)
        return parseGlb(bytes, repairs);

    const std::span<const std::byte> text = withoutByteOrderMark(bytes, repairs);
    std::size_t start = 0;
    while (start < text.size() && std::strchr(" \t\r\n", static_cast<char>(text[start])) && text[start] != std::byte{0})
        ++start;
    if (start == text.size() || text[start] != std::byte{'{'})
        refuse("", "This is not a glTF file: it is neither binary glTF nor JSON.");
    ParsedContainer parsed;
    parsed.jsonText = text;
    parsed.json = parseJson(text);
    return parsed;
}

std::vector<std::byte> glbHead(const std::string& jsonText, std::uint64_t binaryLength, std::uint64_t laterLength) {
    const std::uint64_t jsonLength = (jsonText.size() + 3) / 4 * 4, padded = (binaryLength + 3) / 4 * 4;
    const std::uint64_t total = 12 + 8 + jsonLength + (padded ? 8 + padded : 0) + laterLength;
    if (total > std::numeric_limits<std::uint32_t>::max())
        return {};
    std::vector<std::byte> out;
    out.reserve(28 + jsonLength);
    appendWord(out, kMagic);
    appendWord(out, 2);
    appendWord(out, total);
    appendWord(out, jsonLength);
    appendWord(out, kJsonChunk);
    const auto* text = reinterpret_cast<const std::byte*>(jsonText.data());
    out.insert(out.end(), text, text + jsonText.size());
    out.resize(20 + jsonLength, std::byte{' '});
    if (padded) {
        appendWord(out, padded);
        appendWord(out, kBinaryChunk);
    }
    return out;
}

std::vector<std::byte> buildGlb(const std::string& jsonText, std::span<const std::byte> binary,
                                std::span<const std::byte> laterChunks) {
    std::vector<std::byte> out = glbHead(jsonText, binary.size(), laterChunks.size());
    if (out.empty())
        return out;
    out.reserve(out.size() + binary.size() + 3 + laterChunks.size());
    out.insert(out.end(), binary.begin(), binary.end());
    out.resize((out.size() + 3) / 4 * 4, std::byte{0});
    out.insert(out.end(), laterChunks.begin(), laterChunks.end());
    return out;
}

} // namespace limber::io
