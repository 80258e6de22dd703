#include "core/io/asset_path.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>

namespace limber::io {

namespace {

Error refused(std::string_view uri, const std::string& text) {
    constexpr std::size_t kShown = 120;
    std::string shown(uri.substr(0, kShown));
    if (uri.size() > kShown)
        shown += "...";
    return {ErrorCode::InputRefused, "The file names \"" + shown + "\", " + text, ""};
}

int hexDigit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    const int lower = std::tolower(static_cast<unsigned char>(c));
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool hasScheme(std::string_view uri) {
    const std::size_t colon = uri.find(':');
    if (colon == std::string_view::npos || colon == 0 || !std::isalpha(static_cast<unsigned char>(uri[0])))
        return false;
    return std::all_of(uri.begin(), uri.begin() + static_cast<std::ptrdiff_t>(colon),
                       [](unsigned char c) { return std::isalnum(c) || c == '+' || c == '-' || c == '.'; });
}

constexpr std::array<signed char, 256> base64Table() {
    std::array<signed char, 256> table{};
    table.fill(-1);
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < digits.size(); ++i)
        table[static_cast<unsigned char>(digits[i])] = static_cast<signed char>(i);
    return table;
}

bool decodeBase64(std::string_view text, std::vector<std::byte>& out) {
    static constexpr std::array<signed char, 256> kTable = base64Table();
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    if (text.size() % 4 == 1)
        return false;
    out.reserve(text.size() * 3 / 4);
    std::uint32_t bits = 0;
    int held = 0;
    for (const char c : text) {
        const int digit = kTable[static_cast<unsigned char>(c)];
        if (digit < 0)
            return false;
        bits = (bits << 6) | static_cast<std::uint32_t>(digit);
        held += 6;
        if (held >= 8) {
            held -= 8;
            out.push_back(static_cast<std::byte>((bits >> held) & 0xff));
        }
    }
    return true;
}

bool isInside(const std::filesystem::path& folder, const std::filesystem::path& file) {
    const auto [end, at] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
    return end == folder.end() && at != file.end();
}

} // namespace

bool isDataUri(std::string_view uri) {
    constexpr std::string_view kData = "data:";
    return uri.size() >= kData.size() && std::equal(kData.begin(), kData.end(), uri.begin(), [](char a, char b) {
               return a == std::tolower(static_cast<unsigned char>(b));
           });
}

Result<DataUri> decodeDataUri(std::string_view uri) {
    const std::size_t comma = uri.find(',');
    if (comma == std::string_view::npos)
        return refused(uri, "which is data without a comma before its content.");
    const std::string_view header = uri.substr(5, comma - 5);
    if (!header.ends_with(";base64"))
        return refused(uri, "which is data that is not written as base64.");
    DataUri data;
    data.mimeType = std::string(header.substr(0, header.find(';')));
    if (!decodeBase64(uri.substr(comma + 1), data.bytes))
        return refused(uri, "whose data is not valid base64.");
    return data;
}

Result<std::string> decodeUri(std::string_view uri) {
    std::string text;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        if (uri[i] != '%') {
            text += uri[i];
            continue;
        }
        const int high = i + 2 < uri.size() ? hexDigit(uri[i + 1]) : -1;
        const int low = i + 2 < uri.size() ? hexDigit(uri[i + 2]) : -1;
        if (high < 0 || low < 0 || high + low == 0)
            return refused(uri, "which has a broken % escape.");
        text += static_cast<char>(high * 16 + low);
        i += 2;
    }
    if (text.find('\0') != std::string::npos)
        return refused(uri, "which holds a zero byte.");
    return text;
}

bool isWellFormedUri(std::string_view uri) {
    return !uri.empty() && uri.front() != ':' && decodeUri(uri).ok();
}

Result<std::filesystem::path> resolveAsset(const std::filesystem::path& folder, std::string_view uri) {
    namespace fs = std::filesystem;
    if (uri.empty())
        return refused(uri, "which is no name.");
    if (hasScheme(uri))
        return refused(uri, "which is not a plain file name: nothing is fetched from elsewhere.");
    const Result<std::string> decoded = decodeUri(uri);
    if (!decoded)
        return decoded.error();
    const fs::path relative(*decoded);
    if (relative.is_absolute() || decoded->front() == '/' || decoded->front() == '\\')
        return refused(uri, "which is an absolute path; only files in the folder of the asset are read.");
    if (std::find(relative.begin(), relative.end(), fs::path("..")) != relative.end())
        return refused(uri, "which leads out of the folder of the asset.");

    std::error_code failed;
    const fs::path base = fs::canonical(folder.empty() ? fs::path(".") : folder, failed);
    if (failed)
        return refused(uri, "but the folder of the asset cannot be read: " + failed.message() + ".");
    const fs::path file = fs::canonical(base / relative, failed);
    if (failed)
        return refused(uri, "which cannot be read: " + failed.message() + ".");
    if (!isInside(base, file))
        return refused(uri, "which is a link that leads out of the folder of the asset.");
    if (!fs::is_regular_file(file, failed))
        return refused(uri, "which is not a regular file.");
    return file;
}

std::string lowerExtension(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return extension;
}

std::string imageType(std::span<const std::byte> bytes) {
    const auto starts = [&](std::size_t at, std::string_view text) {
        return bytes.size() >= at + text.size() && std::memcmp(bytes.data() + at, text.data(), text.size()) == 0;
    };
    if (starts(0, "\x89PNG"))
        return "image/png";
    if (starts(0, "\xFF\xD8\xFF"))
        return "image/jpeg";
    if (starts(8, "WEBP"))
        return "image/webp";
    return starts(1, "KTX 20") ? "image/ktx2" : "";
}

} // namespace limber::io
