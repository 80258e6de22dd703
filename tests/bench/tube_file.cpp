#include "tests/bench/tube_file.h"

#include "core/io/gltf_container.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

namespace limber::bench {

namespace {

class TubeFile {
public:
    TubeFile(std::size_t vertices, std::size_t joints)
        : joints_(joints), radius_(static_cast<double>(joints) / 16),
          sides_(static_cast<std::size_t>(std::sqrt(static_cast<double>(vertices)))), rings_(vertices / sides_) {}

    std::vector<std::byte> bytes() {
        addVertices();
        addTriangles();
        addInverseBinds();
        return io::buildGlb(tree().dump(), data_, {});
    }

private:
    [[nodiscard]] std::size_t at(std::size_t ring, std::size_t side) const { return ring * sides_ + side % sides_; }

    // Calls work(share of the height, angle) for every vertex.
    template <class Work> void forVertices(const Work& work) const {
        for (std::size_t r = 0; r < rings_; ++r)
            for (std::size_t s = 0; s < sides_; ++s)
                work(static_cast<double>(r) / static_cast<double>(rings_ - 1),
                     2 * M_PI * static_cast<double>(s) / static_cast<double>(sides_));
    }

    void addVertices() {
        std::vector<float> positions, normals, uvs;
        const double height = static_cast<double>(joints_);
        forVertices([&](double along, double angle) {
            for (const double p : {radius_ * std::cos(angle), height * along, radius_ * std::sin(angle)})
                positions.push_back(static_cast<float>(p));
            for (const double n : {std::cos(angle), 0.0, std::sin(angle)})
                normals.push_back(static_cast<float>(n));
            for (const double t : {angle / (2 * M_PI), along})
                uvs.push_back(static_cast<float>(t));
        });
        const std::size_t count = rings_ * sides_;
        add(positions, "VEC3", 5126, count, 34962);
        accessors_[0]["min"] = {-radius_, 0, -radius_};
        accessors_[0]["max"] = {radius_, height, radius_};
        add(normals, "VEC3", 5126, count, 34962);
        add(uvs, "VEC2", 5126, count, 34962);
        addInfluences();
    }

    // The four joints around the vertex's height, weights falling off linearly.
    void addInfluences() {
        std::vector<std::uint16_t> joints;
        std::vector<float> weights;
        forVertices([&](double along, double) {
            const double height = along * static_cast<double>(joints_);
            const auto first = static_cast<std::size_t>(std::clamp(height - 2, 0.0, static_cast<double>(joints_ - 4)));
            std::array<double, 4> strength{};
            double sum = 0;
            for (std::size_t k = 0; k < 4; ++k)
                sum += strength[k] = std::max(0.05, 2 - std::abs(height - 0.5 - static_cast<double>(first + k)));
            for (std::size_t k = 0; k < 4; ++k) {
                joints.push_back(static_cast<std::uint16_t>(first + k));
                weights.push_back(static_cast<float>(strength[k] / sum));
            }
        });
        add(joints, "VEC4", 5123, rings_ * sides_, 34962);
        add(weights, "VEC4", 5126, rings_ * sides_, 34962);
    }

    void addTriangles() {
        std::vector<std::uint32_t> corners;
        for (std::size_t r = 0; r + 1 < rings_; ++r)
            for (std::size_t s = 0; s < sides_; ++s)
                for (const std::size_t v :
                     {at(r, s), at(r + 1, s), at(r, s + 1), at(r + 1, s), at(r + 1, s + 1), at(r, s + 1)})
                    corners.push_back(static_cast<std::uint32_t>(v));
        add(corners, "SCALAR", 5125, corners.size(), 34963);
    }

    void addInverseBinds() {
        std::vector<float> matrices;
        for (std::size_t j = 0; j < joints_; ++j)
            for (int k = 0; k < 16; ++k)
                matrices.push_back(k % 5 == 0 ? 1.0f : k == 13 ? -static_cast<float>(j) : 0.0f);
        add(matrices, "MAT4", 5126, joints_, 0);
    }

    template <class T>
    void add(const std::vector<T>& values, const char* type, int componentType, std::size_t count, int target) {
        const auto raw = std::as_bytes(std::span(values));
        io::Json view = {{"buffer", 0}, {"byteOffset", data_.size()}, {"byteLength", raw.size()}};
        if (target)
            view["target"] = target;
        accessors_.push_back(
            {{"bufferView", views_.size()}, {"componentType", componentType}, {"count", count}, {"type", type}});
        views_.push_back(view);
        data_.insert(data_.end(), raw.begin(), raw.end());
    }

    [[nodiscard]] io::Json tree() const {
        io::Json nodes = io::Json::array(), joints = io::Json::array();
        for (std::size_t j = 0; j < joints_; ++j) {
            io::Json node = {{"name", "joint" + std::to_string(j)}};
            if (j)
                node["translation"] = {0, 1, 0};
            if (j + 1 < joints_)
                node["children"] = {j + 1};
            nodes.push_back(node);
            joints.push_back(j);
        }
        nodes.push_back({{"name", "tube"}, {"mesh", 0}, {"skin", 0}});
        const io::Json attributes = {
            {"POSITION", 0}, {"NORMAL", 1}, {"TEXCOORD_0", 2}, {"JOINTS_0", 3}, {"WEIGHTS_0", 4}};
        io::Json tree = {{"asset", {{"version", "2.0"}}}, {"scene", 0}};
        tree["scenes"] = {{{"nodes", {0, joints_}}}};
        tree["nodes"] = nodes;
        tree["meshes"] = {{{"primitives", {{{"attributes", attributes}, {"indices", 5}}}}}};
        tree["skins"] = {{{"joints", joints}, {"inverseBindMatrices", 6}}};
        tree["accessors"] = accessors_;
        tree["bufferViews"] = views_;
        tree["buffers"] = {{{"byteLength", data_.size()}}};
        return tree;
    }

    std::size_t joints_;
    double radius_;
    std::size_t sides_, rings_;
    std::vector<std::byte> data_;
    io::Json views_ = io::Json::array(), accessors_ = io::Json::array();
};

} // namespace

std::vector<std::byte> tubeFile(std::size_t vertices, std::size_t joints) {
    return TubeFile(vertices, joints).bytes();
}

} // namespace limber::bench
