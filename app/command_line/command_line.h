// Subcommands: what they are, how they are found, what their exit codes mean (design: files.md, "Command line").
#pragma once

#include "app/command_line/options.h"
#include "app/open_file.h"
#include "core/document/edit.h"

#include <initializer_list>
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

    // With control characters written out, so that a name in a file cannot speak to the terminal.
    void say(const std::string& text) const;
};

// Control characters (and bytes that are not UTF-8) as escapes such as \n and \x1b.
[[nodiscard]] std::string printable(std::string_view text);

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

// Opens a file and lists its repairs, and what the reader noted, on the console.
[[nodiscard]] Result<io::LoadedFile> openListed(const std::string& path, const Console& console);
// DoneWithRepairs where the file had to be repaired.
[[nodiscard]] ExitCode exitCodeFor(const io::LoadedFile& file);

// Usage where `path` is none of a file with one of these endings (any case), or is one of the inputs, by whatever path
// or link.
[[nodiscard]] Status checkOutput(const std::string& path, std::initializer_list<std::string_view> endings,
                                 std::initializer_list<std::string> inputs);
// The same for .glb and .gltf.
[[nodiscard]] Status checkSceneOutput(const std::string& path, std::initializer_list<std::string> inputs);
// Saves the document's state as an edit of the file and says what other programs should know.
[[nodiscard]] Status saveScene(const io::LoadedFile& file, const document::Document& doc, const std::string& path,
                               const Console& console);

// Reads POSE.json for a document.
[[nodiscard]] Result<rig::Pose> readPoseFile(const std::string& path, const document::DocumentState& state);

// The edit that gives the document this pose.
[[nodiscard]] document::Edit setPose(const document::Document& doc, const rig::Pose& pose);

// The edit that leaves every vertex its `most` strongest influences, normalised; says what was cut.
[[nodiscard]] document::Edit limitInfluences(const document::Document& doc, std::size_t most, const Console& console);

// Says which repaired rows the edit lets into the file.
void sayRepairsWritten(const document::Document& doc, const document::Edit& edit, const Console& console);

// A skin joint by its name, or "#12" by its place in the list of skin joints. Usage where it is unknown or not unique.
[[nodiscard]] Result<JointId> findJoint(const document::DocumentState& state, const std::string& name);

// As findJoint takes it: the name, or "#12" where that is empty or not unique.
[[nodiscard]] std::string jointLabel(const document::DocumentState& state, JointId joint);
// mesh "Body", or mesh #3 where it has no name.
[[nodiscard]] std::string meshLabel(const document::DocumentState& state, MeshId mesh);

} // namespace limber::app
