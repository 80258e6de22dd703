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

Map noMap() { return Map(vec4(0), vec4(0), vec4(0)); }

// The linear part with its largest number made one, so that squares and products stay within float's range; 0 where it
// is nothing.
mat3 unitRows(Map m) {
    vec3 a = max(max(abs(m.x.xyz), abs(m.y.xyz)), abs(m.z.xyz));
    float largest = max(a.x, max(a.y, a.z));
    return largest > 0.0 ? mat3(m.x.xyz / largest, m.y.xyz / largest, m.z.xyz / largest) : mat3(0.0);
}

mat3 cofactors(mat3 rows) {
    return mat3(cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1]));
}

// Of a flat map the determinant is rounding: it does not mirror.
float orientation(Map m) {
    mat3 rows = unitRows(m);
    float det = dot(rows[0], cross(rows[1], rows[2]));
    return det < -1e-6 * length(rows[0]) * length(rows[1]) * length(rows[2]) ? -1.0 : 1.0;
}

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

// The normal carried by the orthogonal factor of a map, found by Newton's iteration; of a flat one by what it leaves.
vec3 turnedNormal(Map m, vec3 normal) {
    mat3 rows = unitRows(m);
    for (int step = 0; step < 8; ++step) {
        mat3 cofactor = cofactors(rows);
        float det = dot(rows[0], cofactor[0]);
        if (abs(det) < 1e-5)
            break;
        rows = 0.5 * (rows + cofactor * (1.0 / det));
    }
    vec3 turned = normal * rows;
    float len = length(turned);
    return len > 1e-6 ? turned / len : normal;
}

// The point and, by the cofactor matrix with the sign of the heaviest joint, the normal. Where the map has lost its
// rank, the normal turns with the heaviest joint's.
Skinned mapped(Map m, float side, vec3 point, vec3 normal, Map heaviest) {
    vec3 moved = carried(m, vec4(point, 1.0));
    mat3 rows = unitRows(m);
    vec3 turned = side * (normal * cofactors(rows));
    float size = dot(rows[0], rows[0]) + dot(rows[1], rows[1]) + dot(rows[2], rows[2]), len = length(turned);
    if (len > 1e-5 * size)
        return Skinned(moved, turned / len, side);
    return Skinned(moved, turnedNormal(heaviest, normal), side);
}
