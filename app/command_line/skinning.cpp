#include "app/command_line/commands.h"
#include "app/command_line/posed_scene.h"
#include "core/document/refit_correctives.h"
#include "core/document/skinning_intents.h"
#include "core/io/skinning_names.h"

#include <nlohmann/json.hpp>

#include <ostream>

namespace limber::app {

namespace {

using Json = nlohmann::ordered_json;

// What is to be set; nothing where only the present state is asked for.
struct Request {
    std::optional<skin::Method> method;
    std::optional<bool> mush;
    std::optional<std::uint32_t> iterations;
    std::optional<double> lambda;

    [[nodiscard]] bool sets() const { return method || mush || iterations || lambda; }
    [[nodiscard]] skin::Skinning over(skin::Skinning skinning) const {
        skinning.method = method.value_or(skinning.method);
        skinning.mush.on = mush.value_or(skinning.mush.on);
        skinning.mush.iterations = iterations.value_or(skinning.mush.iterations);
        skinning.mush.lambda = lambda.value_or(skinning.mush.lambda);
        return skinning;
    }
};

Status readMush(const Arguments& arguments, Request& request) {
    if (arguments.has("--mush")) {
        const std::string& word = arguments.value("--mush");
        if (word != "on" && word != "off")
            return usageError("--mush: \"" + word + "\" is not on or off.");
        request.mush = word == "on";
    }
    if (arguments.has("--iterations")) {
        const auto k = parseInteger("--iterations", arguments.value("--iterations"), 1,
                                    static_cast<int>(skin::kMaxMushIterations));
        if (!k)
            return k.error();
        request.iterations = static_cast<std::uint32_t>(*k);
    }
    if (arguments.has("--lambda")) {
        const auto lambda = parseNumber("--lambda", arguments.value("--lambda"));
        if (!lambda)
            return lambda.error();
        if (*lambda < document::kLeastMushLambda || *lambda > 1)
            return usageError("--lambda: \"" + arguments.value("--lambda") + "\" is not a number from 0.01 to 1.");
        request.lambda = *lambda;
    }
    return {};
}

Result<Request> readRequest(const Arguments& arguments) {
    Request request;
    const auto method = methodOption(arguments);
    if (!method)
        return method.error();
    request.method = *method;
    if (const Status s = readMush(arguments, request); !s)
        return s.error();
    if (request.sets() && !arguments.has("--output"))
        return usageError("-o OUT.glb is missing: the file itself is not changed.");
    if (!request.sets() && arguments.has("--output"))
        return usageError("There is nothing to set; give --method, --mush, --iterations or --lambda.");
    return request;
}

// By name (all of that name), or "#2" by place; all where none is asked for.
Result<std::vector<MeshId>> meshesOf(const document::DocumentState& state, const Arguments& arguments) {
    std::vector<MeshId> all, named;
    const std::string name = arguments.has("--mesh") ? arguments.value("--mesh") : std::string();
    for (std::size_t m = 0; m < state.meshes.size(); ++m) {
        all.emplace_back(m);
        if (state.meshes[m].geometry.name == name)
            named.emplace_back(m);
    }
    if (!arguments.has("--mesh"))
        return all;
    for (std::size_t m = 0; named.empty() && m < state.meshes.size(); ++m)
        if (name == "#" + std::to_string(m))
            named.emplace_back(m);
    if (named.empty())
        return usageError("There is no such mesh; limber info lists them.", "--mesh \"" + name + '"');
    return named;
}

Json jsonOf(const document::DocumentState& state, std::span<const MeshId> meshes) {
    Json list = Json::array();
    for (const MeshId id : meshes) {
        const document::MeshData& mesh = state.meshes[id.index()];
        list.push_back({{"mesh", mesh.geometry.name},
                        {"meshIndex", id.index()},
                        {"skinned", document::isSkinned(state, id)},
                        {"method", io::methodWord(mesh.skinning.method)},
                        {"deltaMush",
                         {{"on", mesh.skinning.mush.on},
                          {"iterations", mesh.skinning.mush.iterations},
                          {"lambda", mesh.skinning.mush.lambda}}},
                        {"methodSharePainted", !mesh.map(skin::PaintedMap::MethodShare).empty()},
                        {"mushSharePainted", !mesh.map(skin::PaintedMap::MushShare).empty()}});
    }
    return list;
}

void printMush(const document::MeshData& mesh, std::ostream& out) {
    const skin::DeltaMush& mush = mesh.skinning.mush;
    const skin::DeltaMush usual;
    out << ", delta mush " << (mush.on ? "on" : "off");
    if (mush.on && !mesh.map(skin::PaintedMap::MushShare).empty())
        out << " where painted";
    if (mush.on || mush.iterations != usual.iterations || mush.lambda != usual.lambda)
        out << " (" << mush.iterations << " iterations, lambda " << mush.lambda << (mush.on ? ")" : " once it is on)");
}

void print(const document::DocumentState& state, std::span<const MeshId> meshes, std::ostream& out) {
    for (const MeshId id : meshes) {
        const document::MeshData& mesh = state.meshes[id.index()];
        out << printable(meshLabel(state, id)) << ": ";
        if (!document::isSkinned(state, id)) {
            out << "no skin, follows its joint\n";
            continue;
        }
        out << io::methodWord(mesh.skinning.method);
        if (!mesh.map(skin::PaintedMap::MethodShare).empty())
            out << " where painted";
        printMush(mesh, out);
        out << '\n';
    }
}

// What was sculpted through the former method does not fit the new one.
void tellCorrectives(const document::Document& doc, MeshId mesh, const skin::Skinning& was, const Console& console) {
    const skin::Skinning& is = doc.mesh(mesh).skinning;
    const std::size_t count = document::correctivesOf(doc.mesh(mesh)).size();
    if (count > 0 && (is.method != was.method || is.mush != was.mush))
        console.say(meshLabel(doc.state(), mesh) + ": " + std::to_string(count) +
                    (count == 1 ? " corrective was" : " correctives were") + " made with " +
                    std::string(io::methodWord(was.method)) + (was.mush.on ? " and delta mush" : "") +
                    " and may not fit any more; the window offers to fit them when the method is changed there.");
}

// Meshes without a skin are left as they are.
void set(document::Document& doc, std::span<const MeshId> meshes, const Request& request, const Console& console) {
    for (const MeshId mesh : meshes) {
        if (!document::isSkinned(doc.state(), mesh)) {
            console.say(meshLabel(doc.state(), mesh) +
                        " has no skin and follows its joint as a whole: there is no method to set.");
            continue;
        }
        const skin::Skinning was = doc.mesh(mesh).skinning;
        doc.apply(document::setSkinning(doc, mesh, request.over(was)));
        tellCorrectives(doc, mesh, was, console);
    }
}

Result<ExitCode> run(const Arguments& arguments, const Console& console) {
    const std::string& input = arguments.positional(0);
    const auto request = readRequest(arguments);
    if (!request)
        return request.error();
    if (request->sets())
        if (const Status s = checkSceneOutput(arguments.value("--output"), {input}); !s)
            return s.error();
    const auto file = openListed(input, console);
    if (!file)
        return file.error();
    document::Document doc(file->state);
    const auto meshes = meshesOf(doc.state(), arguments);
    if (!meshes)
        return meshes.error();
    if (request->sets()) {
        set(doc, *meshes, *request, console);
        if (const Status s = saveScene(*file, doc, arguments.value("--output"), console); !s)
            return s.error();
    }
    if (arguments.has("--json"))
        console.out << Json{{"file", input}, {"meshes", jsonOf(doc.state(), *meshes)}}.dump(
                           2, ' ', false, Json::error_handler_t::replace)
                    << '\n';
    else
        print(doc.state(), *meshes, console.out);
    return exitCodeFor(*file);
}

} // namespace

Command skinningCommand() {
    return {
        "skinning",
        "Shows or sets how meshes are skinned.",
        "Without an option that sets something it shows each mesh's method and its last step, delta mush. The file "
        "keeps\n"
        "them for Limber; other programs show linear blend skinning. Meshes without a skin have none and are left as\n"
        "they are.",
        {"FILE"},
        {{"--mesh", "", "NAME", "only meshes of this name; #N names one by its place in limber info"},
         {"--method", "", "METHOD", "linear, dual-quaternion or spherical"},
         {"--mush", "", "on|off", "delta mush as the last step"},
         {"--iterations", "", "K", "of delta mush, 1 to 100"},
         {"--lambda", "", "L", "of one step of delta mush, 0.01 to 1"},
         {"--json", "", "", "one JSON object on standard output"},
         {"--output", "-o", "OUT.glb", "the file to write; needed where something is set"}},
        run};
}

} // namespace limber::app
