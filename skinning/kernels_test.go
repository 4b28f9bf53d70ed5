package skinning

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// kernelTolerance is in fractions of the rest-pose diagonal: float32 rounding is 6e-8 of a coordinate and some thirty
// operations stand behind a position.
const kernelTolerance = 2e-6

// deviation returns the largest distance of positions over the diagonal, and the largest angle of normals in radians.
// Collapsed normals (length below 1e-3 of the rest normal's) have no direction and are left out.
func deviation(m *Model, out *Output, want Shape) (position, angle float64) {
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

// scaledFrame is randomFrame with every third joint scaled unevenly and every seventh reflected.
func scaledFrame(m *Model, seed uint64) *Frame {
	f := randomFrame(m, seed)
	p := m.NewPose()
	for i := range p.Local {
		p.Local[i].Rotation = geom.AxisAngle(mgl64.Vec3{1, float64(i % 3), 0.5}, 0.1*float64(i%7))
		if i%3 == 1 {
			p.Local[i].Scale = mgl64.Vec3{1.3, 0.8, 1.1}
		} else if i%3 == 2 {
			p.Local[i].Scale = mgl64.Vec3{1 / 1.3, 1 / 0.8, 1 / 1.1}
		}
		if i%7 == 3 {
			p.Local[i].Scale[0] *= -1
		}
	}
	f.SetPose(p)
	return f
}

func TestKernelsMatchReference(t *testing.T) {
	for _, influences := range []int{1, 2, 3, 4, 7} {
		m := randomModel(3001, 9, influences, uint64(influences))
		for name, f := range map[string]*Frame{"rigid": randomFrame(m, 5), "scaled": scaledFrame(m, 6)} {
			for _, method := range Methods() {
				t.Run(fmt.Sprintf("%v/influences=%d/%s", method, influences, name), func(t *testing.T) {
					d := NewDeformer(m, 1)
					defer d.Close()
					out := NewOutput(m)
					d.Deform(&out, method, f)
					position, angle := deviation(m, &out, f.Reference(method))
					// Positions of an awkward palette: random rotations multiply the rounding of nearly cancelled blends,
					// hence ten times the tolerance of a real character. Normals: 2e-3 radians is a tenth of a degree.
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
	m := randomModel(10_007, 20, 4, 3)
	f := scaledFrame(m, 4)
	for _, method := range Methods() {
		var first Output
		for _, workers := range []int{1, 2, 3, 8} {
			d := NewDeformer(m, workers)
			out := NewOutput(m)
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
	m := randomModel(5000, 20, 4, 3)
	f, p := randomFrame(m, 4), m.NewPose()
	for _, workers := range []int{1, 3} {
		d := NewDeformer(m, workers)
		defer d.Close()
		out := NewOutput(m)
		for _, method := range Methods() {
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
	m := randomModel(0, 3, 1, 1)
	f := randomFrame(m, 1)
	d := NewDeformer(m, 2)
	defer d.Close()
	for _, method := range Methods() {
		out := Output{}
		d.Deform(&out, method, f)
	}
}

// Rotating the whole skeleton rigidly must rotate every method's result rigidly: the same tolerance as the kernels'.
func TestRigidMotionCarriesOver(t *testing.T) {
	m := randomModel(500, 9, 4, 8)
	f := randomFrame(m, 9)
	before := make([]Shape, len(Methods()))
	for i, method := range Methods() {
		before[i] = f.Reference(method)
	}
	motion := geom.Transform{Translation: mgl64.Vec3{0.3, -2, 1}, Rotation: geom.AxisAngle(mgl64.Vec3{1, 2, 3}, 2.5),
		Scale: mgl64.Vec3{1, 1, 1}}.Affine()
	for j := range f.Matrices {
		f.Matrices[j] = motion.Mul(f.Matrices[j])
	}
	f.forget()
	for i, method := range Methods() {
		after := f.Reference(method)
		for v := range after.Positions {
			// 1e-6 m: float32 weights sum to 1 within 1e-7, and the motion goes 2 m away.
			if d := after.Positions[v].Sub(motion.Apply(before[i].Positions[v])).Len(); !(d <= 1e-6) {
				t.Fatalf("%v: vertex %d: off by %g m", method, v, d)
			}
		}
	}
}

func TestMismatchedLengthsPanic(t *testing.T) {
	m := randomModel(10, 3, 2, 1)
	out := NewOutput(m)
	defer func() {
		if recover() == nil {
			t.Fatal("no panic")
		}
	}()
	s := NewStream(out.Positions[:9], out.Normals, m.Skin.Positions, m.Skin.Normals, &m.Skin.Influences, nil)
	LinearBlend(&s, nil)
}
