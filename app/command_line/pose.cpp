#include "app/command_line/commands.h"

namespace limber::app {

namespace {

Result<ExitCode> run(const Arguments& arguments, const Console& console) {
    const std::string& output = arguments.value("--output");
    if (const Status s = checkSceneOutput(output, {arguments.positional(0), arguments.value("--pose")}); !s)
        return s.error();
    const auto file = openListed(arguments.positional(0), console);
    if (!file)
        return file.error();
    document::Document doc(file->state);
    const auto pose = readPoseFile(arguments.value("--pose"), doc.state());
    if (!pose)
        return pose.error();
    doc.apply(setPose(doc, *pose));
    if (const Status s = saveScene(*file, doc, output, console); !s)
        return s.error();
    return exitCodeFor(*file);
}

} // namespace

Command poseCommand() {
    return {
        "pose",
        "Saves a file in another pose.",
        "POSE.json holds transforms of joints on top of the bind pose; a joint that it does not list goes to bind:\n"
        "    {\"limber\":\"pose\",\"version\":1,\"joints\":{\"elbow\":{\"rotation\":[x,y,z,w]}}}\n"
        "\"#12\" names the joint at that place in the list of limber info.",
        {"FILE"},
        {{"--pose", "", "POSE.json", "the pose", false, true},
         {"--output", "-o", "OUT.glb", "the file to write", false, true}},
        run};
}

} // namespace limber::app
