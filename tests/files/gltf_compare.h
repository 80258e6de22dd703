// What a test of saving asks: what differs between two files, and what of a document did not come back.
#pragma once

#include "tests/files/gltf_text.h"

#include <QStringList>
#include <QtGlobal>

#include <cstring>
#include <set>

namespace limber::test {

struct Opened {
    std::shared_ptr<const io::GltfSource> source;
    document::Document doc;
};

inline Opened openText(const GltfText& text) {
    auto file = text.load();
    if (!file)
        qFatal("%s", file.error().message().c_str());
    return {file->source, document::Document(std::move(file->state))};
}

inline std::vector<std::byte> written(const Opened& opened, io::Container container) {
    auto file = io::writeGltf(*opened.source, opened.doc, container);
    if (!file)
        qFatal("%s", file.error().message().c_str());
    return std::move(file->bytes);
}

inline Opened reopened(const std::vector<std::byte>& bytes) {
    auto file = io::loadGlb(bytes, "");
    if (!file)
        qFatal("%s", file.error().message().c_str());
    return {file->source, document::Document(std::move(file->state))};
}

inline Json jsonOf(const std::vector<std::byte>& bytes) {
    const char* text = reinterpret_cast<const char*>(bytes.data());
    if (std::memcmp(text, "glTF", 4) != 0)
        return Json::parse(text, text + bytes.size());
    std::uint32_t length = 0;
    std::memcpy(&length, text + 12, 4);
    return Json::parse(text + 20, text + 20 + length);
}

// Paths of the members that differ, lists entered element by element, as "/nodes/3/rotation".
inline void differences(const Json& a, const Json& b, const std::string& at, std::set<std::string>& out) {
    if (a == b)
        return;
    const bool objects = a.is_object() && b.is_object();
    const bool lists = a.is_array() && b.is_array() && !a.empty() && (a[0].is_object() || a[0].is_array());
    if (objects) {
        for (const auto& [key, value] : a.items())
            b.contains(key) ? differences(value, b[key], at + "/" + key, out) : void(out.insert(at + "/" + key));
        for (const auto& [key, value] : b.items())
            if (!a.contains(key))
                out.insert(at + "/" + key);
    } else if (lists) {
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
            i < a.size() && i < b.size() ? differences(a[i], b[i], at + "/" + std::to_string(i), out)
                                         : void(out.insert(at + "/" + std::to_string(i)));
    } else {
        out.insert(at);
    }
}

inline QString differences(const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
    std::set<std::string> out;
    differences(jsonOf(a), jsonOf(b), "", out);
    QStringList list;
    for (const std::string& path : out)
        list << QString::fromStdString(path);
    return list.join(' ');
}

inline QString show(const Json& json) {
    return QString::fromStdString(json.dump());
}

inline double poseDistance(const document::DocumentState& a, const document::DocumentState& b) {
    double worst = a.pose.size() == b.pose.size() ? 0 : 1e9;
    for (std::size_t j = 0; j < a.pose.size() && worst < 1e9; ++j)
        worst = std::max(worst, math::distance(a.pose[j], b.pose[j]));
    return worst;
}

// `step`: of the integers that a file rounds weights to; such a file also has no vertices without weights.
inline bool sameRows(const skin::SkinWeights& a, const skin::SkinWeights& b, float step = 0) {
    if (a.vertexCount() != b.vertexCount())
        return false;
    const auto near = [step](const skin::Influence& i, const skin::Influence& k) {
        return i.slot == k.slot && std::abs(i.weight - k.weight) <= step;
    };
    for (std::size_t v = 0; v < a.vertexCount(); ++v)
        if (!std::equal(a.row(v).begin(), a.row(v).end(), b.row(v).begin(), b.row(v).end(), near) &&
            !(step > 0 && a.row(v).empty()))
            return false;
    return true;
}

// Empty, or what of the document did not come back.
inline QString lostBetween(const document::DocumentState& a, const document::DocumentState& b, float weightStep = 0) {
    if (poseDistance(a, b) > 1e-5)
        return "pose";
    if (a.locked != b.locked)
        return "locks";
    for (std::size_t m = 0; m < a.meshes.size(); ++m) {
        const document::MeshData &x = a.meshes[m], &y = b.meshes[m];
        if (!sameRows(x.weights, y.weights, weightStep))
            return "weights";
        if (x.shapes.size() != y.shapes.size() || x.drivers.size() != y.drivers.size())
            return "number of shapes or drivers";
        for (std::size_t s = 0; s < x.shapes.size(); ++s)
            if (x.shapes[s].name != y.shapes[s].name || x.shapes[s].muted != y.shapes[s].muted ||
                x.shapes[s].vertices != y.shapes[s].vertices || x.shapes[s].deltas != y.shapes[s].deltas ||
                x.shapes[s].normalDeltas != y.shapes[s].normalDeltas)
                return "shape " + QString::number(s);
    }
    for (std::size_t i = 0; i < a.instances.size(); ++i)
        if (a.instances[i].shapeWeights != b.instances[i].shapeWeights)
            return "sliders";
    return {};
}

} // namespace limber::test
