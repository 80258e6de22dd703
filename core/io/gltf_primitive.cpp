#include "core/io/gltf_primitive.h"

#include <numeric>

namespace limber::io {

namespace {

enum Mode : std::uint64_t { kTriangles = 4, kTriangleStrip = 5, kTriangleFan = 6 };

void addTriangle(std::vector<std::uint32_t>& out, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    // Strips repeat corners to turn around; those are no triangles.
    if (a != b && b != c && a != c)
        out.insert(out.end(), {a, b, c});
}

std::vector<std::uint32_t> unroll(const std::vector<std::uint32_t>& corners, bool strip) {
    std::vector<std::uint32_t> triangles;
    for (std::size_t i = 2; i < corners.size(); ++i) {
        if (!strip)
            addTriangle(triangles, corners[0], corners[i - 1], corners[i]);
        else if (i % 2 == 0)
            addTriangle(triangles, corners[i - 2], corners[i - 1], corners[i]);
        else
            addTriangle(triangles, corners[i - 1], corners[i - 2], corners[i]);
    }
    return triangles;
}

} // namespace

PrimitiveSource::PrimitiveSource(AccessorReader& reader, const Json& primitive, std::size_t viewCount,
                                 std::string where)
    : reader_(reader), primitive_(primitive), where_(std::move(where)) {
    const Json* attributes = member(primitive, "attributes");
    if (!attributes || !attributes->is_object())
        refuse(where_, "The primitive has no attributes.");
    draco_ = decodeDraco(reader, primitive, viewCount, where_);
    if (const auto position = accessorOf("POSITION"))
        vertexCount_ = reader.info(*position).count;
}

bool PrimitiveSource::has(const std::string& semantic) const {
    return member(primitive_["attributes"], semantic.c_str()) != nullptr;
}

std::optional<std::size_t> PrimitiveSource::accessorOf(const std::string& semantic) const {
    return indexMember(primitive_["attributes"], semantic.c_str(), reader_.count(), where_);
}

void PrimitiveSource::checkCount(std::size_t accessor, const std::string& semantic) {
    if (const std::size_t count = reader_.info(accessor).count; count != vertexCount_)
        refuse(where_, semantic + " has " + std::to_string(count) + " elements, but the primitive has " +
                           std::to_string(vertexCount_) + " vertices.");
}

std::size_t PrimitiveSource::components(const std::string& semantic) {
    const auto accessor = accessorOf(semantic);
    return accessor ? reader_.info(*accessor).components : 0;
}

std::vector<float> PrimitiveSource::floats(const std::string& semantic, std::size_t components, NonFinite nonFinite) {
    const auto accessor = accessorOf(semantic);
    if (!accessor)
        return {};
    checkCount(*accessor, semantic);
    if (draco_)
        if (const auto found = draco_->attributes.find(semantic); found != draco_->attributes.end()) {
            if (found->second.size() != vertexCount_ * components)
                refuse(where_, semantic + " has an unexpected number of components.");
            return found->second;
        }
    return reader_.floats(*accessor, components, nonFinite);
}

std::vector<std::uint32_t> PrimitiveSource::joints(const std::string& semantic) {
    const auto accessor = accessorOf(semantic);
    if (!accessor)
        return {};
    if (draco_ && draco_->attributes.contains(semantic)) {
        const std::vector<float> values = floats(semantic, 4);
        std::vector<std::uint32_t> joints(values.size());
        std::transform(values.begin(), values.end(), joints.begin(), [&](float v) {
            if (v < 0 || v > 65535)
                refuse(where_, semantic + " holds a number that cannot be a joint.");
            return static_cast<std::uint32_t>(v);
        });
        return joints;
    }
    checkCount(*accessor, semantic);
    return reader_.unsignedValues(*accessor, 4);
}

std::size_t PrimitiveSource::influenceSets(std::vector<Repair>& repairs) const {
    std::size_t joints = 0, weights = 0;
    while (has("JOINTS_" + std::to_string(joints)))
        ++joints;
    while (has("WEIGHTS_" + std::to_string(weights)))
        ++weights;
    if (joints != weights)
        repairs.push_back({"MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", where_,
                           std::to_string(joints) + " sets of joints go with " + std::to_string(weights) +
                               " sets of weights; those without a partner were left out.",
                           1});
    return std::min(joints, weights);
}

std::vector<std::uint32_t> PrimitiveSource::triangles(std::vector<Repair>& repairs) {
    const std::uint64_t mode = wholeMember(primitive_, "mode", kTriangles, where_);
    if (mode > kTriangleFan)
        refuse(where_, "The drawing mode " + std::to_string(mode) + " is not one of glTF's.");
    std::vector<std::uint32_t> corners;
    if (draco_) {
        corners = std::move(draco_->indices);
    } else if (const auto indices = indexMember(primitive_, "indices", reader_.count(), where_)) {
        corners = reader_.unsignedValues(*indices, 1);
        for (const std::uint32_t corner : corners)
            if (corner >= vertexCount_)
                refuse(place("accessors", *indices), "The index " + std::to_string(corner) +
                                                         " leads nowhere: " + where_ + " has " +
                                                         std::to_string(vertexCount_) + " vertices.");
    } else {
        corners.resize(vertexCount_);
        std::iota(corners.begin(), corners.end(), 0u);
    }
    if (mode < kTriangles)
        return {};
    if (!draco_ && mode != kTriangles)
        return unroll(corners, mode == kTriangleStrip);
    if (corners.size() % 3 != 0) {
        repairs.push_back({"MESH_PRIMITIVE_INCOMPATIBLE_MODE", where_,
                           "The number of corners is not a multiple of three; the last ones were left out.",
                           corners.size() % 3});
        corners.resize(corners.size() / 3 * 3);
    }
    return corners;
}

} // namespace limber::io
