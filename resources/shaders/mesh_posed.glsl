// Stands in for skinning.glsl where the context has no storage buffers: the points come posed, the weight as an attribute.
struct Skinned {
    vec3 position;
    vec3 normal;
    float side;
};
in float vertexHeat; // weight of the active joint, -1 where the vertex has no weight

Skinned limber_skin(uint vertex, vec3 point, vec3 normal) { return Skinned(point, normal, 1.0); }
float limber_weight(uint vertex, int slot) { return vertexHeat; }
