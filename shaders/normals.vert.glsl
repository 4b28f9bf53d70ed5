#include "onering.glsl"

// Recomputes the normals of the posed surface, by transform feedback. The vertices that it writes have the posed positions.
layout(location = 4) in uvec2 ring;

out vec3 position;
out vec3 normal;

int instance() {
	return gl_InstanceID;
}

void main() {
	int at = 2 * posedAt(gl_VertexID, instance());
	position = texelFetch(posed, at).xyz;
	normal = ringNormal(ring, texelFetch(posed, at + 1).xyz);
	gl_Position = vec4(0, 0, 0, 1);
}
