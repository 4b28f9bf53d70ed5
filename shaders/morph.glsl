// Morph targets are added before skinning. Deltas holds, per target, one texel of position per vertex of its range, then, where the
// target has normals, one of normal, and then, where it has tangents, one of tangent. Active holds, per instance, the number of targets of nonzero weight and then one texel
// pair each.
#include "pose.glsl"

uniform samplerBuffer morphDeltas;
uniform usamplerBuffer morphActive; // (first vertex, count, texel of its deltas, 1 with normals and 2 with tangents), (weight as bits, 0, 0, 0)

void applyMorphs(int vertex, inout vec3 position, inout vec3 normal, inout vec3 tangent) {
	if (morphTexels == 0)
		return;
	int list = instance() * morphTexels, targets = int(texelFetch(morphActive, list).x);
	for (int k = 0; k < targets; k++) {
		uvec4 range = texelFetch(morphActive, list + 1 + 2 * k);
		int i = vertex - int(range.x), count = int(range.y), at = int(range.z);
		if (i < 0 || i >= count)
			continue;
		float w = uintBitsToFloat(texelFetch(morphActive, list + 2 + 2 * k).x);
		position += w * texelFetch(morphDeltas, at + i).xyz;
		int normals = int(range.w & 1u);
		if (normals != 0)
			normal += w * texelFetch(morphDeltas, at + count + i).xyz;
		if ((range.w & 2u) != 0u)
			tangent += w * texelFetch(morphDeltas, at + (1 + normals) * count + i).xyz;
	}
}
