// Dual quaternions in two phases (Kavan et al. 2007) and the spherical blend (Kavan and Zara 2005) about a centre per
// vertex: T = D S M, the mesh is stretched by the blend of S M first and then moved rigidly.
uniform int paintedShare; // 0: the method's share is 1 everywhere

#if LIMBER_SKIN >= 2
Map rigidMap(uint slot, uint row) {
    uint at = kRigidRows * slot + row;
    return Map(rigidRow(at), rigidRow(at + 1u), rigidRow(at + 2u));
}

vec3 rotated(vec4 q, vec3 p) {
    vec3 twice = 2.0 * cross(q.xyz, p);
    return p + q.w * twice + cross(q.xyz, twice);
}

// Signed sums of the rotations and their dual parts, the blend of the stretches; q and -q are the same rotation, the
// one nearer to the heaviest joint's counts.
struct Motion {
    vec4 real, dual;
    Map stretch;
};

Motion blendMotions(Row row) {
    Motion sum = Motion(vec4(0), vec4(0), noMap());
    vec4 pivot = rigidRow(kRigidRows * row.heaviest);
    for (uint k = row.first; k < row.end; ++k) {
        uvec2 entry = weightEntry(k);
        float weight = uintBitsToFloat(entry.y);
        if (weight <= kWeightEpsilon)
            continue;
        vec4 q = rigidRow(kRigidRows * entry.x);
        float signedWeight = dot(q, pivot) < 0.0 ? -weight : weight;
        sum.real += signedWeight * q;
#if LIMBER_SKIN == 2
        sum.dual += signedWeight * rigidRow(kRigidRows * entry.x + 1u);
#endif
        addMap(sum.stretch, weight, rigidMap(entry.x, 5u));
    }
    float len = length(sum.real);
    if (len < 1e-9) {
        sum.real = pivot;
        sum.dual = rigidRow(kRigidRows * row.heaviest + 1u);
    } else {
        sum.real /= len;
        sum.dual /= len;
    }
    return sum;
}

#if LIMBER_SKIN == 2
vec3 translationOf(Row row, Motion m) {
    return row.total * 2.0 * (m.real.w * m.dual.xyz - m.dual.w * m.real.xyz + cross(m.real.xyz, m.dual.xyz));
}
#else
// The centre r makes sum w |D r - mean of D r|^2 least. About the mean bind origin c, and with differences E = R - R0,
// e = D c - D0 c against the heaviest joint, which keep float's accuracy where all turn nearly alike.
vec3 translationOf(Row row, Motion m) {
    Map first = rigidMap(row.heaviest, 2u);
    vec3 c = row.origin / row.total;
    vec3 place = carried(first, vec4(c, 1.0));
    Map sum = noMap(); // of w E, and w e in its last column
    mat3 square = mat3(0.0);
    vec3 pull = vec3(0);
    for (uint k = row.first; k < row.end; ++k) {
        uvec2 entry = weightEntry(k);
        float weight = uintBitsToFloat(entry.y);
        if (weight <= kWeightEpsilon)
            continue;
        Map d = rigidMap(entry.x, 2u);
        vec3 e = carried(d, vec4(c, 1.0)) - place;
        Map difference = Map(vec4(d.x.xyz - first.x.xyz, e.x), vec4(d.y.xyz - first.y.xyz, e.y),
                             vec4(d.z.xyz - first.z.xyz, e.z));
        addMap(sum, weight, difference);
        // Rows as columns: E^T.
        mat3 rows = mat3(difference.x.xyz, difference.y.xyz, difference.z.xyz);
        square += weight * (rows * transpose(rows));
        pull += weight * (rows * e);
    }
    mat3 rows = mat3(sum.x.xyz, sum.y.xyz, sum.z.xyz);
    vec3 e = vec3(sum.x.w, sum.y.w, sum.z.w);
    mat3 n = square - rows * transpose(rows) / row.total;
    vec3 right = rows * e / row.total - pull;
    // Scaled to a trace near one, so that the determinant stays within float's range. The term keeps r at c where the
    // joints hardly turn against each other; the rest of it covers rounding.
    float term = 1e-6 * row.total;
    float scale = 1.0 / (square[0][0] + square[1][1] + square[2][2] + term);
    n = n * scale + mat3(term * scale + 4e-7);
    right *= scale;
    vec3 yz = cross(n[1], n[2]);
    vec3 r = vec3(dot(yz, right), dot(cross(n[2], n[0]), right), dot(cross(n[0], n[1]), right)) / dot(n[0], yz);
    vec3 turned = vec3(dot(first.x.xyz, r), dot(first.y.xyz, r), dot(first.z.xyz, r));
    return carried(sum, vec4(r, 1.0)) + row.total * (place + turned - rotated(m.real, c + r));
}
#endif

// The map of the method, mixed with the linear blend where a share is painted.
Map blended(uint vertex, Row row) {
    Motion m = blendMotions(row);
    vec3 x = rotated(m.real, vec3(m.stretch.x.x, m.stretch.y.x, m.stretch.z.x));
    vec3 y = rotated(m.real, vec3(m.stretch.x.y, m.stretch.y.y, m.stretch.z.y));
    vec3 z = rotated(m.real, vec3(m.stretch.x.z, m.stretch.y.z, m.stretch.z.z));
    vec3 t = rotated(m.real, vec3(m.stretch.x.w, m.stretch.y.w, m.stretch.z.w)) + translationOf(row, m);
    Map map = Map(vec4(x.x, y.x, z.x, t.x), vec4(x.y, y.y, z.y, t.y), vec4(x.z, y.z, z.z, t.z));
    if (paintedShare == 0)
        return map;
    float share = shareValue(vertex);
    Map mixed = noMap();
    addMap(mixed, share, map);
    addMap(mixed, 1.0 - share, row.linear);
    return mixed;
}
#else
Map blended(uint vertex, Row row) { return row.linear; }
#endif
