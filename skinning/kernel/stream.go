package kernel

import (
	"fmt"
	"unsafe"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/simd"
)

// Stream holds the data that a kernel reads and writes: equally long runs of vertices. The caller owns every slice;
// kernels allocate nothing. Normals and RestNormals may both be nil, then only positions are posed. Positions and
// Normals must not overlap the inputs: vertices of more than four influences are posed from Rest a second time.
type Stream struct {
	Positions, Normals []mgl32.Vec3 // out: metres, world space; normals along Φ⁻ᵀ·n, not of unit length
	Rest, RestNormals  []mgl32.Vec3 // in: metres, rest space, morph targets applied
	Bindings           []Binding
	// ExtraStart and Extra hold the influences past the fourth as in [Influences]; ExtraStart is nil or one longer than
	// Rest.
	ExtraStart []uint32
	Extra      []Influence
	Sets       []uint32 // the centre set of each vertex; spherical blending only
	// Twist is a second set of bindings, for the dual quaternions of twist-swing skinning. It has a binding for each
	// vertex, or none if Bindings serve for both. Its ExtraStart and Extra are like those above.
	Twist Influences

	// Set in the streams of a [Skin], which has checked its bindings once.
	checked    *checkedBindings // Bindings are a run of these; or nil
	twist      *checkedBindings // the same for Twist; its counts are the larger of both
	first      int              // the vertex of checked that Bindings start with
	entries    []Binding        // for kernels that blend quaternions: see [flippedBindings]
	largestSet int              // of Sets
}

// known tells whether checked has the counts of the stream's groups.
func (s *Stream) known() bool {
	return s.checked != nil && s.checked.counts != nil && s.first%simd.Group == 0
}

// knownEntries tells whether there are entries as well.
func (s *Stream) knownEntries() bool { return s.known() && s.entries != nil }

// NewStream joins a mesh's influences with the caller's buffers. Sets may be nil for methods that read no
// rotation centres.
func NewStream(positions, normals, rest, restNormals []mgl32.Vec3, in *Influences, sets []uint32) Stream {
	s := Stream{Positions: positions, Normals: normals, Rest: rest, RestNormals: restNormals,
		Bindings: in.Bindings, ExtraStart: in.ExtraStart, Extra: in.Extra, Sets: sets}
	s.check("NewStream")
	return s
}

// check panics on lengths that do not match: a caller's bug.
func (s *Stream) check(kernel string) {
	n := len(s.Rest)
	if len(s.Positions) != n || len(s.Bindings) != n || len(s.Normals) != len(s.RestNormals) ||
		(s.Normals != nil && len(s.Normals) != n) || (s.ExtraStart != nil && len(s.ExtraStart) != n+1) ||
		(s.Sets != nil && len(s.Sets) != n) || (s.Twist.Bindings != nil && len(s.Twist.Bindings) != n) ||
		(s.Twist.ExtraStart != nil && len(s.Twist.ExtraStart) != n+1) {
		panic(fmt.Sprintf("kernel: %s: %d rest, %d positions, %d normals, %d rest normals, %d bindings, %d extra starts, %d sets, "+
			"%d twist bindings, %d extra starts of these", kernel, n, len(s.Positions), len(s.Normals), len(s.RestNormals),
			len(s.Bindings), len(s.ExtraStart), len(s.Sets), len(s.Twist.Bindings), len(s.Twist.ExtraStart)))
	}
}

// Slice returns the vertices from lo up to hi.
func (s *Stream) Slice(lo, hi int) Stream {
	t := *s
	t.first += lo
	t.Positions, t.Rest, t.Bindings = s.Positions[lo:hi], s.Rest[lo:hi], s.Bindings[lo:hi]
	if s.Normals != nil {
		t.Normals, t.RestNormals = s.Normals[lo:hi], s.RestNormals[lo:hi]
	}
	if s.ExtraStart != nil {
		t.ExtraStart = s.ExtraStart[lo : hi+1]
	}
	if s.Sets != nil {
		t.Sets = s.Sets[lo:hi]
	}
	t.Twist = s.Twist.Slice(lo, hi)
	if s.entries != nil {
		t.entries = s.entries[lo:hi]
	}
	return t
}

// extraOf returns the influences past the fourth of vertex v.
func (s *Stream) extraOf(v int) []Influence {
	if s.ExtraStart == nil {
		return nil
	}
	return s.Extra[s.ExtraStart[v]:s.ExtraStart[v+1]]
}

// moreThanFour yields the vertices that have influences past the fourth.
func (s *Stream) moreThanFour(yield func(v int) bool) {
	for v := 0; v+1 < len(s.ExtraStart); v++ {
		if s.ExtraStart[v] != s.ExtraStart[v+1] && !yield(v) {
			return
		}
	}
}

// BytesMoved returns the bytes that one pass over the stream reads and writes: each vertex's own data, once. Sets count
// only for a kernel that reads rotation centres. Palettes do not count, as they stay in the first-level cache. Cache
// lines that are read only to be written into do not count either.
func (s *Stream) BytesMoved(centers bool) int {
	n := bytesOf(s.Positions) + bytesOf(s.Normals) + bytesOf(s.Rest) + bytesOf(s.RestNormals) +
		bytesOf(s.Bindings) + bytesOf(s.ExtraStart) + bytesOf(s.Extra) +
		bytesOf(s.Twist.Bindings) + bytesOf(s.Twist.ExtraStart) + bytesOf(s.Twist.Extra)
	if centers {
		n += bytesOf(s.Sets)
	}
	return n
}

func bytesOf[T any](x []T) int {
	var one T
	return len(x) * int(unsafe.Sizeof(one))
}
