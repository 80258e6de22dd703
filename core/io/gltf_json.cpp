#include "core/io/gltf_json.h"

#include <cmath>
#include <limits>

namespace limber::io {

namespace {

constexpr const char* kWrongType = "TYPE_MISMATCH";
constexpr const char* kOutOfRange = "VALUE_NOT_IN_RANGE";

} // namespace

void refuse(std::string where, std::string text, const char* code) {
    const std::string listed = code ? text + " [" + code + "]" : text;
    throw Refusal{{ErrorCode::InputRefused, listed, std::move(where)}, std::move(text), code ? code : ""};
}

std::string place(const char* list, std::size_t index) {
    return std::string(list) + "[" + std::to_string(index) + "]";
}

const Json* member(const Json& value, const char* key) {
    if (!value.is_object())
        return nullptr;
    const auto it = value.find(key);
    return it == value.end() ? nullptr : &*it;
}

const Json& list(const Json& value, const char* key, const std::string& where) {
    static const Json empty = Json::array();
    const Json* found = member(value, key);
    if (!found)
        return empty;
    if (!found->is_array())
        refuse(where, std::string("\"") + key + "\" is not a list.", kWrongType);
    return *found;
}

const Json& objects(const Json& value, const char* key, const std::string& where) {
    const Json& found = list(value, key, where);
    for (const Json& item : found)
        if (!item.is_object())
            refuse(where, std::string("\"") + key + "\" holds something that is not an object.", kWrongType);
    return found;
}

std::uint64_t wholeNumber(const Json& value, const std::string& where) {
    if (value.is_number_unsigned())
        return value.get<std::uint64_t>();
    if (value.is_number_float()) {
        const double number = value.get<double>();
        if (number >= 0 && number < 9007199254740992.0 && number == std::floor(number))
            return static_cast<std::uint64_t>(number);
    }
    refuse(where, "A whole number that is not negative was expected.",
           value.is_number_integer() ? kOutOfRange : kWrongType);
}

std::uint64_t wholeMember(const Json& value, const char* key, std::uint64_t otherwise, const std::string& where) {
    const Json* found = member(value, key);
    return found ? wholeNumber(*found, where + "." + key) : otherwise;
}

std::size_t indexValue(const Json& value, std::size_t limit, const std::string& where) {
    if (value.is_number_integer() && !value.is_number_unsigned())
        refuse(where, "A reference is not negative.", "INVALID_INDEX");
    const std::uint64_t index = wholeNumber(value, where);
    if (index >= limit)
        refuse(where,
               "The reference " + std::to_string(index) + " leads nowhere: there are only " + std::to_string(limit) +
                   ".",
               "UNRESOLVED_REFERENCE");
    return static_cast<std::size_t>(index);
}

std::optional<std::size_t> indexMember(const Json& value, const char* key, std::size_t limit,
                                       const std::string& where) {
    const Json* found = member(value, key);
    if (!found)
        return std::nullopt;
    return indexValue(*found, limit, where + "." + key);
}

double finiteNumber(const Json& value, const std::string& where) {
    if (!value.is_number())
        refuse(where, "A number was expected.", kWrongType);
    const double number = value.get<double>();
    if (!std::isfinite(number))
        refuse(where, "The number is not finite.", kOutOfRange);
    if (std::abs(number) > double(std::numeric_limits<float>::max()))
        refuse(where, "The number is beyond the range of floats, which glTF's numbers are.", kOutOfRange);
    return number;
}

double numberMember(const Json& value, const char* key, double otherwise, const std::string& where) {
    const Json* found = member(value, key);
    return found ? finiteNumber(*found, where + "." + key) : otherwise;
}

std::optional<std::vector<double>> numbersMember(const Json& value, const char* key, std::size_t count,
                                                 const std::string& where) {
    const Json* found = member(value, key);
    if (!found)
        return std::nullopt;
    const std::string here = where + "." + key;
    if (!found->is_array() || (count && found->size() != count))
        refuse(here,
               count ? "A list of " + std::to_string(count) + " numbers was expected."
                     : std::string("A list of numbers was expected."),
               found->is_array() ? "ARRAY_LENGTH_NOT_IN_LIST" : kWrongType);
    std::vector<double> numbers;
    numbers.reserve(found->size());
    for (const Json& item : *found)
        numbers.push_back(finiteNumber(item, here));
    return numbers;
}

std::string stringMember(const Json& value, const char* key, const std::string& where) {
    const Json* found = member(value, key);
    if (!found)
        return {};
    if (!found->is_string())
        refuse(where + "." + key, "A text was expected.", kWrongType);
    return found->get<std::string>();
}

bool boolMember(const Json& value, const char* key, const std::string& where) {
    const Json* found = member(value, key);
    if (!found)
        return false;
    if (!found->is_boolean())
        refuse(where + "." + key, "true or false was expected.", kWrongType);
    return found->get<bool>();
}

} // namespace limber::io
