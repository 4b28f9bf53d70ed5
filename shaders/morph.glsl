// Morph targets are added before skinning. Deltas holds, per target, one texel of position per vertex of its range and then, where
// the target has normals, one of normal. Active lists the targets of nonzero weight, one texel pair each.
uniform samplerBuffer morphDeltas;
uniform usamplerBuffer morphActive; // (first vertex, count, texel of its deltas, 1 with normals), (weight as bits, 0, 0, 0)
uniform int morphCount;

void applyMorphs(int vertex, inout vec3 position, inout vec3 normal) {
	for (int k = 0; k < morphCount; k++) {
		uvec4 range = texelFetch(morphActive, 2 * k);
		int i = vertex - int(range.x), count = int(range.y), at = int(range.z);
		if (i < 0 || i >= count)
			continue;
		float w = uintBitsToFloat(texelFetch(morphActive, 2 * k + 1).x);
		position += w * texelFetch(morphDeltas, at + i).xyz;
		if (range.w != 0u)
			normal += w * texelFetch(morphDeltas, at + count + i).xyz;
	}
}
