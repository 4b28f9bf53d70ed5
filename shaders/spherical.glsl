#include "dual.glsl"

// Spherical blending about a centre, v' = Q(v - c) + sum w_j C_j c (SBS equation 9), Q the normalised blend of the
// rotations and C_j the rigid motions.
void turnAbout(vec3 center, inout vec3 position, inout vec3 normal) {
	vec4 pivot = jointRotation(influence(0).joint);
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
