#include "dual.glsl"
#include "linear.glsl"

// A sum of twists shorter than this has no direction: kernel.ShortTwist.
const float SHORT_TWIST = 1e-6;

DualQuat jointTwist(int joint) {
	int t = jointTexel(joint, TWIST);
	return DualQuat(texelFetch(palette, t), texelFetch(palette, t + 1));
}

void addTwist(inout DualQuat sum, Influence f) {
	DualQuat t = jointTwist(f.joint);
	sum.real += f.weight * t.real;
	sum.dual += f.weight * t.dual;
}

// Twist-swing skinning (EBM section 2): the accumulated twists blended as dual quaternions, then the swing matrices
// linearly, each by a weight set of its own where the model has two. No twist is flipped: they have the signs of their
// chains. CPU twin: skinning.Frame.BlendVertex(TwistSwing).
void skinVertex(inout vec3 position, inout vec3 normal) {
	DualQuat twist = DualQuat(vec4(0), vec4(0));
	mat3x4 swing = mat3x4(0);
	int n = influenceCount();
	for (int k = 0; k < n; k++) {
		Influence f = influence(k);
		if (f.weight == 0.0)
			break;
		swing += f.weight * paletteRows(f.joint, SWING);
#ifndef SECOND_SET
		addTwist(twist, f);
#endif
	}
	int strongest = influence(0).joint;
#ifdef SECOND_SET
	n = secondCount();
	for (int k = 0; k < n; k++) {
		Influence f = secondInfluence(k);
		if (f.weight == 0.0)
			break;
		addTwist(twist, f);
	}
	strongest = secondInfluence(0).joint;
#endif
	if (dot(twist.real, twist.real) < SHORT_TWIST * SHORT_TWIST)
		twist = jointTwist(strongest);
	twist = dualNormalize(twist);
	position = vec4(dualApply(twist, position), 1) * swing;
	normal = transformNormal(swing, quatRotate(twist.real, normal));
}
