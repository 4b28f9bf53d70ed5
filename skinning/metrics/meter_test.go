package metrics

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
)

// The meter says what [Errors] says over the one frame, in float64: to 0.1 percent for EE, of errors of centimetres in
// float32, and to 1e-6 of the size for RMS and the largest error.
func TestMeterIsErrorsOfOneFrame(t *testing.T) {
	for _, morphs := range []bool{false, true} {
		m := skinningtest.RandomModel(500, 12, 3, 21)
		m.Folded = make([]bool, len(m.Skeleton.Joints)) // neither takes the joint of a rig for a single joint
		m.Folded[4] = true
		if morphs {
			m.MorphSlots = []skinning.MorphSlot{{Name: "grow"}}
			delta := skinning.Morph{FirstVertex: 100, Positions: make([]mgl32.Vec3, 200), Normals: make([]mgl32.Vec3, 200)}
			for i := range delta.Positions {
				delta.Positions[i] = mgl32.Vec3{0.1, 0, float32(i) / 400}
			}
			m.Skin.Morphs = []skinning.Morph{delta}
		}
		f := skinningtest.RandomFrame(m, 3)
		if morphs {
			f.Morphs[0] = 0.8
		}
		deformer := skinning.NewDeformer(m, 1)
		defer deformer.Close()
		want, got := skinning.NewOutput(m), skinning.NewOutput(m)
		deformer.Deform(&want, skinning.DQS, f)
		var meter Meter
		meter.SetReference(want.Positions, f)
		for _, method := range []skinning.Method{skinning.LBS, skinning.SDQS, skinning.DIB, skinning.SBS, skinning.DQS} {
			deformer.Deform(&got, method, f)
			have := meter.Measure(got.Positions)
			e := NewErrors(m)
			worst := e.Add(f.Positions(skinning.DQS), f.Positions(method),
				m.Skin.RestPositions(f.Morphs), f)
			size := m.Diagonal()
			if d := math.Abs(have.RMS/size - e.RMS()); !(d <= 1e-6) {
				t.Errorf("%v: RMS is off by %g of the size", method, d)
			}
			if d := math.Abs(have.Max/size - e.Max()); !(d <= 1e-6) {
				t.Errorf("%v: the largest error is off by %g of the size", method, d)
			}
			switch {
			case method == skinning.DQS:
				if have != (Measurement{}) {
					t.Errorf("the reference differs from itself: %+v", have)
				}
			case e.RMS() < 1e-5: // rounding over rounding
			default:
				if d := math.Abs(have.EE/e.EE() - 1); !(d <= 1e-3) {
					t.Errorf("%v: EE %g, want %g", method, have.EE, e.EE())
				}
				if method == skinning.LBS && have.Worst != worst {
					t.Errorf("%v: worst is vertex %d, want %d", method, have.Worst, worst)
				}
			}
		}
		if n := testing.AllocsPerRun(5, func() {
			meter.SetReference(want.Positions, f)
			meter.Measure(got.Positions)
		}); n != 0 {
			t.Errorf("it allocates %g times", n)
		}
	}
}

// Where all vertices follow one joint an error is beyond all measure, as it is of [Errors], and an empty skin has none.
func TestMeterWithoutDeformation(t *testing.T) {
	m := skinningtest.RandomModel(50, 3, 2, 5)
	var meter Meter
	f := skinning.NewFrame(m, nil)
	meter.SetReference(m.Skin.Positions, f)
	if got := meter.Measure(m.Skin.Positions); got != (Measurement{}) {
		t.Errorf("at rest: %+v", got)
	}
	moved := append([]mgl32.Vec3(nil), m.Skin.Positions...)
	moved[7][1] += 0.25
	// At rest every joint predicts the reference exactly, and there is nothing to divide by.
	if got := meter.Measure(moved); got.Worst != 7 || !(math.Abs(got.Max-0.25) <= 1e-6) || !math.IsNaN(got.EE) {
		t.Errorf("a vertex moved by 0.25 m: %+v, expected an EE of NaN", got)
	}
	empty := &skinning.Model{}
	meter.SetReference(nil, skinning.NewFrame(empty, nil))
	if got := meter.Measure(nil); got != (Measurement{}) {
		t.Errorf("nothing: %+v", got)
	}
}

func BenchmarkMeter(b *testing.B) {
	m := skinningtest.RandomModel(13380, 53, 2, 1)
	f := skinningtest.RandomFrame(m, 1)
	d := skinning.NewDeformer(m, 0)
	defer d.Close()
	want, got := skinning.NewOutput(m), skinning.NewOutput(m)
	d.Deform(&want, skinning.DQS, f)
	d.Deform(&got, skinning.LBS, f)
	var meter Meter
	b.Run("reference", func(b *testing.B) {
		for b.Loop() {
			meter.SetReference(want.Positions, f)
		}
	})
	b.Run("measure", func(b *testing.B) {
		for b.Loop() {
			meter.Measure(got.Positions)
		}
	})
}
