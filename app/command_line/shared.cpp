#include "app/command_line/command_line.h"
#include "core/check/wording.h"
#include "core/document/weights_intents.h"
#include "core/io/asset_path.h"
#include "core/io/joint_names.h"
#include "core/io/pose_file.h"
#include "core/io/safe_save.h"

#include <algorithm>

namespace limber::app {

namespace {

constexpr std::uintmax_t kMaxPoseBytes = std::uintmax_t(64) << 20;

} // namespace

std::string printable(std::string_view text) {
    static constexpr char kHex[] = "0123456789abcdef";
    std::string out;
    const auto escape = [&](unsigned char c) {
        if (c == '\n' || c == '\r' || c == '\t')
            out += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
        else
            out.append("\\x").append({kHex[c >> 4], kHex[c & 15]});
    };
    for (std::size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        const std::size_t length = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : 4;
        bool whole = (c < 0x80 || c >= 0xc2) && c < 0xf5 && i + length <= text.size();
        for (std::size_t k = 1; whole && k < length; ++k)
            whole = (static_cast<unsigned char>(text[i + k]) & 0xc0) == 0x80;
        const bool control =
            c < 0x20 || c == 0x7f || (whole && c == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0);
        const std::size_t step = whole ? length : 1;
        if (whole && !control)
            out.append(text.substr(i, step));
        else
            for (std::size_t k = 0; k < step; ++k)
                escape(static_cast<unsigned char>(text[i + k]));
        i += step;
    }
    return out;
}

Result<io::LoadedFile> openListed(const std::string& path, const Console& console) {
    auto file = openFile(path);
    if (file)
        for (const io::Repair& r : file->repairs)
            console.say(path + ": " + (r.where.empty() ? "" : r.where + ": ") + r.text + " [" + r.code + "]");
    return file;
}

ExitCode exitCodeFor(const io::LoadedFile& file) {
    const bool mended =
        std::any_of(file.repairs.begin(), file.repairs.end(), [](const io::Repair& r) { return r.count > 0; });
    return mended ? ExitCode::DoneWithRepairs : ExitCode::Done;
}

Status checkOutput(const std::string& path, std::initializer_list<std::string_view> endings,
                   std::initializer_list<std::string> inputs) {
    std::string known;
    for (const std::string_view ending : endings)
        known += (known.empty() ? "" : " or ") + std::string(ending);
    if (path == "-")
        return usageError("Results are written to files only; name one that ends in " + known + ".", "-o -");
    const std::string lower = io::lowerExtension(path);
    if (std::find(endings.begin(), endings.end(), lower) == endings.end())
        return usageError("The output must end in " + known + ".", path);
    for (const std::string& input : inputs)
        if (std::error_code ignored; std::filesystem::equivalent(input, path, ignored))
            return usageError("The output is one of the inputs; name another file.", path);
    return {};
}

Status checkSceneOutput(const std::string& path, std::initializer_list<std::string> inputs) {
    return checkOutput(path, {".glb", ".gltf"}, inputs);
}

Status saveScene(const io::LoadedFile& file, const document::Document& doc, const std::string& path,
                 const Console& console) {
    const auto folder = std::filesystem::absolute(path).parent_path();
    if (std::error_code error; !std::filesystem::is_directory(folder, error))
        return Error{ErrorCode::WriteFailed, "There is no such folder; make it first.", path};
    const auto notes = io::saveGltf(*file.source, doc, path);
    if (!notes)
        return notes.error();
    for (const std::string& note : *notes)
        console.say(path + ": " + note);
    return {};
}

Result<rig::Pose> readPoseFile(const std::string& path, const document::DocumentState& state) {
    const auto bytes = io::readFile(path, kMaxPoseBytes);
    if (!bytes)
        return bytes.error();
    auto pose = io::readPose({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, state);
    if (pose)
        return pose;
    Error error = pose.error();
    error.where = path + (error.where.empty() ? "" : ": " + error.where);
    return error;
}

document::Edit setPose(const document::Document& doc, const rig::Pose& pose) {
    document::PosePatch patch;
    for (std::size_t j = 0; j < pose.size(); ++j) {
        const rig::Affine& before = doc.state().pose[j];
        if (math::identical(before, pose[j]))
            continue;
        patch.joints.emplace_back(j);
        patch.before.push_back(before);
        patch.after.push_back(pose[j]);
    }
    document::Edit edit{"Pose", {}};
    if (!patch.joints.empty())
        edit.patches.emplace_back(std::move(patch));
    return edit;
}

document::Edit limitInfluences(const document::Document& doc, std::size_t most, const Console& console) {
    document::Edit edit = document::limitInfluences(doc, document::allMeshes(doc), most, document::Locks::Ignore);
    for (const document::Patch& patch : edit.patches)
        if (const auto* weights = std::get_if<document::WeightsPatch>(&patch))
            console.say(meshLabel(doc.state(), weights->mesh) + ": " +
                        check::counted(weights->vertices.size(), "vertex", "vertices") + " had more than " +
                        check::counted(most, "influence") + "; the weakest are dropped and the rest normalised.");
    sayRepairsWritten(doc, edit, console);
    return edit;
}

void sayRepairsWritten(const document::Document& doc, const document::Edit& edit, const Console& console) {
    for (const document::Patch& patch : edit.patches) {
        const auto* repairs = std::get_if<document::RepairsPatch>(&patch);
        if (!repairs)
            continue;
        const document::MeshData& mesh = doc.mesh(repairs->mesh);
        console.say(
            meshLabel(doc.state(), repairs->mesh) + ": the weights of " +
            check::counted(mesh.repairedRows.size(), "vertex", "vertices") +
            (mesh.repairedNormals.empty() ? "" : " and the normals of " + std::to_string(mesh.repairedNormals.size())) +
            " are written as they were repaired.");
    }
}

Result<JointId> findJoint(const document::DocumentState& state, const std::string& name) {
    const io::JointNames names(state);
    if (const auto found = names.find(name))
        return *found;
    std::vector<std::size_t> matches;
    for (std::size_t k = 0; k < names.joints().size(); ++k)
        if (state.skeleton[names.joints()[k]].name == name)
            matches.push_back(k);
    if (matches.empty())
        return usageError("There is no such joint; limber info lists them.", '"' + name + '"');
    return usageError("Several joints have this name; use \"#" + std::to_string(matches[0]) + "\" or \"#" +
                          std::to_string(matches[1]) + "\".",
                      '"' + name + '"');
}

std::string jointLabel(const document::DocumentState& state, JointId joint) {
    const rig::Joint& facts = state.skeleton[joint];
    return facts.deforms ? io::JointNames(state).nameOf(joint) : facts.name;
}

std::string meshLabel(const document::DocumentState& state, MeshId mesh) {
    const std::string& name = state.meshes[mesh.index()].geometry.name;
    return name.empty() ? "mesh #" + std::to_string(mesh.index()) : "mesh \"" + name + '"';
}

} // namespace limber::app
