#include "core/io/scene_build.h"

#include "core/io/glb_buffer.h"
#include "core/io/gltf_limber_extras.h"
#include "core/io/scene_build_check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <map>

namespace limber::io {

namespace {

using Use = GlbBuffer::Use;

template <class V> std::span<const float> floatsOf(const std::vector<V>& values) {
    static_assert(sizeof(V) % sizeof(float) == 0);
    return {reinterpret_cast<const float*>(values.data()), values.size() * (sizeof(V) / sizeof(float))};
}

template <class M> Json numbersOf(const M& m) { // column by column, as glTF
    Json out = Json::array();
    for (Eigen::Index i = 0; i < m.size(); ++i)
        out.push_back(m.data()[i]);
    return out;
}

// One joint once, zero weights dropped, summing to one as floats; largest first.
std::vector<BuildInfluence> tidied(const std::vector<BuildInfluence>& row) {
    std::map<std::uint32_t, double> byJoint;
    double sum = 0;
    for (const BuildInfluence& influence : row) {
        byJoint[influence.joint] += influence.weight;
        sum += influence.weight;
    }
    std::vector<BuildInfluence> out;
    double written = 0;
    for (const auto& [joint, weight] : byJoint) {
        const auto w = static_cast<float>(weight / sum);
        if (w > 0)
            out.push_back({joint, w});
        written += w;
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const BuildInfluence& a, const BuildInfluence& b) { return a.weight > b.weight; });
    out.front().weight = static_cast<float>(out.front().weight + (1 - written));
    return out;
}

class Writer {
public:
    explicit Writer(const SceneBuild& scene) : scene_(scene) {}

    std::vector<std::byte> write() {
        Json json;
        json["asset"] = {{"version", "2.0"}};
        if (!scene_.generator.empty())
            json["asset"]["generator"] = scene_.generator;
        addScene(json);
        addList(json, "nodes", scene_.nodes, [this](const BuildNode& n) { return node(n); });
        addList(json, "meshes", scene_.meshes, [this](const BuildMesh& m) { return mesh(m); });
        addList(json, "skins", scene_.skins, [this](const BuildSkin& s) { return skin(s); });
        addList(json, "materials", scene_.materials, [](const BuildMaterial& m) { return material(m); });
        addImages(json);
        addList(json, "animations", scene_.clips, [this](const BuildClip& c) { return clip(c); });
        if (!buffer_.accessors().empty())
            json["accessors"] = buffer_.accessors();
        if (!buffer_.views().empty()) {
            json["bufferViews"] = buffer_.views();
            json["buffers"] = Json::array({{{"byteLength", buffer_.bytes().size()}}});
        }
        return assembleGlb(json, buffer_.bytes());
    }

private:
    template <class T, class F>
    static void addList(Json& json, const char* key, const std::vector<T>& items, F&& make) {
        if (items.empty())
            return;
        Json list = Json::array();
        for (const T& item : items) {
            Json made = make(item);
            if (!item.name.empty())
                made["name"] = item.name;
            list.push_back(std::move(made));
        }
        json[key] = std::move(list);
    }

    void addScene(Json& json) const {
        Json roots = Json::array();
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i)
            if (scene_.nodes[i].parent == -1)
                roots.push_back(i);
        json["scene"] = 0;
        json["scenes"] = Json::array({roots.empty() ? Json::object() : Json{{"nodes", roots}}});
    }

    Json node(const BuildNode& n) const {
        Json out = Json::object();
        const auto index = static_cast<int>(&n - scene_.nodes.data());
        for (std::size_t i = 0; i < scene_.nodes.size(); ++i)
            if (scene_.nodes[i].parent == index)
                out["children"].push_back(i);
        addTransform(out, n.local);
        if (n.mesh != -1)
            out["mesh"] = n.mesh;
        if (n.skin != -1)
            out["skin"] = n.skin;
        return out;
    }

    static void addTransform(Json& out, const math::Affine& local) {
        const math::TransformParts parts = math::decompose(local);
        if (parts.singular || parts.hasShear()) {
            out["matrix"] = numbersOf(local.matrix());
            return;
        }
        if (!parts.translation.isZero(0))
            out["translation"] = numbersOf(parts.translation);
        if (!parts.rotation.coeffs().isApprox(math::Quaterniond::Identity().coeffs(), 0))
            out["rotation"] = numbersOf(parts.rotation.coeffs());
        if (!(parts.scale.array() == 1).all())
            out["scale"] = numbersOf(parts.scale);
    }

    Json mesh(const BuildMesh& m) {
        Json out = Json::object();
        for (const BuildPrimitive& p : m.primitives)
            out["primitives"].push_back(primitive(p));
        const std::vector<BuildShape>& shapes = m.primitives.front().shapes;
        if (!shapes.empty()) {
            out["weights"] = m.shapeWeights.empty() ? std::vector<double>(shapes.size(), 0.0) : m.shapeWeights;
            for (const BuildShape& shape : shapes)
                out["extras"]["targetNames"].push_back(shape.name);
        }
        return out;
    }

    Json primitive(const BuildPrimitive& p) {
        Json attributes;
        attributes["POSITION"] = buffer_.addFloats(floatsOf(p.positions), "VEC3", Use::Vertices, true);
        if (!p.normals.empty())
            attributes["NORMAL"] = buffer_.addFloats(floatsOf(p.normals), "VEC3", Use::Vertices);
        if (!p.uvs.empty())
            attributes["TEXCOORD_0"] = buffer_.addFloats(floatsOf(p.uvs), "VEC2", Use::Vertices);
        if (!p.secondUvs.empty())
            attributes["TEXCOORD_1"] = buffer_.addFloats(floatsOf(p.secondUvs), "VEC2", Use::Vertices);
        if (!p.colors.empty())
            attributes["COLOR_0"] = buffer_.addFloats(floatsOf(p.colors), "VEC4", Use::Vertices);
        addInfluences(attributes, p);
        Json out = {{"attributes", attributes}, {"indices", buffer_.addIntegers(p.triangles, "SCALAR", Use::Indices)}};
        if (p.material != -1)
            out["material"] = p.material;
        for (const BuildShape& shape : p.shapes) {
            Json target;
            target["POSITION"] = buffer_.addFloats(floatsOf(shape.deltas), "VEC3", Use::Vertices, true);
            if (!shape.normalDeltas.empty())
                target["NORMAL"] = buffer_.addFloats(floatsOf(shape.normalDeltas), "VEC3", Use::Vertices);
            out["targets"].push_back(std::move(target));
        }
        return out;
    }

    void addInfluences(Json& attributes, const BuildPrimitive& p) {
        std::vector<std::vector<BuildInfluence>> rows;
        std::size_t longest = 0;
        for (const auto& row : p.influences) {
            rows.push_back(tidied(row));
            longest = std::max(longest, rows.back().size());
        }
        for (std::size_t set = 0; set * 4 < longest; ++set) {
            std::vector<std::uint32_t> joints(rows.size() * 4, 0);
            std::vector<float> weights(rows.size() * 4, 0.0F);
            for (std::size_t v = 0; v < rows.size(); ++v)
                for (std::size_t k = set * 4; k < std::min(rows[v].size(), set * 4 + 4); ++k) {
                    joints[v * 4 + k % 4] = rows[v][k].joint;
                    weights[v * 4 + k % 4] = rows[v][k].weight;
                }
            const std::string suffix = "_" + std::to_string(set);
            attributes["JOINTS" + suffix] = buffer_.addIntegers(joints, "VEC4", Use::Vertices);
            attributes["WEIGHTS" + suffix] = buffer_.addFloats(weights, "VEC4", Use::Vertices);
        }
    }

    Json skin(const BuildSkin& s) {
        std::vector<float> matrices;
        for (const math::Affine& m : s.inverseBinds) {
            // The last row of an affine matrix is exact by definition, whatever the bits say.
            Eigen::Matrix4f f = m.matrix().cast<float>();
            f.row(3) << 0, 0, 0, 1;
            matrices.insert(matrices.end(), f.data(), f.data() + 16);
        }
        Json out = {{"joints", s.joints}, {"inverseBindMatrices", buffer_.addFloats(matrices, "MAT4", Use::Data)}};
        // Where the topmost joints are several, Blender finds the bind pose of a posed file by this only.
        if (const int root = commonRoot(s.joints); root != -1)
            out["skeleton"] = root;
        if (s.bindShape)
            setLimberExtra(out, "bindShape", columnsOf(*s.bindShape));
        return out;
    }

    // The lowest node that is each of these or above it; -1 where there is none.
    int commonRoot(const std::vector<int>& joints) const {
        std::vector<std::size_t> below(scene_.nodes.size(), 0); // how many of the joints
        for (const int joint : joints)
            for (int n = joint; n != -1; n = scene_.nodes[static_cast<std::size_t>(n)].parent)
                if (++below[static_cast<std::size_t>(n)] == joints.size())
                    return n;
        return -1;
    }

    static Json material(const BuildMaterial& m) {
        Json pbr = {{"baseColorFactor", numbersOf(m.baseColor)}};
        if (m.baseColorImage != -1)
            pbr["baseColorTexture"] = {{"index", m.baseColorImage}};
        pbr["metallicFactor"] = m.metallic;
        pbr["roughnessFactor"] = m.roughness;
        Json out = {{"pbrMetallicRoughness", pbr}};
        const auto texture = [&](const char* key, int image) {
            if (image != -1)
                out[key] = {{"index", image}};
        };
        texture("normalTexture", m.normalImage);
        texture("occlusionTexture", m.occlusionImage);
        texture("emissiveTexture", m.emissiveImage);
        if (!m.emissive.isZero(0))
            out["emissiveFactor"] = numbersOf(m.emissive);
        if (m.alphaMask || m.alphaBlend)
            out["alphaMode"] = m.alphaMask ? "MASK" : "BLEND";
        if (m.doubleSided)
            out["doubleSided"] = true;
        return out;
    }

    // One texture an image, so that both have the same index.
    void addImages(Json& json) {
        if (scene_.images.empty())
            return;
        addList(json, "images", scene_.images, [this](const BuildImage& image) {
            return Json{{"bufferView", buffer_.addView(image.bytes, Use::Data)}, {"mimeType", image.mimeType}};
        });
        json["samplers"] =
            Json::array({{{"magFilter", 9729}, {"minFilter", 9987}, {"wrapS", 10497}, {"wrapT", 10497}}});
        for (std::size_t i = 0; i < scene_.images.size(); ++i)
            json["textures"].push_back({{"sampler", 0}, {"source", i}});
    }

    Json clip(const BuildClip& c) {
        static constexpr const char* kPaths[] = {"translation", "rotation", "scale", "weights"};
        std::map<std::vector<float>, int> inputs; // channels with the same times share them
        Json out;
        for (const BuildChannel& channel : c.channels) {
            const auto [input, fresh] = inputs.try_emplace(channel.times, -1);
            if (fresh)
                input->second = buffer_.addFloats(channel.times, "SCALAR", Use::Data, true);
            const char* type = channel.path == BuildChannel::Path::Rotation  ? "VEC4"
                               : channel.path == BuildChannel::Path::Weights ? "SCALAR"
                                                                             : "VEC3";
            const int output = buffer_.addFloats(channel.values, type, Use::Data);
            out["channels"].push_back(
                {{"sampler", out.value("samplers", Json::array()).size()},
                 {"target", {{"node", channel.node}, {"path", kPaths[static_cast<int>(channel.path)]}}}});
            out["samplers"].push_back({{"input", input->second}, {"interpolation", "LINEAR"}, {"output", output}});
        }
        return out;
    }

    const SceneBuild& scene_;
    GlbBuffer buffer_;
};

} // namespace

Result<std::vector<std::byte>> writeGlb(const SceneBuild& scene) {
    if (Status status = checkSceneBuild(scene); !status)
        return status.error();
    Writer writer(scene);
    std::vector<std::byte> glb = writer.write();
    if (glb.size() > std::numeric_limits<std::uint32_t>::max())
        return Error{ErrorCode::Failed, "The scene needs more than the 4 GB that a GLB can hold", {}};
    return glb;
}

} // namespace limber::io
