// The influences of the current vertex, strongest first: four in its streams (attributes.glsl, storage.glsl), further ones in a
// texture buffer. The first is the pivot, to whose hemisphere quaternions are flipped.
uniform usamplerBuffer extraInfluences; // joint, weight as bits

struct Influence {
	int joint;
	float weight;
};

Influence furtherInfluence(int at) {
	uvec2 e = texelFetch(extraInfluences, at).xy;
	return Influence(int(e.x), uintBitsToFloat(e.y));
}

int influenceCount() {
	return 4 + int(extra.y);
}

// influence returns the k-th strongest. Its weight is 0 past the last one of a vertex with fewer than four.
Influence influence(int k) {
	if (k < 4)
		return Influence(int(joints[k]), weights[k]);
	return furtherInfluence(int(extra.x) + k - 4);
}

#ifdef SECOND_SET
// The same of the second weight set.
int secondCount() {
	return 4 + int(secondExtra.y);
}

Influence secondInfluence(int k) {
	if (k < 4)
		return Influence(int(secondJoints[k]), secondWeights[k]);
	return furtherInfluence(int(secondExtra.x) + k - 4);
}
#endif
