package metrics

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
)

func TestMetrics(t *testing.T) {
	m := skinningtest.RandomModel(200, 4, 2, 1)
	f := skinningtest.RandomFrame(m, 2)
	rest, got, want := m.Skin.RestShape(nil), f.Reference(skinning.LBS), f.Reference(skinning.DQS)
	e := NewErrors(m)
	e.Add(want.Positions, got.Positions, rest.Positions, f)
	// Recomputed from the definition.
	sum, rigid, most := 0.0, 0.0, 0.0
	for v := range want.Positions {
		d := want.Positions[v].Sub(got.Positions[v]).Len()
		sum, most = sum+d*d, math.Max(most, d)
		least := math.Inf(1)
		for j := range f.Matrices {
			d := want.Positions[v].Sub(f.Matrices[j].Apply(rest.Positions[v])).Len()
			least = math.Min(least, d*d)
		}
		rigid += least
	}
	size := m.Diagonal()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"EE", e.EE(), 100 * math.Sqrt(sum/rigid)},
		{"RMS", e.RMS(), math.Sqrt(sum/200) / size},
		{"max", e.Max(), most / size},
	} {
		if !(math.Abs(c.got-c.want) <= 1e-12*c.want) || c.got == 0 {
			t.Errorf("%s = %g, want %g", c.name, c.got, c.want)
		}
	}
	same := NewErrors(m)
	same.Add(want.Positions, want.Positions, rest.Positions, f)
	if same.EE() != 0 || same.RMS() != 0 || same.Max() != 0 {
		t.Errorf("no error measures %g, %g, %g", same.EE(), same.RMS(), same.Max())
	}
}

// What rounding leaves is no error, however little a rigid prediction leaves: EE is 0, not the ratio of two roundings.
// A real error where every vertex follows one joint is a share of nothing.
func TestEnvelopingErrorOfRounding(t *testing.T) {
	m := skinningtest.RandomModel(50, 3, 1, 5) // one influence each: rigid
	f := skinningtest.RandomFrame(m, 3)
	rest, posed := m.Skin.RestPositions(nil), f.Positions(skinning.LBS)
	shifted := func(by float64) []mgl64.Vec3 {
		out := slices.Clone(posed)
		for v := range out {
			out[v][1] += by * m.Diagonal()
		}
		return out
	}
	measure := func(by float64) float64 {
		e := NewErrors(m)
		e.Add(posed, shifted(by), rest, f)
		return e.EE()
	}
	if ee := measure(1e-15); ee != 0 {
		t.Errorf("an error of 1e-15 of the diagonal is an EE of %g %%", ee)
	}
	if ee := measure(1e-3); !math.IsNaN(ee) {
		t.Errorf("an error of 1e-3 of the diagonal where nothing bends is an EE of %g %%", ee)
	}
	// To a solver it is 1e-3 over 1e-7 of the diagonal, in percent.
	if ee := EnvelopingError(1e-6, 0, 1, 1); !(math.Abs(ee-1e6) <= 1) {
		t.Errorf("an error of 1e-3 of the diagonal is an EE of %g %% to a solver", ee)
	}
	// What cannot be seen is none, whatever it is divided by. 3e-5 of the diagonal over 6e-7 would be 5,000 percent; over
	// 1e-4 it is a share.
	for _, rigid := range []float64{6e-7, 1e-4} {
		if ee := ReportedError(1.9e-5*1.9e-5, rigid*rigid, 1, 1); ee != 0 {
			t.Errorf("1.9e-5 where rigid predictions are off by %g is an EE of %g %%", rigid, ee)
		}
	}
	if ee := ReportedError(3e-5*3e-5, 6e-7*6e-7, 1, 1); !math.IsNaN(ee) {
		t.Errorf("3e-5 where rigid predictions are off by 6e-7 is an EE of %g %%", ee)
	}
	if ee := ReportedError(3e-5*3e-5, 1e-4*1e-4, 1, 1); !(math.Abs(ee-30) <= 1e-9) {
		t.Errorf("3e-5 where rigid predictions are off by 1e-4 is an EE of %g %%", ee)
	}
	if ee := NewErrors(m).EE(); ee != 0 {
		t.Errorf("no frame has an EE of %g %%", ee)
	}
}

// Measures beside each other say what each says alone.
func TestErrorsBeside(t *testing.T) {
	m := skinningtest.RandomModel(200, 4, 2, 1)
	alone, first := NewErrors(m), NewErrors(m)
	second := first.Beside()
	for seed := range uint64(3) {
		f := skinningtest.RandomFrame(m, seed+2)
		want, rest := f.Positions(skinning.DQS), m.Skin.RestPositions(nil)
		first.Add(want, f.Positions(skinning.SBS), rest, f)
		for _, e := range []*Errors{alone, second} {
			e.Add(want, f.Positions(skinning.LBS), rest, f)
		}
	}
	if second.EE() != alone.EE() || second.RMS() != alone.RMS() || second.Max() != alone.Max() || alone.EE() == 0 {
		t.Errorf("EE %g, RMS %g, largest %g; alone %g, %g, %g", second.EE(), second.RMS(), second.Max(), alone.EE(),
			alone.RMS(), alone.Max())
	}
}

// Past 2^26 pairs of vertices and joints, what a measure keeps grows with the influences, not with the pairs, and the
// best rigid prediction is that of the joints that the vertex follows.
func TestErrorsOfManyJoints(t *testing.T) {
	m := skinningtest.RandomModel(2400, 30_000, 2, 1)
	e := NewErrors(m)
	if n := len(e.rigid.sums); n > 4*2400 {
		t.Fatalf("%d sums", n)
	}
	f := skinningtest.RandomFrame(m, 2)
	want, got, rest := f.Positions(skinning.DQS), f.Positions(skinning.LBS),
		m.Skin.RestPositions(nil)
	e.Add(want, got, rest, f)
	sum, rigid := 0.0, 0.0
	var buf []skinning.Influence
	for v := range want {
		d := want[v].Sub(got[v])
		sum += d.Dot(d)
		least := math.Inf(1)
		buf = m.Skin.Of(buf[:0], v)
		for _, in := range buf {
			d := want[v].Sub(f.Matrices[in.Joint].Apply(rest[v]))
			least = math.Min(least, d.Dot(d))
		}
		rigid += least
	}
	if ee := 100 * math.Sqrt(sum/rigid); !(math.Abs(e.EE()-ee) <= 1e-9*ee) || ee == 0 {
		t.Errorf("EE %g %%, want %g", e.EE(), ee)
	}
}

// What has no number is a dash to people and null to tools, and is read back as such.
func TestPercent(t *testing.T) {
	for _, c := range []struct {
		p          Percent
		text, json string
	}{{12.345, "12.35", "12.345"}, {0, "0.00", "0"}, {Percent(math.NaN()), "–", "null"}} {
		out, err := json.Marshal([]Percent{c.p})
		if err != nil || string(out) != "["+c.json+"]" || c.p.Text(2) != c.text {
			t.Errorf("%g: %s and %q, %v; expected %s and %q", float64(c.p), out, c.p.Text(2), err, c.json, c.text)
		}
		back := make([]Percent, 1)
		if err := json.Unmarshal(out, &back); err != nil || back[0] != c.p && c.p.Known() || back[0].Known() != c.p.Known() {
			t.Errorf("%s is read back as %g, %v", out, float64(back[0]), err)
		}
	}
}
