// A file whose vertices come in an order by chance: opening it in the editor puts them into another one.
#pragma once

#include "core/io/scene_build.h"
#include "tests/support/random.h"

#include <array>
#include <cmath>
#include <numeric>

namespace limber::test {

// A wavy sheet of points in an order by chance, its triangles too, over a row of joints along x.
inline io::SceneBuild scatteredSheet() {
    constexpr std::size_t kWide = 150, kHigh = 140, kJoints = 12;
    io::SceneBuild scene;
    Random random(4);
    std::vector<std::uint32_t> order(kWide * kHigh), at(order.size());
    std::iota(order.begin(), order.end(), 0u);
    for (std::size_t k = order.size(); k > 1; --k)
        std::swap(order[k - 1], order[random.index(k)]);
    io::BuildPrimitive part;
    for (std::uint32_t k = 0; k < order.size(); ++k) {
        at[order[k]] = k;
        const auto x = static_cast<float>(order[k] % kWide), y = static_cast<float>(order[k] / kWide);
        part.positions.emplace_back(x / 10, y / 10, std::sin(x / 9) * std::cos(y / 7));
        part.normals.emplace_back(0.0f, 0.0f, 1.0f);
        part.influences.push_back({{static_cast<std::uint32_t>(order[k] % kWide * kJoints / kWide), 1.0f}});
    }
    std::vector<std::array<std::uint32_t, 3>> triangles;
    for (std::uint32_t y = 0; y + 1 < kHigh; ++y)
        for (std::uint32_t x = 0; x + 1 < kWide; ++x) {
            const std::uint32_t a = y * kWide + x, up = a + kWide;
            triangles.push_back({at[a], at[a + 1], at[up]});
            triangles.push_back({at[up], at[a + 1], at[up + 1]});
        }
    for (std::size_t k = triangles.size(); k > 1; --k)
        std::swap(triangles[k - 1], triangles[random.index(k)]);
    for (const auto& t : triangles)
        part.triangles.insert(part.triangles.end(), t.begin(), t.end());
    scene.meshes.push_back({"sheet", {std::move(part)}, {}});
    io::BuildSkin skin{"row", {}, {}, {}};
    for (std::size_t j = 0; j < kJoints; ++j) {
        io::BuildNode node{"joint" + std::to_string(j), j ? static_cast<int>(j) - 1 : -1, math::Affine::Identity(), -1,
                           -1};
        node.local.translation().x() = j ? 1.25 : 0;
        scene.nodes.push_back(node);
        skin.joints.push_back(static_cast<int>(j));
        math::Affine inverse = math::Affine::Identity();
        inverse.translation().x() = -1.25 * static_cast<double>(j);
        skin.inverseBinds.push_back(inverse);
    }
    scene.skins.push_back(std::move(skin));
    scene.nodes.push_back({"sheet", -1, math::Affine::Identity(), 0, 0});
    return scene;
}

} // namespace limber::test
