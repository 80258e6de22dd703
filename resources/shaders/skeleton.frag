in vec4 color;
noperspective in vec3 shapePx;
flat in int kind;
out vec4 fragColor; // premultiplied, sRGB

const vec3 kHalo = vec3(0.07, 0.08, 0.09);

void main() {
    if (kind == 0) {
        fragColor = vec4(color.rgb * color.a, color.a);
        return;
    }
    // A bright core in a thin dark halo, so that it reads on any ground; both with soft edges of a pixel.
    float d = kind == 1 ? abs(shapePx.x) : length(shapePx.xy);
    float core = 1.0 - smoothstep(shapePx.z - 0.6, shapePx.z + 0.6, d);
    float halo = 1.0 - smoothstep(shapePx.z + 0.4, shapePx.z + 1.9, d);
    vec3 inside = color.rgb;
    if (kind == 2) {
        vec2 q = shapePx.xy / shapePx.z;
        inside *= 0.74 + 0.34 * clamp(0.55 * q.y - 0.35 * q.x + sqrt(max(1.0 - dot(q, q), 0.0)) * 0.75, 0.0, 1.0);
    }
    float haloAlpha = halo * 0.55 * color.a;
    float coreAlpha = core * color.a;
    fragColor = vec4(inside * coreAlpha + kHalo * haloAlpha * (1.0 - coreAlpha), coreAlpha + haloAlpha * (1.0 - coreAlpha));
}
