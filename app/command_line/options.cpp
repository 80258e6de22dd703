#include "app/command_line/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace limber::app {

namespace {

const OptionSpec* find(std::span<const OptionSpec> options, std::string_view word) {
    for (const OptionSpec& o : options)
        if (word == o.name || (!o.shortName.empty() && word == o.shortName))
            return &o;
    return nullptr;
}

// As a person types it: the short name where there is one.
std::string typed(const OptionSpec& option) {
    return std::string(option.shortName.empty() ? option.name : option.shortName);
}

std::string inQuotes(std::string_view word) {
    return '"' + std::string(word) + '"';
}

} // namespace

Error usageError(std::string text, std::string where) {
    return {ErrorCode::Usage, std::move(text), std::move(where)};
}

Result<Arguments> Arguments::parse(std::span<const OptionSpec> options,
                                   std::span<const std::string_view> positionalNames,
                                   std::span<const std::string> words) {
    Arguments result;
    bool onlyPositionals = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (onlyPositionals || word.size() < 2 || word[0] != '-') {
            result.positionals_.push_back(word);
            continue;
        }
        if (word == "--") {
            onlyPositionals = true;
            continue;
        }
        const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
        const OptionSpec* option = find(options, std::string_view(word).substr(0, equals));
        if (!option)
            return usageError("There is no option " + inQuotes(word.substr(0, equals)) + ".");
        auto& values = result.values_[std::string(option->name)];
        if (!values.empty() && !option->repeatable)
            return usageError(typed(*option) + " is given twice.");
        std::string value;
        if (option->valueName.empty()) {
            if (equals != std::string::npos)
                return usageError(std::string(option->name) + " takes no value.");
        } else if (equals != std::string::npos) {
            value = word.substr(equals + 1);
        } else {
            // A next option is a forgotten value; a negative number is not an option.
            const bool missing = i + 1 == words.size() || find(options, words[i + 1]);
            value = missing ? std::string() : words[++i];
        }
        if (!option->valueName.empty() && value.empty())
            return usageError(typed(*option) + " needs a value: " + std::string(option->valueName) + ".");
        values.push_back(std::move(value));
    }
    if (result.positionals_.size() < positionalNames.size())
        return usageError(std::string(positionalNames[result.positionals_.size()]) + " is missing.");
    if (result.positionals_.size() > positionalNames.size())
        return usageError(inQuotes(result.positionals_[positionalNames.size()]) + " is one argument too many.");
    for (std::size_t i = 0; i < positionalNames.size(); ++i)
        if (result.positionals_[i].empty())
            return usageError(std::string(positionalNames[i]) + " is an empty name.");
    for (const OptionSpec& o : options)
        if (o.required && !result.has(o.name))
            return usageError(typed(o) + " " + std::string(o.valueName) + " is missing.");
    return result;
}

const std::string& Arguments::value(std::string_view option) const {
    const auto it = values_.find(std::string(option));
    assert(it != values_.end());
    return it->second.back();
}

std::vector<std::string> Arguments::values(std::string_view option) const {
    const auto it = values_.find(std::string(option));
    return it == values_.end() ? std::vector<std::string>() : it->second;
}

Result<double> parseNumber(std::string_view option, std::string_view word) {
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !std::isfinite(value))
        return usageError(std::string(option) + ": " + inQuotes(word) + " is not a number.");
    return value;
}

Result<int> parseInteger(std::string_view option, std::string_view word, int lowest, int highest) {
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < lowest || value > highest)
        return usageError(std::string(option) + ": " + inQuotes(word) + " is not a whole number from " +
                          std::to_string(lowest) + " to " + std::to_string(highest) + ".");
    return value;
}

} // namespace limber::app
