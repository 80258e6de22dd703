in vec4 vertexPosition; // clip space
in vec4 vertexColor;    // sRGB
in vec4 vertexShape;    // x, y: pixels from the axis or centre; z: half width in pixels; w: 0 fill, 1 line, 2 disc

out vec4 color;
noperspective out vec3 shapePx;
flat out int kind;

void main() {
    color = vertexColor;
    shapePx = vertexShape.xyz;
    kind = int(vertexShape.w + 0.5);
    gl_Position = vec4(vertexPosition.xyz, 1.0);
}
