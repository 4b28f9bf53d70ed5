#include "light.glsl"
#include "tone.glsl"
#include "cutout.glsl"
#include "seen.glsl"

// Clay: one plain material, whatever the file's.
uniform bool painted; // tint is laid over the surface

in vec4 surfaceTint; // linear, and how much of it shows
out vec4 color;

const vec3 CLAY = vec3(0.46, 0.428, 0.397);

void main() {
	float alpha = cutOut(vec4(1)).a;
	vec3 albedo = painted ? mix(CLAY, surfaceTint.rgb, surfaceTint.a) : CLAY;
	Surface s = Surface(worldPosition, seenNormal(), seenFace(), albedo, 0.52, 0.8);
	color = vec4(toneMap(shade(s)), alpha);
}
