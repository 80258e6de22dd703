#include "app/command_line/help.h"

#include <algorithm>

namespace limber::app {

namespace {

constexpr std::size_t kSummaryColumn = 20;

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(text.size() + 2, width), ' ');
    return text;
}

std::string optionWords(const OptionSpec& option) {
    std::string words(option.shortName.empty() ? option.name : option.shortName);
    if (!option.valueName.empty())
        words += ' ' + std::string(option.valueName);
    return words;
}

std::string usageLine(const Command& command) {
    std::string line = "limber " + std::string(command.name);
    for (const std::string_view p : command.positionals)
        line += ' ' + std::string(p);
    for (const OptionSpec& o : command.options)
        line += o.required ? ' ' + optionWords(o) : " [" + optionWords(o) + "]" + (o.repeatable ? "..." : "");
    return line;
}

} // namespace

std::string programHelp(std::span<const Command> commands) {
    std::string text = "Limber poses, paints and sculpts rigged characters.\n\n"
                       "    limber [FILE]    opens the editor; without FILE with the built-in mannequin\n"
                       "    limber SUBCOMMAND ...\n\n"
                       "Subcommands (each has --help):\n";
    for (const Command& c : commands)
        text += "    " + padded(std::string(c.name), kSummaryColumn) + std::string(c.summary) + '\n';
    text += "\nOptions:\n"
            "    --help            shows this\n"
            "    --version         shows the version\n\n"
            "FILE is glTF 2.0 (.glb, .gltf), or FBX, Collada and others, which are imported.\n"
            "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 input refused, 4 done with repairs (listed), 5 could not "
            "write.\n"
            "Results go to standard output, messages to standard error.\n";
    return text;
}

std::string commandHelp(const Command& command) {
    std::string text = std::string(command.summary) + "\n\n    " + usageLine(command) + '\n';
    if (!command.options.empty())
        text += "\nOptions:\n";
    std::size_t width = kSummaryColumn;
    for (const OptionSpec& o : command.options)
        width = std::max(width, optionWords(o).size() + 2);
    for (const OptionSpec& o : command.options)
        text += "    " + padded(optionWords(o), width) + std::string(o.help) + '\n';
    if (!command.details.empty())
        text += '\n' + std::string(command.details) + '\n';
    return text;
}

} // namespace limber::app
