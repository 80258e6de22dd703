#include "core/io/gltf_painted_maps.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace limber::io {

namespace {

using skin::PaintedMap;

constexpr const char* kCode = "LIMBER_PAINTED_MAP";              // left out
constexpr const char* kValuesCode = "LIMBER_PAINTED_MAP_VALUES"; // read as other values than the file's
constexpr std::array<PaintedMap, skin::kPaintedMapCount> kMaps = {PaintedMap::MethodShare, PaintedMap::MushShare};

// Empty where the primitive has no such values, or has them in a form that says nothing.
std::vector<float> valuesOf(ReadContext& context, PrimitiveSource& primitive, const char* semantic,
                            const std::string& where) {
    if (primitive.vertexCount() == 0 || !primitive.has(semantic))
        return {};
    try {
        if (primitive.components(semantic) == 1)
            return primitive.floats(semantic, 1, NonFinite::Keep);
    } catch (const Refusal&) {
    }
    context.note(kCode, where, "A painted map is not one number for each vertex; it was left out.");
    return {};
}

// Returns how many values were not within [0, 1].
std::size_t clamp(std::vector<float>& values) {
    std::size_t wrong = 0;
    for (float& value : values) {
        if (value >= 0 && value <= 1)
            continue;
        ++wrong;
        value = std::isfinite(value) ? std::clamp(value, 0.0f, 1.0f) : 1.0f;
    }
    return wrong;
}

// The accessor that holds the map of a primitive now, where new values can take its place.
std::optional<std::size_t> presentAccessor(TreePatch& patch, const Json& attributes, const char* semantic) {
    const Json* present = member(attributes, semantic);
    if (!present || !present->is_number_unsigned() || present->get<std::size_t>() >= patch.reader().count())
        return std::nullopt;
    return present->get<std::size_t>();
}

bool isOne(std::span<const float> values) {
    return std::all_of(values.begin(), values.end(), [](float value) { return value == 1; });
}

std::span<const float> valuesOf(const std::vector<float>& map, const mesh::Part& part) {
    return map.empty() ? std::span<const float>() : std::span(map).subspan(part.firstVertex, part.vertexCount);
}

bool isPresent(const WriteContext& context, MeshId mesh, std::size_t p, const char* semantic) {
    return member(context.mesh(mesh)["primitives"][p]["attributes"], semantic) != nullptr;
}

// The values of the document in the place of what is there.
void putPart(WriteContext& context, MeshId mesh, std::size_t p, PaintedMap which) {
    const document::MeshData& after = context.after.meshes[mesh.index()];
    const char* semantic = semanticOf(which);
    const auto is = valuesOf(after.map(which), after.geometry.parts[p]);
    makePlain(context.patch, mesh.index(), p);
    Json& attributes = context.mesh(mesh)["primitives"][p]["attributes"]; // unpacking moves it
    const auto accessor = presentAccessor(context.patch, attributes, semantic);
    if (is.empty()) {
        if (accessor)
            context.patch.release(*accessor);
        attributes.erase(semantic);
        return;
    }
    attributes[semantic] = context.patch.put(accessor, encodeFloats(is, 1), TreePatch::Use::Vertices);
}

void writePart(WriteContext& context, MeshId mesh, std::size_t p, PaintedMap which) {
    const document::MeshData& after = context.after.meshes[mesh.index()];
    const mesh::Part& part = after.geometry.parts[p];
    if (part.vertexCount == 0)
        return;
    const auto was = valuesOf(context.before.meshes[mesh.index()].map(which), part);
    const auto is = valuesOf(after.map(which), part);
    const bool present = isPresent(context, mesh, p, semanticOf(which));
    if (is.empty() ? present : !present || !std::equal(was.begin(), was.end(), is.begin(), is.end()))
        putPart(context, mesh, p, which);
}

std::string attributePlace(std::size_t mesh, std::size_t primitive, PaintedMap which) {
    return place("meshes", mesh) + '.' + place("primitives", primitive) + ".attributes." + semanticOf(which);
}

} // namespace

const char* semanticOf(PaintedMap map) {
    return map == PaintedMap::MethodShare ? "_LIMBER_METHOD_SHARE" : "_LIMBER_MUSH_SHARE";
}

void readPaintedMaps(ReadContext& context, PrimitiveSource& primitive, document::MeshData& mesh,
                     const std::string& where) {
    for (const PaintedMap which : kMaps) {
        const std::string here = where + ".attributes." + semanticOf(which);
        std::vector<float> values = valuesOf(context, primitive, semanticOf(which), here);
        if (values.empty())
            continue;
        if (const std::size_t wrong = clamp(values))
            context.note(kValuesCode, here,
                         std::to_string(wrong) + (wrong == 1 ? " value" : " values") +
                             " of a painted map are taken as the nearest from 0 to 1. The file keeps its own until it "
                             "is saved with a change.",
                         wrong);
        std::vector<float>& map = mesh.paintedMaps[static_cast<std::size_t>(which)];
        map.resize(mesh.geometry.parts.back().firstVertex, 1.0f);
        map.insert(map.end(), values.begin(), values.end());
    }
}

void completePaintedMaps(document::MeshData& mesh) {
    for (std::vector<float>& map : mesh.paintedMaps) {
        if (isOne(map))
            map = {};
        if (!map.empty())
            map.resize(mesh.geometry.vertexCount(), 1.0f);
    }
}

void writePaintedMaps(WriteContext& context) {
    for (std::size_t m = 0; m < context.after.meshes.size(); ++m)
        for (const PaintedMap which : kMaps) {
            const document::MeshData& after = context.after.meshes[m];
            if (context.before.meshes[m].map(which) == after.map(which))
                continue;
            for (std::size_t p = 0; p < after.geometry.parts.size(); ++p)
                writePart(context, MeshId(m), p, which);
        }
}

void writeMendedMaps(WriteContext& context, std::span<const Repair> repairs) {
    std::unordered_set<std::string> mended;
    for (const Repair& repair : repairs)
        if (repair.code == kValuesCode)
            mended.insert(repair.where);
    if (mended.empty())
        return;
    for (std::size_t m = 0; m < context.after.meshes.size(); ++m)
        for (std::size_t p = 0; p < context.after.meshes[m].geometry.parts.size(); ++p)
            for (const PaintedMap which : kMaps)
                if (mended.contains(attributePlace(m, p, which)) && isPresent(context, MeshId(m), p, semanticOf(which)))
                    putPart(context, MeshId(m), p, which);
}

} // namespace limber::io
