#include "tests/fuzz/mutator.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace limber::fuzz {

namespace {

using Json = nlohmann::ordered_json;

// Stands for numbers that JSON has no word for, until the text is written.
constexpr const char* kRaw = "@raw@";
constexpr const char* kRawNumbers[] = {"NaN", "-Infinity", "1e999", "-0", "007", "1.0000000000000000001", "-"};

constexpr const char* kTexts[] = {"SCALAR",
                                  "VEC2",
                                  "VEC3",
                                  "VEC4",
                                  "MAT2",
                                  "MAT3",
                                  "MAT4",
                                  "",
                                  "POSITION",
                                  "WEIGHTS_0",
                                  "JOINTS_0",
                                  "JOINTS_1",
                                  "rotation",
                                  "weights",
                                  "STEP",
                                  "LINEAR",
                                  "CUBICSPLINE",
                                  "translation",
                                  "scale",
                                  "2.0",
                                  "2.1",
                                  "MASK",
                                  "BLEND",
                                  "KHR_draco_mesh_compression",
                                  "EXT_meshopt_compression",
                                  "dual-quaternion",
                                  "spherical",
                                  "data:,",
                                  "\n\"<&\\"};

constexpr const char* kKeys[] = {"mesh",
                                 "skin",
                                 "children",
                                 "matrix",
                                 "rotation",
                                 "targets",
                                 "indices",
                                 "sparse",
                                 "bufferView",
                                 "byteOffset",
                                 "byteStride",
                                 "normalized",
                                 "JOINTS_0",
                                 "WEIGHTS_0",
                                 "WEIGHTS_1",
                                 "COLOR_0",
                                 "NORMAL",
                                 "TANGENT",
                                 "_LIMBER_METHOD_SHARE",
                                 "_LIMBER_MUSH_SHARE",
                                 "limber",
                                 "skinning",
                                 "method",
                                 "mush",
                                 "weights",
                                 "mode",
                                 "extras",
                                 "uri",
                                 "skeleton",
                                 "inverseBindMatrices",
                                 "extensionsRequired",
                                 "scene"};

// A value somewhere in the tree, each step to a random child: small lists are met as often as long ones.
Json& anywhere(Json& root, Dice& dice) {
    Json* at = &root;
    while (at->is_structured() && !at->empty()) {
        if (at != &root && dice.chance(12))
            break;
        auto child = at->begin();
        std::advance(child, static_cast<std::ptrdiff_t>(dice.below(at->size())));
        at = &*child;
    }
    return *at;
}

Json number(const Json& old, Dice& dice) {
    const Json edges[] = {
        0,     1,    -1,   2147483647, 2147483648u, 4294967295u, 9007199254740993, 1e300, -1e39, 3.4e38, 1e-45, 0.5,
        -0.25, 5121, 5126, 255,        65535,       1000000,     ~std::uint64_t(0)};
    switch (dice.below(5)) {
    case 0:
        return dice.below(24);
    case 1:
        return old.is_number_unsigned() ? Json(old.get<std::uint64_t>() + dice.below(3) - 1) : Json(-old.get<double>());
    case 2:
        return old.is_number_unsigned() ? Json(old.get<std::uint64_t>() * 2) : Json(old.get<double>() * 1e20);
    case 3:
        return kRaw + std::string(dice.oneOf(kRawNumbers));
    default:
        return dice.oneOf(edges);
    }
}

std::string flippedBase64(std::string uri, Dice& dice) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t start = uri.find(',') + 1;
    for (std::size_t k = 1 + dice.below(12); k > 0 && start < uri.size(); --k)
        uri[start + dice.below(uri.size() - start)] = kDigits[dice.below(kDigits.size())];
    return uri;
}

Json text(const std::string& old, std::span<const std::string> traps, Dice& dice) {
    if (old.starts_with("data:") && dice.chance(80))
        return flippedBase64(old, dice);
    if (dice.chance(15))
        return traps[dice.below(traps.size())];
    if (dice.chance(10))
        return std::string(70000, 'n');
    return dice.oneOf(kTexts);
}

Json otherType(Dice& dice) {
    const Json values[] = {nullptr, true, "x", Json::array(), Json::object(), 3, Json::array({-1}), "2"};
    return dice.oneOf(values);
}

void changeList(Json& list, Dice& dice) {
    const auto pick = [&] { return dice.below(list.size()); };
    switch (list.empty() ? 4 : dice.below(5)) {
    case 0:
        list.erase(pick());
        break;
    case 1:
        list.push_back(Json(list[pick()]));
        break;
    case 2:
        std::swap(list[pick()], list[pick()]);
        break;
    case 3:
        list = Json(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(pick()));
        break;
    default:
        list.push_back(dice.below(8));
    }
}

void changeObject(Json& object, Json& root, Dice& dice) {
    const auto pick = [&] {
        auto at = object.begin();
        std::advance(at, static_cast<std::ptrdiff_t>(dice.below(object.size())));
        return at;
    };
    if (object.empty() || dice.chance(35)) {
        Json value = dice.chance(50) ? Json(dice.below(8)) : Json(anywhere(root, dice));
        object[dice.oneOf(kKeys)] = std::move(value);
    } else if (dice.chance(60)) {
        object.erase(pick().key());
    } else {
        std::swap(*pick(), *pick());
    }
}

void change(Json& root, std::span<const std::string> traps, Dice& dice) {
    Json& value = anywhere(root, dice);
    if (dice.chance(8))
        value = otherType(dice);
    else if (dice.chance(6))
        value = Json(anywhere(root, dice));
    else if (value.is_number())
        value = number(value, dice);
    else if (value.is_string())
        value = text(value.get<std::string>(), traps, dice);
    else if (value.is_array())
        changeList(value, dice);
    else if (value.is_object())
        changeObject(value, root, dice);
    else
        value = !(value.is_boolean() && value.get<bool>());
}

// Names a trap where files are named.
void setTrap(Json& root, std::span<const std::string> traps, Dice& dice) {
    Json& list = root[dice.chance(60) ? "buffers" : "images"];
    if (!list.is_array() || list.empty())
        list = Json::array({Json::object({{"byteLength", 4}})});
    Json& item = list[dice.below(list.size())];
    if (!item.is_object())
        return;
    item["uri"] = traps[dice.below(traps.size())];
    item.erase("bufferView");
}

} // namespace

std::string mutateJson(const std::string& text, std::span<const std::string> traps, Dice& dice) {
    Json root = Json::parse(text);
    if (dice.chance(4))
        setTrap(root, traps, dice);
    else
        for (std::size_t k = dice.chance(70) ? 1 : 3; k > 0; --k)
            change(root, traps, dice);
    std::string out = root.dump(-1, ' ', false, Json::error_handler_t::replace);
    const std::string quoted = std::string("\"") + kRaw;
    for (std::size_t at = out.find(quoted); at != out.npos; at = out.find(quoted, at)) {
        out.erase(out.find('"', at + 1), 1);
        out.erase(at, quoted.size());
    }
    return out;
}

} // namespace limber::fuzz
