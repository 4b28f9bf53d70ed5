#include "cutout.glsl"
#include "seen.glsl"

// A number per vertex in the colours of the map, exactly those of the legend: neither light nor reflection changes them. Below 0 there
// is no number, and the surface is grey and darker where it turns away.
uniform sampler2D colorMap;
uniform float valueScale; // from a value to the map's 0 to 1
uniform float steps;      // 0: continuous; else values are whole numbers from 1 to it

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

void main() {
	float alpha = cutOut().a;
	vec3 c = steps > 0.0 ? stepColor(surfaceValue) : mapColor(surfaceValue * valueScale);
	if (surfaceValue <= -0.5) {
		float away = 1.0 - clamp(dot(seenNormal(), normalize(eye.xyz - worldPosition)), 0.0, 1.0);
		c = NO_VALUE * (1.0 - 0.72 * away);
	}
	color = vec4(c, alpha);
}
