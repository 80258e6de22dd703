// Small glTF files written by hand: JSON with its data inside.
#pragma once

#include "core/io/gltf_file.h"

#include <QByteArray>
#include <nlohmann/json.hpp>

#include <cstring>

namespace limber::test {

using Json = nlohmann::ordered_json;

class GltfText {
public:
    GltfText() {
        json = {{"asset", {{"version", "2.0"}}},
                {"scene", 0},
                {"scenes", {{{"nodes", {0}}}}},
                {"nodes", {{{"mesh", 0}}}},
                {"meshes", {{{"primitives", {{{"attributes", Json::object()}}}}}}},
                {"accessors", Json::array()},
                {"bufferViews", Json::array()}};
    }

    // Adds data with an accessor of its own; returns the accessor's index.
    template <class T>
    std::size_t add(const std::vector<T>& values, const char* type, int componentType, std::size_t components,
                    bool normalized = false) {
        const std::size_t view = addView(values.data(), values.size() * sizeof(T));
        Json accessor = {{"bufferView", view},
                         {"componentType", componentType},
                         {"count", values.size() / components},
                         {"type", type}};
        if (normalized)
            accessor["normalized"] = true;
        json["accessors"].push_back(accessor);
        return json["accessors"].size() - 1;
    }
    std::size_t addFloats(const std::vector<float>& values, const char* type) {
        const std::string name = type;
        return add(values, type, 5126, name == "SCALAR" ? 1 : name == "MAT4" ? 16 : std::size_t(name[3] - '0'));
    }

    std::size_t addView(const void* data, std::size_t size) {
        bytes.resize((bytes.size() + 3) / 4 * 4);
        json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", size}});
        bytes.resize(bytes.size() + size);
        std::memcpy(bytes.data() + bytes.size() - size, data, size);
        return json["bufferViews"].size() - 1;
    }

    Json& primitive() { return json["meshes"][0]["primitives"][0]; }
    Json& attributes() { return primitive()["attributes"]; }

    // A square of four vertices in the xy plane, as two indexed triangles.
    GltfText& withSquare() {
        attributes()["POSITION"] = addFloats({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, "VEC3");
        json["accessors"].back()["min"] = {0, 0, 0};
        json["accessors"].back()["max"] = {1, 1, 0};
        primitive()["indices"] = add(std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3}, "SCALAR", 5123, 1);
        return *this;
    }

    // Two joints under the mesh's node's sibling; all vertices half and half.
    GltfText& withSkin() {
        json["nodes"] = {{{"mesh", 0}, {"skin", 0}}, {{"name", "root"}, {"children", {2}}}, {{"name", "tip"}}};
        json["scenes"][0]["nodes"] = {0, 1};
        json["skins"] = {{{"joints", {1, 2}}}};
        attributes()["JOINTS_0"] =
            add(std::vector<std::uint8_t>{0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}, "VEC4", 5121, 4);
        attributes()["WEIGHTS_0"] = addFloats({.5f, .5f, 0, 0, .5f, .5f, 0, 0, .5f, .5f, 0, 0, .5f, .5f, 0, 0}, "VEC4");
        return *this;
    }

    [[nodiscard]] std::vector<std::byte> text() const {
        Json whole = json;
        const QByteArray data(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
        if (!bytes.empty())
            whole["buffers"] = {{{"byteLength", bytes.size()},
                                 {"uri", "data:application/octet-stream;base64," + data.toBase64().toStdString()}}};
        const std::string dumped = whole.dump();
        const auto span = std::as_bytes(std::span(dumped));
        return {span.begin(), span.end()};
    }
    [[nodiscard]] Result<io::LoadedFile> load() const { return io::loadGlb(text(), ""); }

    Json json;
    std::vector<std::byte> bytes;
};

} // namespace limber::test
