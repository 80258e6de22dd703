// Where skinning reads its arrays from where there are no storage buffers: textures, filled line by line. Slots and counts are
// floats in them.
uniform sampler2D Palette;
uniform sampler2D WeightEntries;
uniform sampler2D WeightCounts;
uniform sampler2D RigidPalette;
uniform sampler2D MethodShare;
uniform sampler2D HeatValues;

const uint kTexelsPerLine = 4096u;

ivec2 texelAt(uint index) { return ivec2(int(index % kTexelsPerLine), int(index / kTexelsPerLine)); }

vec4 paletteRow(uint row) { return texelFetch(Palette, texelAt(row), 0); }
vec4 rigidRow(uint row) { return texelFetch(RigidPalette, texelAt(row), 0); }
uvec2 weightEntry(uint entry) {
    vec2 pair = texelFetch(WeightEntries, texelAt(entry), 0).xy;
    return uvec2(uint(pair.x), floatBitsToUint(pair.y));
}
uint weightCount(uint vertex) { return uint(texelFetch(WeightCounts, texelAt(vertex), 0).x); }
float shareValue(uint vertex) { return texelFetch(MethodShare, texelAt(vertex), 0).x; }
float heatValue(uint vertex) { return texelFetch(HeatValues, texelAt(vertex), 0).x; }
