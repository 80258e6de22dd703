// A small studio: the key and fill lights move with the eye, sky and floor stay in the world.
vec3 toSrgb(vec3 c) {
    c = clamp(c, 0.0, 1.0);
    return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

vec3 toLinear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }

// White in full light stays below white, so that it keeps its form.
vec3 shoulder(vec3 c) {
    const float kFrom = 0.38;
    return mix(c, kFrom + (1.0 - kFrom) * tanh((c - kFrom) / (1.0 - kFrom)), step(kFrom, c));
}

// `n` and `toEye` unit, view space; `worldUp` the normal's height in the world; `sheen` the strength of the highlights.
vec3 studioLight(vec3 albedo, vec3 n, vec3 toEye, float worldUp, float sheen) {
    const vec3 kKey = vec3(-0.46, 0.60, 0.65), kFill = vec3(0.86, 0.10, 0.50), kRim = vec3(0.55, 0.52, -0.65);
    vec3 sky = mix(vec3(0.135, 0.130, 0.135), vec3(0.300, 0.325, 0.370), 0.5 + 0.5 * worldUp);
    float wrap = max((dot(n, kKey) + 0.22) / 1.22, 0.0);
    vec3 light = sky + vec3(1.02, 0.985, 0.93) * wrap * (0.55 + 0.45 * wrap) +
                 vec3(0.15, 0.17, 0.22) * max(dot(n, kFill), 0.0);
    float away = 1.0 - max(dot(n, toEye), 0.0), grazing = away * away * away;
    vec3 rim = vec3(0.62, 0.70, 0.82) * grazing * smoothstep(-0.35, 0.75, dot(n, kRim) + 0.35 * worldUp);
    float highlight = pow(max(dot(n, normalize(kKey + toEye)), 0.0), 28.0);
    albedo *= 1.0 - 0.30 * albedo; // paint is never as bright as its number
    return shoulder(albedo * light + sheen * (rim * (0.35 + 0.65 * albedo) + 0.11 * highlight));
}
