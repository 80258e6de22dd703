// What the first touch of a brush would otherwise wait for, made beside the window after a document was opened.
#pragma once

#include "core/document/document.h"
#include "core/mesh/ray_caster.h"

#include <functional>
#include <memory>

namespace limber::document {

// Makes the weld of each large mesh, and the rays of its instances, on a thread of its own, which ends with the object.
// It reads positions and triangles only, which no edit changes: the document may be edited meanwhile, but not be
// replaced, moved or destroyed. A caller who needs a weld before waits for it, as without the warm-up.
class WarmUp {
public:
    // Keeps a reference. `done` is called on the thread once all is made; not where there is nothing to make.
    explicit WarmUp(const Document& document, std::function<void()> done = {});
    // Waits for the piece at work: for a million vertices up to half a second.
    ~WarmUp();
    WarmUp(const WarmUp&) = delete;
    WarmUp& operator=(const WarmUp&) = delete;

    [[nodiscard]] bool working() const;
    // All is made.
    void wait();

    // Rays at the rest surface, to be fitted to the posed one. Once for each instance; null where it is small. Waits.
    [[nodiscard]] std::unique_ptr<mesh::RayCaster> takeRays(InstanceId instance);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace limber::document
