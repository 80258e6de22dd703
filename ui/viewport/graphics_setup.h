// What must be set before QApplication exists for the viewport to work.
#pragma once

#include <cstddef>

namespace limber::ui {

// Chooses Qt3D's OpenGL renderer, shared contexts and an OpenGL 4.3 core format. Call first thing in main().
void prepareGraphics();

// Whether the graphics of this machine offer the vertex shader its storage buffers (OpenGL 4.3). Needs a
// QGuiApplication; asked once.
[[nodiscard]] bool hasStorageBuffers();

// The most bytes of a storage buffer, and the most texels along a side of a texture. As above.
[[nodiscard]] std::size_t largestStorage();
[[nodiscard]] std::size_t largestTextureSide();

// Whether the processor does the drawing: multisampling is then too slow to be on unasked. As above.
[[nodiscard]] bool isSoftwareGraphics();

} // namespace limber::ui
