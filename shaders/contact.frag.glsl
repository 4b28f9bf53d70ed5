#include "cutout.glsl"

in float height;
in vec4 surfaceColor;
out vec4 color; // blended by maximum: the lowest point over a place wins

void main() {
	cutOut(surfaceColor);
	float h = max(height, 0.0);
	float touch = clamp(1.0 - h / 0.07, 0.0, 1.0), body = clamp(1.0 - h, 0.0, 1.0);
	color = vec4(touch * touch, body * body * body, 0, 1);
}
