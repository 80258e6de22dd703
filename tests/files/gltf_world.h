// What another program makes of a file's nodes: world transforms by the standard's own rules, from the JSON alone.
#pragma once

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include <vector>

namespace limber::test {

inline Eigen::Affine3d nodeTransform(const nlohmann::ordered_json& node) {
    const auto numbers = [&](const char* key, std::vector<double> otherwise) {
        return node.contains(key) ? node[key].get<std::vector<double>>() : otherwise;
    };
    if (node.contains("matrix")) {
        const auto m = numbers("matrix", {});
        return Eigen::Affine3d(Eigen::Map<const Eigen::Matrix4d>(m.data()));
    }
    const auto t = numbers("translation", {0, 0, 0}), r = numbers("rotation", {0, 0, 0, 1}),
               s = numbers("scale", {1, 1, 1});
    return Eigen::Translation3d(t[0], t[1], t[2]) * Eigen::Quaterniond(r[3], r[0], r[1], r[2]) *
           Eigen::Scaling(s[0], s[1], s[2]);
}

inline void placeNode(const nlohmann::ordered_json& json, std::size_t node, const Eigen::Affine3d& parent,
                      std::vector<Eigen::Affine3d>& world) {
    world[node] = parent * nodeTransform(json["nodes"][node]);
    if (json["nodes"][node].contains("children"))
        for (const auto& child : json["nodes"][node]["children"])
            placeNode(json, child.get<std::size_t>(), world[node], world);
}

// Of every node below the scene's roots; zero for others.
inline std::vector<Eigen::Affine3d> worldOf(const nlohmann::ordered_json& json) {
    std::vector<Eigen::Affine3d> world(json["nodes"].size(), Eigen::Affine3d(Eigen::Scaling(0.0)));
    for (const auto& root : json["scenes"][0]["nodes"])
        placeNode(json, root.get<std::size_t>(), Eigen::Affine3d::Identity(), world);
    return world;
}

} // namespace limber::test
