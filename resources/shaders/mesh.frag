#ifdef LIMBER_WIRE
#define VARYING g
noperspective in vec3 edgeDistance;
flat in float triangleHeight;
#else
#define VARYING v
#endif

in VertexData {
    vec3 viewPosition;
    vec3 viewNormal;
    vec3 worldNormal;
    vec2 uv;
    vec4 color;
    float heat;
    float unweighted;
    float side;
} VARYING;

out vec4 fragColor; // premultiplied, sRGB

uniform sampler2D baseTexture; // sRGB, decoded by the sampler
uniform vec4 baseColor;        // linear
uniform int shading;           // 0 material, 1 clay, 2 heat
uniform int plain;             // the file gives no material
uniform int unlit;
uniform float alphaCutoff; // below 0: not masked
uniform int blended;
uniform int orthographicView;

const vec3 kClay = vec3(0.36, 0.385, 0.42);

vec3 edged(vec3 color, vec3 paint, float amount) {
#ifdef LIMBER_WIRE
    float nearest = min(edgeDistance.x, min(edgeDistance.y, edgeDistance.z));
    float line = (1.0 - smoothstep(0.35, 1.25, nearest)) * smoothstep(1.0, 14.0, triangleHeight);
    return mix(color, paint, amount * line);
#else
    return color;
#endif
}

void main() {
    vec3 toEye = orthographicView != 0 ? vec3(0, 0, 1) : normalize(-VARYING.viewPosition);
    vec3 n = normalize(VARYING.viewNormal);
    bool front = VARYING.side == 0.0 ? dot(n, toEye) >= 0.0 : gl_FrontFacing == (VARYING.side > 0.0);
    float facing = front ? 1.0 : -1.0;
    n *= facing;
    float worldUp = normalize(VARYING.worldNormal).y * facing;

    if (shading == 2) {
        vec3 albedo = heatColor(VARYING.heat, VARYING.unweighted);
        vec3 lit = studioLight(albedo, n, toEye, worldUp, 0.25);
        fragColor = vec4(edged(toSrgb(mix(lit, albedo, 0.30)), vec3(0.06), 0.5), 1.0);
        return;
    }

    vec4 base = baseColor * VARYING.color;
    if (plain == 0)
        base *= texture(baseTexture, VARYING.uv);
    if (base.a < alphaCutoff)
        discard;
    bool clay = shading == 1 || plain != 0;
    vec3 albedo = clay ? kClay : base.rgb;
    vec3 color = unlit != 0 && !clay ? albedo : studioLight(albedo, n, toEye, worldUp, clay ? 1.25 : 0.8);
    float alpha = blended != 0 ? base.a : 1.0;
    fragColor = vec4(edged(toSrgb(color), vec3(0.04, 0.045, 0.055), 0.62) * alpha, alpha);
}
