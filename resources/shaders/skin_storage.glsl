// Where skinning reads its arrays from: storage buffers (OpenGL 4.3), laid out as the core has them.
layout(std430, binding = 0) readonly buffer Palette { vec4 paletteRows[]; };
layout(std430, binding = 1) readonly buffer WeightEntries { uvec2 weightEntries[]; };
layout(std430, binding = 2) readonly buffer WeightCounts { uint weightCounts[]; };
layout(std430, binding = 3) readonly buffer RigidPalette { vec4 rigidRows[]; };
layout(std430, binding = 4) readonly buffer MethodShare { float methodShares[]; };
layout(std430, binding = 5) readonly buffer HeatValues { float heatValues[]; };

vec4 paletteRow(uint row) { return paletteRows[row]; }
vec4 rigidRow(uint row) { return rigidRows[row]; }
uvec2 weightEntry(uint entry) { return weightEntries[entry]; }
uint weightCount(uint vertex) { return weightCounts[vertex]; }
float shareValue(uint vertex) { return methodShares[vertex]; }
float heatValue(uint vertex) { return heatValues[vertex]; }
