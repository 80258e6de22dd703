#include "app/command_line/commands.h"
#include "core/io/joint_names.h"
#include "core/io/skinning_names.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <ostream>

namespace limber::app {

namespace {

using Json = nlohmann::ordered_json;

// Floats of a normalised row differ from one by rounding only.
constexpr double kSumTolerance = 1e-4;

struct WeightFacts {
    std::size_t maxInfluences = 0, unweighted = 0, unnormalised = 0;
};

WeightFacts weightFacts(const skin::SkinWeights& weights) {
    WeightFacts facts;
    for (std::size_t v = 0; v < weights.vertexCount(); ++v) {
        std::size_t influences = 0;
        double sum = 0;
        for (const skin::Influence& i : weights.row(v)) {
            influences += i.weight > 0 ? 1 : 0;
            sum += i.weight;
        }
        facts.maxInfluences = std::max(facts.maxInfluences, influences);
        if (influences == 0)
            ++facts.unweighted;
        else if (std::abs(sum - 1) > kSumTolerance)
            ++facts.unnormalised;
    }
    return facts;
}

// For each joint of the list, its place; other joints have -1.
std::vector<int> placesOf(const std::vector<JointId>& joints, std::size_t count) {
    std::vector<int> places(count, -1);
    for (std::size_t k = 0; k < joints.size(); ++k)
        places[joints[k].index()] = static_cast<int>(k);
    return places;
}

Json jointList(const document::DocumentState& state, const std::vector<JointId>& joints,
               const std::vector<int>& places) {
    Json list = Json::array();
    for (const JointId j : joints) {
        JointId parent = state.skeleton[j].parent;
        while (parent.valid() && places[parent.index()] < 0)
            parent = state.skeleton[parent].parent;
        list.push_back({{"name", state.skeleton[j].name}, {"parent", parent.valid() ? places[parent.index()] : -1}});
    }
    return list;
}

// Vertices of a mesh whose weights the reader had to normalise.
std::size_t normalisedOnLoad(const std::vector<io::Repair>& repairs, std::size_t mesh, const std::string& name) {
    const std::string place = "meshes[" + std::to_string(mesh) + "]";
    std::size_t count = 0;
    for (const io::Repair& r : repairs) {
        const bool inFile = r.code == "ACCESSOR_WEIGHTS_NON_NORMALIZED" && r.where.starts_with(place);
        const bool imported = r.code == "IMPORT_WEIGHTS_NORMALISED" && r.where == "mesh \"" + name + '"';
        count += inFile || imported ? r.count : 0;
    }
    return count;
}

Json meshList(const io::LoadedFile& file) {
    const document::DocumentState& state = file.state;
    Json list = Json::array();
    for (std::size_t m = 0; m < state.meshes.size(); ++m) {
        const document::MeshData& mesh = state.meshes[m];
        const WeightFacts facts = weightFacts(mesh.weights);
        const std::size_t mended = normalisedOnLoad(file.repairs, m, mesh.geometry.name);
        Json shapes = Json::array();
        for (const shape::Shape& s : mesh.shapes)
            shapes.push_back(s.name);
        list.push_back({{"name", mesh.geometry.name},
                        {"vertices", mesh.geometry.vertexCount()},
                        {"triangles", mesh.geometry.triangleCount()},
                        {"maxInfluences", facts.maxInfluences},
                        {"shapes", std::move(shapes)},
                        {"unweighted", facts.unweighted},
                        {"unnormalised", facts.unnormalised + mended}});
        if (mesh.skinning.method != skin::Method::Linear)
            list.back()["method"] = io::methodWord(mesh.skinning.method);
        if (mesh.skinning.mush.on)
            list.back()["deltaMush"] = {{"iterations", mesh.skinning.mush.iterations},
                                        {"lambda", mesh.skinning.mush.lambda}};
    }
    return list;
}

Json facts(const std::string& path, const io::LoadedFile& file) {
    const document::DocumentState& state = file.state;
    const std::vector<JointId> joints = io::skinJoints(state);
    const std::vector<int> places = placesOf(joints, state.skeleton.size());
    Json json = {{"file", path}, {"format", file.format}, {"generator", file.generator}};
    json["meshes"] = meshList(file);
    json["joints"] = jointList(state, joints, places);
    json["skins"] = Json::array();
    for (const document::Skin& skin : state.skins) {
        Json list = Json::array();
        for (const JointId j : skin.joints)
            list.push_back(places[j.index()]);
        json["skins"].push_back({{"joints", std::move(list)}});
    }
    json["clips"] = Json::array();
    for (const rig::Clip& clip : state.clips)
        json["clips"].push_back({{"name", clip.name}, {"duration", clip.duration}});
    json["repairs"] = Json::array();
    for (const io::Repair& r : file.repairs)
        if (r.count > 0)
            json["repairs"].push_back({{"code", r.code}, {"where", r.where}, {"text", r.text}});
    return json;
}

std::string shownName(const Json& item) {
    const auto name = item["name"].get<std::string>();
    return name.empty() ? "(no name)" : printable(name);
}

void printMeshes(const Json& meshes, std::ostream& out) {
    for (const Json& m : meshes) {
        out << "  " << shownName(m) << ": " << m["vertices"] << " vertices, " << m["triangles"] << " triangles";
        if (m["maxInfluences"] > 0)
            out << ", up to " << m["maxInfluences"] << " influences";
        if (m["maxInfluences"] > 0 && m["unweighted"] > 0)
            out << ", " << m["unweighted"] << " without weights";
        if (m["unnormalised"] > 0)
            out << ", " << m["unnormalised"] << " whose weights do not sum to one";
        if (m.contains("method"))
            out << ", " << m["method"].get<std::string>() << " skinning";
        if (m.contains("deltaMush"))
            out << ", delta mush";
        out << '\n';
        for (const Json& s : m["shapes"])
            out << "    shape " << (s.get<std::string>().empty() ? "(no name)" : printable(s.get<std::string>()))
                << '\n';
    }
}

// Joints as an indented tree; a parent stands before its children only by chance, so by recursion over lists.
void printJoints(const Json& joints, std::ostream& out) {
    std::vector<std::vector<std::size_t>> children(joints.size());
    std::vector<std::pair<std::size_t, std::size_t>> open; // joint, depth
    for (std::size_t k = joints.size(); k-- > 0;) {
        const int parent = joints[k]["parent"];
        if (parent < 0)
            open.emplace_back(k, 0);
        else
            children[static_cast<std::size_t>(parent)].push_back(k);
    }
    while (!open.empty()) {
        const auto [k, depth] = open.back();
        open.pop_back();
        out << "  " << std::string(2 * std::min<std::size_t>(depth, 40), ' ') << shownName(joints[k]) << "  #" << k
            << '\n';
        for (const std::size_t c : children[k])
            open.emplace_back(c, depth + 1);
    }
}

void print(const Json& json, std::ostream& out) {
    out << printable(json["file"].get<std::string>()) << ": " << printable(json["format"].get<std::string>());
    if (const auto generator = json["generator"].get<std::string>(); !generator.empty())
        out << ", made by " << printable(generator);
    out << "\nMeshes: " << json["meshes"].size() << '\n';
    printMeshes(json["meshes"], out);
    out << "Joints: " << json["joints"].size() << " in " << json["skins"].size()
        << (json["skins"].size() == 1 ? " skin\n" : " skins\n");
    printJoints(json["joints"], out);
    out << "Clips: " << json["clips"].size() << '\n';
    for (std::size_t k = 0; k < json["clips"].size(); ++k) {
        const Json& c = json["clips"][k];
        out << "  " << shownName(c) << ": " << c["duration"].get<float>() << " s  #" << k << '\n';
    }
    if (!json["repairs"].empty())
        out << "Repairs: " << json["repairs"].size() << '\n';
    for (const Json& r : json["repairs"]) {
        const auto where = r["where"].get<std::string>();
        out << "  "
            << printable((where.empty() ? "" : where + ": ") + r["text"].get<std::string>() + " [" +
                         r["code"].get<std::string>() + "]")
            << '\n';
    }
}

Result<ExitCode> run(const Arguments& arguments, const Console& console) {
    const std::string& path = arguments.positional(0);
    const auto file = openListed(path, console);
    if (!file)
        return file.error();
    const Json json = facts(path, *file);
    if (arguments.has("--json"))
        console.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    else
        print(json, console.out);
    return exitCodeFor(*file);
}

} // namespace

Command infoCommand() {
    return {"info",
            "Shows what a file holds.",
            "Joints are the nodes that a skin names. In JSON, \"parent\" and the joints of a skin are places in the "
            "list of\n"
            "joints; a parent is the nearest ancestor in that list, or -1.",
            {"FILE"},
            {{"--json", "", "", "one JSON object on standard output"}},
            run};
}

} // namespace limber::app
