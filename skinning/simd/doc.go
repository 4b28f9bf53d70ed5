// Package simd has the skinning kernels in assembly: AVX2 with FMA and AVX-512, for amd64. They take plain pointers
// and check nothing; package kernel checks, calls them, and keeps the same arithmetic in Go for every other
// machine.
//
// Kernels take whole groups of [Group] vertices, each with at most four influences in a record of [BindingBytes]:
// four uint16 joints, four float32 weights. A joint is the number of an entry of the palettes. Kernels flip no motion:
// where one is to be flipped into the hemisphere of the pivot's, the entry is that of its opposite, see [Entries].
//
// A vertex is posed by the same arithmetic in any lane of any group, so a result does not depend on how vertices are
// grouped, split or padded. Streams may start at any multiple of 4 bytes.
// Nothing is allocated.
//
// [Split] and the Blend kernels are others: they drive blend bones, in float64 and four at a time, and tell which of
// them take more than they know. [SolveProxies] drives proxy bones.
//
// No kernel reads or writes outside of what it is given: TestKernelsStayInside, TestSplitStaysInside, TestDriveStaysInside and
// TestProxiesStayInside run each on slices that end where a page without access begins, and on slices that begin where
// one ends, at all levels of the machine, those that pose vertices for every count from 0 to 40 (go test ./skinning/...
// -run Inside; on Linux).
//
// The assembly is written by the generator in generate, which uses avo: change that, then run go generate here. A test
// holds the files against the generator.
package simd

//go:generate go run ./generate
