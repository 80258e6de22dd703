// What the JSON alone tells to be against the specification and reading does not stumble over.
#include "core/io/asset_path.h"
#include "core/io/gltf_checks.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <unordered_set>

namespace limber::io {

namespace {

using Names = std::vector<const char*>;

// The lists of a file and what their items must have. Only the parts that are read; of the others only that they are
// lists.
struct ListRule {
    const char* list;
    Names required = {};
    Names notEmpty = {};
};

const std::vector<ListRule>& rules() {
    static const std::vector<ListRule> all = {{"accessors", {"componentType", "count", "type"}},
                                              {"animations", {"channels", "samplers"}, {"channels", "samplers"}},
                                              {"buffers", {"byteLength"}},
                                              {"bufferViews", {"buffer", "byteLength"}},
                                              {"meshes", {"primitives"}, {"primitives", "weights"}},
                                              {"nodes", {}, {"children", "weights"}},
                                              {"scenes", {}, {"nodes"}},
                                              {"skins", {"joints"}, {"joints"}},
                                              {"cameras"},
                                              {"images"},
                                              {"materials"},
                                              {"samplers"},
                                              {"textures"}};
    return all;
}

class StructureCheck {
public:
    StructureCheck(const GltfSource& source, FaultList& faults)
        : source_(source), json_(source.json()), faults_(faults) {}

    void run() {
        checkExtensionNames();
        checkExtensionObjects(json_, "file");
        for (const ListRule& rule : rules())
            checkList(rule);
    }

private:
    void require(const Json& object, const Names& names, const std::string& where) {
        for (const char* name : names)
            if (!member(object, name))
                faults_.add("UNDEFINED_PROPERTY", where, std::string("\"") + name + "\" is missing.");
    }

    // A list or an object that is there, but of another kind or with nothing in it.
    bool isFilled(const Json& value, bool asList, const std::string& where) {
        if (asList ? !value.is_array() : !value.is_object())
            faults_.add("TYPE_MISMATCH", where, asList ? "It is not a list." : "It is not an object.");
        else if (value.empty())
            faults_.add("EMPTY_ENTITY", where, "It is there, but empty; it may be left out instead.");
        else
            return true;
        return false;
    }

    void checkList(const ListRule& rule) {
        const Json* items = member(json_, rule.list);
        if (!items || !isFilled(*items, true, rule.list))
            return;
        for (std::size_t i = 0; i < items->size(); ++i) {
            const Json& item = (*items)[i];
            const std::string where = place(rule.list, i);
            if (!item.is_object()) {
                faults_.add("TYPE_MISMATCH", where, "It is not an object.");
                continue;
            }
            require(item, rule.required, where);
            for (const char* name : rule.notEmpty)
                if (const Json* inner = member(item, name))
                    isFilled(*inner, true, where + "." + name);
            checkExtensionObjects(item, where);
            checkItem(rule.list, item, i, where);
        }
    }

    void checkItem(std::string_view kind, const Json& item, std::size_t index, const std::string& where) {
        if (kind == "accessors")
            checkAccessor(item, where);
        else if (kind == "animations")
            checkAnimation(item, where);
        else if (kind == "buffers")
            checkBuffer(item, index, where);
        else if (kind == "bufferViews")
            checkView(item, where);
        else if (kind == "meshes")
            checkPrimitives(item, where);
        else if (kind == "nodes")
            checkNode(item, where);
        else if (kind == "materials")
            checkTextures(item, where);
        else if (kind == "textures") {
            checkReference(item, "source", "images", where);
            checkReference(item, "sampler", "samplers", where);
        }
    }

    void checkBounds(const Json& accessor, const char* key, const std::string& where) {
        const Json* values = member(accessor, key);
        if (!values || !isFilled(*values, true, where))
            return;
        const Json* type = member(accessor, "type");
        const std::size_t components = type && type->is_string() ? componentsOf(type->get<std::string>()) : 0;
        if (components && values->size() != components)
            faults_.add("ARRAY_LENGTH_NOT_IN_LIST", where, "It has not one number for each component.");
        if (!std::all_of(values->begin(), values->end(), [](const Json& v) { return v.is_number(); }))
            faults_.add("ARRAY_TYPE_MISMATCH", where, "It holds something that is no number.");
    }

    void checkAccessor(const Json& accessor, const std::string& where) {
        for (const char* key : {"min", "max"})
            checkBounds(accessor, key, where + "." + key);
        if (member(accessor, "byteOffset") && !member(accessor, "bufferView"))
            faults_.add("UNSATISFIED_DEPENDENCY", where + ".byteOffset", "There is no view that it is an offset in.");
        const Json* sparse = member(accessor, "sparse");
        if (!sparse)
            return;
        require(*sparse, {"count", "indices", "values"}, where + ".sparse");
        if (const Json* indices = member(*sparse, "indices"))
            require(*indices, {"bufferView", "componentType"}, where + ".sparse.indices");
        if (const Json* values = member(*sparse, "values"))
            require(*values, {"bufferView"}, where + ".sparse.values");
    }

    void checkAnimation(const Json& animation, const std::string& where) {
        const auto each = [&](const char* name, const Names& required) {
            const Json* items = member(animation, name);
            for (std::size_t i = 0; items && items->is_array() && i < items->size(); ++i)
                require((*items)[i], required, where + "." + place(name, i));
        };
        each("channels", {"sampler", "target"});
        const Json* channels = member(animation, "channels");
        for (std::size_t c = 0; channels && channels->is_array() && c < channels->size(); ++c)
            if (const Json* target = member((*channels)[c], "target"))
                require(*target, {"path"}, where + "." + place("channels", c) + ".target");
        each("samplers", {"input", "output"});
    }

    void checkBuffer(const Json& buffer, std::size_t index, const std::string& where) {
        if (const Json* length = member(buffer, "byteLength"); length && *length == 0)
            faults_.add("VALUE_NOT_IN_RANGE", where + ".byteLength", "A buffer has at least one byte.");
        const Json* uri = member(buffer, "uri");
        if (!uri && index == 0 && source_.container.glb && !source_.container.hasBinary)
            faults_.add("BUFFER_MISSING_GLB_DATA", where,
                        "The buffer's data should be in the file, but is not there; it is read as zeros.");
        if (!uri || !uri->is_string() || !isDataUri(uri->get_ref<const std::string&>()))
            return;
        const std::string_view text = uri->get_ref<const std::string&>();
        const std::string type(text.substr(5, text.find_first_of(";,") - 5));
        if (type != "application/octet-stream" && type != "application/gltf-buffer")
            faults_.add("BUFFER_DATA_URI_MIME_TYPE_INVALID", where + ".uri",
                        "The data says it is \"" + type.substr(0, 60) + "\", which is not what buffers are.");
    }

    void checkView(const Json& view, const std::string& where) {
        constexpr std::uint64_t kIndices = 34963;
        const auto number = [&](const char* name) -> std::optional<std::uint64_t> {
            const Json* value = member(view, name);
            return value ? std::optional(wholeNumber(*value, where + "." + name)) : std::nullopt;
        };
        const auto length = number("byteLength"), stride = number("byteStride");
        if (length == 0)
            faults_.add("VALUE_NOT_IN_RANGE", where + ".byteLength", "A view has at least one byte.");
        if (!stride)
            return;
        const std::string here = where + ".byteStride";
        if (*stride < 4 || *stride > 252)
            faults_.add("VALUE_NOT_IN_RANGE", here, "A stride is at least 4 and at most 252 bytes.");
        else if (*stride % 4)
            faults_.add("VALUE_MULTIPLE_OF", here, "A stride is a multiple of four bytes.");
        if (length && *stride > *length)
            faults_.add("BUFFER_VIEW_TOO_BIG_BYTE_STRIDE", here, "The stride is longer than the view.");
        if (number("target") == kIndices)
            faults_.add("BUFFER_VIEW_INVALID_BYTE_STRIDE", here, "Only views of vertices can have a stride.");
    }

    void checkPrimitives(const Json& mesh, const std::string& where) {
        const Json* primitives = member(mesh, "primitives");
        for (std::size_t p = 0; primitives && primitives->is_array() && p < primitives->size(); ++p) {
            const Json& primitive = (*primitives)[p];
            const std::string here = where + "." + place("primitives", p);
            require(primitive, {"attributes"}, here);
            if (const Json* attributes = member(primitive, "attributes"))
                isFilled(*attributes, false, here + ".attributes");
            if (const Json* targets = member(primitive, "targets");
                targets && isFilled(*targets, true, here + ".targets"))
                for (std::size_t t = 0; t < targets->size(); ++t)
                    isFilled((*targets)[t], false, here + "." + place("targets", t));
            checkExtensionObjects(primitive, here);
        }
    }

    void checkNode(const Json& node, const std::string& where) {
        for (const char* name : {"skin", "weights"})
            if (member(node, name) && !member(node, "mesh"))
                faults_.add("UNSATISFIED_DEPENDENCY", where + "." + name,
                            std::string("A node without a mesh has \"") + name + "\"; it was not used.");
        if (!member(node, "matrix"))
            return;
        if (member(node, "translation") || member(node, "rotation") || member(node, "scale"))
            faults_.add("NODE_MATRIX_TRS", where, "The node has a matrix and parts of one; the matrix was used.");
        if (isNoTrs(*numbersMember(node, "matrix", 16, where)))
            faults_.add("NODE_MATRIX_NON_TRS", where + ".matrix",
                        "The matrix shears or flattens; it was kept, but other programs may show it otherwise.");
    }

    static bool isNoTrs(const std::vector<double>& m) {
        constexpr double kTolerance = 1e-3; // of the cosine between two axes
        for (const auto& [a, b] : {std::pair(0u, 4u), std::pair(0u, 8u), std::pair(4u, 8u)}) {
            double dot = 0, aa = 0, bb = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                dot += m[a + k] * m[b + k];
                aa += m[a + k] * m[a + k];
                bb += m[b + k] * m[b + k];
            }
            if (aa * bb == 0 || std::abs(dot) > kTolerance * std::sqrt(aa * bb))
                return true;
        }
        return false;
    }

    void checkReference(const Json& owner, const char* key, const char* list, const std::string& where) {
        const Json* index = member(owner, key);
        const Json* items = member(json_, list);
        const std::size_t count = items && items->is_array() ? items->size() : 0;
        if (index && !(index->is_number() && *index >= 0 && *index < count))
            faults_.add("UNRESOLVED_REFERENCE", where + "." + key,
                        std::string("It names something of \"") + list + "\" that is not there; it is not shown.");
    }

    // The textures that a material, its extensions included, names.
    void checkTextures(const Json& value, const std::string& where) {
        for (const auto& [key, inner] : value.items()) {
            if (!inner.is_object() || key == "extras")
                continue;
            if (key.ends_with("Texture"))
                checkReference(inner, "index", "textures", where + "." + key);
            checkTextures(inner, where + "." + key);
        }
    }

    void checkNames(const Json& names, const std::string& where) {
        std::set<Json> seen;
        if (isFilled(names, true, where))
            for (const Json& name : names)
                if (!seen.insert(name).second)
                    faults_.add("DUPLICATE_ELEMENTS", where, "An extension is listed twice.");
    }

    void checkExtensionNames() {
        for (const char* key : {"extensionsUsed", "extensionsRequired"})
            if (const Json* names = member(json_, key))
                checkNames(*names, key);
        for (const Json& name : list(json_, "extensionsUsed", "extensionsUsed"))
            if (name.is_string())
                used_.insert(name.get<std::string>());
        const Json& required = list(json_, "extensionsRequired", "extensionsRequired");
        if (!required.empty() && !member(json_, "extensionsUsed"))
            faults_.add("UNSATISFIED_DEPENDENCY", "extensionsRequired", "\"extensionsUsed\" is missing.");
        for (const Json& name : required)
            if (!used_.contains(name.get<std::string>()))
                faults_.add("UNUSED_EXTENSION_REQUIRED", "extensionsRequired",
                            name.get<std::string>() + " is required, but not listed as used.");
    }

    void checkExtensionObjects(const Json& owner, const std::string& where) {
        const Json* extensions = member(owner, "extensions");
        if (!extensions)
            return;
        if (!extensions->is_object()) {
            faults_.add("TYPE_MISMATCH", where + ".extensions", "It is not an object.");
            return;
        }
        for (const auto& [name, value] : extensions->items()) {
            if (!value.is_object())
                faults_.add("TYPE_MISMATCH", where + ".extensions." + name, "It is not an object.");
            else if (!used_.contains(name))
                faults_.add("UNDECLARED_EXTENSION", where + ".extensions." + name,
                            "The extension is not listed as used.");
        }
    }

    const GltfSource& source_;
    const Json& json_;
    FaultList& faults_;
    std::unordered_set<std::string> used_;
};

} // namespace

void checkStructure(const GltfSource& source, FaultList& faults) {
    StructureCheck(source, faults).run();
}

} // namespace limber::io
