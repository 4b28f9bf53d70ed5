package enveloping

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
)

// mixingOf makes all of a fit up to the final weights.
func mixingOf(t *testing.T, x *Examples, proxies int) *mixing {
	t.Helper()
	r, s, red, _, _, f := solved(t, x, proxies)
	return r.newMixing(s, red, f)
}

// measured returns the sums of squares of what the final weights miss and of what that differs from the mean around,
// over the vertices that may choose, in every pose by its weight.
func (m *mixing) measured() (missed, dented float64) {
	x := m.x
	off := make([]mgl64.Vec3, len(x.Rest))
	for i, root := range m.root {
		for v, p := range x.Rest {
			off[v] = blend(m.held[i], m.weights[v], p).Sub(x.Pairs[i].Target[v]).Mul(root)
		}
		for v, near := range m.near {
			if len(m.reach[v]) == 0 {
				continue
			}
			var around mgl64.Vec3
			total := 0.0
			for _, u := range near {
				total += 1 / x.Rest[u].Sub(x.Rest[v]).Len()
			}
			for _, u := range near {
				around = around.Add(off[u].Mul(1 / (total * x.Rest[u].Sub(x.Rest[v]).Len())))
			}
			d := off[v].Sub(around)
			missed, dented = missed+off[v].Dot(off[v]), dented+d.Dot(d)
		}
	}
	return missed, dented
}

// TestMixingSmooths: the rounds after the first leave the errors of neighbours less apart, by a tenth of the sum of
// squares or more, for at most a fiftieth more error; what they minimise, the two together, falls.
func TestMixingSmooths(t *testing.T) {
	for _, c := range []struct {
		set     func(t testing.TB) *Examples
		proxies int
	}{
		{shapes("demo:bar", training.ExampleClip), 25},
		{taught("demo:tube", "", 10, skinning.DIB, 0.4), 20},
		{taught("CesiumMan.glb", "0", 12, skinning.DQS, 0), 40},
	} {
		m := mixingOf(t, c.set(t), c.proxies)
		all := make([]mixer, 2)
		never := func() bool { return false }
		m.round(all, never)
		missed, dented := m.measured()
		for range mixingRounds - 1 {
			m.round(all, never)
		}
		least, smooth := m.measured()
		t.Logf("missed %.4g and then %.4g, dented %.4g and then %.4g", missed, least, dented, smooth)
		if !(smooth <= 0.9*dented) || !(least <= 1.02*missed) || !(least+smoothness*smooth < missed+smoothness*dented) {
			t.Errorf("missed %g and then %g, dented %g and then %g", missed, least, dented, smooth)
		}
	}
}

// TestMixingQuadratic: for any weights that sum to 1 the quadratic is the sum of squares that the weights stand for.
func TestMixingQuadratic(t *testing.T) {
	m := mixingOf(t, shapes("demo:bar", training.ExampleClip)(t), 10)
	var w mixer
	m.round([]mixer{{}}, func() bool { return false })
	v := slices.IndexFunc(m.reach, func(reach []int) bool { return len(reach) > 2 })
	m.choose(&w, v)
	w.gram = gramOf(w.gram[:0], w.columns, len(w.choice))
	w.countAround()
	x := make([]float64, len(w.choice))
	x[0], x[1], x[len(x)-1] = 0.5, 0.2, 0.3
	want := 0.0
	for k, around := range w.around {
		off := 0.0
		for a, by := range x {
			off += by * w.columns[a*len(w.around)+k]
		}
		want += off*off + smoothness*(off-around)*(off-around)
	}
	if got := quadratic(w.gram, x); !(math.Abs(got-want) <= 1e-9*want) || !(want > 0) {
		t.Errorf("the quadratic is %g, the sum of squares %g", got, want)
	}
}
