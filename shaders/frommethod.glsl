// Posed vertices of a pass that draws: posed by the pass itself. Joined after attributes.glsl and a method's file.
#include "skin.glsl"

void readVertex(out vec3 position, out vec3 normal) {
	poseVertex(gl_VertexID, position, normal);
}
