#include "tests/support/saved_check.h"

#include "core/io/gltf_limber_extras.h"
#include "core/io/gltf_tree.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace limber::test {

namespace {

using document::Document;
using document::DocumentState;
using document::MeshData;

constexpr float kByte = 1 / 255.0f; // the coarsest step that weights are rounded to

bool sameRow(std::span<const skin::Influence> a, std::span<const skin::Influence> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool sameRows(const skin::SkinWeights& a, const skin::SkinWeights& b, float tolerance) {
    if (a.vertexCount() != b.vertexCount())
        return false;
    for (std::size_t v = 0; v < a.vertexCount(); ++v) {
        if (a.row(v).empty())
            continue; // a file cannot say so
        for (const skin::Influence& i : a.row(v))
            if (std::abs(i.weight - b.weight(v, i.slot)) > tolerance)
                return false;
        for (const skin::Influence& i : b.row(v))
            if (std::abs(i.weight - a.weight(v, i.slot)) > tolerance)
                return false;
    }
    return true;
}

// Of the offsets that are not zero: a file has zeros for all the others.
bool sameOffsets(const shape::Shape& a, const shape::Shape& b, std::size_t vertices, float tolerance) {
    for (std::uint32_t v = 0; v < vertices; ++v)
        if ((a.delta(v) - b.delta(v)).norm() > tolerance * (1 + a.delta(v).norm()))
            return false;
    return true;
}

bool sameShapeList(const MeshData& a, const MeshData& b) {
    return std::equal(a.shapes.begin(), a.shapes.end(), b.shapes.begin(), b.shapes.end(),
                      [](const auto& x, const auto& y) { return x.id == y.id; });
}

// Limber's own state of a mesh, its shapes' names included.
bool sameState(const MeshData& a, const MeshData& b) {
    if (!sameShapeList(a, b) || io::meshExtras(a) != io::meshExtras(b))
        return false;
    for (std::size_t s = 0; s < a.shapes.size(); ++s)
        if (a.shapes[s].name != b.shapes[s].name)
            return false;
    return true;
}

bool sameTargets(const MeshData& a, const MeshData& b) {
    if (!sameShapeList(a, b))
        return false;
    for (std::size_t s = 0; s < a.shapes.size(); ++s)
        if (a.shapes[s].vertices != b.shapes[s].vertices || a.shapes[s].deltas != b.shapes[s].deltas ||
            a.shapes[s].normalDeltas != b.shapes[s].normalDeltas)
            return false;
    return true;
}

bool isDraco(const Json& primitive) {
    return primitive.contains("extensions") && primitive["extensions"].contains("KHR_draco_mesh_compression");
}

// Compares two trees, edited parts left out.
class TreeCheck {
public:
    TreeCheck(const io::LoadedFile& source, const io::LoadedFile& saved, const Touched& touched)
        : a_(source.source->json()), b_(saved.source->json()), readA_(*source.source), readB_(*saved.source),
          touched_(touched) {}

    std::string run() {
        for (const char* list : {"nodes", "meshes", "skins", "accessors", "bufferViews", "buffers"})
            if (sizeOf(b_, list) < sizeOf(a_, list))
                return std::string(list) + " were removed";
        nodes();
        meshes();
        skins();
        animations();
        accessors();
        Json a = a_, b = b_;
        for (const char* key : {"nodes", "meshes", "skins", "animations", "accessors", "bufferViews", "buffers"}) {
            a.erase(key);
            b.erase(key);
        }
        if (draco_)
            for (const char* key : {"extensionsUsed", "extensionsRequired"}) {
                a.erase(key);
                b.erase(key);
            }
        if (b.contains("scenes"))
            for (Json& scene : b["scenes"])
                withoutAdded(scene, "nodes");
        if (!touched_.skins.empty())
            for (Json* root : {&a, &b})
                for (Json& scene : (*root)["scenes"])
                    sortNodes(scene, "nodes");
        // A .glb takes in what lay beside it.
        if (a.contains("images") && b.contains("images"))
            for (std::size_t i = 0; i < a["images"].size(); ++i)
                if (a["images"][i].contains("uri") && b["images"][i].contains("bufferView"))
                    b["images"][i] = a["images"][i];
        compare(a, b, {}, "the rest of the tree");
        return fault_;
    }

private:
    static std::size_t sizeOf(const Json& root, const char* key) { return root.contains(key) ? root[key].size() : 0; }

    void say(const std::string& what) {
        if (fault_.empty())
            fault_ = what + " changed";
    }

    void compare(Json a, Json b, std::initializer_list<const char*> masked, const std::string& what) {
        for (const char* key : masked) {
            a.erase(key);
            b.erase(key);
        }
        if (a == b)
            return;
        for (const auto& [key, value] : a.items())
            if (b.contains(key) && b[key] == value)
                b.erase(key);
        say(what + ": " + b.dump().substr(0, 200));
    }

    void nodes() {
        for (std::size_t n = 0; n < sizeOf(a_, "nodes"); ++n) {
            Json a = a_["nodes"][n], b = b_["nodes"][n];
            const auto mask = [&](const char* key) {
                a.erase(key);
                b.erase(key);
            };
            if (touched_.posed.contains(n) || helperOfPosed(n)) {
                for (const char* key : {"translation", "rotation", "scale", "matrix", "extras"})
                    mask(key);
            }
            withoutAdded(b, "children");
            if (touched_.named.contains(n))
                mask("name");
            if (touched_.nodeExtras.contains(n))
                mask("extras");
            // Drivers follow the pose: so do the effective weights of their shapes.
            if (a.contains("mesh") && (touched_.anyPose || touched_.meshState.contains(a["mesh"].get<std::size_t>()))) {
                mask("weights");
                mask("extras");
            }
            compare(a, b, {}, "nodes[" + std::to_string(n) + "]");
        }
    }

    bool helperOfPosed(std::size_t n) const {
        const Json* extras = io::limberExtras(a_["nodes"][n]);
        return touched_.anyPose && extras && extras->contains("shear");
    }

    // Nodes that a save adds stand above others: a sheared joint's helper, or a common root for a skin's joints. They
    // are seen as if they were not there.
    void withoutAdded(Json& owner, const char* key) const {
        if (!owner.contains(key))
            return;
        Json kept = Json::array();
        for (const Json& node : owner[key])
            addOriginals(node, kept);
        owner[key] = std::move(kept);
    }
    void addOriginals(const Json& node, Json& kept) const {
        if (node.get<std::size_t>() < sizeOf(a_, "nodes"))
            kept.push_back(node);
        else
            for (const Json& child : b_["nodes"][node.get<std::size_t>()]["children"])
                addOriginals(child, kept);
    }
    // The same nodes in any order.
    static void sortNodes(Json& owner, const char* key) {
        if (owner.contains(key))
            std::sort(owner[key].begin(), owner[key].end());
    }

    void meshes() {
        for (std::size_t m = 0; m < sizeOf(a_, "meshes"); ++m) {
            const Json &a = a_["meshes"][m], &b = b_["meshes"][m];
            const std::string where = "meshes[" + std::to_string(m) + "]";
            const bool state = touched_.meshState.contains(m) || touched_.anyPose;
            state || touched_.targets.contains(m) ? compare(a, b, {"primitives", "weights", "extras"}, where)
                                                  : compare(a, b, {"primitives"}, where);
            if (a["primitives"].size() != b["primitives"].size())
                return say(where + ".primitives");
            for (std::size_t p = 0; p < a["primitives"].size(); ++p)
                primitive(m, a["primitives"][p], b["primitives"][p], where);
        }
    }

    void primitive(std::size_t m, Json a, Json b, const std::string& where) {
        if (isDraco(a) && !isDraco(b)) {
            draco_ = true;
            return; // all of it was unpacked
        }
        std::vector<std::string> edited;
        for (const auto& [semantic, accessor] : a["attributes"].items())
            if ((touched_.weights.contains(m) &&
                 (semantic.starts_with("JOINTS_") || semantic.starts_with("WEIGHTS_"))) ||
                (touched_.normals.contains(m) && semantic == "NORMAL"))
                edited.push_back(semantic);
            else
                untouched_.insert(accessor.get<std::size_t>());
        for (const std::string& semantic : edited)
            a["attributes"].erase(semantic);
        const Json attributes = b["attributes"];
        for (const auto& [semantic, accessor] : attributes.items())
            if (!a["attributes"].contains(semantic) && (touched_.weights.contains(m) || touched_.normals.contains(m)))
                b["attributes"].erase(semantic);
        if (a.contains("indices"))
            untouched_.insert(a["indices"].get<std::size_t>());
        for (const Json& target : a.value("targets", Json::array()))
            for (const auto& [semantic, accessor] : target.items())
                if (!touched_.targets.contains(m))
                    untouched_.insert(accessor.get<std::size_t>());
        touched_.targets.contains(m) ? compare(a, b, {"targets"}, where) : compare(a, b, {}, where);
    }

    void skins() {
        for (std::size_t s = 0; s < sizeOf(a_, "skins"); ++s) {
            const Json &a = a_["skins"][s], &b = b_["skins"][s];
            const std::string where = "skins[" + std::to_string(s) + "]";
            if (!touched_.skins.contains(s)) {
                // What the nodes alone would let a reader find otherwise is noted in the extras.
                compare(a, b, {"extras"}, where);
                if (a.contains("inverseBindMatrices"))
                    untouched_.insert(a["inverseBindMatrices"].get<std::size_t>());
                continue;
            }
            compare(a, b, {"joints", "inverseBindMatrices", "extras", "skeleton"}, where);
            if (!std::equal(a["joints"].begin(), a["joints"].end(), b["joints"].begin()))
                say(where + ".joints");
        }
    }

    bool followsColumns(const Json& channel) const {
        const Json& target = channel["target"];
        if (!target.contains("node") || target["path"] != "weights")
            return false;
        const Json& node = a_["nodes"][target["node"].get<std::size_t>()];
        return node.contains("mesh") && touched_.columns.contains(node["mesh"].get<std::size_t>());
    }

    void animations() {
        if (!a_.contains("animations"))
            return;
        if (!b_.contains("animations") || b_["animations"].size() != a_["animations"].size()) {
            if (touched_.columns.empty())
                say("the number of animations");
            return; // clips of nothing but removed shapes
        }
        for (std::size_t k = 0; k < a_["animations"].size(); ++k) {
            const Json &a = a_["animations"][k], &b = b_["animations"][k];
            const bool follows = std::any_of(a["channels"].begin(), a["channels"].end(),
                                             [this](const Json& channel) { return followsColumns(channel); });
            const std::string where = "animations[" + std::to_string(k) + "]";
            follows ? compare(a, b, {"channels", "samplers"}, where) : compare(a, b, {}, where);
            std::set<std::size_t> columns;
            for (const Json& channel : a["channels"])
                if (followsColumns(channel))
                    columns.insert(channel["sampler"].get<std::size_t>());
            for (std::size_t s = 0; s < a["samplers"].size(); ++s) {
                untouched_.insert(a["samplers"][s]["input"].get<std::size_t>());
                if (!columns.contains(s))
                    untouched_.insert(a["samplers"][s]["output"].get<std::size_t>());
            }
        }
    }

    // Those that something untouched uses, and views that were there.
    void accessors() {
        for (std::size_t v = 0; v < sizeOf(a_, "bufferViews"); ++v)
            compare(a_["bufferViews"][v], b_["bufferViews"][v], {}, "bufferViews[" + std::to_string(v) + "]");
        for (const std::size_t k : untouched_) {
            const std::string where = "accessors[" + std::to_string(k) + "]";
            compare(a_["accessors"][k], b_["accessors"][k], {}, where);
            const io::AccessorInfo& info = readA_.info(k);
            if (readA_.floats(k, info.components, io::NonFinite::Keep) !=
                readB_.floats(k, info.components, io::NonFinite::Keep))
                say("the data of " + where);
        }
    }

    const Json &a_, &b_;
    io::AccessorReader readA_, readB_;
    const Touched& touched_;
    std::set<std::size_t> untouched_; // accessors
    bool draco_ = false;
    std::string fault_;
};

double diagonal(const DocumentState& state) {
    const Document doc(state);
    const document::Preview nothing;
    document::Evaluator evaluator(doc, nothing);
    return evaluator.bounds().isEmpty() ? 1 : evaluator.bounds().diagonal().norm();
}

bool anyIntegerRounding(const DocumentState& doc, const DocumentState& back) {
    for (std::size_t m = 0; m < doc.meshes.size(); ++m)
        if (!sameRows(doc.meshes[m].weights, back.meshes[m].weights, 1e-5f))
            return true;
    return false;
}

} // namespace

Touched::Touched(const DocumentState& before, const DocumentState& after) {
    for (std::size_t j = 0; j < after.skeleton.size(); ++j) {
        if (!math::identical(before.pose[j], after.pose[j]))
            posed.insert(j);
        if (before.skeleton[JointId(j)].name != after.skeleton[JointId(j)].name)
            named.insert(j);
        if (before.locked[j] != after.locked[j])
            nodeExtras.insert(j);
    }
    for (std::size_t m = 0; m < after.meshes.size(); ++m) {
        const MeshData &a = before.meshes[m], &b = after.meshes[m];
        bool rows = a.writesRepairedRows != b.writesRepairedRows;
        for (std::size_t v = 0; v < b.weights.vertexCount() && !rows; ++v)
            rows = !sameRow(a.weights.row(v), b.weights.row(v));
        if (rows)
            weights.insert(m);
        if (a.geometry.normals != b.geometry.normals)
            normals.insert(m);
        if (!sameTargets(a, b))
            targets.insert(m);
        if (!sameShapeList(a, b))
            columns.insert(m);
        if (!sameState(a, b))
            meshState.insert(m);
    }
    for (std::size_t i = 0; i < after.instances.size(); ++i)
        if (before.instances[i].shapeWeights != after.instances[i].shapeWeights)
            meshState.insert(after.instances[i].mesh.index());
    for (std::size_t s = 0; s < after.skins.size(); ++s)
        if (before.skins[s].joints.size() != after.skins[s].joints.size())
            skins.insert(s);
    anyPose = !posed.empty();
}

std::string changedBesides(const io::LoadedFile& source, const io::LoadedFile& saved, const Touched& touched) {
    return TreeCheck(source, saved, touched).run();
}

std::string lostInFile(const DocumentState& a, const DocumentState& b) {
    if (a.pose.size() > b.pose.size())
        return "joints";
    for (std::size_t j = 0; j < a.pose.size(); ++j) {
        const double size = std::max(1.0, a.pose[j].matrix().cwiseAbs().maxCoeff());
        if (math::distance(a.pose[j], b.pose[j]) > 1e-4 * size)
            return "the pose of joint " + std::to_string(j) + ", by " +
                   std::to_string(math::distance(a.pose[j], b.pose[j]));
        if (a.locked[j] != b.locked[j])
            return "the lock of joint " + std::to_string(j);
        if (a.skeleton[JointId(j)].name != b.skeleton[JointId(j)].name)
            return "the name of joint " + std::to_string(j);
    }
    for (std::size_t m = 0; m < a.meshes.size(); ++m) {
        const MeshData &x = a.meshes[m], &y = b.meshes[m];
        if (!sameRows(x.weights, y.weights, kByte))
            return "weights of mesh " + std::to_string(m);
        for (std::size_t v = 0; v < x.geometry.vertexCount(); ++v)
            if ((x.geometry.normals[v] - y.geometry.normals[v]).norm() > 1e-5f)
                return "normals of mesh " + std::to_string(m);
        if (x.shapes.size() != y.shapes.size() || x.drivers.size() != y.drivers.size())
            return "the number of shapes or drivers of mesh " + std::to_string(m);
        for (std::size_t s = 0; s < x.shapes.size(); ++s)
            if (x.shapes[s].name != y.shapes[s].name || x.shapes[s].muted != y.shapes[s].muted ||
                !sameOffsets(x.shapes[s], y.shapes[s], x.geometry.vertexCount(), 1e-6f))
                return "shape " + std::to_string(s) + " of mesh " + std::to_string(m);
    }
    for (std::size_t i = 0; i < a.instances.size(); ++i)
        if (a.instances[i].shapeWeights != b.instances[i].shapeWeights)
            return "the sliders of instance " + std::to_string(i);
    for (std::size_t s = 0; s < a.skins.size(); ++s)
        if (a.skins[s].joints != b.skins[s].joints)
            return "the joints of skin " + std::to_string(s);
    return {};
}

std::string surfaceMoved(const DocumentState& a, const DocumentState& b) {
    const Document docA(a), docB(b);
    const document::Preview nothing;
    document::Evaluator evaluatorA(docA, nothing), evaluatorB(docB, nothing);
    const double allowed = (anyIntegerRounding(a, b) ? 2e-2 : 1e-4) * diagonal(a);
    for (std::size_t i = 0; i < docA.instanceCount(); ++i) {
        const auto pa = evaluatorA.positions(InstanceId(i)), pb = evaluatorB.positions(InstanceId(i));
        const auto& weights = docA.mesh(docA.instance(InstanceId(i)).mesh).weights;
        for (std::size_t v = 0; v < pa.size(); ++v) {
            if (docA.isSkinned(InstanceId(i)) && weights.row(v).empty())
                continue;
            if (const double d = (pa[v] - pb[v]).cast<double>().norm(); !(d <= allowed))
                return "instance " + std::to_string(i) + ", vertex " + std::to_string(v) + " moved by " +
                       std::to_string(d);
        }
    }
    return {};
}

} // namespace limber::test
