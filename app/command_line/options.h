// Strict parsing of a subcommand's arguments: what is not understood is an error that names it.
#pragma once

#include "core/base/result.h"

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber::app {

struct OptionSpec {
    std::string_view name;      // "--pose"
    std::string_view shortName; // "-o" or empty
    std::string_view valueName; // "POSE.json"; empty: a flag
    std::string_view help;
    bool repeatable = false;
    bool required = false;
};

// The arguments of one call, checked against the specification.
class Arguments {
public:
    // Usage errors: an unknown option, a missing or empty value or positional, an option twice that is not repeatable,
    // too few or too many positionals. "--name=value" and "--name value" are the same; after "--" everything is
    // positional.
    [[nodiscard]] static Result<Arguments> parse(std::span<const OptionSpec> options,
                                                 std::span<const std::string_view> positionalNames,
                                                 std::span<const std::string> words);

    [[nodiscard]] bool has(std::string_view option) const { return values_.contains(std::string(option)); }
    // Of an option that was given, or is required: the value, or the last of several.
    [[nodiscard]] const std::string& value(std::string_view option) const;
    [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
    [[nodiscard]] const std::string& positional(std::size_t i) const { return positionals_[i]; }

private:
    std::map<std::string, std::vector<std::string>> values_;
    std::vector<std::string> positionals_;
};

[[nodiscard]] Error usageError(std::string text, std::string where = {});

// A whole word as a finite number, or as an integer within limits; usage errors name the option.
[[nodiscard]] Result<double> parseNumber(std::string_view option, std::string_view word);
[[nodiscard]] Result<int> parseInteger(std::string_view option, std::string_view word, int lowest, int highest);

} // namespace limber::app
