#include "binding.glsl"
#include "influences.glsl"

// The number of influences of each vertex, by transform feedback.
out float value;

void main() {
	value = 0.0;
	int n = influenceCount();
	for (int k = 0; k < n; k++)
		if (influence(k).weight > 0.0)
			value += 1.0;
	gl_Position = vec4(0, 0, 0, 1);
}
