#include "core/io/fbx_tree.h"

#include "core/io/fbx_parse.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <zlib.h>

namespace limber::io {

namespace {

constexpr std::uint64_t kMaxArrayBytes = std::uint64_t(1) << 28;
constexpr std::uint64_t kMaxDeflateRatio = 1040; // a zlib stream cannot pack tighter

std::string_view textOf(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::size_t sizeOfElement(char element) {
    switch (element) {
    case 'f':
    case 'i':
        return 4;
    case 'd':
    case 'l':
        return 8;
    case 'b':
        return 1;
    default:
        return 0;
    }
}

// The plain bytes of an array: exactly as many as it announces.
std::optional<std::vector<std::byte>> unpacked(const FbxValue& array) {
    const std::uint64_t size = sizeOfElement(array.element);
    if (size == 0 || array.count > kMaxArrayBytes / size)
        return std::nullopt;
    const std::uint64_t wanted = array.count * size;
    if (!array.packed) {
        if (array.content.size() != wanted)
            return std::nullopt;
        return std::vector<std::byte>(array.content.begin(), array.content.end());
    }
    if (wanted > array.content.size() * kMaxDeflateRatio)
        return std::nullopt;
    std::vector<std::byte> out(wanted);
    uLongf written = static_cast<uLongf>(wanted);
    const int rc =
        ::uncompress(reinterpret_cast<Bytef*>(out.data()), &written,
                     reinterpret_cast<const Bytef*>(array.content.data()), static_cast<uLong>(array.content.size()));
    return rc == Z_OK && written == wanted ? std::optional(std::move(out)) : std::nullopt;
}

template <class T> T littleEndian(const std::byte* at) {
    static_assert(std::endian::native == std::endian::little);
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

template <class Out, class Element> std::vector<Out> castAll(const std::vector<std::byte>& bytes) {
    std::vector<Out> out(bytes.size() / sizeof(Element));
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<Out>(littleEndian<Element>(bytes.data() + i * sizeof(Element)));
    return out;
}

template <class Out> std::optional<std::vector<Out>> parseNumbers(const FbxValue& array) {
    const std::string_view text = textOf(array.content);
    if (array.count > text.size()) // each takes a character at least
        return std::nullopt;
    std::vector<Out> out;
    out.reserve(array.count);
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto skip = [&] {
        while (at < end && (*at == ',' || *at == ' ' || *at == '\t' || *at == '\r' || *at == '\n' || *at == '+'))
            ++at;
    };
    for (skip(); at < end; skip()) {
        Out value{};
        const auto [stop, error] = std::from_chars(at, end, value);
        if (error != std::errc() || out.size() == array.count)
            return std::nullopt;
        out.push_back(value);
        at = stop;
    }
    return out.size() == array.count ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace

Error fbxDamaged(std::uint64_t at, const char* what) {
    return {ErrorCode::InputRefused, std::string("The FBX file is damaged: ") + what + ".",
            "byte " + std::to_string(at)};
}

const FbxNode* FbxTree::child(const FbxNode& node, std::string_view name) const {
    for (std::uint32_t c = node.firstChild; c != kNoFbxNode; c = nodes[c].nextSibling)
        if (nodes[c].name == name)
            return &nodes[c];
    return nullptr;
}

std::string FbxTree::text(const FbxValue& value) const {
    if (value.kind != FbxValue::Kind::Text)
        return {};
    std::string out(textOf(value.content));
    static constexpr std::string_view kQuote = "&quot;";
    for (std::size_t at = isText ? out.find(kQuote) : out.npos; at != out.npos; at = out.find(kQuote, at + 1))
        out.replace(at, kQuote.size(), 1, '"');
    return out;
}

std::string FbxTree::objectName(const FbxValue& value) const {
    std::string out = text(value);
    if (!isText)
        return out.substr(0, out.find('\0'));
    const std::size_t colons = out.find("::");
    return colons == out.npos ? out : out.substr(colons + 2);
}

std::optional<std::vector<double>> FbxTree::numbers(const FbxValue& array) const {
    if (array.kind != FbxValue::Kind::Array)
        return std::nullopt;
    if (array.element == 't')
        return parseNumbers<double>(array);
    const auto bytes = unpacked(array);
    if (!bytes)
        return std::nullopt;
    switch (array.element) {
    case 'f':
        return castAll<double, float>(*bytes);
    case 'd':
        return castAll<double, double>(*bytes);
    case 'l':
        return castAll<double, std::int64_t>(*bytes);
    case 'i':
        return castAll<double, std::int32_t>(*bytes);
    default:
        return castAll<double, std::int8_t>(*bytes);
    }
}

std::optional<std::vector<std::int64_t>> FbxTree::integers(const FbxValue& array) const {
    if (array.kind != FbxValue::Kind::Array)
        return std::nullopt;
    if (array.element == 't')
        return parseNumbers<std::int64_t>(array);
    if (array.element == 'f' || array.element == 'd')
        return std::nullopt;
    const auto bytes = unpacked(array);
    if (!bytes)
        return std::nullopt;
    switch (array.element) {
    case 'l':
        return castAll<std::int64_t, std::int64_t>(*bytes);
    case 'i':
        return castAll<std::int64_t, std::int32_t>(*bytes);
    default:
        return castAll<std::int64_t, std::int8_t>(*bytes);
    }
}

FbxTreeBuilder::FbxTreeBuilder(FbxTree& tree, FbxFilter filter) : tree_(tree), filter_(filter) {
    tree_.nodes.emplace_back();
    stack_.push_back({0, kNoFbxNode, FbxWanted::Whole});
}

bool FbxTreeBuilder::open(std::string_view name) {
    if (depth() >= kMaxFbxDepth || tree_.nodes.size() >= kMaxFbxNodes)
        return false;
    Open& parent = stack_.back();
    const FbxWanted wanted = parent.wanted == FbxWanted::Whole ? filter_(depth(), name) : FbxWanted::No;
    Open opened{kNoFbxNode, kNoFbxNode, wanted};
    if (wanted != FbxWanted::No) {
        opened.node = static_cast<std::uint32_t>(tree_.nodes.size());
        FbxNode& previous = tree_.nodes[parent.lastChild == kNoFbxNode ? parent.node : parent.lastChild];
        (parent.lastChild == kNoFbxNode ? previous.firstChild : previous.nextSibling) = opened.node;
        parent.lastChild = opened.node;
        FbxNode node;
        node.name = name;
        node.firstValue = static_cast<std::uint32_t>(tree_.values.size());
        tree_.nodes.push_back(node);
    }
    stack_.push_back(opened);
    return true;
}

bool FbxTreeBuilder::add(const FbxValue& value) {
    if (!keepsValues())
        return true;
    if (tree_.values.size() >= kMaxFbxValues)
        return false;
    tree_.values.push_back(value);
    ++tree_.nodes[stack_.back().node].valueCount;
    return true;
}

FbxValue* FbxTreeBuilder::lastValue() {
    if (!keepsValues() || tree_.nodes[stack_.back().node].valueCount == 0)
        return nullptr;
    return &tree_.values.back();
}

bool isFbx(std::span<const std::byte> bytes) {
    const std::string_view text = textOf(bytes);
    return text.starts_with(kFbxBinaryMagic) || text.substr(0, 64).find("FBX 7.") != text.npos;
}

Result<FbxTree> readFbxTree(std::span<const std::byte> bytes, FbxFilter filter) {
    FbxTree tree;
    FbxTreeBuilder builder(tree, filter);
    tree.isText = !textOf(bytes).starts_with(kFbxBinaryMagic);
    if (tree.isText && !isFbx(bytes))
        return fbxDamaged(0, "it does not begin like one of version 7");
    const Status status = tree.isText ? parseFbxText(textOf(bytes), builder) : parseFbxBinary(bytes, builder);
    if (!status)
        return status.error();
    return tree;
}

} // namespace limber::io
