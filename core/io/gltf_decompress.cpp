#include "core/io/gltf_decompress.h"

#include <cmath>
#include <draco/compression/decode.h>
#include <limits>
#include <meshoptimizer.h>

namespace limber::io {

namespace {

float largestValue(ComponentType type) {
    switch (type) {
    case ComponentType::I8:
        return 127;
    case ComponentType::U8:
        return 255;
    case ComponentType::I16:
        return 32767;
    case ComponentType::U16:
        return 65535;
    case ComponentType::U32:
    case ComponentType::F32:
        break;
    }
    return 1;
}

std::vector<float> dracoValues(const draco::Mesh& mesh, const draco::PointAttribute& attribute,
                               const AccessorInfo& about, const std::string& where) {
    if (attribute.num_components() != static_cast<int>(about.components))
        refuse(where, "The compressed attribute has another number of components than its accessor.");
    const std::size_t components = about.components;
    std::vector<float> values(mesh.num_points() * components);
    const bool normalized = about.normalized && about.type != ComponentType::F32;
    const float scale = normalized ? 1 / largestValue(about.type) : 1;
    for (draco::PointIndex p(0); p < mesh.num_points(); ++p) {
        const draco::AttributeValueIndex value = attribute.mapped_index(p);
        float* to = &values[p.value() * components];
        const auto wanted = static_cast<std::int8_t>(components);
        std::array<std::int32_t, 16> whole{};
        const bool read = attribute.data_type() == draco::DT_FLOAT32
                              ? attribute.ConvertValue<float>(value, wanted, to)
                              : attribute.ConvertValue<std::int32_t>(value, wanted, whole.data());
        if (!read)
            refuse(where, "A compressed value cannot be read.");
        if (attribute.data_type() != draco::DT_FLOAT32)
            for (std::size_t c = 0; c < components; ++c)
                to[c] = std::max(static_cast<float>(whole[c]) * scale, normalized ? -1.0f : -3e38f);
    }
    if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); }))
        refuse(where, "A compressed value is not a finite number.");
    return values;
}

} // namespace

std::optional<DracoPrimitive> decodeDraco(AccessorReader& reader, const Json& primitive, std::size_t viewCount,
                                          const std::string& where) {
    const Json* extensions = member(primitive, "extensions");
    const Json* compressed = extensions ? member(*extensions, "KHR_draco_mesh_compression") : nullptr;
    if (!compressed)
        return std::nullopt;
    const auto view = indexMember(*compressed, "bufferView", viewCount, where);
    const Json* ids = member(*compressed, "attributes");
    const Json* attributes = member(primitive, "attributes");
    if (!view || !ids || !ids->is_object() || !attributes)
        refuse(where, "The Draco extension is not complete.");

    const std::span<const std::byte> bytes = reader.viewBytes(*view);
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    draco::Decoder decoder;
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok())
        refuse(where, "The Draco-compressed data is damaged: " + decoded.status().error_msg_string() + ".");
    const std::unique_ptr<draco::Mesh> mesh = std::move(decoded).value();

    DracoPrimitive result;
    result.vertices = mesh->num_points();
    reader.spend(std::uint64_t(mesh->num_faces()) * 12, where);
    for (const auto& [semantic, id] : ids->items()) {
        const auto accessor = indexMember(*attributes, semantic.c_str(), reader.count(), where);
        if (!accessor)
            refuse(where, "The Draco extension names the attribute " + semantic + ", which the primitive lacks.");
        const draco::PointAttribute* attribute =
            mesh->GetAttributeByUniqueId(static_cast<std::uint32_t>(wholeNumber(id, where)));
        if (!attribute)
            refuse(where, "The compressed data lacks the attribute " + semantic + ".");
        const AccessorInfo& about = reader.info(*accessor);
        if (about.count != result.vertices)
            refuse(where, "The compressed data has another number of vertices than the accessor of " + semantic + ".");
        reader.spend(std::uint64_t(result.vertices) * about.components * 4, where);
        result.attributes.emplace(semantic, dracoValues(*mesh, *attribute, about, where));
    }
    for (draco::FaceIndex f(0); f < mesh->num_faces(); ++f)
        for (const draco::PointIndex& corner : mesh->face(f)) {
            if (corner.value() >= result.vertices)
                refuse(where, "A compressed triangle names a vertex that is not there.");
            result.indices.push_back(corner.value());
        }
    return result;
}

std::vector<std::byte> AccessorReader::decodeMeshopt(std::size_t view, const Json& extension) {
    const std::string where = place("bufferViews", view) + ".extensions.EXT_meshopt_compression";
    const auto buffer = indexMember(extension, "buffer", source_.buffers.size(), where);
    const std::uint64_t offset = wholeMember(extension, "byteOffset", 0, where);
    const std::uint64_t length = wholeMember(extension, "byteLength", 0, where);
    const std::uint64_t stride = wholeMember(extension, "byteStride", 0, where);
    const std::uint64_t count = wholeMember(extension, "count", 0, where);
    const std::string mode = stringMember(extension, "mode", where);
    const std::string filter = stringMember(extension, "filter", where);
    if (!buffer || source_.buffers[*buffer].kind == SourceBuffer::Kind::Missing)
        refuse(where, "The compressed data is missing.");
    const std::span<const std::byte> all =
        source_.buffers[*buffer].bytes.first(source_.buffers[*buffer].declaredLength);
    const bool vertices = mode == "ATTRIBUTES";
    if (offset > all.size() || length > all.size() - offset || count > std::numeric_limits<std::uint32_t>::max() / 64 ||
        (vertices ? stride == 0 || stride > 256 || stride % 4 != 0 : stride != 2 && stride != 4) ||
        (mode == "TRIANGLES" && count % 3 != 0))
        refuse(where, "The compressed data does not fit its buffer, or its layout is not allowed.");
    spend(count * stride, where);

    std::vector<std::byte> out(count * stride);
    const auto* from = reinterpret_cast<const unsigned char*>(all.data() + offset);
    int result = -1;
    if (vertices)
        result = meshopt_decodeVertexBuffer(out.data(), count, stride, from, length);
    else if (mode == "TRIANGLES")
        result = meshopt_decodeIndexBuffer(out.data(), count, stride, from, length);
    else if (mode == "INDICES")
        result = meshopt_decodeIndexSequence(out.data(), count, stride, from, length);
    if (result != 0)
        refuse(where, "The compressed data is damaged or of an unknown mode.");
    if (filter == "OCTAHEDRAL" && vertices && (stride == 4 || stride == 8))
        meshopt_decodeFilterOct(out.data(), count, stride);
    else if (filter == "QUATERNION" && vertices && stride == 8)
        meshopt_decodeFilterQuat(out.data(), count, stride);
    else if (filter == "EXPONENTIAL" && vertices)
        meshopt_decodeFilterExp(out.data(), count, stride);
    else if (!filter.empty() && filter != "NONE")
        refuse(where, "The filter \"" + filter + "\" is not known or does not fit the data.");
    return out;
}

} // namespace limber::io
