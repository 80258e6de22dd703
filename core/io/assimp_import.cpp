#include "core/io/assimp_import.h"

#include "core/io/asset_path.h"
#include "core/io/assimp_files.h"
#include "core/io/assimp_scene.h"

#include <assimp/BaseImporter.h>
#include <assimp/Importer.hpp>
#include <assimp/ProgressHandler.hpp>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>

namespace limber::io {

namespace fs = std::filesystem;

namespace {

constexpr double kReading = 0.6, kConverting = 0.95; // where these parts of the work end

class Progress : public Assimp::ProgressHandler {
public:
    explicit Progress(const ImportProgress& report) : report_(report) {}
    bool Update(float fraction) override {
        // Importers also call with -1, and some begin anew.
        if (report_ && double(fraction) > furthest_) {
            furthest_ = std::min(1.0, double(fraction));
            report_(kReading * furthest_, "Reading");
        }
        return true;
    }

private:
    const ImportProgress& report_;
    double furthest_ = 0;
};

Error refused(const fs::path& path, std::string text) {
    return {ErrorCode::InputRefused, std::move(text), path.string()};
}

// Importers quote what they stumbled over, at any length.
std::string firstLine(const std::string& error) {
    constexpr std::size_t kLongest = 120;
    std::string line = error.substr(0, std::min(error.find_first_of("\r\n"), kLongest));
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c > 0x7e; }, '?');
    while (!line.empty() && (line.back() == '.' || line.back() == ' '))
        line.pop_back();
    return line.size() < error.size() - 1 ? line + " ..." : line;
}

// What Assimp says, in words that tell what to do.
std::string reasonFor(const std::string& error) {
    if (error.find("old format version") != error.npos)
        return "FBX older than 7.1 is not supported: save it again as FBX 2011 or newer.";
    if (error.find("bad_alloc") != error.npos || error.find("bad alloc") != error.npos ||
        error.find("vector::") != error.npos) // a length that cannot be
        return "The importer needs more memory for this file than it may have; the file is damaged or too large.";
    const std::string text = error.empty() ? "the importer gave no reason" : firstLine(error);
    return "The file cannot be read (" + text + "); export it again, or convert it to glTF (.glb).";
}

// Assimp reads these, but loses the skeleton or is not the one who should.
Status prepareImporter(Assimp::Importer& importer, const fs::path& path) {
    const std::string extension = lowerExtension(path);
    if (extension == ".iqm")
        return refused(
            path, "IQM files are not supported, their skeletons cannot be read: convert it to glTF (.glb) or FBX.");
    for (const char* own : {"glb", "gltf", "iqm"})
        while (Assimp::BaseImporter* reader = importer.GetImporter(own))
            importer.UnregisterLoader(reader);
    // Something else under the name of a glTF file: importers then look at the content.
    if (extension == ".glb" || extension == ".gltf")
        return {};
    if (extension.empty() || !importer.IsExtensionSupported(extension.c_str()))
        return refused(path,
                       "Limber has no importer for this kind of file: convert it to glTF (.glb), FBX or Collada.");
    importer.SetPropertyBool(AI_CONFIG_IMPORT_FBX_PRESERVE_PIVOTS, false);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_REMOVE_EMPTY_BONES, false);
    return {};
}

} // namespace

Result<ImportedScene> importWithAssimp(const fs::path& path, const ImportProgress& progress) {
    std::error_code error;
    const fs::path asset = fs::canonical(path, error);
    if (error)
        return refused(path, "The file cannot be opened: " + error.message() + ".");
    Assimp::Importer importer;
    if (const Status s = prepareImporter(importer, asset); !s)
        return s.error();
    importer.SetIOHandler(new ConfinedFiles(asset.parent_path())); // the importer owns both
    importer.SetProgressHandler(new Progress(progress));
    const aiScene* scene = importer.ReadFile(asset.string(), aiProcess_Triangulate);
    if (!scene || !scene->mRootNode)
        return refused(path, reasonFor(importer.GetErrorString()));
    const auto converting = [&](double fraction, const std::string& stage) {
        if (progress)
            progress(kReading + (kConverting - kReading) * fraction, stage);
    };
    return convertScene(*scene, asset, converting);
}

} // namespace limber::io
