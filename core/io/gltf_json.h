// Checked access to a glTF file's JSON. Inside the reader a fault ends the reading by throwing a Refusal, which
// loadGltf and loadGlb turn into their Result: nothing else ever sees it.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace limber::io {

using Json = nlohmann::ordered_json;

struct Refusal {
    Error error;
    std::string reason, code; // the two parts of the error's text; the code may be empty
};

// `where` is a place such as "accessors[3]". `code` is the Khronos validator's where it has one for the fault; the text
// then ends in it, as the lines that list repairs do.
[[noreturn]] void refuse(std::string where, std::string text, const char* code = nullptr);

// "meshes[2]".
[[nodiscard]] std::string place(const char* list, std::size_t index);

// The member, or null where `value` is no object or has none of that name.
[[nodiscard]] const Json* member(const Json& value, const char* key);

// The member as an array of objects; an empty one where it is absent.
[[nodiscard]] const Json& objects(const Json& value, const char* key, const std::string& where);
// The member as an array of anything; an empty one where it is absent.
[[nodiscard]] const Json& list(const Json& value, const char* key, const std::string& where);

// A whole number; 3.0 counts as one. Refuses anything else.
[[nodiscard]] std::uint64_t wholeNumber(const Json& value, const std::string& where);
[[nodiscard]] std::uint64_t wholeMember(const Json& value, const char* key, std::uint64_t otherwise,
                                        const std::string& where);

// An index below `limit`; refuses one that leads nowhere.
[[nodiscard]] std::size_t indexValue(const Json& value, std::size_t limit, const std::string& where);
[[nodiscard]] std::optional<std::size_t> indexMember(const Json& value, const char* key, std::size_t limit,
                                                     const std::string& where);

// Within the range of float, as all numbers of glTF are.
[[nodiscard]] double finiteNumber(const Json& value, const std::string& where);
[[nodiscard]] double numberMember(const Json& value, const char* key, double otherwise, const std::string& where);
// Any number of finite numbers; `count` of them where that is not zero.
[[nodiscard]] std::optional<std::vector<double>> numbersMember(const Json& value, const char* key, std::size_t count,
                                                               const std::string& where);

// A list of the components of a vector.
template <class V> [[nodiscard]] Json jsonOf(const V& values) {
    Json json = Json::array();
    for (const double v : values)
        json.push_back(v);
    return json;
}

[[nodiscard]] std::string stringMember(const Json& value, const char* key, const std::string& where);
[[nodiscard]] bool boolMember(const Json& value, const char* key, const std::string& where);

} // namespace limber::io
