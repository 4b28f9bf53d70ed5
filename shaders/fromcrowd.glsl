// Posed vertices of a pass that draws: from the posed buffer of a crowd, which no attribute can step through by instance.
#include "binding.glsl"
#include "pose.glsl"

uniform samplerBuffer posedCrowd; // position and normal of each vertex: the skins of all instances, then their rigid meshes

void readVertex(out vec3 position, out vec3 normal) {
	int v = gl_VertexID, rigid = v - skinVertices;
	int at = rigid < 0 ? instance() * skinVertices + v
		: instances * skinVertices + instance() * (vertices - skinVertices) + rigid;
	position = texelFetch(posedCrowd, 2 * at).xyz;
	normal = texelFetch(posedCrowd, 2 * at + 1).xyz;
}
