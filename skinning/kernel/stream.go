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
	// Second is a second weight set, for kernels that read one. It has a binding for each vertex, or none if Bindings
	// serve for both. Its ExtraStart and Extra are like those above.
	Second Influences
	Values [][4]float32 // numbers of each vertex, for kernels that read some; else nil

	// Set in the streams of a [Skin], which has checked its bindings once.
	checked    *checkedBindings // Bindings are a run of these; or nil
	second     *checkedBindings // the same for Second; its counts are the larger of both
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
		(s.Sets != nil && len(s.Sets) != n) || (s.Second.Bindings != nil && len(s.Second.Bindings) != n) ||
		(s.Second.ExtraStart != nil && len(s.Second.ExtraStart) != n+1) || (s.Values != nil && len(s.Values) != n) {
		panic(fmt.Sprintf("kernel: %s: %d rest, %d positions, %d normals, %d rest normals, %d bindings, %d extra starts, %d sets, "+
			"%d second bindings, %d extra starts of these, %d values", kernel, n, len(s.Positions), len(s.Normals), len(s.RestNormals),
			len(s.Bindings), len(s.ExtraStart), len(s.Sets), len(s.Second.Bindings), len(s.Second.ExtraStart), len(s.Values)))
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
	t.Second = s.Second.Slice(lo, hi)
	if s.Values != nil {
		t.Values = s.Values[lo:hi]
	}
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

// BytesMoved returns the bytes that one pass over the stream reads and writes: each vertex's own data, once. Palettes
// do not count, as they stay in the first-level cache. Cache lines that are read only to be written into do not count
// either.
func (s *Stream) BytesMoved() int {
	return bytesOf(s.Positions) + bytesOf(s.Normals) + bytesOf(s.Rest) + bytesOf(s.RestNormals) +
		bytesOf(s.Bindings) + bytesOf(s.ExtraStart) + bytesOf(s.Extra) +
		bytesOf(s.Second.Bindings) + bytesOf(s.Second.ExtraStart) + bytesOf(s.Second.Extra) +
		bytesOf(s.Values) + bytesOf(s.Sets)
}

func bytesOf[T any](x []T) int {
	var one T
	return len(x) * int(unsafe.Sizeof(one))
}
