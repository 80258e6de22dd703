#include "core/io/assimp_names.h"

#include <algorithm>

namespace limber::io {

namespace {

// The bytes of the character at `at`, 0 where there is no valid one: not overlong, no surrogate, in Unicode's range.
std::size_t characterBytes(const std::string& text, std::size_t at) {
    const auto byte = [&](std::size_t i) -> unsigned {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
    };
    const unsigned first = byte(at);
    if (first < 0x80)
        return 1;
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((byte(at + i) & 0xc0) != 0x80)
            return 0;
    const unsigned second = byte(at + 1);
    const bool outside = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                         (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
    return outside ? 0 : size;
}

} // namespace

std::string asUtf8(const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t size = characterBytes(text, at);
        if (size == 0)
            break;
        at += size;
    }
    if (at == text.size())
        return text;
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            out += c;
        } else {
            out += static_cast<char>(0xc0 | (byte >> 6));
            out += static_cast<char>(0x80 | (byte & 0x3f));
        }
    }
    return out;
}

void makeNamesUtf8(ImportedScene& imported) {
    std::size_t changed = 0;
    const auto make = [&](std::string& name) {
        if (std::string valid = asUtf8(name); valid != name) {
            name = std::move(valid);
            ++changed;
        }
    };
    SceneBuild& scene = imported.scene;
    make(scene.generator);
    for (auto& n : scene.nodes)
        make(n.name);
    for (auto& m : scene.materials)
        make(m.name);
    for (auto& i : scene.images)
        make(i.name);
    for (auto& c : scene.clips)
        make(c.name);
    for (auto& mesh : scene.meshes) {
        make(mesh.name);
        // The same for all primitives of a mesh.
        for (BuildPrimitive& p : mesh.primitives)
            for (BuildShape& s : p.shapes)
                make(s.name);
    }
    for (ImportNote& note : imported.notes) {
        note.where = asUtf8(note.where);
        note.text = asUtf8(note.text);
    }
    if (changed > 0)
        imported.notes.push_back(
            {"IMPORT_NAMES_CONVERTED", "",
             std::to_string(changed) + " names are not in Unicode; they are read as Western European (Latin-1) text.",
             changed});
}

} // namespace limber::io
