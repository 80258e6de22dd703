#include "core/io/gltf_file.h"

#include "core/io/gltf_reader.h"
#include "core/io/safe_save.h"

#include <new>

namespace limber::io {

namespace {

Error named(Error error, const std::string& file) {
    error.where = error.where.empty() ? file : file.empty() ? error.where : file + ": " + error.where;
    return error;
}

Result<LoadedFile> load(FileBytes bytes, const std::filesystem::path& path, std::string format) {
    const std::string name = path.string();
    try {
        LoadedFile loaded;
        const std::filesystem::path folder = path.empty() || path.has_parent_path() ? path.parent_path() : ".";
        const std::shared_ptr<GltfSource> source = readTree(std::move(bytes), folder, loaded.repairs);
        source->path = path;
        loaded.state = readDocument(*source, loaded.repairs);
        loaded.format = !format.empty() ? std::move(format) : source->container.glb ? "glb" : "gltf";
        loaded.generator = stringMember(source->json()["asset"], "generator", "asset");
        loaded.source = source;
        return loaded;
    } catch (const Refusal& refusal) {
        return named(refusal.error, name);
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::InputRefused, "The file needs more memory than there is.", name};
    } catch (const std::exception& error) {
        // The libraries below (JSON, Draco) may throw on input that no check foresaw.
        return Error{ErrorCode::InputRefused, std::string("The file is damaged: ") + error.what() + ".", name};
    }
}

} // namespace

Result<LoadedFile> loadGltf(const std::filesystem::path& path) {
    Result<FileBytes> bytes = readFileBytes(path);
    if (!bytes)
        return bytes.error();
    return load(std::move(*bytes), path, "");
}

Result<LoadedFile> loadGlb(std::vector<std::byte> bytes, std::string format) {
    return load(std::move(bytes), {}, std::move(format));
}

} // namespace limber::io
