#include "app/command_line/command_line.h"

#include "app/command_line/help.h"

#include <algorithm>
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
    if (!arguments)
        return report(arguments.error(), console, command.name);
    const auto code = command.run(*arguments, console);
    if (!code)
        return report(code.error(), console, command.name);
    return finish(*code, console);
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
    err << "limber: " << text << '\n';
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
    return std::nullopt;
}

} // namespace limber::app
