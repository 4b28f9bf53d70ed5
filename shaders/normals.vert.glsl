#include "onering.glsl"

// Recomputes the normals of the posed surface, by transform feedback.
layout(location = 1) in vec3 transformed; // the posed normal
layout(location = 4) in uvec2 ring;

out vec3 normal;

void main() {
	normal = ringNormal(ring, transformed);
	gl_Position = vec4(0, 0, 0, 1);
}
