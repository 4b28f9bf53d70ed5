package deltamush_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"skinlab/internal/assetstest"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/deltamush"
	"skinlab/skinning/geom"
)

// posed returns a model with a frame of it at the middle of its first clip.
func posed(t testing.TB, name string) (*skinning.Model, *skinning.Frame) {
	t.Helper()
	m := assetstest.Open(t, name)
	pose := m.NewPose()
	m.SamplePose(pose, 0, m.Clips[0].Seconds/2)
	f := skinning.NewFrame(m, nil)
	f.SetPose(pose)
	return m, f
}

// most returns the largest distance of two shapes, as a fraction of the model's diagonal.
func most(m *skinning.Model, a, b []mgl64.Vec3) (d float64) {
	for v := range a {
		d = max(d, a[v].Sub(b[v]).Len()/m.Diagonal())
	}
	return d
}

// Smoothing is a matrix: the power of (1−s)·1 + s·D⁻¹A, for the adjacency A of the welded mesh, with rows of the
// identity for pinned points. Here it is made from the triangles of the model and multiplied as a dense matrix.
func TestSmoothIsTheMatrix(t *testing.T) {
	for _, o := range []deltamush.Options{{Iterations: 7, Step: 0.5}, {Iterations: 3, Step: 1, PinBorders: true}, {Step: 0.5}} {
		m, _ := posed(t, "demo:bar")
		d := deltamush.New(m, o)
		point, count := places(m)
		step := mat.NewDense(count, count, nil)
		edges := map[[2]int]int{}
		for _, tri := range m.Skin.Triangles {
			for k := range tri {
				a, b := point[tri[k]], point[tri[(k+1)%3]]
				if a != b {
					edges[[2]int{a, b}]++
					edges[[2]int{b, a}]++
				}
			}
		}
		degree, border := make([]float64, count), make([]bool, count)
		for e, n := range edges {
			degree[e[0]]++
			border[e[0]] = border[e[0]] || n == 1
		}
		for e := range edges {
			step.Set(e[0], e[1], o.Step/degree[e[0]])
		}
		for i := range count {
			step.Set(i, i, 1-o.Step)
			if degree[i] == 0 || o.PinBorders && border[i] {
				for j := range count {
					step.Set(i, j, 0)
				}
				step.Set(i, i, 1)
			}
		}
		r := rand.New(rand.NewPCG(1, 2))
		in, want := make([]mgl64.Vec3, count), mat.NewDense(count, 3, nil)
		for i := range in {
			in[i] = mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			want.SetRow(i, in[i][:])
		}
		for range o.Iterations {
			next := mat.NewDense(count, 3, nil)
			next.Mul(step, want)
			want = next
		}
		for i, p := range d.Smooth(in) {
			for c := range p {
				if math.Abs(p[c]-want.At(i, c)) > 1e-13 {
					t.Fatalf("%+v, point %d: %v, by the matrix %v", o, i, p, want.RawRowView(i))
				}
			}
		}
	}
}

// places numbers the places of a model's vertices in the order in which they come.
func places(m *skinning.Model) (point []int, count int) {
	at := map[[3]float32]int{}
	for _, p := range m.Skin.Positions {
		k, ok := at[p]
		if !ok {
			k = len(at)
			at[p] = k
		}
		point = append(point, k)
	}
	return point, len(at)
}

// At rest the shape is that of the file. A motion of the whole character, mirrored or not, moves the shape as it is.
// Without iterations the detail is none and the shape is that of linear blending.
func TestProperties(t *testing.T) {
	for _, name := range []string{"demo:arm", "demo:bar"} {
		m, f := posed(t, name)
		d := deltamush.New(m, deltamush.Default())
		rest := geom.Vecs64(m.Skin.Positions)
		bound := skinning.NewFrame(m, nil)
		for j := range bound.Matrices {
			bound.SetMatrix(j, &geom.Affine{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0})
		}
		if e := most(m, d.Positions(bound), rest); !(e < 1e-12) {
			t.Errorf("%s: %g of the diagonal off at rest", name, e)
		}
		shape := d.Positions(f)
		if e := most(m, shape, f.Positions(skinning.LBS)); !(e > 1e-4) {
			t.Errorf("%s: %g of the diagonal from linear blending, expected a difference", name, e)
		}
		for _, side := range []float64{1, -1} {
			turn := geom.AxisAngle(mgl64.Vec3{1, 2, 3}.Normalize(), 2).Mat3()
			for c := range 3 {
				turn[3*c] *= side
			}
			move := geom.NewAffine(turn, mgl64.Vec3{0.5, -3, 2})
			moved := skinning.NewFrame(m, nil)
			for j := range f.Matrices {
				a := move.Mul(f.Matrices[j])
				moved.SetMatrix(j, &a)
			}
			want := make([]mgl64.Vec3, len(shape))
			for v := range shape {
				want[v] = move.Apply(shape[v])
			}
			if e := most(m, d.Positions(moved), want); !(e < 1e-9) {
				t.Errorf("%s, side %g: %g of the diagonal off after a motion of the whole", name, side, e)
			}
		}
		none := deltamush.New(m, deltamush.Options{Step: 0.5})
		if e := most(m, none.Positions(f), f.Positions(skinning.LBS)); !(e < 1e-12) {
			t.Errorf("%s: %g of the diagonal off without iterations", name, e)
		}
	}
}

// A file that splits every vertex into one for each triangle, as a file with hard edges does, has the same shape.
func TestSeamsStayClosed(t *testing.T) {
	m, f := posed(t, "demo:arm")
	want := deltamush.New(m, deltamush.Default()).Positions(f)
	split := *m
	split.Skin = skinning.Mesh{}
	var of []uint32 // the vertex of each corner
	for k, tri := range m.Skin.Triangles {
		for _, v := range tri {
			of = append(of, v)
			split.Skin.Positions = append(split.Skin.Positions, m.Skin.Positions[v])
			split.Skin.Bindings = append(split.Skin.Bindings, m.Skin.Bindings[v])
		}
		split.Skin.Triangles = append(split.Skin.Triangles, [3]uint32{uint32(3 * k), uint32(3*k + 1), uint32(3*k + 2)})
	}
	at := skinning.NewFrame(&split, nil)
	for j := range f.Matrices {
		at.SetMatrix(j, &f.Matrices[j])
	}
	for c, p := range deltamush.New(&split, deltamush.Default()).Positions(at) {
		if d := p.Sub(want[of[c]]).Len(); d > 1e-12*m.Diagonal() {
			t.Fatalf("corner %d: %g m from vertex %d", c, d, of[c])
		}
	}
}

// Pinned borders stay where linear blending poses them; others do not.
func TestBorders(t *testing.T) {
	m := skinningtest.RandomModel(12, 3, 4, 1)
	m.Skin.Triangles = [][3]uint32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}} // vertex 0 is inside
	f := skinningtest.RandomFrame(m, 2)
	linear := f.Positions(skinning.LBS)
	for _, pin := range []bool{true, false} {
		shape := deltamush.New(m, deltamush.Options{Iterations: 3, Step: 0.5, PinBorders: pin}).Positions(f)
		for v := 1; v <= 4; v++ {
			if same := shape[v].Sub(linear[v]).Len() < 1e-9; same != pin {
				t.Errorf("pinned %v: vertex %d at %v, by linear blending at %v", pin, v, shape[v], linear[v])
			}
		}
		for v := 5; v < 12; v++ { // of no triangle
			if shape[v].Sub(linear[v]).Len() > 1e-9 {
				t.Errorf("pinned %v: vertex %d of no triangle at %v, by linear blending at %v", pin, v, shape[v], linear[v])
			}
		}
	}
}

func TestCheck(t *testing.T) {
	for _, o := range []deltamush.Options{{Iterations: -1}, {Iterations: 1001}, {Step: 1.1}, {Step: math.NaN()}} {
		if o.Check() == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	if err := deltamush.Default().Check(); err != nil {
		t.Error(err)
	}
}

func BenchmarkPositions(b *testing.B) {
	m, f := posed(b, "demo:figure")
	d := deltamush.New(m, deltamush.Default())
	for b.Loop() {
		d.Positions(f)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(m.Skin.Positions)), "ns/vertex")
}
