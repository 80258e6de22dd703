#include "core/io/weights_file.h"
#include "tests/fuzz/exercise.h"
#include "tests/fuzz/sample_files.h"
#include "tests/fuzz/targets.h"

namespace limber::fuzz {

void weights(Bytes input) {
    const auto file = io::readWeights(textOf(input));
    if (!file) {
        require(!file.error().text.empty(), "Refused without a reason.");
        return;
    }
    const auto again = io::readWeights(io::writeWeights(*file));
    require(again.ok() && again->mesh == file->mesh && again->joints == file->joints &&
                again->rows.vertexCount() == file->rows.vertexCount(),
            "Weights that were read cannot be written and read.");
    document::Document doc(strip().state);
    const auto import = io::importWeights(doc, MeshId(0), *file);
    if (!import) {
        require(!import.error().text.empty(), "Refused without a reason.");
        return;
    }
    doc.apply(import->edit);
    for (std::size_t v = 0; v < doc.mesh(MeshId(0)).weights.vertexCount(); ++v) {
        double sum = 0;
        for (const skin::Influence& influence : doc.mesh(MeshId(0)).weights.row(v))
            sum += double(influence.weight);
        require(sum == 0 || std::abs(sum - 1) < 1e-4, "A row that does not sum to one.");
    }
    look(doc.state());
    const std::string wrong = saveAndRead(*strip().source, doc);
    require(wrong.empty(), wrong);
}

} // namespace limber::fuzz
