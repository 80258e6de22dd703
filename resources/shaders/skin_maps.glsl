// Affine maps as three rows of [A | t], and what all methods do with them. The same arithmetic as core/skin/pose_map.
// Palette: three rows per slot, world from mesh. Weights: rows of one capacity, (slot, weight bits) each.
// LIMBER_SKIN says what is compiled: 0 points that come posed, 1 linear blend, 2 dual quaternions, 3 spherical blend.
uniform int influenceCapacity; // 0: rigid, the palette holds one matrix

struct Skinned {
    vec3 position;
    vec3 normal;
    float side; // -1 where the joint mirrors, 0 where that is not known
};

struct Map {
    vec4 x, y, z;
};

// What is known of a vertex after one walk along its weights.
struct Row {
    uint first, end; // of its entries
    float total;     // of the weights that count
    uint heaviest;   // slot; ties go to the lower one
    Map linear;      // sum of w T
    vec3 origin;     // sum of w times the bind origin, of the spherical blend only
};

const float kWeightEpsilon = 1e-6;
const uint kRigidRows = 9u; // of a slot: rotation, dual part, D, S M, origin and sign

Map paletteMap(uint slot) {
    return Map(paletteRow(3u * slot), paletteRow(3u * slot + 1u), paletteRow(3u * slot + 2u));
}

void addMap(inout Map sum, float weight, Map m) {
    sum.x += weight * m.x;
    sum.y += weight * m.y;
    sum.z += weight * m.z;
}

vec3 carried(Map m, vec4 p) { return vec3(dot(m.x, p), dot(m.y, p), dot(m.z, p)); }

float orientation(Map m) { return dot(cross(m.x.xyz, m.y.xyz), m.z.xyz) < 0.0 ? -1.0 : 1.0; }

Map noMap() { return Map(vec4(0), vec4(0), vec4(0)); }

Row readRow(uint vertex) {
    Row row = Row(0u, 0u, 0.0, 0u, noMap(), vec3(0));
    row.first = vertex * uint(influenceCapacity);
    row.end = row.first + weightCount(vertex);
    float most = 0.0;
    for (uint k = row.first; k < row.end; ++k) {
        uvec2 entry = weightEntry(k);
        float weight = uintBitsToFloat(entry.y);
        if (weight <= kWeightEpsilon)
            continue;
        addMap(row.linear, weight, paletteMap(entry.x));
        row.total += weight;
#if LIMBER_SKIN == 3
        row.origin += weight * rigidRow(kRigidRows * entry.x + 8u).xyz;
#endif
        if (weight > most) {
            most = weight;
            row.heaviest = entry.x;
        }
    }
    return row;
}

// The point and, by the cofactor matrix with the sign of the heaviest joint, the normal. Where the map has lost its
// rank, the normal turns with `turn`.
Skinned mapped(Map m, float side, vec3 point, vec3 normal, Map turn) {
    vec3 moved = carried(m, vec4(point, 1.0));
    vec3 x = cross(m.y.xyz, m.z.xyz), y = cross(m.z.xyz, m.x.xyz), z = cross(m.x.xyz, m.y.xyz);
    vec3 turned = side * vec3(dot(x, normal), dot(y, normal), dot(z, normal));
    float size = dot(m.x.xyz, m.x.xyz) + dot(m.y.xyz, m.y.xyz) + dot(m.z.xyz, m.z.xyz);
    float len = length(turned);
    if (len > 1e-5 * size)
        return Skinned(moved, turned / len, side);
    vec3 fallback = carried(turn, vec4(normal, 0.0));
    float fallbackLen = length(fallback);
    return Skinned(moved, fallbackLen > 0.0 ? fallback / fallbackLen : normal, side);
}
