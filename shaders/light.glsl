#include "shadow.glsl"

// A studio: a warm key light from the front left that casts shadows, a cool fill (grid.w strong) and a rim light that follow the camera, and
// the room, bright above and dark below, with a bounce from the floor. Linear radiance.
const vec3 KEY = vec3(1.00, 0.955, 0.90) * 1.40;
const vec3 FILL = vec3(0.88, 0.94, 1.00);
const vec3 RIM = vec3(0.92, 0.96, 1.00) * 1.4;
const vec3 SKY = vec3(0.285, 0.305, 0.34);
const vec3 HORIZON = vec3(0.15, 0.158, 0.17);
const vec3 GROUND = vec3(0.068, 0.064, 0.060);

struct Surface {
	vec3 position, normal, face; // face: the normal of the triangle itself, on the side of normal
	vec3 albedo;
	float roughness;
	float gloss; // strength of the specular layer
};

// The room's light from a direction, blurred: a smooth gradient from floor to ceiling.
vec3 roomLight(float up) {
	return up > 0.0 ? mix(HORIZON, SKY, up) : mix(HORIZON, GROUND, -up);
}

// Trowbridge-Reitz with Schlick's Fresnel and the visibility of Hable (2010) for one light.
float specular(vec3 n, vec3 v, vec3 l, float roughness) {
	vec3 h = normalize(v + l);
	float nh = max(dot(n, h), 0.0), lh = max(dot(l, h), 0.0);
	float a2 = pow(roughness, 4.0);
	float d = nh * nh * (a2 - 1.0) + 1.0;
	float k = a2 * 0.25;
	float fresnel = 0.04 + 0.96 * pow(1.0 - lh, 5.0);
	return fresnel * a2 / (3.14159265 * d * d) / (4.0 * mix(lh * lh, 1.0, k));
}

vec3 shade(Surface s) {
	vec3 n = s.normal, v = normalize(eye.xyz - s.position);
	float nv = max(dot(n, v), 0.0);
	float nk = dot(n, keyDirection.xyz), nf = dot(n, fillDirection.xyz), nr = dot(n, rimDirection.xyz);
	float lit = nk > 0.0 ? keyLight(s.position, s.face) : 0.0;
	vec3 key = KEY * max(nk, 0.0) * lit;
	vec3 fill = FILL * grid.w * max((nf + 0.3) / 1.3, 0.0); // a large panel: light wraps round
	vec3 rim = RIM * max(nr, 0.0) * pow(1.0 - nv, 2.0);
	// Light from the room, darker close to the floor, where the floor and the model hide it from each other.
	float height = clamp((s.position.y - floorDisc.y) / (0.25 * eye.w), 0.0, 1.0);
	float open = mix(0.62, 1.0, height) * mix(1.0, 0.85, max(-n.y, 0.0));
	vec3 room = roomLight(n.y) * open;
	vec3 color = s.albedo * (key + fill + rim + room);
	vec3 r = reflect(-v, n);
	float edge = 0.04 + 0.5 * pow(1.0 - nv, 5.0);
	color += s.gloss * (KEY * max(nk, 0.0) * lit * specular(n, v, keyDirection.xyz, s.roughness) * 3.14159265
		+ FILL * grid.w * max(nf, 0.0) * specular(n, v, fillDirection.xyz, s.roughness) * 3.14159265
		+ roomLight(r.y) * edge * open);
	return color;
}
