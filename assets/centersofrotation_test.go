package assets

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/qmuntal/gltf"

	"skinlab/assets/gltf/export"
	"skinlab/internal/gltftest"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// centerOracle computes optimised centres of rotation as Le and Hodgins write them: of a vertex by all triangles of its
// skin, with the weights of all joints, and poses vertices by matrices and rotations of its own polar decomposition. It
// shares no step with package skinning.
type centerOracle struct {
	m         *skinning.Model
	triangles []centerTriangle
}

type centerTriangle struct {
	area float64
	at   mgl64.Vec3
	t    []float64
}

// dense returns the weights of a vertex of all joints.
func dense(m *skinning.Model, v int) []float64 {
	w, sum := make([]float64, len(m.Skeleton.Joints)), 0.0
	for _, in := range m.Skin.Of(nil, v) {
		sum += float64(in.Weight)
	}
	for _, in := range m.Skin.Of(nil, v) {
		w[in.Joint] += float64(in.Weight) / sum
	}
	return w
}

func newCenterOracle(m *skinning.Model) *centerOracle {
	o := &centerOracle{m: m}
	weights := make([][]float64, len(m.Skin.Positions))
	for v := range weights {
		weights[v] = dense(m, v)
	}
	for _, t := range m.Skin.Triangles {
		var at [3]mgl64.Vec3
		var w [3][]float64
		for k, v := range t {
			at[k], w[k] = geom.Vec64(m.Skin.Positions[v]), weights[v]
		}
		o.split(at, w)
	}
	return o
}

func (o *centerOracle) split(at [3]mgl64.Vec3, w [3][]float64) {
	mean := func(a ...[]float64) []float64 {
		out := make([]float64, len(w[0]))
		for _, x := range a {
			for j := range out {
				out[j] += x[j] / float64(len(a))
			}
		}
		return out
	}
	edge, most := 0, 0.0
	for k := range at {
		sum := 0.0
		for j, x := range w[k] {
			sum += (x - w[(k+1)%3][j]) * (x - w[(k+1)%3][j])
		}
		if d := math.Sqrt(sum); d > most*(1+1e-12) { // the first of equals
			edge, most = k, d
		}
	}
	if most < 0.1*(1-1e-12) {
		area := at[1].Sub(at[0]).Cross(at[2].Sub(at[0])).Len() / 2
		if area > 0 {
			o.triangles = append(o.triangles, centerTriangle{area, at[0].Add(at[1]).Add(at[2]).Mul(1. / 3), mean(w[0], w[1], w[2])})
		}
		return
	}
	next := (edge + 1) % 3
	middle, blend := at[edge].Add(at[next]).Mul(0.5), mean(w[edge], w[next])
	a, b, u, v := at, at, w, w
	a[next], u[next], b[edge], v[edge] = middle, blend, middle, blend
	o.split(a, u)
	o.split(b, v)
}

// center returns the centre of a vertex.
func (o *centerOracle) center(v int) mgl64.Vec3 {
	p := dense(o.m, v)
	var joints []int
	for j, w := range p {
		if w > 0 {
			joints = append(joints, j)
		}
	}
	var at mgl64.Vec3
	total := 0.0
	for i := range o.triangles {
		t, s := &o.triangles[i], 0.0
		for n, j := range joints {
			for _, k := range joints[n+1:] {
				d := p[j]*t.t[k] - p[k]*t.t[j]
				s += p[j] * p[k] * t.t[j] * t.t[k] * math.Exp(-d*d/0.01)
			}
		}
		at, total = at.Add(t.at.Mul(s*t.area)), total+s*t.area
	}
	if total == 0 {
		return geom.Vec64(o.m.Skin.Positions[v])
	}
	return at.Mul(1 / total)
}

// pose returns where a vertex at x goes about a centre in a frame.
func (o *centerOracle) pose(f *skinning.Frame, v int, x, center mgl64.Vec3) mgl64.Vec3 {
	type part struct {
		weight         float64
		rigid, stretch mgl64.Mat4
		q              mgl64.Quat
	}
	var parts []part
	pivot := 0
	weights := dense(o.m, v)
	for j, w := range weights {
		if w == 0 {
			continue
		}
		if len(parts) > 0 && w > parts[pivot].weight {
			pivot = len(parts)
		}
		at := o.m.Skeleton.Joints[j].Position
		r := polar(f.Matrices[j].Linear())
		l := f.Matrices[j].Linear()
		s := r.Transpose().Mul3(mgl64.Mat3FromRows(mgl64.Vec3{l[0], l[1], l[2]}, mgl64.Vec3{l[3], l[4], l[5]}, mgl64.Vec3{l[6], l[7], l[8]}))
		stretch := mgl64.Translate3D(at[0], at[1], at[2]).Mul4(s.Mat4()).Mul4(mgl64.Translate3D(-at[0], -at[1], -at[2]))
		parts = append(parts, part{weight: w, stretch: stretch, q: mgl64.Mat4ToQuat(r.Mat4()), rigid: mat4(&f.Matrices[j]).Mul4(stretch.Inv())})
	}
	var scale mgl64.Mat4
	for _, p := range parts {
		scale = scale.Add(p.stretch.Mul(p.weight))
	}
	x, center = scale.Mul4x1(x.Vec4(1)).Vec3(), scale.Mul4x1(center.Vec4(1)).Vec3()
	var q mgl64.Quat
	var moved mgl64.Vec3
	for _, p := range parts {
		sign := 1.0
		if p.q.Dot(parts[pivot].q) < 0 {
			sign = -1
		}
		q = q.Add(p.q.Scale(sign * p.weight))
		moved = moved.Add(p.rigid.Mul4x1(center.Vec4(1)).Vec3().Mul(p.weight))
	}
	return q.Normalize().Rotate(x.Sub(center)).Add(moved)
}

// Vertices of every model, as its clips pose it and with every third joint scaled, go where the oracle takes them: by
// the reference within 1e-6 of the diagonal, by the kernels within 1e-5, which are float32.
func TestCentersOfRotationOfModels(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(gltftest.SharedModels(t), "*.gl*"))
	names := append(files, "demo:arm", "demo:bar", "demo:box", "demo:figure", "demo:leg", "demo:tube")
	if testing.Short() {
		names = names[len(names)-2:]
	}
	for _, name := range names {
		m, err := Open(name)
		if err != nil {
			t.Error(err)
			continue
		}
		n := len(m.Skin.Positions)
		if n == 0 {
			continue
		}
		o, diagonal := newCenterOracle(m), m.Diagonal()
		centers := skinning.NewCentersOfRotation(&m.Skin).OfVertices(&m.Skin, nil)
		f, pose, out := skinning.NewFrame(m, nil), m.NewPose(), skinning.NewOutput(m)
		d := skinning.NewDeformer(m, 1)
		defer d.Close()
		frames := []*skinning.Frame{f, skinningtest.ScaledFrame(m, 1)}
		if len(m.Clips) > 0 {
			m.SamplePose(pose, 0, 0.47*m.Clips[0].Seconds)
			f.SetPose(pose)
		}
		of := map[int]mgl64.Vec3{}
		for v := 0; v < n; v += max(1, n/60) | 1 {
			of[v] = o.center(v)
			if off := centers[v].Sub(of[v]).Len() / diagonal; !(off <= 1e-6) {
				t.Errorf("%s: the centre of vertex %d is off by %.3g of the diagonal", m.Name, v, off)
			}
		}
		worst, worstFast := 0.0, 0.0
		for _, f := range frames {
			d.Deform(&out, skinning.COR, f)
			rest := m.Skin.RestPositions(f.Morphs)
			for v, center := range of {
				want := o.pose(f, v, rest[v], center)
				worst = max(worst, f.BlendVertex(skinning.COR, v).Apply(rest[v]).Sub(want).Len()/diagonal)
				worstFast = max(worstFast, geom.Vec64(out.Positions[v]).Sub(want).Len()/diagonal)
			}
		}
		if !(worst <= 1e-6) || !(worstFast <= 1e-5) {
			t.Errorf("%s: off by %.3g of the diagonal, posed fast by %.3g", m.Name, worst, worstFast)
		}
		t.Logf("%s: %d triangles, reference within %.2g of the diagonal, kernels within %.2g", m.Name, len(o.triangles), worst, worstFast)
	}
}

// A file keeps the centres that are written into it, in the space of its meshes, and where a primitive has none they are
// made: within 1e-6 of the diagonal, float32. By cor it is posed as the file that it was made of.
func TestCentersOfRotationInFile(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, name := range []string{"CesiumMan.glb", "RobotExpressive.glb"} {
		path := filepath.Join(gltftest.SharedModels(t), name)
		m, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		with, in := *m, &skinning.RotationCenter
		made := m.Skin.AllValues(in, nil)
		with.Skin.SetInput(skinning.InputData{Input: in, Values: made})
		out := filepath.Join(t.TempDir(), name)
		if _, err := export.File(context.Background(), out, path, &with, export.Options{}); err != nil {
			t.Fatal(err)
		}
		check := func(what string) {
			t.Helper()
			again, err := Open(out)
			if err != nil {
				t.Fatal(err)
			}
			got := again.Skin.Input(in)
			if got == nil {
				t.Fatalf("%s: %s: no centres", name, what)
			}
			for k, x := range got.Values {
				if d := math.Abs(float64(x - made[k])); !(d <= 1e-6*m.Diagonal()) {
					t.Fatalf("%s: %s: centre of vertex %d is off by %g m", name, what, k/3, d)
				}
			}
		}
		check("written")
		doc, err := gltf.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		left := 0
		for _, mesh := range doc.Meshes {
			for _, p := range mesh.Primitives {
				if _, has := p.Attributes["_ROTATION_CENTER"]; has {
					if left++; left == 2 || len(doc.Meshes) == 1 {
						delete(p.Attributes, "_ROTATION_CENTER")
					}
				}
			}
		}
		if left < 2 {
			continue // a file of one primitive would have no centres
		}
		if err := gltf.SaveBinary(doc, out); err != nil {
			t.Fatal(err)
		}
		check("without those of a primitive")
	}
}
