#include "core/check/wording.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace limber::check {

namespace {

std::string place(const char* list, std::size_t index, const std::string& name) {
    return std::string(list) + '[' + std::to_string(index) + ']' + (name.empty() ? "" : " \"" + name + '"');
}

} // namespace

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + ' ' + (count == 1 ? one : many.empty() ? one + 's' : many);
}

std::string rounded(double value, int digits) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
    return {text, end};
}

std::string placeOf(const document::Document& doc, MeshId mesh) {
    return place("meshes", mesh.index(), doc.mesh(mesh).geometry.name);
}

std::string placeOf(const document::Document& doc, JointId joint) {
    return place("nodes", joint.index(), doc.skeleton()[joint].name);
}

std::string placeOf(const document::Document& doc, SkinId skin) {
    return place("skins", skin.index(), doc.skin(skin).name);
}

std::string placeOf(const document::Document& doc, MeshId mesh, std::size_t shape) {
    return placeOf(doc, mesh) + ", " + place("targets", shape, doc.mesh(mesh).shapes[shape].name);
}

std::string placeOf(const document::Document& doc, std::span<const JointId> joints) {
    constexpr std::size_t kNamed = 3;
    std::string text;
    for (std::size_t k = 0; k < std::min(joints.size(), kNamed); ++k)
        text += (k ? ", " : "") + placeOf(doc, joints[k]);
    if (joints.size() > kNamed)
        text += " and " + std::to_string(joints.size() - kNamed) + " more";
    return text;
}

std::vector<std::uint32_t> united(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    std::vector<std::uint32_t> all;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    return all;
}

Finding aboutVertices(const document::Document& doc, MeshId mesh, std::vector<std::uint32_t> vertices) {
    Finding f;
    f.mesh = mesh;
    f.where = placeOf(doc, mesh);
    f.count = vertices.size();
    f.vertices = std::move(vertices);
    return f;
}

} // namespace limber::check
