#include "light.glsl"
#include "tone.glsl"
#include "cutout.glsl"
#include "seen.glsl"

uniform bool unlit, clay;
uniform bool painted;             // tint is laid over the surface

in vec4 surfaceTint; // linear, and how much of it shows
out vec4 color;

const vec3 CLAY = vec3(0.46, 0.428, 0.397);

void main() {
	vec4 base = cutOut();
	if (unlit && !clay) {
		color = base; // KHR_materials_unlit: as it is, without the tone curve
		return;
	}
	vec3 albedo = clay ? CLAY : base.rgb;
	if (painted)
		albedo = mix(albedo, surfaceTint.rgb, surfaceTint.a);
	Surface s = Surface(worldPosition, seenNormal(), seenFace(), albedo, clay ? 0.52 : 0.6, clay ? 0.8 : 0.6);
	color = vec4(toneMap(shade(s)), base.a);
}
