// Poses every vertex once a frame into a buffer that all later passes read. Joined after storage.glsl and a method's file. One
// invocation is one vertex of one instance.
#include "skin.glsl"

layout(local_size_x = 64) in;

layout(std430, binding = 4) writeonly buffer PosedStream {
	vec2 posedStream[]; // position and normal, 3 pairs a vertex: the skins of all instances, then their rigid meshes
};

uniform ivec4 span; // first vertex, their count, where the first one's result goes, and how far on the next instance's

void main() {
	int i = int(gl_GlobalInvocationID.x);
	if (i >= span.y)
		return;
	loadVertex(span.x + i);
	vec3 p, n;
	poseVertex(span.x + i, p, n);
	int at = 3 * (span.z + instance() * span.w + i);
	posedStream[at] = p.xy;
	posedStream[at + 1] = vec2(p.z, n.x);
	posedStream[at + 2] = n.yz;
}
