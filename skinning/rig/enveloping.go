package rig

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// Enveloping drives proxy bones, which a fit has learnt from examples (RTER). Proxies are joints of the skeleton. Their
// matrices t = c₁·d(q) + c₂·q are linear in the master joints' matrices q and in key deformation gradients d(q), which
// are predicted from the joints' rotations. The skin is posed by linear blending over masters and proxies.
type Enveloping struct {
	prepared *preparedRig // of [Enveloping.Prepare]; nil before

	Masters []int        // the J joints that drive, indices into Skeleton.Joints; one may do so twice, for two skins that had it
	Parents []int        // of each master, an index into Masters; −1 for none
	Middle  []mgl64.Vec3 // of each master's rotation vectors: see [JointRotations.Set]
	Proxies []int        // the P joints that are driven
	// There are K keys, at least P. The first P belong to the proxies' own groups. The others belong to groups whose
	// proxies were removed because they move no vertex.
	Keys []GradientKey
	// C1 is 4P×3K and C2 is 4P×4J, row by row; x, y and z share them (RTER equation 6). A coordinate of t is that row
	// of every proxy's matrix, four numbers each; of d that row of every key gradient, three each; of q that row of
	// every master's matrix, four each.
	C1, C2 []float64
}

// WithEnveloping returns a copy of the model with a rig, whose Proxies are filled in, and with new weights over all
// joints: see [skinning.Model.WithRig]. Morph targets of the skin are left out, since examples keep their shapes in
// them.
func WithEnveloping(m *skinning.Model, rig Enveloping, places []mgl64.Vec3,
	weights skinning.Influences) (*skinning.Model, error) {
	rig.Proxies = make([]int, len(places))
	for k := range places {
		rig.Proxies[k] = len(m.Skeleton.Joints) + k
	}
	out, err := m.WithRig(&rig, places, weights)
	if err == nil {
		out.Skin.Morphs = nil
	}
	return out, err
}

var _ skinning.LinearRig = (*Enveloping)(nil)

// Key implements [skinning.Rig].
func (r *Enveloping) Key() string { return envelopingKey }

// Names implements [skinning.Rig].
func (r *Enveloping) Names() skinning.RigNames {
	return skinning.RigNames{Bone: envelopingName, Title: "Enveloping",
		Note: "following what examples have taught"}
}

// Joints implements [skinning.Rig].
func (r *Enveloping) Joints() []int { return r.Proxies }

// Reads implements [skinning.Rig].
func (r *Enveloping) Reads() []int { return r.Masters }

// leastShare is the least share of a master that [Enveloping.Shares] lists.
const leastShare = 0.02

// Shares returns the shares of the masters' translations that a proxy takes over, the larger ones, made to sum to 1.
func (r *Enveloping) Shares(k int) (masters []uint16, weights []float64) {
	system, sum := r.Linear(), 0.0
	for n, j := range r.Masters {
		if w := system.Hold(k, n); w >= leastShare {
			masters, weights = append(masters, uint16(j)), append(weights, w)
			sum += w
		}
	}
	if sum == 0 {
		return []uint16{uint16(r.Masters[0])}, []float64{1}
	}
	for n := range weights {
		weights[n] /= sum
	}
	return masters, weights
}

// Remap implements [skinning.Rig].
func (r *Enveloping) Remap(of func(joint int) int) skinning.Rig {
	out := *r
	out.Masters, out.Proxies = slices.Clone(r.Masters), slices.Clone(r.Proxies)
	for _, list := range [...][]int{out.Masters, out.Proxies} {
		for k, j := range list {
			list[k] = of(j)
		}
	}
	return &out
}

// Linear implements [skinning.LinearRig]: d is the key gradients.
func (r *Enveloping) Linear() skinning.LinearSystem {
	return skinning.LinearSystem{Masters: r.Masters, Joints: r.Proxies, Gradients: len(r.Keys), C1: r.C1, C2: r.C2}
}

// Turn implements [skinning.LinearRig]: the first term of a proxy's own key gradient.
func (r *Enveloping) Turn(k int) (joint int, u float64) {
	t := &r.Keys[k].Terms[0]
	return r.Masters[t.Joint], t.U
}

// about returns c₁ and c₂ for rest positions relative to an origin. A matrix C for such positions has the same linear
// part, and the translation C(origin) instead of C(0). If the origin is in the middle of the model, the numbers are as
// small as the model. Otherwise translations of a model far from the origin are small differences of large numbers,
// which float32 would lose. About(−origin) of a rig with the result gives c₁ and c₂ again, up to rounding.
func (r *Enveloping) about(origin mgl64.Vec3) (c1, c2 []float64) {
	c1, c2 = slices.Clone(r.C1), slices.Clone(r.C2)
	wide, tall := keyTerms*len(r.Keys), masterTerms*len(r.Masters)
	// The rows of the driven matrices: their translation becomes the image of the origin.
	for b := range r.Proxies {
		for _, m := range [...]struct {
			c     []float64
			width int
		}{{c1, wide}, {c2, tall}} {
			rows := m.c[4*b*m.width : 4*(b+1)*m.width]
			for k, o := range origin {
				for i, v := range rows[k*m.width : (k+1)*m.width] {
					rows[3*m.width+i] += o * v
				}
			}
		}
	}
	// What drives: the linear part that its place is given by is no longer to be added.
	for at := 0; at < len(c2); at += masterTerms {
		for k, o := range origin {
			c2[at+k] -= o * c2[at+3]
		}
	}
	return c1, c2
}

// Validate checks the rig against a skeleton.
func (r *Enveloping) Validate(s *skinning.Skeleton) error {
	taken := make([]bool, len(s.Joints))
	for i, list := range [...][]int{r.Masters, r.Proxies} {
		for k, j := range list {
			if j < 0 || j >= len(s.Joints) || i == 1 && taken[j] {
				return fmt.Errorf("enveloping: entry %d: joint %d of %d is out of range or taken", k, j, len(s.Joints))
			}
			taken[j] = true
		}
	}
	masters, p, keys := len(r.Masters), len(r.Proxies), len(r.Keys)
	if masters == 0 || len(r.Parents) != masters || len(r.Middle) != masters || keys < p ||
		len(r.C1) != 12*p*keys || len(r.C2) != 16*p*masters {
		return fmt.Errorf("enveloping: %d masters with %d parents and %d middles, %d proxies with %d keys, c1 of %d and c2 of "+
			"%d numbers do not go together",
			masters, len(r.Parents), len(r.Middle), p, keys, len(r.C1), len(r.C2))
	}
	for k, parent := range r.Parents {
		if parent < -1 || parent >= masters {
			return fmt.Errorf("enveloping: master %d: parent %d of %d", k, parent, masters)
		}
	}
	for l := range r.Keys {
		k := &r.Keys[l]
		if len(k.Terms) < 1 || len(k.Terms) > 2 || k.First < 0 || k.First >= masters || k.Second < -1 || k.Second >= masters {
			return fmt.Errorf("enveloping: key %d: %d terms, joints %d and %d of %d", l, len(k.Terms), k.First, k.Second,
				masters)
		}
		for _, t := range k.Terms {
			if t.Joint < 0 || t.Joint >= masters || !finiteSum(t.U, t.W[:]) {
				return fmt.Errorf("enveloping: key %d: term %+v", l, t)
			}
		}
		for n := range k.Shear {
			if !finiteSum(0, k.Shear[n][:]) {
				return fmt.Errorf("enveloping: key %d: shear row %d is not a number", l, n)
			}
		}
	}
	for k := range r.Middle {
		if !finiteSum(0, r.Middle[k][:]) {
			return fmt.Errorf("enveloping: master %d: middle %v", k, r.Middle[k])
		}
	}
	if !finiteSum(0, r.C1) || !finiteSum(0, r.C2) {
		return fmt.Errorf("enveloping: c1 or c2 has an entry that is not a number")
	}
	return nil
}

// finiteSum reports whether all numbers are finite.
func finiteSum(x float64, more []float64) bool {
	for _, v := range more {
		x += math.Abs(v)
	}
	return !math.IsNaN(x) && !math.IsInf(x, 0)
}
