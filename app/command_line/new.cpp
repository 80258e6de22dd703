#include "app/command_line/commands.h"

namespace limber::app {

namespace {

Result<ExitCode> run(const Arguments& arguments, const Console& console) {
    if (arguments.positional(0) != "mannequin")
        return usageError("There is no such sample; the one there is is \"mannequin\".",
                          '"' + arguments.positional(0) + '"');
    const std::string& output = arguments.value("--output");
    if (const Status s = checkSceneOutput(output, {}); !s)
        return s.error();
    const auto file = openMannequin();
    if (!file)
        return file.error();
    const document::Document doc(file->state);
    if (const Status s = saveScene(*file, doc, output, console); !s)
        return s.error();
    return ExitCode::Done;
}

} // namespace

Command newCommand() {
    return {"new",
            "Writes a new file: the sample character.",
            "SAMPLE is mannequin.",
            {"SAMPLE"},
            {{"--output", "-o", "OUT.glb", "the file to write", false, true}},
            run};
}

} // namespace limber::app
