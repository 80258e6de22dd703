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

#if LIMBER_SKIN == 3
// What the centre of a vertex is sought with: D of the heaviest joint, the mean bind origin c and where that D has it.
struct Anchor {
    Map first;
    vec3 at, place;
};

Anchor anchorOf(Row row) {
    Anchor a = Anchor(rigidMap(row.heaviest, 2u), row.origin / row.total, vec3(0));
    a.place = carried(a.first, vec4(a.at, 1.0));
    return a;
}

// D of a slot less that of the anchor, about c: small numbers keep float's accuracy where all turn nearly alike.
Map turnOf(uint slot, Anchor a) {
    Map d = rigidMap(slot, 2u);
    vec3 e = carried(d, vec4(a.at, 1.0)) - a.place;
    return Map(vec4(d.x.xyz - a.first.x.xyz, e.x), vec4(d.y.xyz - a.first.y.xyz, e.y),
               vec4(d.z.xyz - a.first.z.xyz, e.z));
}
#endif

// Signed sums of the rotations and their dual parts, the blend of the stretches; q and -q are the same rotation, the
// one nearer to the heaviest joint's counts. For the spherical blend the sum of the turns.
struct Motion {
    vec4 real, dual;
    Map stretch;
    Map turns;
};

Motion blendMotions(Row row) {
    Motion sum = Motion(vec4(0), vec4(0), noMap(), noMap());
    vec4 pivot = rigidRow(kRigidRows * row.heaviest);
#if LIMBER_SKIN == 3
    Anchor anchor = anchorOf(row);
#endif
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
#else
        addMap(sum.turns, weight, turnOf(entry.x, anchor));
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
const float kCentreTerm = 1e-6; // as in core/skin/pose_map
const float kRounding = 1.2e-7; // part of a trace near one that rounding may take away

// n^-1 b of a positive n with a trace near one, by L D L^T: the adjugate would lose all digits where one direction is
// free.
vec3 solvedPositive(mat3 n, vec3 b) {
    float d0 = max(n[0][0], kRounding), l1 = n[0][1] / d0, l2 = n[0][2] / d0;
    float d1 = max(n[1][1] - l1 * n[0][1], kRounding), m = n[1][2] - l2 * n[0][1], l3 = m / d1;
    float d2 = max(n[2][2] - l2 * n[0][2] - l3 * m, kRounding);
    float y = b.y - l1 * b.x, z = (b.z - l2 * b.x - l3 * y) / d2;
    float outY = y / d1 - l3 * z;
    return vec3(b.x / d0 - l1 * outY - l2 * z, outY, z);
}

// The centre r makes sum w |D r - mean of D r|^2 least, with differences from the mean of the turns. The term keeps it
// at c where the joints hardly turn against each other.
vec3 translationOf(Row row, Motion m) {
    Anchor a = anchorOf(row);
    mat3 square = mat3(0.0);
    vec3 pull = vec3(0);
    Map mean = Map(m.turns.x / row.total, m.turns.y / row.total, m.turns.z / row.total);
    for (uint k = row.first; k < row.end; ++k) {
        uvec2 entry = weightEntry(k);
        float weight = uintBitsToFloat(entry.y);
        if (weight <= kWeightEpsilon)
            continue;
        Map turn = turnOf(entry.x, a);
        addMap(turn, -1.0, mean);
        mat3 columns = mat3(turn.x.xyz, turn.y.xyz, turn.z.xyz); // E^T
        square += weight * (columns * transpose(columns));
        pull += weight * (columns * vec3(turn.x.w, turn.y.w, turn.z.w));
    }
    float term = kCentreTerm * row.total;
    float scale = 1.0 / (square[0][0] + square[1][1] + square[2][2] + term);
    vec3 r = solvedPositive(square * scale + mat3(term * scale + kRounding), -scale * pull);
    vec3 turned = vec3(dot(a.first.x.xyz, r), dot(a.first.y.xyz, r), dot(a.first.z.xyz, r));
    return carried(m.turns, vec4(r, 1.0)) + row.total * (a.place + turned - rotated(m.real, a.at + r));
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
