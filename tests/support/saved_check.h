// What saving an edited document must keep: nothing that was not edited changes in the file's tree, and what was
// edited reads back.
#pragma once

#include "core/document/evaluator.h"
#include "core/io/gltf_accessor.h"
#include "core/io/gltf_file.h"

#include <set>

namespace limber::test {

using Json = nlohmann::ordered_json;

// What of a document differs from what its file reads to.
struct Touched {
    Touched(const document::DocumentState& before, const document::DocumentState& after);

    std::set<std::size_t> posed, nodeExtras, named;           // nodes
    std::set<std::size_t> weights, normals, targets, columns; // meshes; columns: the list of shapes changed
    std::set<std::size_t> meshState;                          // meshes whose shapes, drivers or sliders changed
    std::set<std::size_t> maps;                               // meshes whose painted maps changed
    std::set<std::size_t> skins;
    bool anyPose = false;
};

// Empty, or what changed that was not edited. Both of one container.
std::string changedBesides(const io::LoadedFile& source, const io::LoadedFile& saved, const Touched& touched);

// Empty, or what of the document did not come back; integer weights may have been rounded.
std::string lostInFile(const document::DocumentState& doc, const document::DocumentState& back);

// Empty, or which channel of a clip is not as it was; weights of shapes have a column for each shape of `doc`, zeros
// for new ones.
std::string changedClip(const document::DocumentState& source, const document::DocumentState& doc,
                        const document::DocumentState& back);

// Empty, or how far the posed surface of the two is apart.
std::string surfaceMoved(const document::DocumentState& doc, const document::DocumentState& back);

} // namespace limber::test
