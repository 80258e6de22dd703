#include "core/io/gltf_checks.h"

#include <set>
#include <string_view>

namespace limber::io {

namespace {

// What an attribute's name means. `base` is empty for the names of applications ("_HEAT").
struct Semantic {
    std::string base;
    std::size_t set = 0; // n of TEXCOORD_n
};

std::optional<Semantic> parseSemantic(const std::string& name) {
    if (name.starts_with('_'))
        return Semantic{};
    for (const char* base : {"POSITION", "NORMAL", "TANGENT"})
        if (name == base)
            return Semantic{name, 0};
    const std::size_t line = name.find('_');
    const std::string digits = line == std::string::npos ? "" : name.substr(line + 1);
    const bool whole = !digits.empty() && digits.size() < 6 &&
                       digits.find_first_not_of("0123456789") == std::string::npos &&
                       (digits.size() == 1 || digits[0] != '0');
    if (whole)
        for (const std::string_view base : {"TEXCOORD", "COLOR", "JOINTS", "WEIGHTS"})
            if (name.substr(0, line) == base)
                return Semantic{std::string(base), std::stoul(digits)};
    return std::nullopt;
}

// Section 3.7.2.1 of the specification, and KHR_mesh_quantization where the file uses it.
bool isAllowedFormat(const Semantic& semantic, const AccessorInfo& info, bool quantized, bool inTarget) {
    using enum ComponentType;
    const std::string& base = semantic.base;
    const bool isFloat = info.type == F32;
    const bool isSigned = info.type == I8 || info.type == I16;
    const bool isShort = info.type == U8 || info.type == U16;
    if (base == "JOINTS")
        return info.components == 4 && isShort && !info.normalized;
    if (base == "WEIGHTS")
        return info.components == 4 && (isFloat || (isShort && info.normalized));
    if (base == "COLOR")
        return (info.components == 3 || info.components == 4) &&
               (isFloat || (isShort && info.normalized) || (inTarget && isSigned && info.normalized));
    if (base == "TEXCOORD")
        return info.components == 2 && (isFloat || (isShort && info.normalized) || (quantized && info.type != U32) ||
                                        (inTarget && isSigned && info.normalized));
    if (base == "POSITION")
        return info.components == 3 && (isFloat || (quantized && (inTarget ? isSigned : info.type != U32)));
    return info.components == (base == "TANGENT" && !inTarget ? 4u : 3u) &&
           (isFloat || (quantized && isSigned && (info.normalized || inTarget)));
}

class MeshCheck {
public:
    MeshCheck(ReadContext& context, FaultList& faults) : context_(context), json_(context.json), faults_(faults) {
        for (const char* key : {"extensionsUsed", "extensionsRequired"})
            for (const Json& name : list(json_, key, key))
                quantized_ |= name == "KHR_mesh_quantization";
    }

    void run() {
        const Json& meshes = list(json_, "meshes", "meshes");
        for (std::size_t m = 0; m < meshes.size(); ++m) {
            const std::string where = place("meshes", m);
            checkWeights(meshes[m], m, "MESH_INVALID_WEIGHTS_COUNT", where);
            const Json& primitives = list(meshes[m], "primitives", where);
            for (std::size_t p = 0; p < primitives.size(); ++p)
                checkPrimitive(primitives[p], where + "." + place("primitives", p));
        }
        const Json& nodes = list(json_, "nodes", "nodes");
        for (std::size_t n = 0; n < nodes.size(); ++n)
            if (const auto mesh = context_.nodes[n].mesh)
                checkWeights(nodes[n], *mesh, "NODE_WEIGHTS_INVALID", place("nodes", n));
        noteOtherUses();
        for (const auto& [view, uses] : uses_)
            if (uses.size() > 1)
                faults_.add("BUFFER_VIEW_TARGET_OVERRIDE", place("bufferViews", view),
                            "The view is used otherwise than for what it says, or for several things.");
        for (const auto& [view, users] : sharedViews_)
            if (users.size() > 1)
                faults_.add("MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE", place("bufferViews", view),
                            "Several attributes share the view, but it has no stride.");
    }

private:
    enum class Use { Vertices, Indices, Other };

    void checkWeights(const Json& owner, std::size_t mesh, const char* code, const std::string& where) {
        const Json* weights = member(owner, "weights");
        const std::size_t count = context_.targetCounts[mesh];
        if (weights && weights->is_array() && weights->size() != count)
            faults_.add(code, where + ".weights",
                        std::to_string(weights->size()) + " weights for " + std::to_string(count) +
                            " shapes; those missing are zero.");
    }

    void checkPrimitive(const Json& primitive, const std::string& where) {
        const Json& attributes = primitive["attributes"];
        std::map<std::string, std::set<std::size_t>> sets;
        for (const auto& [name, value] : attributes.items()) {
            const std::string here = where + ".attributes." + name;
            const std::optional<Semantic> semantic = parseSemantic(name);
            if (!semantic) {
                faults_.add("MESH_PRIMITIVE_INVALID_ATTRIBUTE", here, "No attribute has this name; it was not used.");
                continue;
            }
            if (!semantic->base.empty())
                sets[semantic->base].insert(semantic->set);
            checkAttribute(value, *semantic, false, here);
        }
        for (const auto& [base, numbers] : sets)
            if (*numbers.rbegin() + 1 != numbers.size())
                faults_.add("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", where + ".attributes",
                            "The sets of " + base + " are not numbered from zero without a gap.");
        checkIndices(primitive, where);
        checkTexCoords(primitive, sets["TEXCOORD"].size(), where);
        const Json& targets = list(primitive, "targets", where);
        for (std::size_t t = 0; t < targets.size(); ++t)
            for (const auto& [name, value] : targets[t].items())
                checkTarget(attributes, name, value, where + "." + place("targets", t) + "." + name);
    }

    void checkTarget(const Json& attributes, const std::string& name, const Json& value, const std::string& where) {
        const std::optional<Semantic> semantic = parseSemantic(name);
        if (!member(attributes, name.c_str()))
            faults_.add("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", where,
                        "The target changes an attribute that the primitive lacks.");
        else if (!semantic || semantic->base == "JOINTS" || semantic->base == "WEIGHTS")
            faults_.add("MESH_PRIMITIVE_INVALID_ATTRIBUTE", where, "No target has this attribute; it was not used.");
        if (semantic)
            checkAttribute(value, *semantic, true, where);
    }

    // Null where it cannot be read: what reads it refuses the file, and what nothing reads checkData lists.
    const AccessorInfo* infoOf(const Json& value, const std::string& where) {
        std::size_t accessor = 0;
        try {
            accessor = indexValue(value, context_.accessors.count(), where);
        } catch (const Refusal& refusal) {
            faults_.add(refusal.code, where, refusal.reason + " It was not used.");
            return nullptr;
        }
        try {
            return &context_.accessors.info(accessor);
        } catch (const Refusal&) {
            return nullptr;
        }
    }

    void checkAttribute(const Json& value, const Semantic& semantic, bool inTarget, const std::string& where) {
        const AccessorInfo* info = infoOf(value, where);
        if (!info)
            return;
        if (info->type == ComponentType::U32)
            faults_.add("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT", where,
                        "Only indices can be of 32-bit whole numbers.");
        else if (!semantic.base.empty() && !isAllowedFormat(semantic, *info, quantized_, inTarget))
            faults_.add("MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT", where,
                        "The attribute is not kept in a way that the specification allows.");
        const Json& accessor = json_["accessors"][value.get<std::size_t>()];
        if (semantic.base == "POSITION" && (!member(accessor, "min") || !member(accessor, "max")))
            faults_.add("MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS", where,
                        "The least and greatest values of positions are missing.");
        if (info->view)
            checkPlace(*info, value.get<std::size_t>(), where);
    }

    void noteUse(std::size_t view, Use use) {
        std::set<Use>& uses = uses_[view];
        if (const Json* target = member(json_["bufferViews"][view], "target"); uses.empty() && target)
            uses.insert(*target == 34962 ? Use::Vertices : *target == 34963 ? Use::Indices : use);
        uses.insert(use);
    }

    void noteOtherUse(const Json& owner, const char* key, const std::string& where) {
        const Json* index = member(owner, key);
        const AccessorInfo* info = index ? infoOf(*index, where + "." + key) : nullptr;
        if (info && info->view)
            noteUse(*info->view, Use::Other);
    }

    void noteOtherUses() {
        const Json& skins = list(json_, "skins", "skins");
        for (std::size_t s = 0; s < skins.size(); ++s)
            noteOtherUse(skins[s], "inverseBindMatrices", place("skins", s));
        const Json& animations = list(json_, "animations", "animations");
        for (std::size_t a = 0; a < animations.size(); ++a) {
            const Json& samplers = list(animations[a], "samplers", "animations");
            for (std::size_t s = 0; s < samplers.size(); ++s)
                for (const char* key : {"input", "output"})
                    noteOtherUse(samplers[s], key, place("animations", a) + "." + place("samplers", s));
        }
    }

    void checkPlace(const AccessorInfo& info, std::size_t accessor, const std::string& where) {
        noteUse(*info.view, Use::Vertices);
        const ViewInfo view = context_.accessors.viewInfo(*info.view);
        if (info.byteOffset % 4 || (info.count > 1 && info.stride % 4))
            faults_.add("MESH_PRIMITIVE_ACCESSOR_UNALIGNED", where, "The attribute does not lie at multiples of four.");
        if (view.stride == 0)
            sharedViews_[*info.view].insert(accessor);
    }

    void checkIndices(const Json& primitive, const std::string& where) {
        const Json* indices = member(primitive, "indices");
        const AccessorInfo* info = indices ? infoOf(*indices, where + ".indices") : nullptr;
        if (info && info->view)
            noteUse(*info->view, Use::Indices);
        if (info && info->view && context_.accessors.viewInfo(*info->view).stride)
            faults_.add("MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE", where + ".indices",
                        "Indices lie in a view with a stride.");
    }

    // The sets of texture coordinates that the textures of a material, its extensions included, ask for.
    static void collectTexCoords(const Json& value, std::set<std::size_t>& sets) {
        for (const auto& [key, inner] : value.items()) {
            if (!inner.is_object() || key == "extras")
                continue;
            collectTexCoords(inner, sets);
            if (!key.ends_with("Texture") || !member(inner, "index"))
                continue;
            const Json* extensions = member(inner, "extensions");
            const Json* moved = extensions ? member(*extensions, "KHR_texture_transform") : nullptr;
            const Json* own = moved ? member(*moved, "texCoord") : nullptr;
            if (!own)
                own = member(inner, "texCoord");
            sets.insert(own && own->is_number_unsigned() ? own->get<std::size_t>() : 0);
        }
    }

    void checkTexCoords(const Json& primitive, std::size_t present, const std::string& where) {
        const Json& materials = list(json_, "materials", "materials");
        const auto material = indexMember(primitive, "material", materials.size(), where);
        if (!material)
            return;
        auto found = texCoords_.find(*material);
        if (found == texCoords_.end()) {
            found = texCoords_.emplace(*material, std::set<std::size_t>()).first;
            collectTexCoords(materials[*material], found->second);
        }
        for (const std::size_t set : found->second)
            if (set >= present)
                faults_.add("MESH_PRIMITIVE_TOO_FEW_TEXCOORDS", where + ".material",
                            "The material asks for TEXCOORD_" + std::to_string(set) + ", which is missing.");
    }

    ReadContext& context_;
    const Json& json_;
    FaultList& faults_;
    bool quantized_ = false;
    std::map<std::size_t, std::set<Use>> uses_;                // of views; the declared one among them
    std::map<std::size_t, std::set<std::size_t>> sharedViews_; // views without a stride: the attributes in them
    std::map<std::size_t, std::set<std::size_t>> texCoords_;   // per material
};

} // namespace

void checkMeshes(ReadContext& context, FaultList& faults) {
    MeshCheck(context, faults).run();
}

} // namespace limber::io
