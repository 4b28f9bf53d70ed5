// Package kernel poses vertices in float32 on the CPU: what comes in is a [Palette], one pose of a skeleton, and a
// [Stream], vertices at rest with the joints that they follow; what goes out is posed positions and normals.
//
// A kernel is a [Func], one per method: [Linear], [DualQuaternion], [ScaleDualQuaternion], [Iterative], [Spherical] and
// [TwistSwing]. Each is written twice. At [simd.Scalar] plain Go poses vertex after vertex; above it a kernel of package
// simd poses whole groups of vertices by their first four influences, and plain Go those vertices again that have more.
// The table of methods in package skinning names a method's kernel, and its float64 reference there is what kernels are
// held against.
//
// Kernels that blend the quaternions of joints flip them to the hemisphere of the vertex's pivot, the joint of its largest weight. In
// assembly a joint that is to be flipped is named by another number, that of its opposite: see packedRigid. Vertices
// that are posed again and again ([Skin]) keep bindings with these numbers from pose to pose; those that are posed once
// ([Func] on any stream) have them written anew.
package kernel

import "skinlab/skinning/simd"

// Func poses a stream by a palette, at a level that the machine has. It allocates nothing, and panics on lengths that
// do not match or on a joint or centre set that the palette lacks.
type Func func(p *Palette, s Stream, level simd.Level)

// HemisphereTie is the dot product above which two unit quaternions count as one hemisphere. At exactly 180 degrees,
// where every mirrored joint beside an upright one is, the product is 0 and rounding would choose the sign anew in
// every frame.
const HemisphereTie = -1e-6
