#include "cutout.glsl"
#include "seen.glsl"

// A number per vertex in the colours of the map. A surface that faces the eye has exactly the legend's colour; one that turns away or
// down is darker, so that the form shows. Below 0 there is no number, and the surface is grey.
uniform sampler2D colorMap;
uniform float valueScale; // from a value to the map's 0 to 1
uniform float steps;      // 0: continuous; else values are whole numbers from 1 to it
uniform float contours;   // lines from one end of the map to the other; 0: none

centroid in float surfaceValue;
out vec4 color;

const float MAP_TEXELS = 256.0;
const vec3 NO_VALUE = vec3(0.30, 0.307, 0.32);

vec3 mapColor(float t) {
	return textureLod(colorMap, vec2((clamp(t, 0.0, 1.0) * (MAP_TEXELS - 1.0) + 0.5) / MAP_TEXELS, 0.5), 0.0).rgb;
}

// The colour of a step. Between vertices of different numbers the border is half-way, one pixel soft.
vec3 stepColor(float value) {
	float at = clamp(value, 1.0, steps) - 1.0;
	float below = floor(at), width = max(fwidth(value), 1e-4);
	float over = clamp((at - below - 0.5) / width + 0.5, 0.0, 1.0);
	return mix(mapColor(below / (steps - 1.0)), mapColor((below + 1.0) / (steps - 1.0)), over);
}

// The share of a line that covers this pixel: lines lie where the value is a whole number, 1 and up.
float contourLine(float value) {
	float width = fwidth(value), from = abs(fract(value + 0.5) - 0.5);
	float line = 1.0 - smoothstep(0.6 * width, 1.4 * width, from);
	return value < 0.5 ? 0.0 : line * (1.0 - smoothstep(0.15, 0.5, width)); // closer lines melt away
}

// Half-Lambert light (Mitchell, McTaggart, Green 2006) from above the eye, and a pale rim in its hue, without which dark colours would melt
// into the backdrop. A surface that faces the eye or that light keeps its colour, and any other is dimmed by two thirds at most.
vec3 formed(vec3 c) {
	vec3 n = seenNormal(), view = normalize(eye.xyz - worldPosition), light = normalize(view + 0.6 * cameraUp.xyz);
	float lit = min((0.5 + 0.5 * dot(n, light)) / (0.5 + 0.5 * dot(view, light)), 1.0);
	vec3 rim = mix(vec3(1), c / max(max(c.r, c.g), max(c.b, 0.01)), 0.7);
	return c * (0.33 + 0.67 * lit * lit) + 0.10 * pow(1.0 - max(dot(n, view), 0.0), 5.0) * rim;
}

void main() {
	float alpha = cutOut(vec4(1)).a;
	vec3 c = steps > 0.0 ? stepColor(surfaceValue) : mapColor(surfaceValue * valueScale);
	if (contours > 0.0)
		c *= 1.0 - 0.75 * contourLine(surfaceValue * valueScale * contours);
	if (surfaceValue <= -0.5)
		c = NO_VALUE;
	color = vec4(formed(c), alpha);
}
