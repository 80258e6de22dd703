// Hands each corner its distance to the opposite edge in pixels, so that the fragment stage can draw edges of one width.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;

uniform vec2 targetSize; // pixels

in VertexData {
    vec3 viewPosition;
    vec3 viewNormal;
    vec3 worldNormal;
    vec2 uv;
    vec4 color;
    float heat;
    float unweighted;
    float side;
} v[];

out VertexData {
    vec3 viewPosition;
    vec3 viewNormal;
    vec3 worldNormal;
    vec2 uv;
    vec4 color;
    float heat;
    float unweighted;
    float side;
} g;
noperspective out vec3 edgeDistance;
flat out float triangleHeight; // smallest height in pixels: edges of tiny triangles fade

void main() {
    vec2 p[3];
    for (int i = 0; i < 3; ++i)
        p[i] = gl_in[i].gl_Position.xy / max(gl_in[i].gl_Position.w, 1e-6) * 0.5 * targetSize;
    vec2 e0 = p[2] - p[1], e1 = p[0] - p[2], e2 = p[1] - p[0];
    float area = abs(e1.x * e2.y - e1.y * e2.x);
    vec3 heights = area / max(vec3(length(e0), length(e1), length(e2)), 1e-6);
    for (int i = 0; i < 3; ++i) {
        g.viewPosition = v[i].viewPosition;
        g.viewNormal = v[i].viewNormal;
        g.worldNormal = v[i].worldNormal;
        g.uv = v[i].uv;
        g.color = v[i].color;
        g.heat = v[i].heat;
        g.unweighted = v[i].unweighted;
        g.side = v[i].side;
        edgeDistance = vec3(0.0);
        edgeDistance[i] = heights[i];
        triangleHeight = min(heights.x, min(heights.y, heights.z));
        gl_Position = gl_in[i].gl_Position;
        EmitVertex();
    }
    EndPrimitive();
}
