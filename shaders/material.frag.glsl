#include "shadow.glsl"
#include "tone.glsl"
#include "cutout.glsl"
#include "seen.glsl"

// The metallic-roughness material of glTF 2.0 (appendix B): GGX with Smith's visibility correlated in height, lit by the surroundings
// (split sum, Karis 2013, with the light of further bounces, Fdez-Aguera 2019) and by the key light with its shadow.
uniform samplerCube surroundings; // radiance, blurred more by each level
uniform sampler2D reflectionTable;
uniform float lastLevel;
uniform bool unlit;
uniform float metallic, roughness;
uniform vec4 reflectance; // of what is not metal: from the front, and w at grazing angles
uniform vec3 emission;
uniform sampler2D roughnessMap, normalMap, occlusionMap, emissiveMap;
uniform int maps;         // a bit for each of these that the material has, and one 4 higher where it reads the second coordinates
uniform float normalScale, occlusionStrength;

in vec4 worldTangent; // zero where the mesh has none
in vec2 surfaceSecondUV;
in vec4 surfaceColor;
out vec4 color;

const float PI = 3.14159265;

bool has(int map) {
	return (maps >> map & 1) != 0;
}

vec2 coordinates(int map) {
	return (maps >> (map + 4) & 1) != 0 ? surfaceSecondUV : surfaceUV;
}

// The tangent at this pixel, not normalised, and the bitangent's sign. Where the mesh has no tangents they follow the texture
// coordinates from pixel to pixel: u grows along the tangent, and v against the bitangent.
vec4 tangentAt(vec3 n) {
	if (worldTangent.w != 0.0)
		return vec4(worldTangent.xyz, worldTangent.w < 0.0 ? -1.0 : 1.0);
	vec2 uv = coordinates(1), ux = dFdx(uv), uy = dFdy(uv);
	vec3 px = dFdx(worldPosition), py = dFdy(worldPosition);
	float area = ux.x * uy.y - uy.x * ux.y;
	vec3 t = (px * uy.y - py * ux.y) * sign(area), b = (px * uy.x - py * ux.x) * sign(area);
	return vec4(t, dot(cross(n, t), b) < 0.0 ? -1.0 : 1.0);
}

// The normal with its map, on the side that is seen.
vec3 shadingNormal() {
	vec3 n = normalize(worldNormal), seen = seenNormal();
	if (!has(1))
		return seen;
	vec4 to = tangentAt(n);
	vec3 t = to.xyz - n * dot(n, to.xyz);
	float l = length(t);
	if (!(l > 0.0))
		return seen;
	t /= l;
	vec3 m = texture(normalMap, coordinates(1)).xyz * 2.0 - 1.0;
	m.xy *= normalScale;
	return normalize(t * m.x + cross(n, t) * to.w * m.y + n * m.z) * (dot(seen, n) < 0.0 ? -1.0 : 1.0);
}

vec3 diffuseLight(vec3 n) {
	vec3 e = irradiance[0].rgb + irradiance[1].rgb * n.y + irradiance[2].rgb * n.z + irradiance[3].rgb * n.x
		+ irradiance[4].rgb * (n.x * n.y) + irradiance[5].rgb * (n.y * n.z) + irradiance[6].rgb * (3.0 * n.z * n.z - 1.0)
		+ irradiance[7].rgb * (n.x * n.z) + irradiance[8].rgb * (n.x * n.x - n.y * n.y);
	return max(e, vec3(0));
}

float most(vec3 c) {
	return max(c.r, max(c.g, c.b));
}

// What a surface reflects by further bounces, of light from all sides, if it reflects `once` by the first.
vec3 further(vec3 once, vec3 f0, float f90, float lost) {
	vec3 mean = f0 + (f90 - f0) / 21.0;
	return once * mean * lost / (1.0 - mean * lost);
}

// The surface's answer to a light of irradiance PI from a direction. Only the share that is no metal has a diffuse part, albedo, and
// loses of it what this share reflects.
vec3 answer(vec3 n, vec3 v, vec3 l, vec3 albedo, vec3 f0, float f90, float rough) {
	vec3 h = normalize(v + l);
	float nl = max(dot(n, l), 0.0), nv = max(dot(n, v), 1e-3), nh = max(dot(n, h), 0.0), vh = max(dot(v, h), 0.0);
	float a2 = pow(max(rough, 0.045), 4.0), d = nh * nh * (a2 - 1.0) + 1.0;
	float visible = 0.5 / (nl * sqrt(nv * nv * (1.0 - a2) + a2) + nv * sqrt(nl * nl * (1.0 - a2) + a2) + 1e-6);
	float aslant = pow(1.0 - vh, 5.0);
	vec3 fresnel = f0 + (f90 - f0) * aslant;
	return nl * (albedo * (1.0 - most(mix(reflectance.rgb, reflectance.www, aslant))) + fresnel * (a2 / (d * d) * visible));
}

void main() {
	vec4 base = cutOut(surfaceColor);
	if (unlit) {
		color = base; // KHR_materials_unlit: as it is, without the tone curve
		return;
	}
	vec2 rm = vec2(roughness, metallic);
	if (has(0))
		rm *= texture(roughnessMap, coordinates(0)).gb;
	float occlusion = has(2) ? mix(1.0, texture(occlusionMap, coordinates(2)).r, occlusionStrength) : 1.0;
	vec3 n = shadingNormal(), v = normalize(eye.xyz - worldPosition);
	float alpha = rm.x * rm.x;
	vec3 r = mix(n, reflect(-v, n), (1.0 - alpha) * (sqrt(1.0 - alpha) + alpha)); // the lobe's middle (Lagarde and de Rousiers 2014)
	vec3 albedo = base.rgb * (1.0 - rm.y), f0 = mix(reflectance.rgb, base.rgb, rm.y);
	float f90 = mix(reflectance.w, 1.0, rm.y), nv = clamp(dot(n, v), 0.0, 1.0);
	vec2 split = textureLod(reflectionTable, vec2(nv, rm.x), 0.0).rg;
	float lost = clamp(1.0 - split.x - split.y, 0.0, 0.95);
	vec3 dull = reflectance.rgb * split.x + reflectance.w * split.y, metal = base.rgb * split.x + split.y;
	vec3 dullMore = further(dull, reflectance.rgb, reflectance.w, lost), more = mix(dullMore, further(metal, base.rgb, 1.0, lost), rm.y);
	vec3 c = occlusion * (mix(dull, metal, rm.y) * textureLod(surroundings, r, rm.x * lastLevel).rgb
		+ (more + albedo * (1.0 - most(dull + dullMore))) * diffuseLight(n));
	if (dot(n, keyDirection.xyz) > 0.0 && keyColor.r > 0.0)
		c += keyColor.rgb * keyLight(worldPosition, seenFace()) * answer(n, v, keyDirection.xyz, albedo, f0, f90, rm.x);
	vec3 glow = emission;
	if (has(3))
		glow *= texture(emissiveMap, coordinates(3)).rgb;
	color = vec4(toneMap(c + glow), base.a);
}
