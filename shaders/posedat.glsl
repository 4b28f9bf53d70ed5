// Where a vertex of the current instance stands among those that are posed: the skins of all instances, then their rigid meshes.
#include "pose.glsl"

int posedAt(int vertex, int instance) {
	int rigid = vertex - skinVertices;
	return rigid < 0 ? instance * skinVertices + vertex
		: instances * skinVertices + instance * (vertices - skinVertices) + rigid;
}
