// Posed vertices of a pass that draws: from the posed buffer of a crowd, which no attribute can step through by instance.
#include "binding.glsl"
#include "posedat.glsl"

uniform samplerBuffer posedCrowd; // position and normal of each vertex

vec4 readTangent() {
	return vec4(0); // crowds have none: normal maps follow the texture coordinates
}

void readVertex(out vec3 position, out vec3 normal) {
	int at = posedAt(gl_VertexID, instance());
	position = texelFetch(posedCrowd, 2 * at).xyz;
	normal = texelFetch(posedCrowd, 2 * at + 1).xyz;
}
