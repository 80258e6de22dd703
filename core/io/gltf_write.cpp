#include "core/document/file_order.h"
#include "core/io/asset_path.h"
#include "core/io/gltf_assemble.h"
#include "core/io/gltf_painted_maps.h"
#include "core/io/gltf_reader.h"
#include "core/io/gltf_write_steps.h"
#include "core/io/skinning_names.h"

namespace limber::io {

namespace {

bool differs(const TreePatch& patch, const char* key) {
    return list(patch.json(), key, key) != list(patch.source().json(), key, key);
}

// glTF has linear blend skinning only: the rest is Limber's own.
void noteMethods(WriteContext& context) {
    std::string meshes;
    std::vector<bool> named(context.after.meshes.size());
    for (std::size_t i = 0; i < context.after.instances.size(); ++i) {
        const MeshId id = context.after.instances[i].mesh;
        const document::MeshData& mesh = context.after.meshes[id.index()];
        const bool plain = mesh.skinning.method == skin::Method::Linear && !mesh.skinning.mush.on;
        if (named[id.index()] || plain || !context.document.isSkinned(InstanceId(i)))
            continue;
        named[id.index()] = true;
        meshes += (meshes.empty() ? "\"" : ", \"") + mesh.geometry.name + "\" (" +
                  std::string(methodWord(mesh.skinning.method)) + (mesh.skinning.mush.on ? ", delta mush)" : ")");
    }
    if (!meshes.empty())
        context.patch.notes.push_back("Other programs show linear blend skinning instead of the method of " + meshes +
                                      ", which the file keeps for Limber.");
}

bool isEdited(const TreePatch& patch) {
    for (std::size_t b = 0; b < patch.bufferCount(); ++b)
        if (patch.isEdited(b))
            return true;
    return patch.json() != patch.source().json();
}

void writeEdits(TreePatch& patch, const document::Document& document) {
    if (!document::isInFileOrder(document.state()))
        return writeEdits(patch, document::Document(document::inFileOrder(document.state())));
    std::vector<Repair> repairs;
    const document::DocumentState before = readDocument(patch.source(), repairs, false);
    WriteContext context{patch, before, document, document.state()};
    writePose(context);
    writeLocks(context);
    writeSkins(context);
    if (differs(patch, "nodes") || differs(patch, "skins"))
        writeBindShapes(context);
    writeJointNames(context);
    writeWeights(context);
    writeNormals(context);
    writePaintedMaps(context);
    writeShapes(context);
    writeShapeState(context);
    if (isEdited(patch)) // an unedited file stays as it is
        writeMendedMaps(context, repairs);
    noteMethods(context);
    patch.dropEmptyLists();
}

bool isSame(const std::filesystem::path& a, const std::filesystem::path& b) {
    std::error_code failed;
    return !a.empty() && std::filesystem::equivalent(a, b, failed);
}

// The file's own bytes where nothing changes.
Result<GlbPieces> glbPieces(TreePatch& patch, const Destination& to) {
    const GltfSource& source = patch.source();
    GlbPieces own;
    own.later = source.original;
    const bool stays = to.path.empty() || isSame(source.folder, to.folder());
    if (source.container.glb && stays && !isEdited(patch))
        return own;
    Result<GlbPieces> pieces = assembleGlb(patch, isSame(source.path, to.path) ? Outside::Keep : Outside::Embed);
    if (pieces && source.container.glb && !isEdited(patch))
        return own;
    return pieces;
}

Result<WrittenFile> assemble(TreePatch& patch, Container container, const Destination& to) {
    if (container == Container::Gltf) {
        Result<WrittenFile> file = assembleGltf(patch, to);
        if (file && !patch.source().container.glb && !isEdited(patch))
            file->bytes.assign(patch.source().original.begin(), patch.source().original.end());
        return file;
    }
    const Result<GlbPieces> pieces = glbPieces(patch, to);
    if (!pieces)
        return pieces.error();
    WrittenFile file{{}, {}, patch.notes};
    for (const std::span<const std::byte> piece : pieces->list())
        file.bytes.insert(file.bytes.end(), piece.begin(), piece.end());
    return file;
}

// What `use` makes of the file with the document's edits in it.
template <class Value, class Use>
Result<Value> patched(const GltfSource& source, const document::Document& doc, Use use) {
    try {
        TreePatch patch(source);
        writeEdits(patch, doc);
        return use(patch);
    } catch (const Refusal& refusal) {
        return Error{ErrorCode::Failed, refusal.error.text, refusal.error.where};
    } catch (const std::bad_alloc&) {
        return Error{ErrorCode::Failed, "There is not enough memory to save.", ""};
    } catch (const std::exception& error) {
        return Error{ErrorCode::Failed, std::string("The file's data could not be patched: ") + error.what() + ".", ""};
    }
}

Result<WrittenFile> write(const GltfSource& source, const document::Document& doc, Container container,
                          const Destination& to) {
    return patched<WrittenFile>(source, doc, [&](TreePatch& patch) { return assemble(patch, container, to); });
}

using Notes = std::vector<std::string>;

Result<Notes> saveAsGlb(const GltfSource& source, const document::Document& doc, const Destination& to,
                        const SaveOptions& options) {
    return patched<Notes>(source, doc, [&](TreePatch& patch) -> Result<Notes> {
        const Result<GlbPieces> pieces = glbPieces(patch, to);
        if (!pieces)
            return pieces.error();
        if (const Status saved = safeSave(to.path, pieces->list(), options); !saved)
            return saved.error();
        return patch.notes;
    });
}

Result<Notes> saveAsGltf(const GltfSource& source, const document::Document& doc, const Destination& to,
                         const SaveOptions& options) {
    Result<WrittenFile> file = write(source, doc, Container::Gltf, to);
    if (!file)
        return file.error();
    Notes replaced = writtenBuffers(to.path, to.stem);
    if (options.backups > 0) // the oldest, which is about to go
        for (std::string& name : writtenBuffers(backupPath(to.path, options.backups), to.stem))
            replaced.push_back(std::move(name));
    if (const Status saved = saveWithSidecars(to.path, *file, options); !saved)
        return saved.error();
    removeUnused(to.path, replaced, *file);
    return std::move(file->notes);
}

} // namespace

Result<WrittenFile> writeGltf(const GltfSource& source, const document::Document& doc, Container container,
                              const std::string& gltfName) {
    return write(source, doc, container, {gltfName, {}});
}

Result<std::vector<std::string>> saveGltf(const GltfSource& source, const document::Document& doc,
                                          const std::filesystem::path& path, const SaveOptions& options) {
    const std::string extension = lowerExtension(path);
    const Destination to{path.stem().string(), path};
    if (extension == ".glb")
        return saveAsGlb(source, doc, to, options);
    if (extension == ".gltf")
        return saveAsGltf(source, doc, to, options);
    return Error{ErrorCode::Usage, "The name must end in .glb or .gltf.", path.string()};
}

} // namespace limber::io
