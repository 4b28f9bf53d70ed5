// Package simd has the skinning kernels in assembly: AVX2 with FMA and AVX-512, for amd64. They take plain pointers
// and check nothing; package kernel checks, calls them, and keeps the same arithmetic in Go for every other
// machine.
//
// # Vertices
//
// What comes in is [Vertices]: rest positions and normals, bindings and a packed palette; what goes out is posed
// positions and normals. Kernels take whole groups of [Group] vertices, each with at most four influences in a record
// of [BindingBytes]: four uint16 joints, four float32 weights. They run in this order:
//  1. [Scan], and [LargestSet] for spherical blending, find the largest numbers in the bindings, which the caller holds
//     against the palette, and the number of influences of each group.
//  2. [Signs] and [Entries], for kernels of quaternions, replace each joint by the palette entry in the pivot's
//     hemisphere. A palette has each motion twice, as it is and negated, because kernels do not flip quaternions.
//  3. [Linear], [Dual], [ScaleDual], [Iterative], [Spherical] or [TwistSwing] blend the entries of each vertex by its
//     weights, Σ w_k·M_k or Σ w_k·q̂_k, and move its position and normal by the blend.
//
// A vertex is posed by the same arithmetic in any lane of any group, so a result does not depend on how vertices are
// grouped, split or padded. Streams may start at any multiple of 4 bytes. Nothing is allocated.
//
// # Bones
//
// The other kernels are in float64 and four at a time. [Split] takes joints' matrices apart into rigid motion and
// scale; [BlendDual], [BlendMean] and [BlendCenter] sample an operator at blend bones; [PredictKeys] predicts the key
// gradients of proxy bones, and [SolveProxies], two at a time, solves for their matrices. They report the lanes that
// they cannot compute; packages skinning and rig then compute these.
//
// # Safety
//
// No kernel reads or writes outside of what it is given: TestKernelsStayInside, TestSplitStaysInside,
// TestDriveStaysInside and TestProxiesStayInside run each on slices that end where a page without access begins, and on
// slices that begin where one ends, at all levels of the machine, those that pose vertices for every count from 0 to 40
// (go test ./skinning/... -run Inside; on Linux).
//
// The assembly is written by the generator in lab/assembly, which uses avo: change that, then run `make assembly`. A
// test of lab holds the files against the generator.
package simd

//go:generate go run -C ../../lab ./assembly
