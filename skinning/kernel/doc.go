// Package kernel poses vertices in float32 on the CPU. A [Palette], one pose of a skeleton, and a [Stream], vertices at
// rest with the joints that they follow, come in. Posed positions and normals go out.
//
// A kernel is a [Func], one per method: [Linear], [DualQuaternion], [ScaleDualQuaternion], [Iterative], [Spherical] and
// [TwistSwing]. Each is written twice. At [simd.Scalar] plain Go poses vertex after vertex; above it a kernel of
// package simd poses whole groups of vertices by their first four influences, and plain Go poses the vertices of more
// than four influences again. The table of methods in package skinning names a method's kernel and its float64
// reference. Tests hold kernels against that reference.
//
// Kernels that blend the quaternions of joints flip them to the hemisphere of the vertex's pivot, the joint of its
// largest weight. The assembly flips by lookup: the palette holds every quaternion twice, as it is and negated, and a
// binding names the negated entry where a joint is to be flipped (see packedRigid). A [Skin], which poses the same
// vertices again and again, keeps such bindings from pose to pose. A [Func] on any other stream writes them anew.
package kernel

import "skinlab/skinning/simd"

// Func poses a stream by a palette, at a level that the machine has. It allocates nothing, and panics on lengths that
// do not match or on a joint or centre set that the palette lacks.
type Func func(p *Palette, s Stream, level simd.Level)

// HemisphereTie is the dot product above which two unit quaternions count as one hemisphere. At exactly 180 degrees,
// where every mirrored joint beside an upright one is, the product is 0 and rounding would choose the sign anew in
// every frame.
const HemisphereTie = -1e-6
