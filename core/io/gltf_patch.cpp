#include "core/io/gltf_patch.h"

#include <cstring>

namespace limber::io {

namespace {

// The lists that put() and addView() append to.
constexpr const char* kGrowing[] = {"buffers", "bufferViews", "accessors"};

const char* typeName(std::size_t components) {
    switch (components) {
    case 1:
        return "SCALAR";
    case 2:
        return "VEC2";
    case 3:
        return "VEC3";
    case 4:
        return "VEC4";
    default:
        return "MAT4";
    }
}

double component(const EncodedValues& values, std::size_t element, std::size_t c) {
    const std::byte* at = values.bytes.data() + element * values.stride() + c * byteSize(values.type);
    const auto as = [at](auto value) {
        std::memcpy(&value, at, sizeof value);
        return static_cast<double>(value);
    };
    switch (values.type) {
    case ComponentType::I8:
        return as(std::int8_t{});
    case ComponentType::U8:
        return as(std::uint8_t{});
    case ComponentType::I16:
        return as(std::int16_t{});
    case ComponentType::U16:
        return as(std::uint16_t{});
    case ComponentType::U32:
        return as(std::uint32_t{});
    case ComponentType::F32:
        break;
    }
    return as(float{});
}

void setBounds(Json& accessor, const EncodedValues& values) {
    Json least = Json::array(), most = Json::array();
    for (std::size_t c = 0; c < values.components; ++c) {
        double low = component(values, 0, c), high = low;
        for (std::size_t i = 1; i < values.count; ++i) {
            const double v = component(values, i, c);
            low = std::min(low, v);
            high = std::max(high, v);
        }
        if (values.type == ComponentType::F32) {
            least.push_back(low);
            most.push_back(high);
        } else {
            least.push_back(static_cast<std::int64_t>(low));
            most.push_back(static_cast<std::int64_t>(high));
        }
    }
    accessor["min"] = std::move(least);
    accessor["max"] = std::move(most);
}

// Visits every accessor index that the standard places (and Draco's copies of them) hold.
template <class Visit> void visitAccessorUses(const Json& json, Visit visit) {
    const auto each = [&](const Json* object) {
        if (object && object->is_object())
            for (const auto& [key, value] : object->items())
                visit(value);
    };
    for (const Json& mesh : objects(json, "meshes", "meshes"))
        for (const Json& primitive : objects(mesh, "primitives", "meshes")) {
            each(member(primitive, "attributes"));
            if (const Json* indices = member(primitive, "indices"))
                visit(*indices);
            for (const Json& target : objects(primitive, "targets", "meshes"))
                each(&target);
        }
    for (const Json& skin : objects(json, "skins", "skins"))
        if (const Json* matrices = member(skin, "inverseBindMatrices"))
            visit(*matrices);
    for (const Json& animation : objects(json, "animations", "animations"))
        for (const Json& sampler : objects(animation, "samplers", "animations"))
            for (const char* key : {"input", "output"})
                if (const Json* accessor = member(sampler, key))
                    visit(*accessor);
}

struct ByteRange {
    std::size_t buffer = 0;
    std::uint64_t first = 0, end = 0, stride = 0, width = 0;
};

bool overlap(const ByteRange& a, const ByteRange& b) {
    if (a.buffer != b.buffer || a.first >= b.end || b.first >= a.end)
        return false;
    // Interleaved elements of one stride do not touch where their places within the stride do not.
    if (a.stride != b.stride || a.stride == 0)
        return true;
    const std::uint64_t placeA = a.first % a.stride, placeB = b.first % b.stride;
    const bool wraps = placeA + a.width > a.stride || placeB + b.width > b.stride;
    return wraps || (placeA < placeB + b.width && placeB < placeA + a.width);
}

} // namespace

TreePatch::TreePatch(const GltfSource& source)
    : source_(source), reader_(source), json_(source.json()), edited_(source.buffers.size()) {
    // A root member added later would move the others in memory, and with them what callers hold references to.
    for (const char* key : kGrowing)
        if (!member(json_, key))
            json_[key] = Json::array();
    countUses();
    home_ = source.buffers.size();
    for (std::size_t b = 0; b < source.buffers.size() && home_ == source.buffers.size(); ++b)
        if (source.buffers[b].kind != SourceBuffer::Kind::Missing)
            home_ = b;
}

void TreePatch::dropEmptyLists() {
    for (const char* key : kGrowing)
        if (!member(source_.json(), key) && json_[key].empty())
            json_.erase(key);
}

void TreePatch::countUses() {
    uses_.assign(reader_.count(), 0);
    viewUses_.assign(list(json_, "bufferViews", "bufferViews").size(), 0);
    visitAccessorUses(json_, [&](const Json& value) {
        if (value.is_number_unsigned() && value.get<std::uint64_t>() < uses_.size())
            ++uses_[value.get<std::size_t>()];
    });
    const auto countView = [&](const Json* owner) {
        if (const Json* view = owner ? member(*owner, "bufferView") : nullptr)
            if (view->is_number_unsigned() && view->get<std::uint64_t>() < viewUses_.size())
                ++viewUses_[view->get<std::size_t>()];
    };
    for (const Json& image : objects(json_, "images", "images"))
        countView(&image);
    for (const Json& accessor : objects(json_, "accessors", "accessors"))
        if (const Json* sparse = member(accessor, "sparse")) {
            countView(member(*sparse, "indices"));
            countView(member(*sparse, "values"));
        }
}

void TreePatch::release(std::size_t accessor) {
    if (uses_[accessor])
        --uses_[accessor];
}

std::span<const std::byte> TreePatch::bytes(std::size_t buffer) const {
    if (edited_[buffer])
        return *edited_[buffer];
    const SourceBuffer& original = source_.buffers[buffer];
    return original.bytes.first(std::min<std::size_t>(original.bytes.size(), original.declaredLength));
}

SourceBuffer::Kind TreePatch::kind(std::size_t buffer) const {
    return buffer < source_.buffers.size() ? source_.buffers[buffer].kind : SourceBuffer::Kind::GlbChunk;
}

std::vector<std::byte>& TreePatch::editable(std::size_t buffer) {
    if (buffer == edited_.size()) {
        edited_.emplace_back(std::vector<std::byte>());
        json_["buffers"].push_back({{"byteLength", 0}});
    }
    if (!edited_[buffer]) {
        const std::span<const std::byte> present = bytes(buffer);
        edited_[buffer].emplace(present.begin(), present.end());
    }
    return *edited_[buffer];
}

std::size_t TreePatch::addView(std::span<const std::byte> data) {
    std::vector<std::byte>& buffer = editable(home_);
    buffer.resize((buffer.size() + 3) / 4 * 4);
    const Json view = {{"buffer", home_}, {"byteOffset", buffer.size()}, {"byteLength", data.size()}};
    buffer.insert(buffer.end(), data.begin(), data.end());
    json_["buffers"][home_]["byteLength"] = buffer.size();
    json_["bufferViews"].push_back(view);
    viewUses_.push_back(0);
    return json_["bufferViews"].size() - 1;
}

bool TreePatch::ownsItsBytes(std::size_t accessor) {
    if (uses_[accessor] != 1)
        return false;
    const auto rangeOf = [&](std::size_t a) -> std::optional<ByteRange> {
        const AccessorInfo& info = reader_.info(a);
        if (!info.view)
            return std::nullopt;
        const ViewInfo view = reader_.viewInfo(*info.view);
        const std::uint64_t first = view.offset + info.byteOffset;
        return ByteRange{view.buffer, first, first + (info.count - 1) * info.stride + info.elementBytes(), info.stride,
                         info.elementBytes()};
    };
    try {
        const AccessorInfo& info = reader_.info(accessor);
        const std::optional<ByteRange> own = rangeOf(accessor);
        if (!own || info.sparse || reader_.viewInfo(*info.view).meshopt || reader_.lacksData(*info.view))
            return false;
        for (std::size_t a = 0; a < reader_.count(); ++a)
            if (const auto other = a == accessor ? std::nullopt : rangeOf(a); other && overlap(*own, *other))
                return false;
        for (std::size_t v = 0; v < list(source_.json(), "bufferViews", "").size(); ++v) {
            const ViewInfo view = reader_.viewInfo(v);
            if ((viewUses_[v] || view.meshopt) &&
                overlap(*own, {view.buffer, view.offset, view.offset + view.length, 0, 0}))
                return false;
        }
        return true;
    } catch (const Refusal&) {
        return false; // something that nobody reads is malformed: better not write among it
    }
}

// The accessor as the file had it, if it can be read and nothing was done to it yet.
const AccessorInfo* TreePatch::untouched(std::size_t accessor) {
    if (accessor >= reader_.count() || json_["accessors"][accessor] != source_.json()["accessors"][accessor])
        return nullptr;
    try {
        return &reader_.info(accessor);
    } catch (const Refusal&) {
        return nullptr; // reading never needed it
    }
}

bool TreePatch::overwrite(std::size_t accessor, const EncodedValues& values) {
    const AccessorInfo* found = untouched(accessor);
    if (!found || found->type != values.type || found->components != values.components ||
        found->count != values.count || found->normalized != values.normalized || !ownsItsBytes(accessor))
        return false;
    const AccessorInfo& info = *found;
    const ViewInfo view = reader_.viewInfo(*info.view);
    const std::span<const std::byte> present = bytes(view.buffer).subspan(view.offset + info.byteOffset);
    if (info.stride == info.elementBytes() && info.stride == values.stride()) {
        if (std::memcmp(present.data(), values.bytes.data(), values.bytes.size()) != 0)
            std::memcpy(editable(view.buffer).data() + view.offset + info.byteOffset, values.bytes.data(),
                        values.bytes.size());
        return true;
    }
    const auto differs = [&](std::size_t i) {
        return std::memcmp(present.data() + i * info.stride, values.bytes.data() + i * values.stride(),
                           info.elementBytes()) != 0;
    };
    std::size_t i = 0;
    while (i < info.count && !differs(i))
        ++i;
    if (i == info.count)
        return true;
    std::byte* to = editable(view.buffer).data() + view.offset + info.byteOffset;
    for (; i < info.count; ++i)
        std::memcpy(to + i * info.stride, values.bytes.data() + i * values.stride(), info.elementBytes());
    return true;
}

void TreePatch::describe(Json& accessor, const EncodedValues& values, Bounds bounds, bool newData) {
    if (newData) {
        accessor.erase("byteOffset");
        accessor.erase("sparse");
        accessor["componentType"] = static_cast<int>(values.type);
        accessor["count"] = values.count;
        accessor["type"] = typeName(values.components);
        if (values.normalized)
            accessor["normalized"] = true;
        else
            accessor.erase("normalized");
    }
    if (bounds == Bounds::Required || member(accessor, "min") || member(accessor, "max"))
        setBounds(accessor, values);
}

// Values that were put before are replaced where they lie.
bool TreePatch::rewrite(std::size_t accessor, const EncodedValues& values) {
    const auto own = ownViews_.find(accessor);
    if (own == ownViews_.end() || uses_[accessor] != 1)
        return false;
    const Json& view = json_["bufferViews"][own->second];
    const std::size_t stride = view.value("byteStride", values.elementBytes());
    if (view["byteLength"] != values.bytes.size() || stride != values.stride())
        return false;
    const auto at = static_cast<std::ptrdiff_t>(view["byteOffset"].get<std::size_t>());
    std::copy(values.bytes.begin(), values.bytes.end(), editable(home_).begin() + at);
    return true;
}

std::size_t TreePatch::put(std::optional<std::size_t> accessor, const EncodedValues& values, Use use, Bounds bounds) {
    Json& accessors = json_["accessors"];
    if (accessor && overwrite(*accessor, values)) {
        describe(accessors[*accessor], values, bounds, false);
        return *accessor;
    }
    if (accessor && rewrite(*accessor, values)) {
        describe(accessors[*accessor], values, bounds, true);
        return *accessor;
    }
    const std::size_t view = addView(values.bytes);
    if (use != Use::Other) {
        if (values.stride() != values.elementBytes())
            json_["bufferViews"][view]["byteStride"] = values.stride();
        json_["bufferViews"][view]["target"] = use == Use::Vertices ? 34962 : 34963;
    }
    std::size_t index = accessors.size();
    if (accessor && uses_[*accessor] == 1) {
        index = *accessor;
    } else {
        if (accessor)
            release(*accessor);
        accessors.push_back(Json::object());
        uses_.push_back(1);
    }
    Json& json = accessors[index];
    json["bufferView"] = view;
    ownViews_[index] = view;
    describe(json, values, bounds, true);
    return index;
}

} // namespace limber::io
