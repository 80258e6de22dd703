#include "app/command_line/commands.h"

namespace limber::app {

namespace {

constexpr int kMaxInfluences = 1024;

Result<ExitCode> run(const Arguments& arguments, const Console& console) {
    const std::string& input = arguments.positional(0);
    const std::string& output = arguments.positional(1);
    if (const Status s = checkSceneOutput(output, {input}); !s)
        return s.error();
    int most = 0;
    if (arguments.has("--max-influences")) {
        const auto n = parseInteger("--max-influences", arguments.value("--max-influences"), 1, kMaxInfluences);
        if (!n)
            return n.error();
        most = *n;
    }
    const auto file = openListed(input, console);
    if (!file)
        return file.error();
    document::Document doc(file->state);
    if (most > 0)
        doc.apply(limitInfluences(doc, static_cast<std::size_t>(most), console));
    if (const Status s = saveScene(*file, doc, output, console); !s)
        return s.error();
    return exitCodeFor(*file);
}

} // namespace

Command convertCommand() {
    return {"convert",
            "Saves a file as glTF.",
            "A glTF input without an option comes out with nothing lost. OUT ends in .glb or .gltf.",
            {"IN", "OUT"},
            {{"--max-influences", "", "N", "keep the N strongest influences of a vertex, normalised"}},
            run};
}

} // namespace limber::app
