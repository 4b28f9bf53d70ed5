package ssdr

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// onePoint is a problem of one point and ten primary joints, with the rig's weights, and sums of some size.
func onePoint(size float64) *problem {
	r := rand.New(rand.NewPCG(7, 1))
	p := &problem{primaries: 10, limit: 4, hold: 2, rest: []mgl64.Vec3{{0.3, -0.2, 0.5}}, square: []float64{size},
		rigged: [][]skinning.Share{{{Joint: 3, Weight: 0.5}, {Joint: 1, Weight: 0.3}, {Joint: 7, Weight: 0.2}}},
		span:   [][2]int{{0, 10}}, near: make([][]float64, 1)}
	p.skeletons = skeletonsOf(&Examples{Palettes: [][]geom.Affine{make([]geom.Affine, p.primaries)}})
	for a := range p.primaries {
		p.bones, p.forms = append(p.bones, nil), append(p.forms, make([]linear.Form, p.primaries))
		p.near[0] = append(p.near[0], size*r.Float64())
		for b := range a + 1 {
			for k := range p.forms[a][b] {
				p.forms[a][b][k] = size * r.Float64()
			}
			p.forms[b][a] = p.forms[a][b]
		}
	}
	return p
}

// The hold to the rig's weights w₀ is ‖w − w₀‖², whether or not all bones of w₀ are among those that a point may follow,
// and whether it is taken from the matrix or from the weights. To 1e-14, some roundings.
func TestHold(t *testing.T) {
	p := onePoint(0)
	for _, bones := range [][]int{{1, 3, 7, 9}, {9, 3}, {1, 9}, {9}} {
		var s scratch
		s.prepare(p)
		s.bones = bones
		s.gram(0)
		want := 0.0
		for a := range s.w {
			s.w[a] = 1 / float64(len(bones))
			s.fill(a)
		}
		for j := range p.primaries {
			d := 0.0
			if a := slices.Index(bones, j); a >= 0 {
				d = s.w[a]
			}
			for _, own := range p.rigged[0] {
				if int(own.Joint) == j {
					d -= own.Weight
				}
			}
			want += p.hold * d * d
		}
		if got, penalty := s.quadratic(s.w), s.penalty(); !(math.Abs(got-want) < 1e-14 && math.Abs(penalty-want) < 1e-14) {
			t.Errorf("bones %v: %g and %g, expected %g", bones, got, penalty, want)
		}
	}
}

// A matrix to which a bone is added, whatever rows it has, is the one that is made over all bones: to 1e-14 of its size.
func TestAdd(t *testing.T) {
	p := onePoint(3)
	for _, rows := range [][]int{{}, {2}, {0, 3}, {3, 2, 1, 0}} {
		var s, all scratch
		s.prepare(p)
		all.prepare(p)
		s.bones, all.bones = []int{1, 3, 7, 9}, []int{1, 3, 7, 9, 4}
		s.gram(0)
		all.gram(0)
		for _, a := range rows {
			s.fill(a)
		}
		s.add(4)
		for a := range all.bones {
			s.fill(a)
			all.fill(a)
		}
		for k, want := range all.q {
			if !(math.Abs(s.q[k]-want) <= 1e-14*30) {
				t.Errorf("rows %v: entry %d is %g, expected %g", rows, k, s.q[k], want)
			}
		}
	}
}
