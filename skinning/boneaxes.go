package skinning

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

const (
	// sameJointPlace is how near two joints are at one place, as a fraction of the skeleton's extent.
	sameJointPlace = 1e-5
	// sameContinuation is how near the cosines of two next joints are that continue a bone alike: mirrored pairs.
	sameContinuation = 1e-4
)

// BoneSpan is the way from one joint to another.
type BoneSpan struct{ From, To int }

// BoneAxes returns the unit vector along the bone of each joint in rest space, about which its motion twists: towards
// the next joint that continues the bone which leads to it best. A leaf has the direction that leads to it. A joint
// without any direction has zero, and does not twist.
//
// Places are the joints' rest positions and parents their parents, −1 for none. Carries tells which joints have a
// weight of some vertex; only a joint that does, or has one below it that does, is a next joint.
func BoneAxes(places []mgl64.Vec3, parents []int, carries []bool) []mgl64.Vec3 {
	axes := make([]mgl64.Vec3, len(places))
	for j, spans := range BoneSpans(places, parents, carries) {
		for _, s := range spans {
			axes[j] = axes[j].Add(places[s.To].Sub(places[s.From]).Normalize())
		}
		if len(spans) > 1 {
			axes[j] = axes[j].Normalize()
		}
	}
	return axes
}

// BoneSpans returns the spans of each joint whose directions sum to its axis in [BoneAxes]: one, several where mirrored
// bones go on alike, none where the axis is zero. The parameters are those of BoneAxes.
func BoneSpans(places []mgl64.Vec3, parents []int, carries []bool) [][]BoneSpan {
	b := boneAxes{places: places, parents: parents, children: make([][]int, len(places)), carries: make([]bool, len(places))}
	for j, p := range parents {
		if p >= 0 {
			b.children[p] = append(b.children[p], j)
		}
		if !carries[j] {
			continue
		}
		for k := j; k >= 0 && !b.carries[k]; k = parents[k] {
			b.carries[k] = true
		}
	}
	lo, hi := geom.Bounds(places)
	b.near = sameJointPlace * hi.Sub(lo).Len()
	spans := make([][]BoneSpan, len(places))
	for j := range spans {
		spans[j] = b.spans(j)
	}
	return spans
}

type boneAxes struct {
	places   []mgl64.Vec3
	parents  []int
	children [][]int
	carries  []bool // itself or below it
	near     float64
}

// spans returns the spans of one joint.
func (b *boneAxes) spans(j int) []BoneSpan {
	var incoming []BoneSpan
	for p := b.parents[j]; p >= 0; p = b.parents[p] {
		if s := (BoneSpan{p, j}); b.apart(s) {
			incoming = []BoneSpan{s}
			break
		}
	}
	next := b.next(j, j, nil)
	switch {
	case len(next) == 0:
		return incoming
	case incoming == nil:
		return next[:1]
	}
	into := b.direction(incoming[0])
	best := -2.0
	for _, s := range next {
		best = max(best, b.direction(s).Dot(into))
	}
	var sum mgl64.Vec3
	var alike []BoneSpan
	for _, s := range next {
		if d := b.direction(s); d.Dot(into) >= best-sameContinuation {
			sum, alike = sum.Add(d), append(alike, s)
		}
	}
	if sum.Len() < sameContinuation {
		return incoming
	}
	return alike
}

// next appends the spans from a joint to the children of another that lie at another place. A child at the same place
// is passed over: its own children stand in for it.
func (b *boneAxes) next(from, at int, to []BoneSpan) []BoneSpan {
	for _, c := range b.children[at] {
		if !b.carries[c] {
			continue
		}
		if s := (BoneSpan{from, c}); b.apart(s) {
			to = append(to, s)
		} else {
			to = b.next(from, c, to)
		}
	}
	return to
}

// apart reports whether the ends of a span are at two places.
func (b *boneAxes) apart(s BoneSpan) bool { return b.places[s.To].Sub(b.places[s.From]).Len() > b.near }

func (b *boneAxes) direction(s BoneSpan) mgl64.Vec3 {
	return b.places[s.To].Sub(b.places[s.From]).Normalize()
}
