#include "core/io/gltf_assemble.h"
#include "core/io/gltf_reader.h"
#include "core/io/gltf_write_steps.h"

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
    writeJointNames(context);
    writeWeights(context);
    writeNormals(context);
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

bool sameFolder(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code failed;
    return !a.empty() && std::filesystem::equivalent(a, b, failed);
}

Result<WrittenFile> assemble(TreePatch& patch, Container container, const Destination& to) {
    const bool sameContainer = patch.source().container.glb == (container == Container::Glb);
    const bool stays = to.path.empty() || sameFolder(patch.source().folder, to.folder());
    if (container == Container::Glb && sameContainer && stays && !isEdited(patch))
        return WrittenFile{patch.source().original, {}, patch.notes};
    Result<WrittenFile> file = container == Container::Glb ? assembleGlb(patch) : assembleGltf(patch, to);
    if (file && sameContainer && !isEdited(patch))
        file->bytes = patch.source().original;
    return file;
}

Result<WrittenFile> write(const GltfSource& source, const document::Document& doc, Container container,
                          const Destination& to) {
    try {
        TreePatch patch(source);
        writeEdits(patch, doc);
        return assemble(patch, container, to);
    } catch (const Refusal& refusal) {
        return Error{ErrorCode::Failed, refusal.error.text, refusal.error.where};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::Failed, "There is not enough memory to save.", ""};
    } catch (const std::exception& error) {
        return Error{ErrorCode::Failed, std::string("The file's data could not be patched: ") + error.what() + ".", ""};
    }
}

} // namespace

Result<WrittenFile> writeGltf(const GltfSource& source, const document::Document& doc, Container container,
                              const std::string& gltfName) {
    return write(source, doc, container, {gltfName, {}});
}

Result<std::vector<std::string>> saveGltf(const GltfSource& source, const document::Document& doc,
                                          const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (extension != ".glb" && extension != ".gltf")
        return Error{ErrorCode::Usage, "The name must end in .glb or .gltf.", path.string()};
    const bool glb = extension == ".glb";
    Result<WrittenFile> file = write(source, doc, glb ? Container::Glb : Container::Gltf, {path.stem().string(), path});
    if (!file)
        return file.error();
    const std::vector<std::string> replaced = glb ? std::vector<std::string>() : writtenBuffers(path);
    if (const Status saved = saveWithSidecars(path, *file); !saved)
        return saved.error();
    removeUnused(path, replaced, *file);
    return std::move(file->notes);
}

} // namespace limber::io
