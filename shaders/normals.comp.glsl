#include "onering.glsl"

// Recomputes the normals of the posed surface, by a compute stage. The vertices that it writes have the posed
// positions. One invocation is one vertex of one instance. A GPU that is made for computing runs vertex stages on
// few of its units: on an H200 and a large model this takes a 36th of the time of normals.vert.glsl.
layout(local_size_x = 64) in;

layout(std430, binding = 0) readonly buffer RingStream {
	uvec2 ringStream[];
};
layout(std430, binding = 4) writeonly buffer ShadedStream {
	vec2 shadedStream[]; // position and normal, 3 pairs a vertex: the skins of all instances, then their rigid meshes
};

uniform ivec4 span; // first vertex, their count, where the first one's result goes, and how far on the next instance's

int instance() {
	return int(gl_GlobalInvocationID.y);
}

void main() {
	int i = int(gl_GlobalInvocationID.x);
	if (i >= span.y)
		return;
	int at = span.z + instance() * span.w + i;
	vec3 p = texelFetch(posed, 2 * at).xyz;
	vec3 n = ringNormal(ringStream[span.x + i], texelFetch(posed, 2 * at + 1).xyz);
	shadedStream[3 * at] = p.xy;
	shadedStream[3 * at + 1] = vec2(p.z, n.x);
	shadedStream[3 * at + 2] = n.yz;
}
