#include "core/document/edit_codec.h"

#include "core/base/byte_stream.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace limber::document {

namespace {

constexpr std::size_t kMaxPatches = std::size_t(1) << 20;
constexpr std::size_t kMaxInfluences = std::size_t(1) << 27; // of one table, its unused places included

template <class T, class... Any>
concept OneOf = (std::same_as<std::remove_const_t<T>, Any> || ...);

// The members of what is stored member by member. The number of names must be that of the members, so a new one does
// not compile without being stored; neither does a new kind of patch.
template <class T> auto membersOf(T& t) {
    if constexpr (OneOf<T, shape::DriverSample, skin::Skinning>) {
        auto& [a, b] = t;
        return std::tie(a, b);
    } else if constexpr (OneOf<T, PosePatch, SkinJointPatch, DriversPatch, LockPatch, JointNamePatch, RepairsPatch,
                               SkinningPatch, skin::DeltaMush, shape::PoseDriver>) {
        auto& [a, b, c] = t;
        return std::tie(a, b, c);
    } else if constexpr (OneOf<T, WeightsPatch, ShapeWeightPatch, NormalsPatch>) {
        auto& [a, b, c, d] = t;
        return std::tie(a, b, c, d);
    } else if constexpr (OneOf<T, ShapePatch, PaintedMapPatch>) {
        auto& [a, b, c, d, e] = t;
        return std::tie(a, b, c, d, e);
    } else if constexpr (OneOf<T, ShapeDeltasPatch, ShapePropertiesPatch>) {
        auto& [a, b, c, d, e, f] = t;
        return std::tie(a, b, c, d, e, f);
    } else {
        auto& [a, b, c, d, e, f, g] = t;
        static_assert(OneOf<T, shape::Shape>, "this kind of patch is not stored yet");
        return std::tie(a, b, c, d, e, f, g);
    }
}

// Vectors of three or four components lie in memory without gaps; transforms have a last row that is not stored.
static_assert(sizeof(Eigen::Vector3f) == 3 * sizeof(float));
constexpr std::size_t kAffineNumbers = 12;

class EditWriter : public ByteWriter {
public:
    template <PlainNumber T> void put(const T& value) { number(value); }
    template <class T>
        requires std::is_enum_v<T>
    void put(const T& value) {
        number(static_cast<std::uint8_t>(value));
    }
    void put(bool value) { number(static_cast<std::uint8_t>(value)); }
    void put(const std::string& value) { text(value); }
    template <class Tag> void put(Id<Tag> id) { number(id.value); }
    void put(const rig::Affine& m) {
        for (int c = 0; c < 4; ++c)
            numbers(std::span<const double>(m.matrix().col(c).data(), 3));
    }
    void put(const Eigen::Quaterniond& q) { numbers(std::span<const double>(q.coeffs().data(), 4)); }
    void put(const std::vector<std::uint32_t>& values) {
        number(static_cast<std::uint32_t>(values.size()));
        numbers(std::span<const std::uint32_t>(values));
    }
    void put(const std::vector<Eigen::Vector3f>& values) {
        number(static_cast<std::uint32_t>(values.size()));
        if (!values.empty())
            numbers(std::span<const float>(values[0].data(), 3 * values.size()));
    }
    template <class T, class A> void put(const std::vector<T, A>& values) {
        number(static_cast<std::uint32_t>(values.size()));
        for (const T& value : values)
            put(value);
    }
    template <class T> void put(const std::optional<T>& value) {
        put(value.has_value());
        if (value)
            put(*value);
    }
    void put(const skin::SkinWeights& weights) {
        put(std::vector<std::uint32_t>(weights.counts().begin(), weights.counts().end()));
        for (std::size_t v = 0; v < weights.vertexCount(); ++v)
            for (const skin::Influence& i : weights.row(v)) {
                number(i.slot);
                number(i.weight);
            }
    }
    template <class T> void put(const T& parts) {
        std::apply([this](const auto&... member) { (this->put(member), ...); }, membersOf(parts));
    }
};

// The fewest bytes that one takes: what a length is compared with before anything is allocated.
template <class T> constexpr std::size_t kLeast = 1;
template <> constexpr std::size_t kLeast<double> = sizeof(double);
template <> constexpr std::size_t kLeast<float> = sizeof(float);
template <class Tag> constexpr std::size_t kLeast<Id<Tag>> = sizeof(std::uint32_t);
template <> constexpr std::size_t kLeast<rig::Affine> = kAffineNumbers * sizeof(double);
template <> constexpr std::size_t kLeast<Eigen::Quaterniond> = 4 * sizeof(double);
template <> constexpr std::size_t kLeast<shape::DriverSample> = 8;
template <> constexpr std::size_t kLeast<shape::PoseDriver> = 16;

class EditReader : public ByteReader {
public:
    using ByteReader::ByteReader;

    template <PlainNumber T> void get(T& value) { value = number<T>(); }
    template <class T>
    requires std::is_enum_v<T>
    void get(T& value) { value = static_cast<T>(number<std::uint8_t>()); }
    void get(bool& value) { value = flag(); }
    void get(std::string& value) { value = text(); }
    template <class Tag> void get(Id<Tag>& id) { id.value = number<std::uint32_t>(); }
    void get(rig::Affine& m) {
        for (int c = 0; c < 4; ++c)
            numbers(std::span<double>(m.matrix().col(c).data(), 3));
    }
    void get(Eigen::Quaterniond& q) { numbers(std::span<double>(q.coeffs().data(), 4)); }
    void get(std::vector<std::uint32_t>& values) {
        values.resize(count(sizeof(std::uint32_t)));
        numbers(std::span<std::uint32_t>(values));
    }
    void get(std::vector<Eigen::Vector3f>& values) {
        values.resize(count(sizeof(Eigen::Vector3f)));
        if (!values.empty())
            numbers(std::span<float>(values[0].data(), 3 * values.size()));
    }
    template <class T, class A> void get(std::vector<T, A>& values) {
        const std::size_t n = count(kLeast<T>);
        values.reserve(n);
        while (values.size() < n && !failed())
            get(values.emplace_back(blank<T>()));
    }
    template <class T> void get(std::optional<T>& value) {
        if (flag())
            get(value.emplace());
    }
    void get(skin::SkinWeights& weights);
    template <class T> void get(T& parts) {
        std::apply([this](auto&... member) { (this->get(member), ...); }, membersOf(parts));
    }

private:
    template <class T> static T blank() {
        if constexpr (std::same_as<T, rig::Affine>)
            return rig::Affine::Identity();
        else
            return T{};
    }
};

// Rows have one capacity, so one long row among many short ones asks for far more than is stored.
void EditReader::get(skin::SkinWeights& weights) {
    std::vector<std::uint32_t> counts;
    get(counts);
    constexpr std::size_t kBytes = sizeof(std::uint32_t) + sizeof(float);
    std::uint64_t total = 0, longest = 0;
    for (const std::uint32_t n : counts) {
        total += n;
        longest = std::max<std::uint64_t>(longest, n);
    }
    if (total > remaining() / kBytes || longest * counts.size() > kMaxInfluences)
        return fail();
    weights = counts.empty() ? skin::SkinWeights() : skin::SkinWeights(counts.size(), longest);
    skin::Row row;
    for (std::size_t v = 0; v < counts.size(); ++v) {
        row.resize(counts[v]);
        for (skin::Influence& i : row) {
            i.slot = number<std::uint32_t>();
            i.weight = number<float>();
        }
        weights.setRow(v, row);
    }
}

template <std::size_t... Kinds> bool getPatch(EditReader& from, Patch& to, std::index_sequence<Kinds...>) {
    const std::size_t kind = from.number<std::uint8_t>();
    const bool known = ((kind == Kinds ? (from.get(to.emplace<Kinds>()), true) : false) || ...);
    return known && !from.failed();
}

Error damaged() {
    return {ErrorCode::InputRefused, "The stored change is damaged.", {}};
}

} // namespace

std::vector<std::byte> encodeEdit(const Edit& edit) {
    EditWriter to;
    to.text(edit.label);
    to.number(static_cast<std::uint32_t>(edit.patches.size()));
    for (const Patch& patch : edit.patches) {
        to.number(static_cast<std::uint8_t>(patch.index()));
        std::visit([&to](const auto& p) { to.put(p); }, patch);
    }
    return to.take();
}

Result<Edit> decodeEdit(std::span<const std::byte> bytes) {
    EditReader from(bytes);
    Edit edit;
    edit.label = from.text();
    const std::size_t patches = from.count(1);
    if (from.failed() || patches > kMaxPatches)
        return damaged();
    while (edit.patches.size() < patches)
        if (!getPatch(from, edit.patches.emplace_back(), std::make_index_sequence<std::variant_size_v<Patch>>()))
            return damaged();
    if (from.failed() || from.remaining() > 0)
        return damaged();
    return edit;
}

} // namespace limber::document
