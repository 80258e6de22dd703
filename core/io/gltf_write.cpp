#include "core/io/gltf_assemble.h"
#include "core/io/gltf_reader.h"
#include "core/io/gltf_write_steps.h"
#include "core/io/safe_save.h"

#include <algorithm>
#include <cctype>

namespace limber::io {

namespace {

bool differs(const TreePatch& patch, const char* key) {
    return list(patch.json(), key, key) != list(patch.source().json(), key, key);
}

void writeEdits(TreePatch& patch, const document::Document& document) {
    std::vector<Repair> unused;
    const document::DocumentState before = readDocument(patch.source(), unused, false);
    WriteContext context{patch, before, document, document.state()};
    writePose(context);
    writeLocks(context);
    writeSkins(context);
    if (differs(patch, "nodes") || differs(patch, "skins"))
        writeBindShapes(context);
    writeWeights(context);
    writeShapes(context);
    writeShapeState(context);
    patch.dropEmptyLists();
}

bool isEdited(const TreePatch& patch) {
    for (std::size_t b = 0; b < patch.bufferCount(); ++b)
        if (patch.isEdited(b))
            return true;
    return patch.json() != patch.source().json();
}

Result<WrittenFile> assemble(TreePatch& patch, Container container, const std::string& name) {
    const bool edited = isEdited(patch);
    const bool sameContainer = patch.source().container.glb == (container == Container::Glb);
    if (container == Container::Glb && sameContainer && !edited)
        return WrittenFile{patch.source().original, {}, patch.notes};
    if (container == Container::Glb)
        return assembleGlb(patch);
    Result<WrittenFile> file = assembleGltf(patch, name);
    if (file && sameContainer && !edited)
        file->bytes = patch.source().original;
    return file;
}

bool holds(const std::filesystem::path& path, std::span<const std::byte> bytes) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(path, none) || std::filesystem::file_size(path, none) != bytes.size())
        return false;
    const Result<std::vector<std::byte>> present = readFile(path);
    return present && std::equal(present->begin(), present->end(), bytes.begin(), bytes.end());
}

Status saveSidecar(const std::filesystem::path& folder, const WrittenFile::Sidecar& sidecar, bool elsewhere) {
    const std::filesystem::path path = folder / std::filesystem::path(sidecar.uri);
    if (holds(path, sidecar.bytes))
        return {};
    std::error_code failed;
    if (sidecar.copied && elsewhere && std::filesystem::exists(path, failed))
        return Error{ErrorCode::WriteFailed, "Another file of this name is there already; save into another folder.",
                     path.string()};
    std::filesystem::create_directories(path.parent_path(), failed);
    if (failed)
        return Error{ErrorCode::WriteFailed, "The folder cannot be made: " + failed.message() + ".",
                     path.parent_path().string()};
    return safeSave(path, sidecar.bytes);
}

bool sameFolder(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code failed;
    return !a.empty() && std::filesystem::equivalent(a, b, failed);
}

} // namespace

Result<WrittenFile> writeGltf(const GltfSource& source, const document::Document& doc, Container container,
                              const std::string& gltfName) {
    try {
        TreePatch patch(source);
        writeEdits(patch, doc);
        return assemble(patch, container, gltfName);
    } catch (const Refusal& refusal) {
        return Error{ErrorCode::Failed, refusal.error.text, refusal.error.where};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::Failed, "There is not enough memory to save.", ""};
    } catch (const std::exception& error) {
        return Error{ErrorCode::Failed, std::string("The file's data could not be patched: ") + error.what() + ".", ""};
    }
}

Result<std::vector<std::string>> saveGltf(const GltfSource& source, const document::Document& doc,
                                          const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (extension != ".glb" && extension != ".gltf")
        return Error{ErrorCode::Usage, "The name must end in .glb or .gltf.", path.string()};
    Result<WrittenFile> file =
        writeGltf(source, doc, extension == ".glb" ? Container::Glb : Container::Gltf, path.stem().string());
    if (!file)
        return file.error();
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    const bool elsewhere = !sameFolder(source.folder, folder);
    for (const WrittenFile::Sidecar& sidecar : file->sidecars)
        if (const Status saved = saveSidecar(folder, sidecar, elsewhere); !saved)
            return saved.error();
    if (const Status saved = safeSave(path, file->bytes); !saved)
        return saved.error();
    return std::move(file->notes);
}

} // namespace limber::io
