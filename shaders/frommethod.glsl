// Posed vertices of a pass that draws: posed by the pass itself. Joined after attributes.glsl and a method's file.
#include "skin.glsl"

layout(location = 13) in vec4 restTangent; // zero where the mesh has none

vec4 readTangent() {
	return restTangent.w == 0.0 ? restTangent : poseTangent(gl_VertexID, restTangent);
}

void readVertex(out vec3 position, out vec3 normal) {
	poseVertex(gl_VertexID, position, normal);
}
