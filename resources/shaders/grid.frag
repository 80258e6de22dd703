in vec2 ground;
in vec2 fromCenter;
out vec4 fragColor; // premultiplied, sRGB

uniform float gridCell; // world
uniform vec3 gridColor; // sRGB

// Coverage of lines one pixel wide at whole numbers of `c`, `w` the change of `c` from pixel to pixel; fades where
// lines come closer than a few pixels.
float lines(vec2 c, vec2 w, float strength) {
    vec2 covered = clamp(1.0 - abs(fract(c - 0.5) - 0.5) / w, 0.0, 1.0);
    return max(covered.x, covered.y) * strength * (1.0 - smoothstep(0.10, 0.42, max(w.x, w.y)));
}

void main() {
    float fade = 1.0 - smoothstep(0.12, 0.95, length(fromCenter));
    if (fade <= 0.0)
        discard;
    vec2 c = ground / gridCell, w = max(fwidth(ground) / gridCell, 1e-9);
    float alpha = max(lines(c, w, 0.20), lines(0.1 * c, 0.1 * w, 0.34));
    vec3 color = gridColor;

    vec2 axis = clamp(1.5 - abs(c) / w, 0.0, 1.0); // x: the line x = 0, which runs along z
    color = mix(mix(color, vec3(1.0, 0.42, 0.44), axis.y), vec3(0.353, 0.635, 1.0), axis.x);
    alpha = max(alpha, 0.55 * max(axis.x, axis.y)) * fade;
    fragColor = vec4(color * alpha, alpha);
}
