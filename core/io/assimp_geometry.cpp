#include "core/io/assimp_geometry.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

namespace limber::io {

namespace {

Eigen::Vector3f toVector(const aiVector3D& v) {
    return {v.x, v.y, v.z};
}

bool finite(const aiVector3D& v) {
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

Error refused(const aiMesh& mesh, const std::string& text) {
    return {ErrorCode::InputRefused, text, "mesh \"" + toString(mesh.mName) + "\""};
}

std::vector<Eigen::Vector3f> readNormals(const aiMesh& mesh, GeometryReport& report) {
    std::vector<Eigen::Vector3f> normals;
    if (!mesh.mNormals)
        return normals;
    normals.reserve(mesh.mNumVertices);
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
        const Eigen::Vector3f n = toVector(mesh.mNormals[v]);
        const float length = n.norm();
        if (!std::isfinite(length) || length < 1e-6f) {
            report.droppedNormals = true;
            return {};
        }
        normals.push_back(n / length);
    }
    return normals;
}

std::vector<Eigen::Vector2f> readUvs(const aiMesh& mesh, unsigned set) {
    std::vector<Eigen::Vector2f> uvs;
    if (!mesh.mTextureCoords[set])
        return uvs;
    uvs.reserve(mesh.mNumVertices);
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
        const aiVector3D& uv = mesh.mTextureCoords[set][v];
        uvs.push_back(finite(uv) ? Eigen::Vector2f(uv.x, 1.0f - uv.y) : Eigen::Vector2f::Zero());
    }
    return uvs;
}

std::vector<Eigen::Vector4f> readColors(const aiMesh& mesh) {
    std::vector<Eigen::Vector4f> colors;
    if (!mesh.mColors[0])
        return colors;
    colors.reserve(mesh.mNumVertices);
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
        const aiColor4D& c = mesh.mColors[0][v];
        const Eigen::Vector4f color(c.r, c.g, c.b, c.a);
        if (!color.allFinite())
            return {};
        colors.push_back(color.cwiseMax(0.0f).cwiseMin(1.0f));
    }
    return colors;
}

Result<std::vector<std::uint32_t>> readTriangles(const aiMesh& mesh, GeometryReport& report) {
    std::vector<std::uint32_t> triangles;
    triangles.reserve(std::size_t(mesh.mNumFaces) * 3);
    for (unsigned f = 0; f < mesh.mNumFaces; ++f) {
        const aiFace& face = mesh.mFaces[f];
        if (face.mNumIndices != 3) {
            ++report.skippedFaces;
            continue;
        }
        for (unsigned k = 0; k < 3; ++k) {
            if (face.mIndices[k] >= mesh.mNumVertices)
                return refused(mesh, "A face names a vertex that does not exist; the file is damaged.");
            triangles.push_back(face.mIndices[k]);
        }
    }
    return triangles;
}

constexpr double kSumTolerance = 1e-3; // what text files round is no fault

// True where the row did not sum to one.
bool normalise(std::vector<BuildInfluence>& row) {
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.joint < b.joint; });
    double sum = 0;
    for (const BuildInfluence& i : row)
        sum += i.weight;
    if (sum <= 0)
        row.clear();
    for (BuildInfluence& i : row)
        i.weight = static_cast<float>(i.weight / sum);
    return !row.empty() && std::abs(sum - 1) > kSumTolerance;
}

// `renormalised`: per vertex, whether its weights did not sum to one.
Result<std::vector<std::vector<BuildInfluence>>> readInfluences(const aiMesh& mesh, GeometryReport& report,
                                                                std::vector<char>& renormalised) {
    std::vector<std::vector<BuildInfluence>> rows;
    if (mesh.mNumBones == 0)
        return rows;
    rows.resize(mesh.mNumVertices);
    for (unsigned b = 0; b < mesh.mNumBones; ++b) {
        const aiBone& bone = *mesh.mBones[b];
        for (unsigned w = 0; w < bone.mNumWeights; ++w) {
            const aiVertexWeight& weight = bone.mWeights[w];
            if (weight.mVertexId >= mesh.mNumVertices)
                return refused(mesh, "Bone \"" + toString(bone.mName) +
                                         "\" has a weight for a vertex that does not exist; the file is damaged.");
            if (!std::isfinite(weight.mWeight) || weight.mWeight < 0) {
                ++report.badWeights;
                continue;
            }
            if (weight.mWeight == 0)
                continue;
            auto& row = rows[weight.mVertexId];
            const auto same = std::find_if(row.begin(), row.end(), [b](const auto& i) { return i.joint == b; });
            if (same != row.end())
                same->weight += weight.mWeight;
            else
                row.push_back({b, weight.mWeight});
        }
    }
    for (auto& row : rows)
        renormalised.push_back(normalise(row) ? 1 : 0);
    return rows;
}

// Assimp gives the moved positions; a shape is what moved.
std::vector<BuildShape> readShapes(const aiMesh& mesh, bool withNormals) {
    std::vector<BuildShape> shapes;
    for (unsigned s = 0; s < mesh.mNumAnimMeshes; ++s) {
        const aiAnimMesh& target = *mesh.mAnimMeshes[s];
        BuildShape shape;
        shape.name = toString(target.mName);
        shape.deltas.assign(mesh.mNumVertices, Eigen::Vector3f::Zero());
        if (target.mVertices && target.mNumVertices == mesh.mNumVertices)
            for (unsigned v = 0; v < mesh.mNumVertices; ++v)
                if (const aiVector3D d = target.mVertices[v] - mesh.mVertices[v]; finite(d))
                    shape.deltas[v] = toVector(d);
        if (withNormals && target.mNormals && target.mNumVertices == mesh.mNumVertices) {
            shape.normalDeltas.assign(mesh.mNumVertices, Eigen::Vector3f::Zero());
            bool any = false;
            for (unsigned v = 0; v < mesh.mNumVertices; ++v)
                if (const aiVector3D d = target.mNormals[v] - mesh.mNormals[v]; finite(d)) {
                    shape.normalDeltas[v] = toVector(d);
                    any = any || d.SquareLength() > 1e-10f;
                }
            if (!any)
                shape.normalDeltas.clear();
        }
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

// Everything of one corner as bits; -0 counts as 0.
class CornerKeys {
public:
    explicit CornerKeys(const BuildPrimitive& p) : p_(p) {}

    const std::vector<std::uint32_t>& of(std::uint32_t v, std::vector<std::uint32_t>& key) const {
        key.clear();
        add(p_.positions, v, key);
        add(p_.normals, v, key);
        add(p_.uvs, v, key);
        add(p_.secondUvs, v, key);
        add(p_.colors, v, key);
        if (!p_.influences.empty())
            for (const BuildInfluence& i : p_.influences[v])
                key.insert(key.end(), {i.joint, std::bit_cast<std::uint32_t>(i.weight)});
        for (const BuildShape& s : p_.shapes) {
            add(s.deltas, v, key);
            add(s.normalDeltas, v, key);
        }
        return key;
    }

private:
    template <class Vector>
    static void add(const std::vector<Vector>& values, std::uint32_t v, std::vector<std::uint32_t>& key) {
        if (values.empty())
            return;
        for (Eigen::Index k = 0; k < values[v].size(); ++k)
            key.push_back(values[v][k] == 0 ? 0u : std::bit_cast<std::uint32_t>(values[v][k]));
    }

    const BuildPrimitive& p_;
};

std::uint64_t hashOf(const std::vector<std::uint32_t>& key) {
    std::uint64_t h = 0x9e3779b97f4a7c15ull;
    for (const std::uint32_t k : key) {
        h = (h ^ k) * 0xff51afd7ed558ccdull;
        h ^= h >> 32;
    }
    return h;
}

template <class T> void keep(std::vector<T>& values, const std::vector<std::uint32_t>& kept) {
    if (values.empty())
        return;
    for (std::size_t i = 0; i < kept.size(); ++i) // kept[i] >= i: nothing is overwritten before it is moved
        if (kept[i] != i)
            values[i] = std::move(values[kept[i]]);
    values.resize(kept.size());
}

void weldCorners(BuildPrimitive& p, std::vector<char>& flags) {
    const CornerKeys keys(p);
    std::unordered_multimap<std::uint64_t, std::uint32_t> firstByHash; // -> place in `kept`
    std::vector<std::uint32_t> kept, newIndex(p.positions.size()), key, other;
    // Vertices that no triangle uses are kept too: other programs' vertex numbers stay recognisable.
    for (std::uint32_t v = 0; v < p.positions.size(); ++v) {
        const std::uint64_t hash = hashOf(keys.of(v, key));
        auto [it, end] = firstByHash.equal_range(hash);
        while (it != end && keys.of(kept[it->second], other) != key)
            ++it;
        if (it == end) {
            newIndex[v] = static_cast<std::uint32_t>(kept.size());
            firstByHash.emplace(hash, newIndex[v]);
            kept.push_back(v);
        } else {
            newIndex[v] = it->second;
        }
    }
    for (std::uint32_t& t : p.triangles)
        t = newIndex[t];
    keep(p.positions, kept);
    keep(p.normals, kept);
    keep(p.uvs, kept);
    keep(p.secondUvs, kept);
    keep(p.colors, kept);
    keep(p.influences, kept);
    keep(flags, kept);
    for (BuildShape& s : p.shapes) {
        keep(s.deltas, kept);
        keep(s.normalDeltas, kept);
    }
}

} // namespace

math::Affine toAffine(const aiMatrix4x4& m) {
    math::Affine a = math::Affine::Identity();
    for (unsigned r = 0; r < 3; ++r)
        for (unsigned c = 0; c < 4; ++c)
            a(r, c) = static_cast<double>(m[r][c]);
    return a;
}

std::string toString(const aiString& s) {
    return std::string(s.data, std::min<std::size_t>(s.length, sizeof s.data));
}

Result<BuildPrimitive> convertMesh(const aiMesh& mesh, bool wantColors, GeometryReport& report) {
    BuildPrimitive p;
    p.positions.reserve(mesh.mNumVertices);
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
        if (!finite(mesh.mVertices[v]))
            return refused(mesh, "Vertex " + std::to_string(v) + " has a position that is not a number.");
        p.positions.push_back(toVector(mesh.mVertices[v]));
    }
    p.normals = readNormals(mesh, report);
    p.uvs = readUvs(mesh, 0);
    if (!p.uvs.empty())
        p.secondUvs = readUvs(mesh, 1);
    if (wantColors)
        p.colors = readColors(mesh);
    for (unsigned set = 0; set < AI_MAX_NUMBER_OF_TEXTURECOORDS; ++set)
        report.droppedUvSets += mesh.mTextureCoords[set] && (set > 1 || p.uvs.empty()) ? 1 : 0;
    for (unsigned set = 0; set < AI_MAX_NUMBER_OF_COLOR_SETS; ++set)
        report.droppedColorSets += mesh.mColors[set] && (set > 0 || p.colors.empty()) ? 1 : 0;
    auto triangles = readTriangles(mesh, report);
    if (!triangles)
        return triangles.error();
    p.triangles = std::move(triangles).value();
    std::vector<char> renormalised;
    auto influences = readInfluences(mesh, report, renormalised);
    if (!influences)
        return influences.error();
    p.influences = std::move(influences).value();
    p.shapes = readShapes(mesh, !p.normals.empty());
    weldCorners(p, renormalised);
    report.renormalised = static_cast<std::size_t>(std::count(renormalised.begin(), renormalised.end(), 1));
    report.unweighted = static_cast<std::size_t>(
        std::count_if(p.influences.begin(), p.influences.end(), [](const auto& row) { return row.empty(); }));
    return p;
}

} // namespace limber::io
