package skinning

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/simd"
)

// scannedVertices is how many vertices' bindings are looked at before a kernel poses them, where a stream is not a
// [Deformer]'s: few, so that the memory behind all streams is fetched side by side. Of a million vertices with AVX-512,
// 1,024 at a time took 11.8 ns a vertex and 128 took 9.7, in alternating rounds.
//
// A vertex is 72 bytes: position and normal, 24 read and 24 written, and a binding of 24, four 16-bit joints and four
// weights; no layout that was measured is faster:
//
//   - Vertices sorted by influences, the results scattered into file order: 11.1 ns a vertex of a real character of 1.8
//     influences instead of 5.8, and 5.8 even without the scattering: the largest number of influences of every 16
//     vertices is as good.
//   - Bindings of 16 bytes, as of 8-bit joints and three weights, with AVX2 on Zen 3, before what unpacking costs: 1.00
//     of the time at 30,000 vertices, 1.02 at a million. Three weights would lose nothing but rounding, 16-bit ones
//     more than the kernels' tolerance.
//   - Bindings of no bytes at all, with AVX-512: 0.91 at 30,000 vertices and more than 0.84 at a million, packed
//     normals on top of that no less.
//   - Stores past the caches: 1.05 to 1.25 wherever a skin fits a cache.
const scannedVertices = 128

// groupCall is one run of an assembly kernel: which, and what it reads besides the stream.
type groupCall struct {
	level   simd.Level
	method  Method
	joints  int
	palette packedPalette
	motions *packedMotions // of all but LBS
	scratch []Binding      // room for bindings that name entries; nil where the stream has such
	scales  packedPalette  // of SDQS and DIB; nil where there are none
	centers []float32      // of SBS
}

// groups is a run of whole groups of vertices as package simd takes it.
type groups struct {
	positions, normals, rest, restNormals *float32 // normals and restNormals may be nil
	bindings                              *uint16
	influences                            *uint8  // the largest number of each group
	sets                                  *uint32 // of SBS
	count                                 int
}

// scanAndRun looks at the bindings of at most scannedVertices and calls the kernel. Joints and centre sets that are
// known are checked already.
func (c *groupCall) scanAndRun(g groups, known bool) {
	var influences [scannedVertices / simd.Group]uint8
	joint := simd.Scan(c.level, g.bindings, &influences[0], g.count)
	if !known {
		c.checkJoint(joint)
		if c.method == SBS {
			c.checkSet(simd.LargestSet(g.sets, g.count))
		}
	}
	g.influences = &influences[0]
	c.run(g)
}

// checkJoint panics if a joint is outside the palette, which a kernel would not notice.
func (c *groupCall) checkJoint(joint int) {
	if joint >= c.joints {
		panic(fmt.Sprintf("skinning: %v: joint %d of a palette of %d", c.method, joint, c.joints))
	}
}

// run calls the kernel. It is written as a switch, not as a table of functions, so that nothing it is given escapes to
// the heap.
func (c *groupCall) run(g groups) {
	if c.scratch != nil {
		_ = c.scratch[simd.Group*g.count-1]
		to := &c.scratch[0].Joints[0]
		simd.Entries(to, g.bindings, &c.motions.signs[0], 2*c.motions.stride, g.count)
		g.bindings = to
	}
	switch c.method {
	case LBS:
		simd.Linear(c.level, g.positions, g.normals, g.rest, g.restNormals, g.bindings, &c.palette[0], g.influences, g.count)
	case DQS:
		simd.Dual(c.level, g.positions, g.normals, g.rest, g.restNormals, g.bindings, &c.palette[0], g.influences, g.count)
	case SDQS:
		simd.ScaleDual(c.level, g.positions, g.normals, g.rest, g.restNormals, g.bindings, &c.palette[0], g.influences,
			g.count, &c.scales[0])
	case DIB:
		scales := (*float32)(nil)
		if c.scales != nil {
			scales = &c.scales[0]
		}
		simd.Iterative(c.level, g.positions, g.normals, g.rest, g.restNormals, g.bindings, &c.palette[0], g.influences,
			g.count, scales)
	case SBS:
		simd.Spherical(c.level, g.positions, g.normals, g.rest, g.restNormals, g.bindings, &c.palette[0], g.influences,
			g.count, g.sets, &c.centers[0])
	default:
		panic(fmt.Sprintf("skinning: no SIMD kernel for %v", c.method))
	}
}

// checkSet panics if a centre set is outside the frame's, likewise.
func (c *groupCall) checkSet(set int) {
	if set >= len(c.centers)/4 {
		panic(fmt.Sprintf("skinning: SBS: centre set %d of %d", set, len(c.centers)/4))
	}
}

// groups poses the stream by an assembly kernel, run by run. What is left after the last whole group goes through the
// same kernel, so that a vertex has the same position to the bit wherever a stream starts and ends. The caller poses
// vertices of more than four influences anew: here they have only the first four.
func (s *Stream) groups(c *groupCall) {
	if c.motions == nil || s.knownMotions() {
		s.runs(c)
		return
	}
	var scratch [scannedVertices]Binding
	once := *c
	once.scratch = scratch[:]
	s.runs(&once)
}

// runs is groups with all that a call needs.
func (s *Stream) runs(c *groupCall) {
	whole := len(s.Rest) / simd.Group * simd.Group
	known := s.known() && c.scratch == nil
	if known {
		c.checkJoint(s.scanned.joint)
		if c.method == SBS {
			c.checkSet(s.largestSet)
		}
	}
	bindings := s.Bindings
	if known && c.motions != nil {
		bindings = s.entries
	}
	for lo := 0; lo < whole; {
		hi := min(lo+scannedVertices, whole)
		if known {
			hi = whole
		}
		g := groups{
			positions: &s.Positions[lo][0],
			rest:      &s.Rest[lo][0],
			bindings:  &bindings[lo].Joints[0],
			count:     (hi - lo) / simd.Group,
		}
		if s.Normals != nil {
			g.normals, g.restNormals = &s.Normals[lo][0], &s.RestNormals[lo][0]
		}
		if s.Sets != nil {
			g.sets = &s.Sets[lo]
		}
		if known {
			g.influences = &s.scanned.counts[(s.first+lo)/simd.Group]
			c.run(g)
		} else {
			c.scanAndRun(g, false)
		}
		lo = hi
	}
	if whole < len(s.Rest) {
		s.lastGroup(c, bindings, whole, known)
	}
}

// lastGroup poses the vertices from lo on, fewer than a group, in a copy filled up with the last of them.
func (s *Stream) lastGroup(c *groupCall, from []Binding, lo int, known bool) {
	var positions, normals, rest, restNormals [simd.Group]mgl32.Vec3
	var bindings [simd.Group]Binding
	var sets [simd.Group]uint32
	for k := range simd.Group {
		v := min(lo+k, len(s.Rest)-1)
		rest[k], bindings[k] = s.Rest[v], from[v]
		if s.Normals != nil {
			restNormals[k] = s.RestNormals[v]
		}
		if s.Sets != nil {
			sets[k] = s.Sets[v]
		}
	}
	g := groups{positions: &positions[0][0], rest: &rest[0][0], bindings: &bindings[0].Joints[0], sets: &sets[0], count: 1}
	if s.Normals != nil {
		g.normals, g.restNormals = &normals[0][0], &restNormals[0][0]
	}
	c.scanAndRun(g, known)
	copy(s.Positions[lo:], positions[:])
	copy(s.Normals[min(lo, len(s.Normals)):], normals[:])
}

// Package simd reads bindings by their offsets.
var _ [simd.BindingBytes]struct{} = [unsafe.Sizeof(Binding{})]struct{}{}
