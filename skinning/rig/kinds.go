// Package rig lists the kinds of rigs that files may have, and is the place for new ones: a file each. Blend bones and
// the proxy bones of enveloping stand in package skinning: their kernels read and write the packed forms of a frame's
// matrices, which are nobody else's.
package rig

import "skinlab/skinning"

// Kinds returns all kinds of rigs.
func Kinds() []skinning.RigKind {
	return []skinning.RigKind{
		skinning.BlendBones(),
		skinning.Enveloping(),
	}
}
