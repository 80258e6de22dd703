// Weights as colour: the cividis ramp by ten colours, a light neutral grey, which is not on the ramp, for exactly 0, magenta for vertices without any
// weight. Linear.
vec3 cividis(float t) {
    const vec3 k[10] = vec3[10](vec3(0.000, 0.133, 0.306), vec3(0.071, 0.208, 0.439), vec3(0.231, 0.286, 0.424),
                                vec3(0.341, 0.365, 0.427), vec3(0.439, 0.443, 0.451), vec3(0.541, 0.525, 0.471),
                                vec3(0.647, 0.612, 0.455), vec3(0.765, 0.702, 0.412), vec3(0.882, 0.800, 0.333),
                                vec3(0.996, 0.910, 0.220));
    float x = clamp(t, 0.0, 1.0) * 9.0;
    int i = min(int(x), 8);
    return mix(k[i], k[i + 1], x - float(i));
}

vec3 heatColor(float weight, float unweighted) {
    vec3 ramp = toLinear(cividis(weight));
    vec3 color = mix(vec3(0.500, 0.505, 0.520), ramp, smoothstep(0.0, 0.004, weight));
    return mix(color, vec3(0.85, 0.03, 0.62), smoothstep(0.35, 0.65, unweighted));
}
