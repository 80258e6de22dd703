// A vertex posed by the method that is compiled in, and what the heat map shows of it.
uniform int mirroredJoints; // any joint of the palette mirrors
uniform int heatSource;     // 0 weight of a slot, 1 values of the vertices, 2 one everywhere, 3 zero everywhere

Skinned limber_skin(uint vertex, vec3 point, vec3 normal) {
#if LIMBER_SKIN == 0
    return Skinned(point, normal, mirroredJoints != 0 ? 0.0 : 1.0);
#else
    if (influenceCapacity == 0) {
        Map one = paletteMap(0u);
        return mapped(one, orientation(one), point, normal, one);
    }
    Row row = readRow(vertex);
    if (row.total == 0.0)
        return Skinned(point, normal, 1.0);
    Map heaviest = paletteMap(row.heaviest);
    return mapped(blended(vertex, row), orientation(heaviest), point, normal, heaviest);
#endif
}

// Weight of one slot at a vertex, or a painted value; -1 where the vertex has no weight at all.
float limber_heat(uint vertex, int slot) {
    if (heatSource >= 2)
        return heatSource == 2 ? 1.0 : 0.0;
    if (heatSource == 1)
        return heatValue(vertex);
    if (influenceCapacity == 0)
        return slot >= 0 ? 1.0 : 0.0;
    uint first = vertex * uint(influenceCapacity), end = first + weightCount(vertex);
    float found = 0.0, total = 0.0;
    for (uint k = first; k < end; ++k) {
        uvec2 entry = weightEntry(k);
        float weight = uintBitsToFloat(entry.y);
        total += weight;
        if (int(entry.x) == slot)
            found = weight;
    }
    return total > 0.0 ? found : -1.0;
}
