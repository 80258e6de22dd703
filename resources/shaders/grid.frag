in vec2 ground;
in vec2 fromCenter;
out vec4 fragColor; // premultiplied, sRGB

uniform float gridCell; // world

// Coverage of lines one pixel wide at whole numbers of `c`; fades where lines come closer than a few pixels.
vec2 lines(vec2 c, out float density) {
    vec2 w = max(fwidth(c), 1e-9);
    density = max(w.x, w.y);
    return clamp(1.0 - abs(fract(c - 0.5) - 0.5) / w, 0.0, 1.0);
}

void main() {
    float fineDensity, coarseDensity;
    vec2 fine = lines(ground / gridCell, fineDensity), coarse = lines(ground / (gridCell * 10.0), coarseDensity);
    float fineAlpha = max(fine.x, fine.y) * 0.20 * (1.0 - smoothstep(0.10, 0.40, fineDensity));
    float coarseAlpha = max(coarse.x, coarse.y) * 0.34 * (1.0 - smoothstep(0.10, 0.45, coarseDensity));
    float alpha = max(fineAlpha, coarseAlpha);
    vec3 color = vec3(0.72, 0.75, 0.80);

    vec2 pixels = abs(ground) / max(fwidth(ground), 1e-9);
    float alongX = clamp(1.5 - pixels.y, 0.0, 1.0), alongZ = clamp(1.5 - pixels.x, 0.0, 1.0);
    color = mix(mix(color, vec3(1.0, 0.42, 0.44), alongX), vec3(0.353, 0.635, 1.0), alongZ);
    alpha = max(alpha, 0.55 * max(alongX, alongZ));

    alpha *= 1.0 - smoothstep(0.12, 0.95, length(fromCenter));
    fragColor = vec4(color * alpha, alpha);
}
