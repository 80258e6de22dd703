#include "core/io/obj_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace limber::io {

namespace {

constexpr int kDigits = 9; // enough to give every float back

void appendNumber(std::string& out, double value) {
    char buffer[32];
    const double shown = value == 0 ? 0.0 : value; // no "-0"
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, shown, std::chars_format::general, kDigits).ptr;
    out.append(buffer, end);
}

void appendIndex(std::string& out, std::size_t value) {
    char buffer[24];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

std::string oneLine(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return c < 0x20; }, ' ');
    return name;
}

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

bool readThree(std::string_view text, Eigen::Vector3d& out) {
    for (int k = 0; k < 3; ++k) {
        text = trimmed(text);
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out[k]);
        if (error != std::errc() || !std::isfinite(out[k]))
            return false;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (!text.empty() && !isBlank(text.front()))
            return false;
    }
    return true;
}

bool isKeyword(std::string_view line, std::string_view word) {
    return line.size() > word.size() && line.substr(0, word.size()) == word && isBlank(line[word.size()]);
}

bool hasObjects(std::string_view text) {
    return text.substr(0, 2) == "o " || text.find("\no ") != text.npos;
}

} // namespace

std::string writeObj(std::span<const ObjObject> objects) {
    std::string out = "# Limber\n";
    std::size_t first = 1;
    for (const ObjObject& object : objects) {
        out += "o " + oneLine(object.name) + '\n';
        for (const Eigen::Vector3d& p : object.positions) {
            out += 'v';
            for (int k = 0; k < 3; ++k) {
                out += ' ';
                appendNumber(out, p[k]);
            }
            out += '\n';
        }
        for (std::size_t t = 0; t + 2 < object.triangles.size(); t += 3) {
            out += 'f';
            for (std::size_t k = 0; k < 3; ++k) {
                out += ' ';
                appendIndex(out, first + object.triangles[t + k]);
            }
            out += '\n';
        }
        first += object.positions.size();
    }
    return out;
}

Result<std::vector<ObjObject>> readObj(std::string_view text) {
    const std::string_view separator = hasObjects(text) ? "o" : "g";
    std::vector<ObjObject> objects;
    std::size_t number = 0;
    bool any = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        ++number;
        if (line == separator || isKeyword(line, separator)) {
            objects.push_back({std::string(trimmed(line.substr(1))), {}, {}});
        } else if (isKeyword(line, "v")) {
            if (objects.empty())
                objects.emplace_back();
            Eigen::Vector3d p;
            if (!readThree(line.substr(1), p))
                return Error{ErrorCode::InputRefused, "A vertex needs three numbers.",
                             "line " + std::to_string(number)};
            objects.back().positions.push_back(p);
            any = true;
        }
    }
    if (!any)
        return Error{ErrorCode::InputRefused, "This OBJ holds no vertices.", ""};
    std::erase_if(objects, [](const ObjObject& o) { return o.positions.empty(); });
    return objects;
}

} // namespace limber::io
