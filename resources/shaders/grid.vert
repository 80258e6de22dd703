in vec3 vertexPosition; // corners of a square, -1 .. 1 in x and z

uniform mat4 viewMatrix;
uniform mat4 projectionMatrix;
uniform vec3 gridCenter; // world
uniform float gridExtent;

out vec2 ground;     // world x and z, from the nearest line crossing to the centre
out vec2 fromCenter; // in extents

void main() {
    ground = gridCenter.xz + vertexPosition.xz * gridExtent;
    fromCenter = vertexPosition.xz;
    gl_Position = projectionMatrix * viewMatrix * vec4(ground.x, gridCenter.y, ground.y, 1.0);
}
