// Softens stair steps in a picture that was drawn without multisampling: where the brightness jumps, averages along the
// edge. For still pictures; a moving one does without.
in vec2 at;
out vec4 fragColor;

uniform sampler2D scenePicture; // premultiplied, sRGB
uniform vec2 pixel;             // size of one, in texture coordinates

const float kBackground = 0.24; // brightness that shows through transparent pixels
const float kQuiet = 0.05;      // smaller jumps are left alone
const float kReach = 6.0;       // pixels

float brightness(vec4 c) { return dot(c.rgb, vec3(0.30, 0.59, 0.11)) + (1.0 - c.a) * kBackground; }

vec4 along(vec2 step, float share) { return texture(scenePicture, at + step * share); }

void main() {
    vec4 here = texture(scenePicture, at);
    float nw = brightness(texture(scenePicture, at + pixel * vec2(-0.5, 0.5)));
    float ne = brightness(texture(scenePicture, at + pixel * vec2(0.5, 0.5)));
    float sw = brightness(texture(scenePicture, at + pixel * vec2(-0.5, -0.5)));
    float se = brightness(texture(scenePicture, at + pixel * vec2(0.5, -0.5)));
    float low = min(min(nw, ne), min(sw, se)), high = max(max(nw, ne), max(sw, se));
    if (high - low < kQuiet + 0.12 * high) {
        fragColor = here;
        return;
    }
    // The edge runs across the gradient of brightness.
    vec2 edge = vec2((sw + se) - (nw + ne), (ne + se) - (nw + sw));
    float shortest = min(abs(edge.x), abs(edge.y));
    edge = clamp(edge / (shortest + 0.02), -kReach, kReach) * pixel;
    vec4 near = 0.5 * (along(edge, -1.0 / 6.0) + along(edge, 1.0 / 6.0));
    vec4 wide = 0.5 * near + 0.25 * (along(edge, -0.5) + along(edge, 0.5));
    float b = brightness(wide);
    fragColor = b < low || b > high ? near : wide;
}
