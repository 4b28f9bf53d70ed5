#include "dual.glsl"
#include "linear.glsl"
#include "screw.glsl"

const int DIB_LIMIT = 64;

// Dual quaternion iterative blending: b <- b exp(sum w log(conj(b) d)) from the linear blend until the step is below 1e-7,
// the rounding of one float32 operation. Where lengths are large beside 1 the step cannot get there, so it also ends when
// steps no longer shrink. CPU twin: skinning.Frame.Blend(DIB).
DualQuat blendIterative() {
	vec4 pivot = jointRotation(influence(0).joint);
	DualQuat b = blendDual();
	int n = influenceCount();
	float last = 1e30;
	for (int i = 0; i < DIB_LIMIT; i++) {
		vec3 real = vec3(0), dual = vec3(0);
		for (int k = 0; k < n; k++) {
			Influence f = influence(k);
			if (f.weight == 0.0)
				break;
			vec3 r, d;
			dualLog(dualMul(dualConjugate(b), jointMotion(f.joint, pivot)), r, d);
			real += f.weight * r;
			dual += f.weight * d;
		}
		b = dualNormalize(dualMul(b, dualExp(real, dual)));
		float size = sqrt(dot(real, real) + dot(dual, dual));
		if (!(size >= 1e-7 && size < last))
			break;
		last = size;
	}
	return b;
}

void skinVertex(inout vec3 position, inout vec3 normal) {
	mat3x4 s = blendRows(SCALE);
	DualQuat b = blendIterative();
	position = dualApply(b, vec4(position, 1) * s);
	normal = quatRotate(b.real, transformNormal(s, normal));
}
