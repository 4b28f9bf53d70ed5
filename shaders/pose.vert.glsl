// Poses every vertex once a frame into a buffer (transform feedback) that all later passes read. Joined after a method's file.
#include "morph.glsl"

layout(location = 0) in vec3 restPosition;
layout(location = 1) in vec3 restNormal;

out vec3 posedPosition;
out vec3 posedNormal;

void main() {
	vec3 p = restPosition, n = restNormal;
	applyMorphs(gl_VertexID, p, n);
	vec3 rest = n;
	skinVertex(p, n);
	float l = length(n);
	posedPosition = p;
	posedNormal = l > 0.0 ? n / l : normalize(rest);
	gl_Position = vec4(p, 1);
}
