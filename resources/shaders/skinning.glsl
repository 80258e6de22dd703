// Linear blend skinning, the same arithmetic as core/skin/linear_blend: x = sum w T p, normals by the cofactor matrix
// with the sign of the heaviest joint.
// Palette: three rows of [A | t] per slot, world from mesh. Weights: rows of one capacity, (slot, weight bits) each.
layout(std430, binding = 0) readonly buffer Palette { vec4 paletteRows[]; };
layout(std430, binding = 1) readonly buffer WeightEntries { uvec2 weightEntries[]; };
layout(std430, binding = 2) readonly buffer WeightCounts { uint weightCounts[]; };

uniform int influenceCapacity; // 0: rigid, the palette holds one matrix

struct Skinned {
    vec3 position;
    vec3 normal;
    float side; // -1 where the joint mirrors
};

const float kWeightEpsilon = 1e-6;

void addMatrix(inout vec4 rows[3], uint slot, float weight) {
    rows[0] += weight * paletteRows[3u * slot];
    rows[1] += weight * paletteRows[3u * slot + 1u];
    rows[2] += weight * paletteRows[3u * slot + 2u];
}

float orientation(vec4 rows[3]) { return dot(cross(rows[0].xyz, rows[1].xyz), rows[2].xyz) < 0.0 ? -1.0 : 1.0; }

Skinned limber_skin(uint vertex, vec3 point, vec3 normal) {
    vec4 rows[3] = vec4[3](vec4(0), vec4(0), vec4(0));
    float side = 1.0, total = 0.0;
    uint heaviest = 0u;
    if (influenceCapacity == 0) {
        addMatrix(rows, 0u, 1.0);
        side = orientation(rows);
        total = 1.0;
    } else {
        uint first = vertex * uint(influenceCapacity);
        float heaviestWeight = 0.0;
        for (uint k = first; k < first + weightCounts[vertex]; ++k) {
            uvec2 entry = weightEntries[k];
            float weight = uintBitsToFloat(entry.y);
            if (weight <= kWeightEpsilon)
                continue;
            addMatrix(rows, entry.x, weight);
            total += weight;
            if (weight > heaviestWeight) {
                heaviestWeight = weight;
                heaviest = entry.x;
            }
        }
        if (total > 0.0) {
            vec4 one[3] = vec4[3](paletteRows[3u * heaviest], paletteRows[3u * heaviest + 1u],
                                  paletteRows[3u * heaviest + 2u]);
            side = orientation(one);
        }
    }
    if (total == 0.0)
        return Skinned(point, normal, 1.0);

    vec4 p = vec4(point, 1.0);
    vec3 moved = vec3(dot(rows[0], p), dot(rows[1], p), dot(rows[2], p));
    vec3 c0 = cross(rows[1].xyz, rows[2].xyz), c1 = cross(rows[2].xyz, rows[0].xyz), c2 = cross(rows[0].xyz, rows[1].xyz);
    vec3 turned = side * vec3(dot(c0, normal), dot(c1, normal), dot(c2, normal));
    float size = dot(rows[0].xyz, rows[0].xyz) + dot(rows[1].xyz, rows[1].xyz) + dot(rows[2].xyz, rows[2].xyz);
    float len = length(turned);
    if (len > 1e-5 * size)
        return Skinned(moved, turned / len, side);
    // The blend has lost its rank: turn with the heaviest joint.
    vec4 n = vec4(normal, 0.0);
    vec3 carried = vec3(dot(paletteRows[3u * heaviest], n), dot(paletteRows[3u * heaviest + 1u], n),
                        dot(paletteRows[3u * heaviest + 2u], n));
    float carriedLen = length(carried);
    return Skinned(moved, carriedLen > 0.0 ? carried / carriedLen : normal, side);
}

// Weight of one slot at a vertex; -1 where the vertex has no weight at all.
float limber_weight(uint vertex, int slot) {
    if (influenceCapacity == 0)
        return slot >= 0 ? 1.0 : 0.0;
    uint first = vertex * uint(influenceCapacity);
    float found = 0.0, total = 0.0;
    for (uint k = first; k < first + weightCounts[vertex]; ++k) {
        float weight = uintBitsToFloat(weightEntries[k].y);
        total += weight;
        if (int(weightEntries[k].x) == slot)
            found = weight;
    }
    return total > 0.0 ? found : -1.0;
}
