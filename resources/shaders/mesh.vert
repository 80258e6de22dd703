in vec3 vertexPosition; // pre-skin in mesh space, or posed in the world
in vec3 vertexNormal;
in vec2 vertexUv;
in vec4 vertexColor; // linear

uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform int heatSlot; // slot of the active joint, -1: none
uniform int shading;  // 2: heat

out VertexData {
    vec3 viewPosition;
    vec3 viewNormal;
    vec3 worldNormal;
    vec2 uv;
    vec4 color;
    float heat;
    float unweighted;
    float side;
} v;

void main() {
    uint vertex = uint(gl_VertexID);
    Skinned s = limber_skin(vertex, vertexPosition, vertexNormal);
    vec4 viewPosition = viewMatrix * vec4(s.position, 1.0);
    float weight = shading == 2 ? limber_heat(vertex, heatSlot) : 0.0;
    v.viewPosition = viewPosition.xyz;
    v.viewNormal = mat3(viewMatrix) * s.normal;
    v.worldNormal = s.normal;
    v.uv = vertexUv;
    v.color = vertexColor;
    v.heat = max(weight, 0.0);
    v.unweighted = weight < 0.0 ? 1.0 : 0.0;
    v.side = s.side;
    gl_Position = projectionMatrix * viewPosition;
}
