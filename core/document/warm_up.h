// What the first touch of a brush would otherwise wait for, made beside the window after a document was opened.
#pragma once

#include "core/document/document.h"

#include <memory>

namespace limber::document {

// Makes the weld of each large mesh on a thread of its own, which ends with the object. It reads positions and
// triangles only, which no edit changes: the document may be edited meanwhile, but not be replaced, moved or destroyed.
// A caller who needs a weld before waits for it, as without the warm-up.
class WarmUp {
public:
    // Keeps a reference.
    explicit WarmUp(const Document& document);
    // Waits for the mesh at work: about 0.1 s for a million vertices.
    ~WarmUp();
    WarmUp(const WarmUp&) = delete;
    WarmUp& operator=(const WarmUp&) = delete;

    // All is made.
    void wait();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace limber::document
