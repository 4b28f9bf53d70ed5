#include "light.glsl"
#include "tone.glsl"

uniform vec4 baseColor;           // linear
uniform sampler2D baseTexture;    // sRGB, decoded by the sampler
uniform bool textured, unlit, clay;
uniform float alphaCutoff;        // 0: none
uniform bool blended;
uniform bool painted;             // tint is laid over the surface

in vec3 worldPosition;
in vec3 worldNormal;
in vec2 surfaceUV;
in vec4 surfaceTint; // linear, and how much of it shows
out vec4 color;

const vec3 CLAY = vec3(0.46, 0.428, 0.397);

// The interpolated normal on the side that is seen. The side is that of the triangle itself, not gl_FrontFacing, which is wrong
// where a mirrored joint turns triangles inside out.
vec3 seenNormal() {
	vec3 face = cross(dFdx(worldPosition), dFdy(worldPosition));
	vec3 view = eye.xyz - worldPosition;
	if (dot(face, view) < 0.0)
		face = -face;
	vec3 n = normalize(worldNormal);
	return dot(n, face) < 0.0 ? -n : n;
}

void main() {
	vec4 base = baseColor;
	if (textured)
		base *= texture(baseTexture, surfaceUV);
	if (alphaCutoff > 0.0) {
		// The edge is one pixel wide whatever the scale; alpha to coverage turns it into smooth samples.
		base.a = clamp((base.a - alphaCutoff) / max(fwidth(base.a), 1e-4) + 0.5, 0.0, 1.0);
		if (base.a < 0.01)
			discard;
	} else if (!blended) {
		base.a = 1.0;
	}
	if (unlit && !clay) {
		color = base; // KHR_materials_unlit: as it is, without the tone curve
		return;
	}
	vec3 albedo = clay ? CLAY : base.rgb;
	if (painted)
		albedo = mix(albedo, surfaceTint.rgb, surfaceTint.a);
	Surface s = Surface(worldPosition, seenNormal(), albedo, clay ? 0.52 : 0.6, clay ? 0.8 : 0.6);
	color = vec4(toneMap(shade(s)), base.a);
}
