#include "dual.glsl"
#include "linear.glsl"
#include "logarithm.glsl"

// Returns M^-1 v of a symmetric matrix, and v where the determinant is not above least.
vec3 solveSymmetric(mat3 m, vec3 v, float least) {
	vec3 c = cross(m[1], m[2]);
	float det = dot(m[0], c);
	if (!(det > least))
		return v;
	return (c * v.x + cross(m[2], m[0]) * v.y + cross(m[0], m[1]) * v.z) / det;
}

// Dual quaternion iterative blending: the intrinsic mean of the motions, the b with sum w log(conj(b) d) = 0. Newton's method for the
// rotation, nearly always one step from the linear blend; then its dual part, which is linear with the same matrix. The method is derived
// in package kernel, intrinsicMean. CPU twin: skinning.Frame.Blend(DIB).
DualQuat blendIterative() {
	vec4 pivot = jointRotation(influence(0).joint);
	vec4 b = blendDual().real;
	int n = influenceCount();
	mat3 m;
	vec4 rest;
	for (int i = 0; i < DIB_LIMIT; i++) {
		vec3 mean = vec3(0);
		m = mat3(0);
		rest = vec4(0);
		for (int k = 0; k < n; k++) {
			Influence f = influence(k);
			if (f.weight == 0.0)
				break;
			DualQuat d = jointMotion(f.joint, pivot);
			vec4 r = quatMul(quatConjugate(b), d.real);
			vec2 ratio = f.weight * logarithmRatio(r);
			mean += ratio.x * r.xyz;
			m += mat3(ratio.x * r.w) + ratio.y * outerProduct(r.xyz, r.xyz);
			rest += ratio.x * d.dual - ratio.y * dot(b, d.dual) * d.real;
		}
		if (!(dot(mean, mean) > DIB_TOLERANCE * DIB_TOLERANCE))
			break;
		vec3 move = solveSymmetric(m, mean, DIB_SINGULAR);
		float h2 = dot(move, move); // tan h / h, as a series
		move *= 1.0 + h2 * (1.0 / 3.0 + h2 * (2.0 / 15.0 + h2 * (17.0 / 315.0)));
		b = normalize(quatMul(b, vec4(move, 1)));
	}
	vec3 tau = solveSymmetric(m, quatMul(quatConjugate(b), rest).xyz, DIB_FLAT);
	return DualQuat(b, quatMul(b, vec4(tau, 0)));
}

void skinVertex(inout vec3 position, inout vec3 normal) {
	mat3x4 s = blendRows(SCALE);
	DualQuat b = blendIterative();
	position = dualApply(b, vec4(position, 1) * s);
	normal = quatRotate(b.real, transformNormal(s, normal));
}
