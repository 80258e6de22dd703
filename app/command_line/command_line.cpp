#include "app/command_line/command_line.h"

#include "app/command_line/help.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace limber::app {

namespace {

std::vector<std::string> wordsOf(std::string_view name) {
    const std::size_t space = name.find(' ');
    if (space == name.npos)
        return {std::string(name)};
    return {std::string(name.substr(0, space)), std::string(name.substr(space + 1))};
}

const Command* findCommand(std::span<const std::string> words, std::span<const Command> commands) {
    for (const Command& c : commands) {
        const auto name = wordsOf(c.name);
        if (words.size() >= name.size() && std::equal(name.begin(), name.end(), words.begin()))
            return &c;
    }
    return nullptr;
}

// Subcommands of two words whose first one is `word`.
std::vector<std::string> secondWords(const std::string& word, std::span<const Command> commands) {
    std::vector<std::string> result;
    for (const Command& c : commands)
        if (const auto name = wordsOf(c.name); name.size() == 2 && name[0] == word)
            result.push_back(name[1]);
    return result;
}

bool asksForHelp(std::span<const std::string> words) {
    return std::any_of(words.begin(), words.end(), [](const auto& w) { return w == "--help" || w == "-h"; });
}

const char* wordFor(ErrorCode code) {
    switch (code) {
    case ErrorCode::Usage:
        return "usage";
    case ErrorCode::InputRefused:
        return "input-refused";
    case ErrorCode::WriteFailed:
        return "write-failed";
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::Failed:
        break;
    }
    return "failed";
}

// Who asked for JSON gets one object whatever happens.
void reportAsJson(const Error& error, const Console& console) {
    using Json = nlohmann::ordered_json;
    const Json object = {{"error", {{"code", wordFor(error.code)}, {"where", error.where}, {"text", error.text}}}};
    console.out << object.dump(2, ' ', false, Json::error_handler_t::replace) << '\n' << std::flush;
}

bool asksForJson(const Command& command, std::span<const std::string> words) {
    return std::any_of(command.options.begin(), command.options.end(),
                       [](const OptionSpec& o) { return o.name == "--json"; }) &&
           std::find(words.begin(), words.end(), "--json") != words.end();
}

int report(const Error& error, const Console& console, std::string_view command) {
    console.say(error.message());
    if (error.code == ErrorCode::Usage)
        console.err << "Try: limber " << command << (command.empty() ? "" : " ") << "--help\n";
    return static_cast<int>(exitCodeOf(error.code));
}

// What was printed must have arrived: a full disk behind standard output is a failure too.
int finish(ExitCode code, const Console& console) {
    console.out.flush();
    if (!console.out) {
        console.say("standard output: The result could not be written.");
        code = ExitCode::WriteFailed;
    }
    return static_cast<int>(code);
}

int runCommand(const Command& command, std::span<const std::string> words, const Console& console) {
    if (asksForHelp(words)) {
        console.out << commandHelp(command);
        return finish(ExitCode::Done, console);
    }
    const auto arguments = Arguments::parse(command.options, command.positionals, words);
    const auto code = arguments ? command.run(*arguments, console) : Result<ExitCode>(arguments.error());
    if (code)
        return finish(*code, console);
    if (asksForJson(command, words))
        reportAsJson(code.error(), console);
    return report(code.error(), console, command.name);
}

// A word that no subcommand has: the editor's file where there is one.
std::optional<Error> missingFile(const std::string& word) {
    std::error_code error;
    if (!word.empty() && (std::filesystem::exists(word, error) || error))
        return std::nullopt;
    if (word.find_first_of("./") != word.npos)
        return Error{ErrorCode::InputRefused, "There is no such file.", word};
    return usageError("There is no subcommand and no file \"" + word + "\".");
}

} // namespace

ExitCode exitCodeOf(ErrorCode code) {
    switch (code) {
    case ErrorCode::Usage:
        return ExitCode::Usage;
    case ErrorCode::InputRefused:
        return ExitCode::InputRefused;
    case ErrorCode::WriteFailed:
        return ExitCode::WriteFailed;
    case ErrorCode::Failed:
    case ErrorCode::Cancelled:
        break;
    }
    return ExitCode::Failed;
}

void Console::say(const std::string& text) const {
    err << "limber: " << printable(text) << '\n';
}

std::optional<int> runCommandLine(std::span<const std::string> words, std::span<const Command> commands,
                                  const Console& console) {
    if (words.empty())
        return std::nullopt;
    const std::string& first = words.front();
    if (const Command* command = findCommand(words, commands))
        return runCommand(*command, words.subspan(wordsOf(command->name).size()), console);
    if (first == "--help" || first == "-h") {
        console.out << programHelp(commands);
        return finish(ExitCode::Done, console);
    }
    if (first == "--version") {
        console.out << "limber " << LIMBER_VERSION << '\n';
        return finish(ExitCode::Done, console);
    }
    if (const auto seconds = secondWords(first, commands); !seconds.empty()) {
        if (words.size() == 2 && asksForHelp(words)) {
            console.out << programHelp(commands);
            return finish(ExitCode::Done, console);
        }
        std::string known;
        for (const std::string& s : seconds)
            known += (known.empty() ? "" : ", ") + s;
        return report(usageError("It needs one of: " + known + ".", first), console, "");
    }
    if (first.size() > 1 && first[0] == '-' && first != "--")
        return report(usageError("There is no option \"" + first + "\"."), console, "");
    const bool onlyFile = words.size() == 1 || (first == "--" && words.size() == 2);
    if (!onlyFile)
        return report(usageError("There is no subcommand \"" + first + "\", and the editor opens one file at a time."),
                      console, "");
    if (const auto missing = missingFile(words.back()))
        return report(*missing, console, "");
    return std::nullopt;
}

} // namespace limber::app
