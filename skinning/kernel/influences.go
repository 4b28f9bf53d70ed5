package kernel

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// Binding is the strongest four influences of a vertex, by falling weight, equal weights by rising joint. Unused slots
// have weight 0 and joint 0. Joints[0] is the vertex's pivot: quaternions are flipped to its hemisphere.
type Binding struct {
	Joints  [4]uint16
	Weights [4]float32
}

// Influence is one joint's share of a vertex.
type Influence struct {
	Joint  uint16
	Weight float32
}

// Influences binds vertices to joints. Vertices with at most four influences, nearly all of any character, are complete
// in Bindings; Extra holds the fifth and further ones of the others. Weights of a vertex sum to 1.
type Influences struct {
	Bindings []Binding // one per vertex
	// ExtraStart has one entry per vertex and one more: the influences past the fourth of vertex v are
	// Extra[ExtraStart[v]:ExtraStart[v+1]]. Nil where no vertex has more than four.
	ExtraStart []uint32
	Extra      []Influence
}

// ExtraOf returns the influences past the fourth of vertex v.
func (in *Influences) ExtraOf(v int) []Influence {
	if in.ExtraStart == nil {
		return nil
	}
	return in.Extra[in.ExtraStart[v]:in.ExtraStart[v+1]]
}

// Slice returns the influences of the vertices from lo up to hi; of nil and of none it returns none. It shares memory
// with in.
func (in *Influences) Slice(lo, hi int) Influences {
	if in == nil || in.Bindings == nil {
		return Influences{}
	}
	out := Influences{Bindings: in.Bindings[lo:hi], Extra: in.Extra}
	if in.ExtraStart != nil {
		out.ExtraStart = in.ExtraStart[lo : hi+1]
	}
	return out
}

// Of appends all influences of vertex v to dst, strongest first.
func (in *Influences) Of(dst []Influence, v int) []Influence {
	b := &in.Bindings[v]
	for k, w := range b.Weights {
		if w > 0 {
			dst = append(dst, Influence{b.Joints[k], w})
		}
	}
	return append(dst, in.ExtraOf(v)...)
}

// All goes through the vertices with their influences, strongest first, in a list that serves the next vertex again.
func (in *Influences) All() iter.Seq2[int, []Influence] {
	return func(yield func(v int, all []Influence) bool) {
		var all []Influence
		for v := range in.Bindings {
			all = in.Of(all[:0], v)
			if !yield(v, all) {
				return
			}
		}
	}
}

// Stats returns the mean and the largest number of influences of a vertex.
func (in *Influences) Stats() (mean float64, most int) {
	total := 0
	for _, all := range in.All() {
		total += len(all)
		most = max(most, len(all))
	}
	if len(in.Bindings) > 0 {
		mean = float64(total) / float64(len(in.Bindings))
	}
	return mean, most
}

// Append adds one vertex. Raw holds its influences in any order; joints may repeat. Weights are clamped at 0, summed
// per joint, sorted and normalised to sum 1. A vertex whose weights are all zero follows joint fallback alone. Raw is
// used as scratch.
func (in *Influences) Append(raw []Influence, fallback uint16) {
	sum := 0.0
	slices.SortFunc(raw, func(a, b Influence) int { return cmp.Compare(a.Joint, b.Joint) })
	merged := raw[:0]
	for _, r := range raw {
		if !(r.Weight > 0) {
			continue
		}
		sum += float64(r.Weight)
		if n := len(merged); n > 0 && merged[n-1].Joint == r.Joint {
			merged[n-1].Weight += r.Weight
		} else {
			merged = append(merged, r)
		}
	}
	if len(merged) == 0 {
		merged = append(merged[:0:0], Influence{fallback, 1})
	}
	slices.SortStableFunc(merged, func(a, b Influence) int { return cmp.Compare(b.Weight, a.Weight) })
	if sum > 0 {
		for i := range merged {
			merged[i].Weight = float32(float64(merged[i].Weight) / sum)
		}
	}
	var b Binding
	for k := 0; k < len(merged) && k < 4; k++ {
		b.Joints[k], b.Weights[k] = merged[k].Joint, merged[k].Weight
	}
	in.Bindings = append(in.Bindings, b)
	if len(merged) > 4 && in.ExtraStart == nil {
		in.ExtraStart = make([]uint32, len(in.Bindings), cap(in.Bindings)+1)
	}
	if in.ExtraStart != nil {
		if len(merged) > 4 {
			in.Extra = append(in.Extra, merged[4:]...)
		}
		in.ExtraStart = append(in.ExtraStart, uint32(len(in.Extra)))
	}
}

// Validate checks every joint index against the number of joints and every sum against 1 within 1e-4.
func (in *Influences) Validate(joints int) error {
	for v, all := range in.All() {
		sum := 0.0
		for _, f := range all {
			if int(f.Joint) >= joints {
				return fmt.Errorf("vertex %d: joint %d of %d", v, f.Joint, joints)
			}
			sum += float64(f.Weight)
		}
		if !(sum > 1-1e-4 && sum < 1+1e-4) {
			return fmt.Errorf("vertex %d: weights sum to %g, not 1", v, sum)
		}
	}
	return nil
}
