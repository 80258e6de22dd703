// One sculpt stroke on the posed surface, from press to release, as shape offsets of a preview:
// each dab is carried back through the skin at once, so what is seen is what will be stored.
#pragma once

#include "core/document/brush.h"
#include "core/document/preview.h"

namespace limber::document {

class Evaluator;

struct SculptSettings {
    enum class Mode { Grab, Smooth, Inflate };
    Mode mode = Mode::Grab;
};

// Which shape a mesh's strokes go into.
struct SculptTarget {
    MeshId mesh;
    ShapeId shape; // must have a weight of at least kSmallestShapeWeight in the present pose
};

class SculptStroke {
public:
    // Keeps references for the stroke. Meshes without an entry in `targets` are left alone.
    SculptStroke(const Document& doc, Evaluator& evaluator, Preview& preview, SculptSettings settings,
                 std::vector<SculptTarget> targets);
    ~SculptStroke();

    // Vertices of an instance within the dab, ascending (what a new corrective's driver is proposed from).
    [[nodiscard]] static std::vector<std::uint32_t> verticesUnder(const Document& doc, Evaluator& evaluator,
                                                                  InstanceId instance, const BrushDab& dab);

    // Grab moves the points held at the first dab by `motion`, whatever the strength; smooth and inflate accumulate.
    // The change set is valid until the next dab. No allocation once the lists have grown to the size of the dabs.
    const ChangeSet& dab(const BrushDab& dab);

    // Vertices whose sculpted place the skin cannot reach (near-singular blend), so far.
    [[nodiscard]] std::size_t unreachable() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace limber::document
