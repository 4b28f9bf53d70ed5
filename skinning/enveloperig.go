package skinning

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"skinlab/skinning/simd"
)

// EnvelopeRig drives proxy bones by what a fit has learnt from examples (RTER): some joints of the skeleton are
// proxies, whose matrices are linear in the joints' and in key deformation gradients that are predicted from the
// joints' rotations, t = c₁·d(q) + c₂·q. The skin is posed by linear blending over all of them.
type EnvelopeRig struct {
	prepared *preparedRig // of [EnvelopeRig.Prepare]; nil before

	Masters []int        // the J joints that drive, indices into Skeleton.Joints; one may do so twice, for two skins that had it
	Parents []int        // of each master, an index into Masters; −1 for none
	Middle  []mgl64.Vec3 // of each master's rotation vectors: see [JointTurns.Set]
	Proxies []int        // the P joints that are driven
	// Keys are K, at least P: the first P those of the proxies' own groups, then those of groups whose proxies are left
	// out, as they move no vertex.
	Keys []GradientKey
	// C1 is 4P×3K and C2 is 4P×4J, row by row; x, y and z share them (RTER equation 6). A coordinate of t is that row of
	// every proxy's matrix, four numbers each; of d that row of every key gradient, three each; of q that row of every
	// master's matrix, four each.
	C1, C2 []float64
}

// EnvelopeDriver evaluates a rig. It belongs to one goroutine and allocates nothing once it has seen a rig.
type EnvelopeDriver struct {
	level     simd.Level // of the kernels that it may use, for rigs that have been prepared
	turns     JointTurns
	rotations []Quat
	d         []float64 // the key gradients: all first rows, all second rows, all third rows
	q         []float64 // the masters' matrices likewise
	t         []float64 // and the proxies'
	scratch   keyScratch
}

// Drive computes the proxies' matrices in a pose. Matrices, their rigid parts and dst have one entry per joint of the
// skeleton; dst and matrices may be the same.
func (s *EnvelopeDriver) Drive(r *EnvelopeRig, matrices []Affine, rigid []DualQuat, dst []Affine) {
	s.Predict(r, matrices, rigid)
	s.Solve(r, dst)
}

// Predict is the first half of Drive: it reads the masters and predicts the key gradients, d(q).
func (s *EnvelopeDriver) Predict(r *EnvelopeRig, matrices []Affine, rigid []DualQuat) {
	n := len(r.Masters)
	s.rotations, s.q = s.rotations[:0], room(s.q, 12*n)
	for k, j := range r.Masters {
		s.rotations = append(s.rotations, rigid[j].Real)
		m := &matrices[j]
		for row := range 3 {
			copy(s.q[4*(n*row+k):], m[4*row:4*row+4])
		}
	}
	prepared := r.ready(s.level)
	if s.turns.only = nil; prepared != nil {
		s.turns.only = prepared.read
	}
	s.turns.Set(r.Parents, r.Middle, s.rotations)
	n = len(r.Keys)
	s.d = room(s.d, 9*n)
	if prepared != nil {
		s.predictGroups(r, prepared.keys)
		return
	}
	for l := range r.Keys {
		s.setGradient(r, l)
	}
}

// setGradient predicts key gradient l.
func (s *EnvelopeDriver) setGradient(r *EnvelopeRig, l int) {
	g := r.Keys[l].At(r.Parents, &s.turns)
	for row := range 3 {
		copy(s.d[3*(len(r.Keys)*row+l):], g[3*row:3*row+3])
	}
}

// Solve is the second half: t = c₁·d + c₂·q for what was predicted last. Dst has one entry per joint of the skeleton;
// those of proxies are written.
func (s *EnvelopeDriver) Solve(r *EnvelopeRig, dst []Affine) {
	p := len(r.Proxies)
	s.t = room(s.t, 12*p)
	driven(s.t, r.C1, r.C2, s.d, s.q)
	for b, joint := range r.Proxies {
		for row := range 3 {
			copy(dst[joint][4*row:4*row+4], s.t[4*(p*row+b):])
		}
	}
}

// room returns x with n elements.
func room(x []float64, n int) []float64 {
	if cap(x) < n {
		return make([]float64, n)
	}
	return x[:n]
}

// drivenRows is how many rows are driven at a time: few, so that what was read of them for x is still near for y and z.
const drivenRows = 16

// driven sets t to c₁·d + c₂·q for each of x, y and z, which share the matrices and whose columns lie one after the
// other in t, d and q. A megabyte of matrices for 80 proxies is more than the nearest caches hold: reading it once is
// what this takes.
func driven(t, c1, c2, d, q []float64) {
	rows, n, m := len(t)/3, len(d)/3, len(q)/3
	column := func(x []float64, n, c, lo, hi int) blas64.Vector {
		return blas64.Vector{N: hi - lo, Data: x[n*c+lo : n*c+hi], Inc: 1}
	}
	for lo := 0; lo < rows; lo += drivenRows {
		hi := min(lo+drivenRows, rows)
		a := blas64.General{Rows: hi - lo, Cols: n, Stride: n, Data: c1[lo*n : hi*n]}
		b := blas64.General{Rows: hi - lo, Cols: m, Stride: m, Data: c2[lo*m : hi*m]}
		for c := range 3 {
			to := column(t, rows, c, lo, hi)
			blas64.Gemv(blas.NoTrans, 1, a, column(d, n, c, 0, n), 0, to)
			blas64.Gemv(blas.NoTrans, 1, b, column(q, m, c, 0, m), 1, to)
		}
	}
}

// Validate checks the rig against a skeleton.
func (r *EnvelopeRig) Validate(s *Skeleton) error {
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
		return fmt.Errorf("enveloping: %d masters with %d parents and %d middles, %d proxies with %d keys, c1 of %d and c2 of %d numbers do not go together",
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

// WithEnvelope returns a copy of the model with a rig, whose Proxies are filled in, and with new weights over all
// joints: see [Model.WithRig]. Morph targets of the skin are left out, since examples keep their shapes in them.
func (m *Model) WithEnvelope(rig EnvelopeRig, places []mgl64.Vec3, weights Influences) (*Model, error) {
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
