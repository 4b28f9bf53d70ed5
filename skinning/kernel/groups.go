package kernel

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/simd"
)

// runVertices is the number of vertices whose bindings are checked before a kernel poses them, where a stream is not a
// [Skin]'s. It is small, so that the memory behind all streams is fetched side by side: with AVX-512 a million vertices
// took 11.8 ns each in runs of 1,024 and 9.7 ns in runs of 128, in alternating rounds.
//
// A vertex is 72 bytes: position and normal, 24 read and 24 written, and a binding of 24, four 16-bit joints and four
// weights. None of these other layouts was faster:
//
//   - Vertices sorted by their number of influences, and results scattered into file order: 11.1 ns a vertex, where the
//     file's order takes 5.8, on a real character of 1.8 influences. Sorting without the scattering takes 5.8 too: the
//     largest number of influences of every 16 vertices is as good.
//   - Bindings of 16 bytes, such as 8-bit joints and three weights, with AVX2 on Zen 3, the cost of unpacking left out:
//     1.00 of the time at 30,000 vertices, 1.02 at a million. Three weights would lose nothing but rounding, 16-bit
//     weights more than the kernels' tolerance.
//   - No bindings at all, with AVX-512, as a bound on what smaller ones can save: 0.91 at 30,000 vertices and more than
//     0.84 at a million. Packed normals save no more on top.
//   - Stores that bypass the caches: 1.05 to 1.25 wherever a skin fits a cache.
const runVertices = 128

// groupCall is one run of an assembly kernel: the kernel and its inputs besides the stream.
type groupCall struct {
	level   simd.Level
	form    form
	joints  int
	palette packedPalette
	rigid   *packedRigid  // for kernels that flip quaternions: all but linear and twistSwing
	scratch []Binding     // room for bindings that name entries; nil where the stream has such
	scales  packedPalette // of scaleDual, iterative and ownCenter; nil where there are none
	centers []float32     // of spherical
	swings  packedPalette // of twistSwing
	short   bool          // of twistSwing, set by run: the sums of some twists may have no direction
}

// form is one of the kernels in assembly.
type form uint8

const (
	linear form = iota
	dual
	scaleDual
	iterative
	spherical
	twistSwing
	ownCenter // spherical about the first three of each vertex's values
)

func (f form) String() string {
	return [...]string{"Linear", "DualQuaternion", "ScaleDualQuaternion", "Iterative", "Spherical", "TwistSwing", "CenterOfRotation"}[f]
}

// checkAndRun looks at the bindings of at most runVertices and calls the kernel. Joints and centre sets that are
// known are checked already.
func (c *groupCall) checkAndRun(v simd.Vertices, known bool) {
	var influences [runVertices / simd.Group]uint8
	joint := simd.Scan(v.Bindings, &influences[0], v.Groups)
	if v.TwistBindings != nil {
		var second [runVertices / simd.Group]uint8
		joint = max(joint, simd.Scan(v.TwistBindings, &second[0], v.Groups))
		for i := range v.Groups {
			influences[i] = max(influences[i], second[i])
		}
	}
	if !known {
		c.checkJoint(joint)
		if c.form == spherical {
			c.checkSet(simd.LargestSet(v.Sets, v.Groups))
		}
	}
	v.Counts = &influences[0]
	c.run(v)
}

// checkJoint panics if a joint is outside the palette, which a kernel would not notice.
func (c *groupCall) checkJoint(joint int) {
	if joint >= c.joints {
		panic(fmt.Sprintf("kernel: %v: joint %d of a palette of %d", c.form, joint, c.joints))
	}
}

// run calls the kernel. It is a switch and not a table of functions, so that its arguments do not escape to the heap.
func (c *groupCall) run(v simd.Vertices) {
	if c.scratch != nil {
		_ = c.scratch[simd.Group*v.Groups-1]
		to := &c.scratch[0].Joints[0]
		simd.Entries(to, v.Bindings, &c.rigid.signs[0], 2*c.rigid.stride, v.Groups)
		v.Bindings = to
	}
	v.Palette = &c.palette[0]
	switch c.form {
	case linear:
		simd.Linear(c.level, &v)
	case dual:
		simd.Dual(c.level, &v)
	case scaleDual:
		v.Scales = &c.scales[0]
		simd.ScaleDual(c.level, &v)
	case iterative:
		if c.scales != nil {
			v.Scales = &c.scales[0]
		}
		simd.Iterative(c.level, &v)
	case spherical:
		v.Centers = &c.centers[0]
		simd.Spherical(c.level, &v)
	case ownCenter:
		if c.scales == nil {
			simd.SphericalOwn(c.level, &v)
			break
		}
		v.Scales = &c.scales[0]
		simd.SphericalScaled(c.level, &v)
	case twistSwing:
		v.Swings = &c.swings[0]
		simd.TwistSwing(c.level, &v)
		c.short = c.short || v.Short != 0
	default:
		panic(fmt.Sprintf("kernel: no SIMD kernel for %v", c.form))
	}
}

// checkSet panics if a centre set is outside the frame's, in the same way.
func (c *groupCall) checkSet(set int) {
	if set >= len(c.centers)/4 {
		panic(fmt.Sprintf("kernel: Spherical: centre set %d of %d", set, len(c.centers)/4))
	}
}

// groups poses the stream by an assembly kernel, run by run. The vertices after the last whole group go through the
// same kernel, so that a vertex has the same position to the bit wherever a stream starts and ends. Only the first four
// influences of a vertex are used here. The caller poses vertices with more than four again.
func (s *Stream) groups(c *groupCall) {
	if c.rigid == nil || s.knownEntries() {
		s.runs(c)
		return
	}
	var scratch [runVertices]Binding
	once := *c
	once.scratch = scratch[:]
	s.runs(&once)
}

// runs is groups with all that a call needs.
func (s *Stream) runs(c *groupCall) {
	whole := len(s.Rest) / simd.Group * simd.Group
	known := s.known() && c.scratch == nil
	two := c.form == twistSwing && s.Second.Bindings != nil
	known = known && (!two || s.second != nil)
	var counts []uint8
	if known {
		c.checkJoint(s.checked.joint)
		counts = s.checked.counts
		if two {
			c.checkJoint(s.second.joint)
			counts = s.second.counts
		}
		if c.form == spherical {
			c.checkSet(s.largestSet)
		}
	}
	bindings := s.Bindings
	if known && c.rigid != nil {
		bindings = s.entries
	}
	for lo := 0; lo < whole; {
		hi := min(lo+runVertices, whole)
		if known {
			hi = whole
		}
		v := simd.Vertices{
			Positions: &s.Positions[lo][0],
			Rest:      &s.Rest[lo][0],
			Bindings:  &bindings[lo].Joints[0],
			Groups:    (hi - lo) / simd.Group,
		}
		if s.Normals != nil {
			v.Normals, v.RestNormals = &s.Normals[lo][0], &s.RestNormals[lo][0]
		}
		if s.Sets != nil {
			v.Sets = &s.Sets[lo]
		}
		if c.form == ownCenter {
			v.Centers = &s.Values[lo][0]
		}
		if two {
			v.TwistBindings = &s.Second.Bindings[lo].Joints[0]
		}
		if known {
			v.Counts = &counts[(s.first+lo)/simd.Group]
			c.run(v)
		} else {
			c.checkAndRun(v, false)
		}
		lo = hi
	}
	if whole < len(s.Rest) {
		s.lastGroup(c, bindings, whole, known)
	}
}

// lastGroup poses the remaining vertices from lo on, which are fewer than a group. It copies them, and fills the group
// up with the last of them.
func (s *Stream) lastGroup(c *groupCall, from []Binding, lo int, known bool) {
	var positions, normals, rest, restNormals [simd.Group]mgl32.Vec3
	var bindings, twists [simd.Group]Binding
	var sets [simd.Group]uint32
	var values [simd.Group][4]float32
	for k := range simd.Group {
		n := min(lo+k, len(s.Rest)-1)
		rest[k], bindings[k] = s.Rest[n], from[n]
		if s.Normals != nil {
			restNormals[k] = s.RestNormals[n]
		}
		if s.Sets != nil {
			sets[k] = s.Sets[n]
		}
		if s.Values != nil {
			values[k] = s.Values[n]
		}
		if s.Second.Bindings != nil {
			twists[k] = s.Second.Bindings[n]
		}
	}
	v := simd.Vertices{Positions: &positions[0][0], Rest: &rest[0][0], Bindings: &bindings[0].Joints[0], Sets: &sets[0],
		Groups: 1}
	if s.Normals != nil {
		v.Normals, v.RestNormals = &normals[0][0], &restNormals[0][0]
	}
	if c.form == ownCenter {
		v.Centers = &values[0][0]
	}
	if c.form == twistSwing && s.Second.Bindings != nil {
		v.TwistBindings = &twists[0].Joints[0]
	}
	c.checkAndRun(v, known)
	copy(s.Positions[lo:], positions[:])
	copy(s.Normals[min(lo, len(s.Normals)):], normals[:])
}

// Package simd reads bindings by their offsets.
var _ [simd.BindingBytes]struct{} = [unsafe.Sizeof(Binding{})]struct{}{}
