#include "seen.glsl"

// A pale shell: clear where it is seen from the front, dense at its rim.
out vec4 color;

void main() {
	float away = 1.0 - clamp(dot(seenNormal(), normalize(eye.xyz - worldPosition)), 0.0, 1.0);
	color = vec4(0.42, 0.58, 0.72, 0.05 + 0.50 * away * away);
}
