#include "scene.glsl"

// Percentage-closer soft shadows (Fernando 2005): the mean depth of the occluders near a point gives the width of the
// penumbra, so that shadows are sharp at contact and soft far from it. Taps lie on a spiral turned by a per-pixel angle.
uniform sampler2D shadowDepth;         // depths, for the search of occluders
uniform sampler2DShadow shadowCompare; // the same map, compared

const float LIGHT_SIZE = 0.16; // width of the key light over its distance

float interleavedNoise(vec2 pixel) { // Jimenez 2014
	return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

vec2 spiral(int i, int n, float turn) { // Vogel's spiral fills the unit disc evenly
	float a = float(i) * 2.39996323 + turn * 6.2831853;
	return sqrt((float(i) + 0.5) / float(n)) * vec2(cos(a), sin(a));
}

// The share of the key light that reaches a point of a surface: 1 unshadowed.
float keyLight(vec3 p, vec3 normal) {
	float texel = keyDirection.w, range = rimDirection.w, width = grid.z;
	// Out along the normal, more at grazing angles, by the texels that the filter spans.
	float slope = 1.0 - max(dot(normal, keyDirection.xyz), 0.0);
	vec3 at = (shadowMatrix * vec4(p + normal * texel * (1.0 + 2.5 * slope), 1)).xyz;
	if (any(lessThan(at, vec3(0))) || any(greaterThan(at, vec3(1))))
		return 1.0;
	int taps = int(fillDirection.w);
	float turn = interleavedNoise(gl_FragCoord.xy);
	float search = 0.035, bias = 1.5 * texel / range;
	float sum = 0.0, count = 0.0;
	for (int i = 0; i < taps; i++) {
		vec2 o = spiral(i, taps, turn) * search;
		float d = textureLod(shadowDepth, at.xy + o, 0.0).r;
		if (d < at.z - bias - length(o) * 0.5 * width / range) {
			sum += d;
			count += 1.0;
		}
	}
	if (count == 0.0)
		return 1.0;
	float gap = (at.z - sum / count) * range; // world distance to the occluders
	float radius = clamp(gap * LIGHT_SIZE, 1.5 * texel, search * width);
	float lit = 0.0;
	for (int i = 0; i < taps; i++) {
		vec2 o = spiral(i, taps, turn) * radius / width;
		lit += textureLod(shadowCompare, vec3(at.xy + o, at.z - bias - length(o) * 0.6 * slope * width / range), 0.0);
	}
	return lit / float(taps);
}
