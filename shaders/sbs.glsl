#include "dual.glsl"

// Spherical blend skinning, v' = Q(v - r_c) + sum w_j C_j r_c (SBS equation 9), Q the normalised blend of the rotations and C_j the
// rigid motions. CPU twin: skinning.Frame.Blend(SBS).
void skinVertex(inout vec3 position, inout vec3 normal) {
	vec4 pivot = jointRotation(influence(0).joint);
	vec3 center = rotationCenter(int(centerSet));
	vec4 q = vec4(0);
	vec3 moved = vec3(0);
	int n = influenceCount();
	for (int k = 0; k < n; k++) {
		Influence f = influence(k);
		if (f.weight == 0.0)
			break;
		DualQuat d = jointMotion(f.joint, pivot);
		q += f.weight * d.real;
		moved += f.weight * dualApply(d, center);
	}
	float length2 = dot(q, q);
	q = length2 > 0.0 ? q * inversesqrt(length2) : vec4(0, 0, 0, 1);
	position = quatRotate(q, position - center) + moved;
	normal = quatRotate(q, normal);
}
