package kernel_test

import (
	"fmt"
	"math"
	"testing"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
)

// kernelTolerance is in fractions of the rest-pose diagonal: float32 rounding is 6e-8 of a coordinate and some thirty
// operations stand behind a position.
const kernelTolerance = 2e-6

// deviation returns the largest distance of positions over the diagonal, and the largest angle of normals in radians.
// Collapsed normals (length below 1e-3 of the rest normal's) have no direction and are left out.
func deviation(m *skinning.Model, out *skinning.Output, want skinning.Shape) (position, angle float64) {
	for v := range want.Positions {
		position = math.Max(position, geom.Vec64(out.Positions[v]).Sub(want.Positions[v]).Len())
		if math.IsNaN(float64(out.Positions[v][0] + out.Positions[v][1] + out.Positions[v][2])) {
			position = math.NaN()
			return
		}
		n := geom.Vec64(out.Normals[v])
		if l := n.Len(); l > 1e-3 {
			angle = math.Max(angle, n.Mul(1/l).Sub(want.Normals[v]).Len())
		}
	}
	return position / m.Diagonal(), angle
}

func TestKernelsMatchReference(t *testing.T) {
	for _, influences := range []int{1, 2, 3, 4, 7} {
		m := skinningtest.RandomModel(3001, 9, influences, uint64(influences))
		frames := map[string]*skinning.Frame{"rigid": skinningtest.RandomFrame(m, 5), "scaled": skinningtest.ScaledFrame(m, 6)}
		for name, f := range frames {
			for _, method := range skinning.Methods() {
				t.Run(fmt.Sprintf("%v/influences=%d/%s", method, influences, name), func(t *testing.T) {
					d := skinning.NewDeformer(m, 1)
					defer d.Close()
					out := skinning.NewOutput(m)
					d.Deform(&out, method, f)
					position, angle := deviation(m, &out, f.Reference(method))
					// Positions of an awkward palette: random rotations multiply the rounding of nearly cancelled
					// blends, hence ten times the tolerance of a real character. Normals: 2e-3 radians is a tenth of
					// a degree.
					if !(position <= 10*kernelTolerance) {
						t.Errorf("positions off by %.3g of the diagonal", position)
					}
					if !(angle <= 2e-3) {
						t.Errorf("normals off by %.3g radians", angle)
					}
				})
			}
		}
	}
}

func TestWorkersDoNotChangeABit(t *testing.T) {
	m := skinningtest.RandomModel(10_007, 20, 4, 3)
	f := skinningtest.ScaledFrame(m, 4)
	for _, method := range skinning.Methods() {
		var first skinning.Output
		for _, workers := range []int{1, 2, 3, 8} {
			d := skinning.NewDeformer(m, workers)
			out := skinning.NewOutput(m)
			d.Deform(&out, method, f)
			d.Close()
			if workers == 1 {
				first = out
				continue
			}
			for v := range out.Positions {
				if out.Positions[v] != first.Positions[v] || out.Normals[v] != first.Normals[v] {
					t.Fatalf("%v: vertex %d differs between 1 and %d workers", method, v, workers)
				}
			}
		}
	}
}

func TestDeformAllocatesNothing(t *testing.T) {
	m := skinningtest.RandomModel(5000, 20, 4, 3)
	f, p := skinningtest.RandomFrame(m, 4), m.NewPose()
	for _, workers := range []int{1, 3} {
		d := skinning.NewDeformer(m, workers)
		defer d.Close()
		out := skinning.NewOutput(m)
		for _, method := range skinning.Methods() {
			allocs := testing.AllocsPerRun(20, func() {
				f.SetPose(p)
				d.Deform(&out, method, f)
			})
			if allocs != 0 {
				t.Errorf("%v with %d workers: %v allocations a frame", method, workers, allocs)
			}
		}
	}
}

func TestNoVertices(t *testing.T) {
	m := skinningtest.RandomModel(0, 3, 1, 1)
	f := skinningtest.RandomFrame(m, 1)
	d := skinning.NewDeformer(m, 2)
	defer d.Close()
	for _, method := range skinning.Methods() {
		out := skinning.Output{}
		d.Deform(&out, method, f)
	}
}

func TestMismatchedLengthsPanic(t *testing.T) {
	m := skinningtest.RandomModel(10, 3, 2, 1)
	out := skinning.NewOutput(m)
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	kernel.NewStream(out.Positions[:9], out.Normals, m.Skin.Positions, m.Skin.Normals, &m.Skin.Influences, nil)
}
