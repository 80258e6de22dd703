#include "tests/fuzz/sample_files.h"

#include "core/io/scene_build.h"
#include "tests/fuzz/targets.h"

namespace limber::fuzz {

namespace {

io::BuildPrimitive stripPrimitive() {
    io::BuildPrimitive strip;
    for (int row = 0; row < 6; ++row)
        for (int side = 0; side < 2; ++side) {
            const float y = 0.4f * float(row);
            strip.positions.emplace_back(float(side), y, 0.0f);
            strip.normals.emplace_back(0.0f, 0.0f, 1.0f);
            strip.uvs.emplace_back(float(side), y / 2);
            strip.influences.push_back({{0, 1 - y / 2}, {1, y / 2}});
        }
    for (std::uint32_t v = 0; v + 3 < 12; v += 2)
        for (const std::uint32_t corner : {v, v + 1, v + 2, v + 2, v + 1, v + 3})
            strip.triangles.push_back(corner);
    for (const char* name : {"bulge", "dent"}) {
        io::BuildShape shape;
        shape.name = name;
        shape.deltas.assign(12, Eigen::Vector3f(0, 0, name[0] == 'b' ? 0.2f : -0.1f));
        strip.shapes.push_back(std::move(shape));
    }
    return strip;
}

io::BuildNode node(const char* name, int parent, double height) {
    io::BuildNode n;
    n.name = name;
    n.parent = parent;
    n.local = math::Affine(Eigen::Translation3d(0, height, 0));
    return n;
}

} // namespace

std::vector<std::byte> stripGlb() {
    io::SceneBuild scene;
    scene.nodes = {node("root", -1, 0), node("tip", 0, 1), node("tip", 1, 1), node("strip", -1, 0)};
    scene.nodes[3].mesh = 0;
    scene.nodes[3].skin = 0;
    scene.meshes = {{"strip", {stripPrimitive()}}};
    io::BuildSkin skin;
    skin.joints = {0, 1, 2};
    for (const double height : {0.0, -1.0, -2.0})
        skin.inverseBinds.emplace_back(Eigen::Translation3d(0, height, 0));
    scene.skins = {skin};
    using Path = io::BuildChannel::Path;
    scene.clips = {
        {"wave",
         {{1, Path::Rotation, {0, 1}, {0, 0, 0, 1, 0, 0, 0.6f, 0.8f}}, {3, Path::Weights, {0, 1}, {0, 0, 1, 0.5f}}}}};
    const auto glb = io::writeGlb(scene);
    require(glb.ok(), "The sample cannot be made.");
    return *glb;
}

const io::LoadedFile& strip() {
    static const io::LoadedFile file = [] {
        auto loaded = io::loadGlb(stripGlb(), "glb");
        require(loaded.ok(), "The sample cannot be read.");
        return std::move(loaded).value();
    }();
    return file;
}

} // namespace limber::fuzz
