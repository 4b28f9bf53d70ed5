// Quaternions are x, y, z, w. A dual quaternion is real + e dual; with |real| = 1 and (real, dual) = 0 it is a rigid motion.
struct DualQuat {
	vec4 real;
	vec4 dual;
};

vec4 quatMul(vec4 a, vec4 b) {
	return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

vec4 quatConjugate(vec4 q) {
	return vec4(-q.xyz, q.w);
}

// Rotates v by a quaternion of unit length.
vec3 quatRotate(vec4 q, vec3 v) {
	return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// The nearest unit dual quaternion; the identity for a zero real part.
DualQuat dualNormalize(DualQuat d) {
	float n2 = dot(d.real, d.real);
	if (!(n2 > 0.0))
		return DualQuat(vec4(0, 0, 0, 1), vec4(0));
	float n = inversesqrt(n2);
	vec4 r = d.real * n, e = d.dual * n;
	return DualQuat(r, e - r * dot(r, e));
}

// Moves a point by a unit dual quaternion.
vec3 dualApply(DualQuat d, vec3 p) {
	vec3 t = 2.0 * (d.real.w * d.dual.xyz - d.dual.w * d.real.xyz + cross(d.real.xyz, d.dual.xyz));
	return quatRotate(d.real, p) + t;
}
