#include "app/command_line/commands.h"
#include "app/command_line/posed_scene.h"
#include "core/io/obj_file.h"
#include "core/io/safe_save.h"

#include <optional>

namespace limber::app {

namespace {

constexpr int kMaxInfluences = 1024;

struct Request {
    std::string posePath;
    std::string clip;
    double time = 0;
    std::vector<ShapeOverride> shapes;
    std::size_t maxInfluences = 0; // 0: as they are
    std::optional<skin::Method> method;
};

Result<Request> readRequest(const Arguments& arguments) {
    Request request;
    if (arguments.has("--pose") && arguments.has("--clip"))
        return usageError("--pose and --clip exclude each other.");
    if (arguments.has("--clip") != arguments.has("--time"))
        return usageError("--clip and --time belong together; one of them is missing.");
    if (arguments.has("--pose"))
        request.posePath = arguments.value("--pose");
    if (arguments.has("--clip")) {
        const auto time = parseNumber("--time", arguments.value("--time"));
        if (!time)
            return time.error();
        request.clip = arguments.value("--clip");
        request.time = *time;
    }
    for (const std::string& word : arguments.values("--shape")) {
        auto shape = parseShapeOverride(word);
        if (!shape)
            return shape.error();
        request.shapes.push_back(std::move(shape).value());
    }
    if (arguments.has("--max-influences")) {
        const auto n = parseInteger("--max-influences", arguments.value("--max-influences"), 1, kMaxInfluences);
        if (!n)
            return n.error();
        request.maxInfluences = static_cast<std::size_t>(*n);
    }
    const auto method = methodOption(arguments);
    if (!method)
        return method.error();
    request.method = *method;
    return request;
}

Result<document::DocumentState> posedState(document::DocumentState state, const Request& request,
                                           const Console& console) {
    if (!request.posePath.empty()) {
        auto pose = readPoseFile(request.posePath, state);
        if (!pose)
            return pose.error();
        state.pose = std::move(pose).value();
    }
    if (!request.clip.empty())
        if (const Status s = poseFromClip(state, request.clip, request.time); !s)
            return s.error();
    if (request.maxInfluences > 0) {
        document::Document doc(std::move(state));
        doc.apply(limitInfluences(doc, request.maxInfluences, console));
        state = doc.state();
    }
    for (document::MeshData& mesh : state.meshes)
        mesh.skinning.method = request.method.value_or(mesh.skinning.method);
    return overrideShapes(std::move(state), request.shapes);
}

Result<std::string> objOf(const document::DocumentState& state, const std::string& path) {
    const document::Document doc(state);
    const document::Preview preview;
    document::Evaluator evaluator(doc, preview);
    std::vector<io::ObjObject> objects;
    if (doc.instanceCount() == 0)
        return Error{ErrorCode::Failed, "There is no mesh in this file, so there is no surface to write.", path};
    for (std::size_t i = 0; i < doc.instanceCount(); ++i) {
        const document::Instance& instance = doc.instance(InstanceId(i));
        io::ObjObject object;
        object.name = instance.name.empty() ? "node" + std::to_string(instance.node.index()) : instance.name;
        for (const Eigen::Vector3f& p : evaluator.positions(InstanceId(i))) {
            if (!p.allFinite())
                return Error{ErrorCode::InputRefused,
                             "The posed surface leaves the range of the numbers that files hold.",
                             path + ": \"" + object.name + '"'};
            object.positions.push_back(p.cast<double>());
        }
        object.triangles = doc.mesh(instance.mesh).geometry.triangles;
        objects.push_back(std::move(object));
    }
    return io::writeObj(objects);
}

Result<ExitCode> run(const Arguments& arguments, const Console& console) {
    const auto request = readRequest(arguments);
    if (!request)
        return request.error();
    const std::string& output = arguments.value("--output");
    if (const Status s = checkOutput(output, {".obj"}, {arguments.positional(0), request->posePath}); !s)
        return s.error();
    auto file = openListed(arguments.positional(0), console);
    if (!file)
        return file.error();
    const auto state = posedState(std::move(file->state), *request, console);
    if (!state)
        return state.error();
    const auto obj = objOf(*state, arguments.positional(0));
    if (!obj)
        return obj.error();
    if (const Status s = io::safeSave(output, std::as_bytes(std::span(*obj))); !s)
        return s.error();
    return exitCodeFor(*file);
}

} // namespace

Command deformCommand() {
    return {
        "deform",
        "Writes the posed surface as OBJ.",
        "Without --pose or --clip it is the file's own pose. One object for each node that carries a mesh, in node\n"
        "order, world space, vertices in the file's order. With --pose drivers set the shapes; --shape has the last "
        "word.",
        {"FILE"},
        {{"--pose", "", "POSE.json", "a pose; joints that it does not list go to bind"},
         {"--clip", "", "NAME", "the pose of a clip, at --time; #N names it by its place in limber info"},
         {"--time", "", "SECONDS", "the time in the clip"},
         {"--method", "", "METHOD", "linear, dual-quaternion or spherical; each mesh's own where it is left out"},
         {"--shape", "", "NAME=WEIGHT", "sets a shape's weight; may be repeated", true},
         {"--max-influences", "", "N", "use the N strongest influences of a vertex, normalised"},
         {"--output", "-o", "OUT.obj", "the file to write", false, true}},
        run};
}

} // namespace limber::app
