#include "core/io/gltf_primitive.h"

#include "core/base/pieces.h"

#include <tbb/task_group.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <numeric>

namespace limber::io {

namespace {

enum Mode : std::uint64_t { kTriangles = 4, kTriangleStrip = 5, kTriangleFan = 6 };

void addTriangle(std::vector<std::uint32_t>& out, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    // Strips repeat corners to turn around; those are no triangles.
    if (a != b && b != c && a != c)
        out.insert(out.end(), {a, b, c});
}

bool isUnsigned(ComponentType type) {
    return type == ComponentType::U8 || type == ComponentType::U16 || type == ComponentType::U32;
}

std::uint32_t largestIndex(ComponentType type) {
    return type == ComponentType::U8 ? 0xFF : type == ComponentType::U16 ? 0xFFFF : 0xFFFFFFFF;
}

// limit: at most 2^31.
bool allBelow(std::span<const std::uint32_t> corners, std::size_t limit) {
    if (limit == 0)
        return corners.empty();
    std::atomic<bool> below = true;
    inPieces(corners.size(), 65536, [&](std::size_t first, std::size_t end) {
        // The highest bit is set in what is too large by less than 2^31, or in the corner itself; limits are smaller.
        // Sixteen at a time, which compilers do at once.
        std::array<std::uint32_t, 16> over{};
        const auto top = static_cast<std::uint32_t>(limit - 1);
        for (; first + over.size() <= end; first += over.size())
            for (std::size_t k = 0; k < over.size(); ++k)
                over[k] |= (top - corners[first + k]) | corners[first + k];
        for (; first < end; ++first)
            over[0] |= (top - corners[first]) | corners[first];
        if (std::any_of(over.begin(), over.end(), [](std::uint32_t bits) { return bits >> 31; }))
            below = false;
    });
    return below;
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

struct PrimitiveSource::Ahead {
    std::vector<std::uint32_t> corners;
    tbb::task_group task;
};

PrimitiveSource::~PrimitiveSource() = default;

PrimitiveSource::PrimitiveSource(AccessorReader& reader, const Json& primitive, std::size_t viewCount,
                                 std::string where)
    : reader_(reader), primitive_(primitive), where_(std::move(where)) {
    const Json* attributes = member(primitive, "attributes");
    if (!attributes || !attributes->is_object())
        refuse(where_, "The primitive has no attributes.", attributes ? "TYPE_MISMATCH" : "UNDEFINED_PROPERTY");
    draco_ = decodeDraco(reader, primitive, viewCount, where_);
    static_cast<void>(indexMember(primitive, "indices", reader.count(), where_)); // of Draco's, only saving reads it
    positioned_ = member(*attributes, "POSITION") != nullptr;
    if (const auto position = accessorOf("POSITION"))
        vertexCount_ = reader.info(*position).count;
}

bool PrimitiveSource::has(const std::string& semantic) const {
    return positioned_ && member(primitive_["attributes"], semantic.c_str());
}

std::optional<std::size_t> PrimitiveSource::accessorOf(const std::string& semantic) const {
    return positioned_ ? indexMember(primitive_["attributes"], semantic.c_str(), reader_.count(), where_)
                       : std::nullopt;
}

void PrimitiveSource::checkCount(std::size_t accessor, const std::string& semantic) {
    if (const std::size_t count = reader_.info(accessor).count; count != vertexCount_)
        refuse(where_,
               semantic + " has " + std::to_string(count) + " elements, but the primitive has " +
                   std::to_string(vertexCount_) + " vertices.",
               "MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT");
}

std::size_t PrimitiveSource::components(const std::string& semantic) {
    const auto accessor = accessorOf(semantic);
    return accessor ? reader_.info(*accessor).components : 0;
}

bool PrimitiveSource::hasData(const std::string& semantic) {
    const auto accessor = accessorOf(semantic);
    if (!accessor)
        return false;
    const AccessorInfo& info = reader_.info(*accessor);
    return draco_ || info.sparse || (info.view && !reader_.lacksData(*info.view));
}

void PrimitiveSource::checkFloats(std::size_t accessor, const std::string& semantic, std::size_t components) {
    checkCount(accessor, semantic);
    if (const std::size_t found = reader_.info(accessor).components; found != components)
        refuse(where_,
               semantic + " has " + std::to_string(found) + " components where " + std::to_string(components) +
                   " are needed.",
               "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT");
}

void PrimitiveSource::checkJoints(std::size_t accessor, const std::string& semantic) {
    checkCount(accessor, semantic);
    const AccessorInfo& info = reader_.info(accessor);
    if (info.components != 4 || !isUnsigned(info.type))
        refuse(where_, semantic + " are not four whole numbers for each vertex.",
               "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT");
}

InfluenceSet PrimitiveSource::influenceSet(std::size_t set) {
    const std::string joint = "JOINTS_" + std::to_string(set), weight = "WEIGHTS_" + std::to_string(set);
    const std::size_t jointAccessor = accessorOf(joint).value(), weightAccessor = accessorOf(weight).value();
    InfluenceSet found;
    if (!isInDraco(joint)) {
        checkJoints(jointAccessor, joint);
        found.joints.plain = reader_.plain(jointAccessor);
    }
    if (!found.joints.plain)
        found.joints.decoded = joints(joint);
    if (!isInDraco(weight)) {
        checkFloats(weightAccessor, weight, 4);
        found.weights.plain = reader_.plain(weightAccessor);
    }
    if (!found.weights.plain)
        found.weights.decoded = floats(weight, 4, NonFinite::Keep);
    return found;
}

std::vector<float> PrimitiveSource::floats(const std::string& semantic, std::size_t components, NonFinite nonFinite) {
    if (!has(semantic))
        return {};
    std::vector<float> values(vertexCount_ * components);
    readFloats(semantic, components, values, nonFinite);
    return values;
}

void PrimitiveSource::readFloats(const std::string& semantic, std::size_t components, std::span<float> values,
                                 NonFinite nonFinite) {
    const std::size_t accessor = accessorOf(semantic).value();
    checkFloats(accessor, semantic, components);
    if (draco_)
        if (const auto found = draco_->attributes.find(semantic); found != draco_->attributes.end()) {
            if (found->second.size() != values.size())
                refuse(where_, semantic + " has an unexpected number of components.");
            std::copy(found->second.begin(), found->second.end(), values.begin());
            return;
        }
    reader_.readFloats(accessor, components, values, nonFinite);
}

std::vector<std::uint32_t> PrimitiveSource::joints(const std::string& semantic) {
    const auto accessor = accessorOf(semantic);
    if (!accessor)
        return {};
    if (isInDraco(semantic)) {
        const std::vector<float> values = floats(semantic, 4);
        std::vector<std::uint32_t> joints(values.size());
        std::transform(values.begin(), values.end(), joints.begin(), [&](float v) {
            if (v < 0 || v > 65535)
                refuse(where_, semantic + " holds a number that cannot be a joint.");
            return static_cast<std::uint32_t>(v);
        });
        return joints;
    }
    checkJoints(*accessor, semantic);
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

void PrimitiveSource::prepareTriangles() {
    const auto indices = positioned_ && !draco_ ? indexMember(primitive_, "indices", reader_.count(), where_)
                                                : std::optional<std::size_t>();
    if (!indices || reader_.info(*indices).type != ComponentType::U32)
        return;
    const AccessorInfo& info = reader_.info(*indices);
    const std::optional<PlainElements> plain = reader_.plain(*indices);
    if (!plain || info.components != 1 || info.stride != sizeof(std::uint32_t))
        return;
    reader_.spend(info.count * sizeof(std::uint32_t), place("accessors", *indices));
    ahead_ = std::make_unique<Ahead>();
    ahead_->task.run([ahead = ahead_.get(), plain = *plain, count = info.count] {
        ahead->corners.reserve(count); // filled piece by piece: nothing is cleared first
        std::array<std::uint32_t, 1024> piece;
        for (std::size_t first = 0; first < count; first += piece.size()) {
            const std::size_t here = std::min(piece.size(), count - first);
            std::memcpy(piece.data(), plain.data + first * sizeof(std::uint32_t), here * sizeof(std::uint32_t));
            ahead->corners.insert(ahead->corners.end(), piece.begin(), piece.begin() + here);
        }
    });
}

std::vector<std::uint32_t> PrimitiveSource::triangles(std::vector<Repair>& repairs) {
    const std::uint64_t mode = wholeMember(primitive_, "mode", kTriangles, where_);
    if (mode > kTriangleFan)
        refuse(where_, "The drawing mode " + std::to_string(mode) + " is not one of glTF's.", "VALUE_NOT_IN_RANGE");
    if (!positioned_)
        return {};
    std::vector<std::uint32_t> corners;
    if (draco_) {
        corners = std::move(draco_->indices);
    } else if (const auto indices = indexMember(primitive_, "indices", reader_.count(), where_)) {
        const AccessorInfo& info = reader_.info(*indices);
        if (info.components != 1 || !isUnsigned(info.type))
            refuse(where_, "The indices are not whole numbers.", "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT");
        if (ahead_) {
            ahead_->task.wait();
            corners = std::move(ahead_->corners);
        } else {
            corners = reader_.unsignedValues(*indices, 1);
        }
        for (const std::uint32_t corner : allBelow(corners, vertexCount_) ? std::span<std::uint32_t>() : corners)
            if (corner >= vertexCount_)
                refuse(place("accessors", *indices),
                       "The index " + std::to_string(corner) + " leads nowhere: " + where_ + " has " +
                           std::to_string(vertexCount_) + " vertices.",
                       corner == largestIndex(info.type) ? "ACCESSOR_INDEX_PRIMITIVE_RESTART" : "ACCESSOR_INDEX_OOB");
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
