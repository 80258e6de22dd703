#include "app/command_line/commands.h"
#include "core/check/wording.h"
#include "core/document/bind_intents.h"
#include "core/document/weights_intents.h"
#include "core/io/safe_save.h"
#include "core/io/weights_file.h"

#include <charconv>

namespace limber::app {

namespace {

constexpr std::uintmax_t kMaxWeightsBytes = std::uintmax_t(256) << 20;
constexpr int kMaxInfluences = 1024, kMaxSteps = 1000;
constexpr double kLeastStrength = 1e-6, kMostStrength = 1e6;

const OptionSpec kOutput{"--output", "-o", "OUT.glb", "the file to write", false, true};
const OptionSpec kMesh{"--mesh", "", "NAME", "only this mesh; #N names it by its place in limber info"};

// By its name, or "#2" by its place.
Result<MeshId> findMesh(const document::DocumentState& state, const std::string& name) {
    std::vector<std::size_t> matches;
    for (std::size_t m = 0; m < state.meshes.size(); ++m)
        if (state.meshes[m].geometry.name == name)
            matches.push_back(m);
    if (matches.size() > 1)
        return usageError("Several meshes have this name; use \"#" + std::to_string(matches[0]) + "\" or \"#" +
                              std::to_string(matches[1]) + "\".",
                          '"' + name + '"');
    std::size_t place = 0;
    const char* end = name.data() + name.size();
    if (matches.empty() && name.size() > 1 && name[0] == '#')
        if (const auto [at, wrong] = std::from_chars(name.data() + 1, end, place);
            wrong == std::errc() && at == end && place < state.meshes.size())
            matches.push_back(place);
    if (matches.empty())
        return usageError("There is no such mesh; limber info lists them.", '"' + name + '"');
    return MeshId(matches[0]);
}

Result<std::vector<MeshId>> chosenMeshes(const Arguments& arguments, const document::Document& doc) {
    if (!arguments.has("--mesh"))
        return document::allMeshes(doc);
    const auto mesh = findMesh(doc.state(), arguments.value("--mesh"));
    if (!mesh)
        return mesh.error();
    return std::vector<MeshId>{*mesh};
}

void sayChanged(const document::Document& doc, const document::Edit& edit, const Console& console) {
    for (const document::Patch& patch : edit.patches)
        if (const auto* weights = std::get_if<document::WeightsPatch>(&patch))
            console.say(meshLabel(doc.state(), weights->mesh) + ": the weights of " +
                        check::counted(weights->vertices.size(), "vertex", "vertices") + " changed.");
    sayRepairsWritten(doc, edit, console);
    if (edit.empty())
        console.say("There was nothing to change.");
}

std::size_t setsOf(const document::MeshData& mesh) {
    return (document::longestRow(mesh.weights) + 3) / 4;
}

// Applies the edit, and says where a mesh gets more sets of influences by it than it had.
void applyEdit(document::Document& doc, const document::Edit& edit, const Console& console) {
    std::vector<std::size_t> before;
    for (const document::MeshData& mesh : doc.state().meshes)
        before.push_back(setsOf(mesh));
    doc.apply(edit);
    for (std::size_t m = 0; m < before.size(); ++m)
        if (const document::MeshData& mesh = doc.state().meshes[m]; before[m] > 0 && setsOf(mesh) > before[m])
            console.say(meshLabel(doc.state(), MeshId(m)) + ": vertices have up to " +
                        check::counted(document::longestRow(mesh.weights), "influence") +
                        " now, so another set of weights is written; many programs read the first four only.");
}

// Opens FILE, makes the edit that `intent(document, meshes)` asks for, and saves.
template <class Intent>
Result<ExitCode> editWeights(const Arguments& arguments, std::size_t filePlace, const Console& console, Intent intent) {
    const std::string &input = arguments.positional(filePlace), &output = arguments.value("--output");
    if (const Status s = checkSceneOutput(output, {input}); !s)
        return s.error();
    const auto file = openListed(input, console);
    if (!file)
        return file.error();
    document::Document doc(file->state);
    const auto meshes = chosenMeshes(arguments, doc);
    if (!meshes)
        return meshes.error();
    const document::Edit edit = intent(doc, *meshes);
    sayChanged(doc, edit, console);
    applyEdit(doc, edit, console);
    if (const Status s = saveScene(*file, doc, output, console); !s)
        return s.error();
    return exitCodeFor(*file);
}

Result<ExitCode> runNormalize(const Arguments& arguments, const Console& console) {
    return editWeights(arguments, 0, console,
                       [](const auto& doc, const auto& meshes) { return document::normalizeWeights(doc, meshes); });
}

Result<ExitCode> runPrune(const Arguments& arguments, const Console& console) {
    const auto threshold = parseNumber("THRESHOLD", arguments.positional(0));
    if (!threshold)
        return threshold.error();
    if (*threshold < 0 || *threshold > 1)
        return usageError("THRESHOLD: weights are from 0 to 1.");
    return editWeights(arguments, 1, console, [&](const auto& doc, const auto& meshes) {
        return document::pruneWeights(doc, meshes, *threshold);
    });
}

Result<ExitCode> runLimit(const Arguments& arguments, const Console& console) {
    const auto most = parseInteger("N", arguments.positional(0), 1, kMaxInfluences);
    if (!most)
        return most.error();
    return editWeights(arguments, 1, console, [&](const auto& doc, const auto& meshes) {
        return document::limitInfluences(doc, meshes, static_cast<std::size_t>(*most), document::Locks::Keep);
    });
}

// 0 where it is not given.
Result<std::size_t> mostInfluences(const Arguments& arguments) {
    if (!arguments.has("--max-influences"))
        return std::size_t(0);
    const auto given = parseInteger("--max-influences", arguments.value("--max-influences"), 1, kMaxInfluences);
    if (!given)
        return given.error();
    return static_cast<std::size_t>(*given);
}

Result<ExitCode> runSmooth(const Arguments& arguments, const Console& console) {
    double amount = 0.5;
    int steps = 1;
    if (arguments.has("--amount")) {
        const auto given = parseNumber("--amount", arguments.value("--amount"));
        if (!given)
            return given.error();
        if (*given < 0 || *given > 1)
            return usageError("--amount is from 0 to 1.");
        amount = *given;
    }
    if (arguments.has("--steps")) {
        const auto given = parseInteger("--steps", arguments.value("--steps"), 1, kMaxSteps);
        if (!given)
            return given.error();
        steps = *given;
    }
    const auto most = mostInfluences(arguments);
    if (!most)
        return most.error();
    return editWeights(arguments, 0, console, [&](const auto& doc, const auto& meshes) {
        return document::smoothWeights(doc, meshes, amount, steps, *most);
    });
}

Result<ExitCode> runHeat(const Arguments& arguments, const Console& console) {
    weights::HeatOptions options;
    if (arguments.has("--strength")) {
        const auto given = parseNumber("--strength", arguments.value("--strength"));
        if (!given)
            return given.error();
        if (!(*given >= kLeastStrength && *given <= kMostStrength))
            return usageError("--strength is from 0.000001 to 1000000.");
        options.strength = *given;
    }
    const auto most = mostInfluences(arguments);
    if (!most)
        return most.error();
    options.mostInfluences = *most;
    const auto takers = arguments.has("--all-joints") ? document::Takers::All : document::Takers::WhatHolds;
    return editWeights(arguments, 0, console, [&](const document::Document& doc, const auto& meshes) {
        document::HeatBinding binding = document::bindByHeat(doc, meshes, takers, options);
        for (const auto& [mesh, vertices] : binding.unseen)
            console.say(meshLabel(doc.state(), mesh) + ": " + check::counted(vertices, "vertex sees", "vertices see") +
                        " no bone, nor does the piece of surface around; they follow the nearest.");
        for (const MeshId mesh : binding.withoutBones)
            console.say(
                meshLabel(doc.state(), mesh) +
                ": No joint of its skin may take weights: all are locked, or no place is known where they bind. "
                "Unlock some.");
        return std::move(binding.edit);
    });
}

// The mesh that is asked for, or the only one with weights.
Result<MeshId> exportedMesh(const Arguments& arguments, const document::DocumentState& state) {
    std::vector<MeshId> weighted;
    for (std::size_t m = 0; m < state.meshes.size(); ++m)
        if (!state.meshes[m].weights.empty())
            weighted.emplace_back(m);
    if (!arguments.has("--mesh")) {
        if (weighted.size() == 1)
            return weighted[0];
        return usageError(weighted.empty() ? "No mesh of the file has weights."
                                           : "Several meshes have weights; --mesh names one.");
    }
    const auto mesh = findMesh(state, arguments.value("--mesh"));
    if (mesh && state.meshes[mesh->index()].weights.empty())
        return usageError("The mesh has no weights.", arguments.value("--mesh"));
    return mesh;
}

Result<ExitCode> runExport(const Arguments& arguments, const Console& console) {
    const std::string &input = arguments.positional(0), &output = arguments.value("--output");
    if (const Status s = checkOutput(output, {".json"}, {input}); !s)
        return s.error();
    const auto file = openListed(input, console);
    if (!file)
        return file.error();
    const auto mesh = exportedMesh(arguments, file->state);
    if (!mesh)
        return mesh.error();
    const std::string text = io::writeWeights(io::weightsOf(file->state, *mesh));
    if (const Status s = io::safeSave(output, std::as_bytes(std::span(text))); !s)
        return s.error();
    return exitCodeFor(*file);
}

Result<io::WeightsFile> readWeightsFile(const std::string& path) {
    const auto bytes = io::readFile(path, kMaxWeightsBytes);
    if (!bytes)
        return bytes.error();
    auto file = io::readWeights({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    if (file)
        return file;
    Error error = file.error();
    error.where = path + (error.where.empty() ? "" : ": " + error.where);
    return error;
}

Result<ExitCode> runImport(const Arguments& arguments, const Console& console) {
    const std::string &input = arguments.positional(0), &source = arguments.positional(1);
    const std::string& output = arguments.value("--output");
    if (const Status s = checkSceneOutput(output, {input, source}); !s)
        return s.error();
    const auto weights = readWeightsFile(source);
    if (!weights)
        return weights.error();
    const auto file = openListed(input, console);
    if (!file)
        return file.error();
    document::Document doc(file->state);
    const auto mesh = findMesh(doc.state(), arguments.has("--mesh") ? arguments.value("--mesh") : weights->mesh);
    if (!mesh)
        return mesh.error();
    const auto imported = io::importWeights(doc, *mesh, *weights);
    if (!imported) {
        Error error = imported.error();
        error.where = source + (error.where.empty() ? "" : ": " + error.where);
        return error;
    }
    if (imported->normalised)
        console.say(source + ": " + check::counted(imported->normalised, "vertex", "vertices") +
                    " had weights that do not sum to one; they were normalised.");
    if (imported->unweighted)
        console.say(source + ": " + check::counted(imported->unweighted, "vertex has", "vertices have") +
                    " no weights.");
    if (imported->appended)
        console.say(source + ": " + check::counted(imported->appended, "joint was", "joints were") +
                    " added to the skin.");
    sayChanged(doc, imported->edit, console);
    applyEdit(doc, imported->edit, console);
    if (const Status s = saveScene(*file, doc, output, console); !s)
        return s.error();
    return exitCodeFor(*file);
}

} // namespace

std::vector<Command> weightsCommands() {
    constexpr std::string_view kLocked = "Joints that are locked in the file keep their weights.";
    return {
        {"weights export",
         "Writes a mesh's weights as JSON.",
         "{\"limber\":\"weights\",\"version\":1,\"mesh\":NAME,\"vertices\":N,\"joints\":[names],\n"
         " \"weights\":[[[j,w],...],...]}: one list of joint and weight pairs a vertex, in the file's vertex order;\n"
         "j is a place in \"joints\".",
         {"FILE"},
         {{"--mesh", "", "NAME", "the mesh; needed where several have weights"},
          {"--output", "-o", "W.json", "the file to write", false, true}},
         runExport},
        {"weights import",
         "Gives a mesh the weights of a JSON file.",
         "W.json is what limber weights export writes. Rows are normalised; joints that the skin lacks are added to "
         "it.",
         {"FILE", "W.json"},
         {{"--mesh", "", "NAME", "the mesh; without it the one that W.json names"}, kOutput},
         runImport},
        {"weights normalize", "Makes weights sum to one.", kLocked, {"FILE"}, {kMesh, kOutput}, runNormalize},
        {"weights prune",
         "Drops weights below THRESHOLD.",
         "The strongest weight of a vertex stays, and the rest is normalised.\nJoints that are locked in the file keep "
         "their weights.",
         {"THRESHOLD", "FILE"},
         {kMesh, kOutput},
         runPrune},
        {"weights limit",
         "Keeps the N strongest influences of a vertex.",
         kLocked,
         {"N", "FILE"},
         {kMesh, kOutput},
         runLimit},
        {"weights smooth",
         "Moves weights towards those of the neighbours.",
         "A vertex keeps as many influences as the mesh had at most, or four.\nJoints that are locked in the file keep "
         "their weights.",
         {"FILE"},
         {{"--amount", "", "AMOUNT", "how far, from 0 to 1 (0.5)"},
          {"--steps", "", "N", "how often (1)"},
          {"--max-influences", "", "N", "keep the N strongest influences of a vertex"},
          kMesh,
          kOutput},
         runSmooth},
        {"weights heat",
         "Makes weights anew from where the joints are.",
         "Every joint warms what its bone sees at bind, and the surface conducts. The weights that are there are "
         "replaced.\nJoints that are locked in the file keep theirs, and joints that hold nothing, as roots and "
         "controls, get none.\nA vertex keeps as many influences as the mesh had at most, or four.",
         {"FILE"},
         {{"--strength", "", "C", "sharper borders between joints where greater (1)"},
          {"--max-influences", "", "N", "keep the N strongest influences of a vertex"},
          {"--all-joints", "", "", "let joints that hold nothing take weights too"},
          kMesh,
          kOutput},
         runHeat},
    };
}

} // namespace limber::app
