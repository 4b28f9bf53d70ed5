// Package rig has the kinds of rigs that drive joints which fits have added: [BlendBones], samples of a nonlinear
// method over a few joints (ALNS), [Enveloping], proxy bones that are learnt from examples (RTER), and [HelperBones],
// children of joints that polynomials of joint rotations move (HBR). A new kind is one file, with a [skinning.Rig] and
// its driver, and one line in [Kinds]. [skinning.RigDriver] says what a driver may read and write of a frame.
package rig

import "skinlab/skinning"

// Kinds returns all kinds of rigs.
func Kinds() []skinning.RigKind {
	return []skinning.RigKind{
		{Key: blendBonesKey, Bone: blendBonesName, Read: readBlendBones},
		{Key: envelopingKey, Bone: envelopingName, Read: readEnveloping},
		{Key: helperBonesKey, Bone: helperBonesName, Read: readHelperBones},
	}
}
