// What the specification asks of a file beyond what reading needs. Nothing here refuses a file for it: faults are
// listed under the Khronos validator's codes, and the data is kept as it is. What cannot be read at all is refused by
// the readers.
#pragma once

#include "core/io/gltf_faults.h"
#include "core/io/gltf_reader.h"

namespace limber::io {

// Missing, empty and mistyped members of the parts that are read, undeclared extensions, strides. Before the readers;
// O(JSON).
void checkStructure(const GltfSource& source, FaultList& faults);

// Names, formats, alignment and counts of attributes and morph targets, weights of shapes, texture coordinates that
// materials ask for. After the readers; O(JSON).
void checkMeshes(ReadContext& context, FaultList& faults);

// Of accessors: those that nothing reads are tried; declared bounds are compared with the data. After the readers;
// one pass over the bytes of accessors that have bounds or that nothing has read.
void checkData(ReadContext& context, FaultList& faults);

} // namespace limber::io
