#include "palette.glsl"
#include "influences.glsl"
#include "quaternion.glsl"

// Products of unit quaternions above it count as one hemisphere: kernel.HemisphereTie.
const float HEMISPHERE_TIE = -1e-6;

vec4 jointRotation(int joint) {
	return texelFetch(palette, jointTexel(joint, MOTION));
}

// The rigid motion of a joint, in the hemisphere of the pivot's rotation.
DualQuat jointMotion(int joint, vec4 pivot) {
	int t = jointTexel(joint, MOTION);
	DualQuat d = DualQuat(texelFetch(palette, t), texelFetch(palette, t + 1));
	if (unrolled == 0 && dot(d.real, pivot) < HEMISPHERE_TIE)
		return DualQuat(-d.real, -d.dual);
	return d;
}

// The normalised sum of weight * motion (ALNS appendix A): the dual quaternion linear blend.
DualQuat blendDual() {
	vec4 pivot = jointRotation(influence(0).joint);
	DualQuat sum = DualQuat(vec4(0), vec4(0));
	int n = influenceCount();
	for (int k = 0; k < n; k++) {
		Influence f = influence(k);
		if (f.weight == 0.0)
			break;
		DualQuat d = jointMotion(f.joint, pivot);
		sum.real += f.weight * d.real;
		sum.dual += f.weight * d.dual;
	}
	return dualNormalize(sum);
}
