#include "app/command_line/commands.h"
#include "core/document/surface_drift.h"

#include <nlohmann/json.hpp>

#include <iomanip>
#include <ostream>
#include <sstream>

namespace limber::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kMaxInfluences = 1024;

std::string number(double value) {
    std::ostringstream text;
    text << std::setprecision(4) << value;
    return text.str();
}

std::string clipLabel(const rig::Clip& clip, std::size_t index) {
    return clip.name.empty() ? "clip #" + std::to_string(index) : "clip \"" + clip.name + '"';
}

std::string where(const document::DocumentState& state, const document::SurfaceDrift& drift) {
    if (!drift.instance.valid())
        return "";
    std::string text = "; most at vertex " + std::to_string(drift.vertex) + " of " +
                       meshLabel(state, state.instances[drift.instance.index()].mesh);
    if (drift.clips)
        text += ", " + number(drift.time) + " s into " + clipLabel(state.clips[drift.clip], drift.clip);
    return text;
}

std::string textOf(const document::DocumentState& state, const document::SurfaceDrift& drift) {
    const std::string scope = drift.clips
                                  ? "in " + std::to_string(drift.clips) + (drift.clips == 1 ? " clip (" : " clips (") +
                                        std::to_string(drift.times) + " times)"
                                  : "in the file's pose (it has no clips)";
    return "The posed surface moves by at most " + number(drift.maximum) + " units, " + number(drift.mean) +
           " on average, " + scope + where(state, drift) + ".";
}

Json jsonOf(const document::DocumentState& state, const document::SurfaceDrift& drift) {
    Json json = {{"maximum", drift.maximum}, {"mean", drift.mean}, {"clips", drift.clips}, {"times", drift.times}};
    if (!drift.instance.valid())
        return json;
    if (drift.clips) {
        json["clip"] = state.clips[drift.clip].name;
        json["clipIndex"] = drift.clip;
        json["time"] = drift.time;
    }
    const MeshId mesh = state.instances[drift.instance.index()].mesh;
    json["mesh"] = state.meshes[mesh.index()].geometry.name;
    json["meshIndex"] = mesh.index();
    json["vertex"] = drift.vertex;
    return json;
}

// Cuts; returns how far that moves the surface.
std::string cutInfluences(document::Document& doc, int most, const Console& console, Json& json) {
    const document::DocumentState before = doc.state();
    const document::Edit edit = limitInfluences(doc, static_cast<std::size_t>(most), console);
    doc.apply(edit);
    json["maxInfluences"] = most;
    json["cut"] = Json::array();
    for (const document::Patch& patch : edit.patches)
        if (const auto* weights = std::get_if<document::WeightsPatch>(&patch))
            json["cut"].push_back(
                {{"mesh", before.meshes[weights->mesh.index()].geometry.name}, {"vertices", weights->vertices.size()}});
    if (json["cut"].empty())
        return "No vertex has more than " + std::to_string(most) + " influences.";
    const document::SurfaceDrift drift = document::measureDrift(before, doc.state());
    json["moved"] = jsonOf(before, drift);
    return textOf(before, drift);
}

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
    Json json = {{"file", input}, {"output", output}, {"repairs", Json::array()}};
    for (const io::Repair& r : file->repairs)
        json["repairs"].push_back({{"code", r.code}, {"where", r.where}, {"text", r.text}, {"count", r.count}});
    const std::string report = most > 0 ? cutInfluences(doc, most, console, json) : std::string();
    if (const Status s = saveScene(*file, doc, output, console); !s)
        return s.error();
    if (arguments.has("--json"))
        console.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    else if (!report.empty())
        console.out << printable(report) << '\n';
    return exitCodeFor(*file);
}

} // namespace

Command convertCommand() {
    return {
        "convert",
        "Saves a file as glTF.",
        "A glTF input without an option comes out with nothing lost. OUT ends in .glb or .gltf.\n"
        "After a cut it says how far the posed surface moves in the file's clips: the distance between each vertex\n"
        "before and after, at the keys of every clip (at most 60 times a clip), in units of the file.",
        {"IN", "OUT"},
        {{"--max-influences", "", "N", "keep the N strongest influences of a vertex, normalised"},
         {"--json", "", "", "one JSON object on standard output"}},
        run};
}

} // namespace limber::app
