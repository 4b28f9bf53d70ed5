#include "scene.glsl"

// Percentage-closer soft shadows (Fernando 2005): the mean depth of the occluders near a point gives the width of the
// penumbra, so that shadows are sharp at contact and soft far from it. Taps lie on a spiral turned by a per-pixel angle.
uniform sampler2D shadowDepth;         // depths, for the search of occluders
uniform sampler2DShadow shadowCompare; // the same map, compared

const float LIGHT_SIZE = 0.12; // width of the key light over its distance
const float SEARCH = 0.02;     // widest penumbra, share of the map's width
const float OWN = 0.03;        // how near occluders of triangles that are turned away may be themselves, likewise

float interleavedNoise(vec2 pixel) { // Jimenez 2014
	return fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));
}

vec2 spiral(int i, int n, float turn) { // Vogel's spiral fills the unit disc evenly
	float a = float(i) * 2.39996323 + turn * 6.2831853;
	return sqrt((float(i) + 0.5) / float(n)) * vec2(cos(a), sin(a));
}

// The share of the key light that reaches a point of a triangle with a normal of its own: 1 unshadowed. Samples are compared with the
// triangle's plane (Isidoro 2006), so that wide filters do not shade slopes with themselves. A triangle that is turned away, or
// nearly, would be shaded by itself and its neighbours, as a facet where its vertices' normals still see the light: only what is
// farther towards the light shades it.
float keyLight(vec3 p, vec3 face) {
	float texel = keyDirection.w, range = rimDirection.w, width = grid.z;
	float facing = dot(face, keyDirection.xyz);
	vec3 at = (shadowMatrix * vec4(p + face * texel * 1.5, 1)).xyz;
	float aslant = 1.0 - smoothstep(0.05, 0.3, facing);
	if (any(lessThan(at, vec3(0))) || any(greaterThan(at, vec3(1))))
		return 1.0;
	vec3 across = vec3(shadowMatrix[0].x, shadowMatrix[1].x, shadowMatrix[2].x);
	vec3 along = vec3(shadowMatrix[0].y, shadowMatrix[1].y, shadowMatrix[2].y);
	vec2 plane = vec2(dot(face, across), dot(face, along)) * width * width / (max(facing, 0.2) * range) * (1.0 - aslant);
	int taps = int(fillDirection.w);
	float turn = interleavedNoise(gl_FragCoord.xy + viewport.zw) + grid.y;
	float bias = (1.5 * texel + aslant * OWN * width) / range;
	float sum = 0.0, count = 0.0;
	for (int i = 0; i < taps; i++) {
		vec2 o = spiral(i, taps, turn) * SEARCH;
		float d = textureLod(shadowDepth, at.xy + o, 0.0).r;
		float blocked = step(d, at.z + dot(plane, o) - bias - 0.3 * SEARCH * width / range);
		sum += d * blocked;
		count += blocked;
	}
	if (count == 0.0)
		return 1.0;
	float gap = (at.z - sum / count) * range; // world distance to the occluders
	float radius = clamp(gap * LIGHT_SIZE, 1.5 * texel, SEARCH * width) / width;
	float lit = 0.0;
	for (int i = 0; i < taps; i++) {
		vec2 o = spiral(i, taps, turn) * radius;
		lit += textureLod(shadowCompare, vec3(at.xy + o, at.z + dot(plane, o) - bias), 0.0);
	}
	return lit / float(taps);
}
