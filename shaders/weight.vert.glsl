#include "binding.glsl"
#include "influences.glsl"

// The weight of one joint on each vertex, by transform feedback.
uniform int joint;

out float value;

void main() {
	value = 0.0;
	int n = influenceCount();
	for (int k = 0; k < n; k++) {
		Influence f = influence(k);
		if (f.joint == joint)
			value += f.weight;
	}
	gl_Position = vec4(0, 0, 0, 1);
}
