// Painted maps in glTF: a scalar attribute of every primitive, which other programs carry along and can show:
// _LIMBER_METHOD_SHARE and _LIMBER_MUSH_SHARE. Written as floats; read from any component type.
#pragma once

#include "core/io/gltf_primitive.h"
#include "core/io/gltf_reader.h"
#include "core/io/gltf_write_steps.h"

namespace limber::io {

[[nodiscard]] const char* semanticOf(skin::PaintedMap map);

// The maps of the part that was added last, of one primitive. What cannot be read is left out, values outside [0, 1]
// are clamped, those that are not finite become 1; each is noted. Never refuses.
void readPaintedMaps(ReadContext& context, PrimitiveSource& primitive, document::MeshData& mesh,
                     const std::string& where);
// After the last part: a map has a value for every vertex; a map of ones is no map.
void completePaintedMaps(document::MeshData& mesh);

// Maps that differ from what the file reads to, in all primitives of the mesh; a map that is gone is taken out.
void writePaintedMaps(WriteContext& context);
// Maps whose values in the file are not what they read to, as `repairs` of that reading tell: what is saved holds the
// values that are used.
void writeMendedMaps(WriteContext& context, std::span<const Repair> repairs);

} // namespace limber::io
