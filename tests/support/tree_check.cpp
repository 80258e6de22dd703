#include "core/io/gltf_limber_extras.h"
#include "core/io/gltf_tree.h"
#include "tests/support/saved_check.h"

#include <algorithm>
#include <cstring>

namespace limber::test {

namespace {

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
        addedViews();
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
                (touched_.normals.contains(m) && semantic == "NORMAL") ||
                (touched_.maps.contains(m) && semantic.starts_with("_LIMBER_")))
                edited.push_back(semantic);
            else
                untouched_.insert(accessor.get<std::size_t>());
        for (const std::string& semantic : edited)
            a["attributes"].erase(semantic);
        const Json attributes = b["attributes"];
        for (const auto& [semantic, accessor] : attributes.items())
            if (!a["attributes"].contains(semantic) &&
                (touched_.weights.contains(m) || touched_.normals.contains(m) || touched_.maps.contains(m)))
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

    // A save adds no data that nothing uses.
    void addedViews() {
        std::set<std::size_t> used;
        const auto use = [&](const Json& owner) {
            if (owner.contains("bufferView"))
                used.insert(owner["bufferView"].get<std::size_t>());
        };
        for (const char* list : {"accessors", "images"})
            for (const Json& owner : b_.value(list, Json::array()))
                use(owner);
        for (std::size_t v = sizeOf(a_, "bufferViews"); v < sizeOf(b_, "bufferViews"); ++v)
            if (!used.contains(v))
                say("bufferViews[" + std::to_string(v) + "] of nothing: the size");
    }

    // Those that something untouched uses, and views that were there.
    void accessors() {
        for (std::size_t v = 0; v < sizeOf(a_, "bufferViews"); ++v)
            compare(a_["bufferViews"][v], b_["bufferViews"][v], {}, "bufferViews[" + std::to_string(v) + "]");
        for (const std::size_t k : untouched_) {
            const std::string where = "accessors[" + std::to_string(k) + "]";
            compare(a_["accessors"][k], b_["accessors"][k], {}, where);
            const io::AccessorInfo& info = readA_.info(k);
            const std::vector<float> was = readA_.floats(k, info.components, io::NonFinite::Keep);
            const std::vector<float> is = readB_.floats(k, info.components, io::NonFinite::Keep);
            if (was.size() != is.size() || std::memcmp(was.data(), is.data(), was.size() * sizeof(float)) != 0)
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

} // namespace

std::string changedBesides(const io::LoadedFile& source, const io::LoadedFile& saved, const Touched& touched) {
    return TreeCheck(source, saved, touched).run();
}

} // namespace limber::test
