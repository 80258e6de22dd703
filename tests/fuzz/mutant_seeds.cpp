#include "tests/fuzz/mutant_seeds.h"

#include "core/io/gltf_container.h"
#include "core/io/safe_save.h"
#include "tests/fuzz/sample_files.h"

namespace limber::fuzz {

namespace {

struct Listed {
    const char* path;
    FileKind kind;
    std::vector<const char*> beside;
};

const std::vector<Listed>& listed() {
    using enum FileKind;
    static const std::vector<Listed> files = {
        {"gltf/SimpleSkin.gltf", Gltf, {}},
        {"gltf/singleBlendshapeCube_sparse.glb", Gltf, {}},
        {"gltf/skin-multiple-sets.gltf", Gltf, {"skin-multiple-sets.bin"}},
        {"gltf/Fox.glb", Gltf, {}},
        {"gltf/Fox_meshopt.glb", Gltf, {}},
        {"gltf/Fox_quantized.glb", Gltf, {}},
        {"gltf/kenney_male_draco.gltf", Gltf, {}},
        {"gltf/AnimatedMorphCube/AnimatedMorphCube.gltf", Gltf, {"AnimatedMorphCube.bin"}},
        {"gltf/unassigned-skeleton.gltf", Gltf, {}},
        {"gltf/rigged_simple.gltf", Gltf, {}},
        {"gltf/InfiniteSkinnedTentacle.glb", Gltf, {}},
        {"gltf/hand_left/LeftHandHumanoid.gltf", Gltf, {"LeftHandHumanoid.bin"}},
        {"other/skin-multiple-sets.dae", Text, {}},
        {"other/SimpleCube.md5mesh", Text, {}},
        {"other/triangle.smd", Text, {}},
        {"other/man.mdl", Binary, {"manT.mdl", "man01.mdl"}},
        {"fbx/maya_blend_inbetween_7500_binary.fbx", Binary, {}},
        {"fbx/maya_axes_anim_7700_ascii.fbx", Text, {}},
    };
    return files;
}

// The strip again, as text with its data beside it.
MutantSeed textSample() {
    const FileBytes glb = stripGlb();
    std::vector<io::Repair> repairs;
    io::ParsedContainer parsed = io::parseContainer(glb, repairs);
    parsed.json["buffers"][0]["uri"] = "strip.bin";
    const std::string text = parsed.json.dump();
    const auto bytes = std::as_bytes(std::span(text));
    return {"strip.gltf",
            FileKind::Gltf,
            {bytes.begin(), bytes.end()},
            {{"strip.bin", {parsed.binary.begin(), parsed.binary.end()}}}};
}

} // namespace

std::vector<MutantSeed> mutantSeeds(const std::filesystem::path& testData) {
    std::vector<MutantSeed> seeds = {{"strip.glb", FileKind::Gltf, stripGlb(), {}}, textSample()};
    for (const Listed& file : listed()) {
        const std::filesystem::path path = testData / file.path;
        MutantSeed seed{path.filename().string(), file.kind, {}, {}};
        if (auto bytes = io::readFile(path))
            seed.bytes = std::move(bytes).value();
        for (const char* name : file.beside)
            if (auto beside = io::readFile(path.parent_path() / name))
                seed.beside.emplace_back(name, std::move(beside).value());
        seeds.push_back(std::move(seed));
    }
    return seeds;
}

} // namespace limber::fuzz
