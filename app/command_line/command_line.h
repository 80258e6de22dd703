// Subcommands: what they are, how they are found, what their exit codes mean (design: files.md, "Command line").
#pragma once

#include "app/command_line/options.h"
#include "app/open_file.h"
#include "core/document/edit.h"

#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace limber::app {

enum class ExitCode { Done = 0, Failed = 1, Usage = 2, InputRefused = 3, DoneWithRepairs = 4, WriteFailed = 5 };
[[nodiscard]] ExitCode exitCodeOf(ErrorCode code);

// Where a subcommand talks: results to `out`, everything else to `err` as "limber: ...".
struct Console {
    std::ostream& out;
    std::ostream& err;

    void say(const std::string& text) const;
};

struct Command {
    std::string_view name; // one word, or two: "corrective add"
    std::string_view summary;
    std::string_view details; // further paragraphs of its help; may be empty
    std::vector<std::string_view> positionals;
    std::vector<OptionSpec> options;
    Result<ExitCode> (*run)(const Arguments& arguments, const Console& console);
};

// The ones that need no display.
[[nodiscard]] std::vector<Command> plainCommands();

// Runs the subcommand or option that `words` (without the program's name) begin with. Nothing where they ask for the
// editor: no word at all, or a single one that is neither.
[[nodiscard]] std::optional<int> runCommandLine(std::span<const std::string> words, std::span<const Command> commands,
                                                const Console& console);

// Parts that several subcommands share.

// Opens a file and lists its repairs on the console.
[[nodiscard]] Result<io::LoadedFile> openListed(const std::string& path, const Console& console);
// DoneWithRepairs where the file had to be repaired.
[[nodiscard]] ExitCode exitCodeFor(const io::LoadedFile& file);

// Usage where the path does not end in .glb or .gltf.
[[nodiscard]] Status checkSceneOutput(const std::string& path);
// Saves the document's state as an edit of the file and says what other programs should know.
[[nodiscard]] Status saveScene(const io::LoadedFile& file, const document::Document& doc, const std::string& path,
                               const Console& console);

// Reads POSE.json for a document.
[[nodiscard]] Result<rig::Pose> readPoseFile(const std::string& path, const document::DocumentState& state);

// The edit that gives the document this pose.
[[nodiscard]] document::Edit setPose(const document::Document& doc, const rig::Pose& pose);

// The edit that leaves every vertex its `most` strongest influences, normalised; says what was cut.
[[nodiscard]] document::Edit limitInfluences(const document::Document& doc, std::size_t most, const Console& console);

// A skin joint by its name, or "#12" by its place in the list of skin joints. Usage where it is unknown or not unique.
[[nodiscard]] Result<JointId> findJoint(const document::DocumentState& state, const std::string& name);

} // namespace limber::app
