in vec2 at;
out vec4 fragColor;

uniform sampler2D scenePicture; // premultiplied, sRGB
uniform sampler2D hudPicture;   // premultiplied, sRGB, first row on top
uniform int hasScene;
uniform int hasHud;
uniform int background; // 0: transparent
uniform vec3 topColor;
uniform vec3 bottomColor;

// Breaks up the bands that eight bits leave in a slow gradient.
float noise(vec2 p) { return fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715)))) - 0.5; }

void main() {
    vec2 aside = at - vec2(0.5, 0.55);
    vec3 color = mix(bottomColor, topColor, smoothstep(0.0, 1.0, at.y)) * (1.0 - 0.16 * dot(aside, aside));
    vec4 result = vec4(color + noise(gl_FragCoord.xy) / 255.0, 1.0) * float(background);
    if (hasScene != 0) {
        vec4 scene = texture(scenePicture, at);
        result = scene + (1.0 - scene.a) * result;
    }
    if (hasHud != 0) {
        vec4 hud = texture(hudPicture, vec2(at.x, 1.0 - at.y));
        result = hud + (1.0 - hud.a) * result;
    }
    fragColor = result;
}
