#include "cutout.glsl"

in vec4 surfaceColor;

void main() {
	cutOut(surfaceColor);
}
