#include "dual.glsl"
#include "linear.glsl"

// Spherical blend skinning, v' = Q(v - r_c) + sum w_j C_j r_c (SBS equation 9), Q the normalised blend of the rotations. A vertex
// of one joint moves by its matrix. CPU twin: skinning.Frame.Blend(SBS).
void skinVertex(inout vec3 position, inout vec3 normal) {
	mat3x4 m = blendRows(MATRIX);
	if (weights[1] == 0.0) {
		position = vec4(position, 1) * m;
		normal = transformNormal(m, normal);
		return;
	}
	vec4 pivot = jointRotation(influence(0).joint);
	vec4 q = vec4(0);
	int n = influenceCount();
	for (int k = 0; k < n; k++) {
		Influence f = influence(k);
		if (f.weight == 0.0)
			break;
		vec4 r = jointRotation(f.joint);
		q += unrolled == 0 && dot(r, pivot) < HEMISPHERE_TIE ? -f.weight * r : f.weight * r;
	}
	float length2 = dot(q, q);
	q = length2 > 0.0 ? q * inversesqrt(length2) : vec4(0, 0, 0, 1);
	vec3 center = rotationCenter(int(centerSet));
	position = quatRotate(q, position - center) + vec4(center, 1) * m;
	normal = quatRotate(q, normal);
}
