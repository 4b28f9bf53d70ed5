package obj

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/demo"
	"skinlab/assets/fault"
	"skinlab/assets/gltf"
	"skinlab/internal/cputime"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// orderCase is shapes of a model.
type orderCase struct {
	name   string
	model  *skinning.Model
	shapes [][]mgl64.Vec3
}

// posedShapes are a model's own at the keys of a clip, by morph targets and linear blending.
func posedShapes(m *skinning.Model, clip string, step int) (shapes [][]mgl64.Vec3) {
	c, err := m.ClipIndex(clip)
	if err != nil {
		panic(err)
	}
	f, p := skinning.NewFrame(m, nil), m.NewPose()
	for k, t := range m.Clips[c].KeyTimes() {
		if k%step == 0 {
			m.SamplePose(p, c, t)
			f.SetPose(p)
			shapes = append(shapes, f.Positions(skinning.LBS))
		}
	}
	return shapes
}

// shapesFile are every step-th of a file of float32.
func shapesFile(t *testing.T, path string, vertices, step int) (shapes [][]mgl64.Vec3) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for size := 12 * vertices; len(data) >= size; data = data[min(step*size, len(data)):] {
		shape := make([]mgl64.Vec3, vertices)
		for v := range shape {
			for c := range 3 {
				shape[v][c] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[12*v+4*c:])))
			}
		}
		shapes = append(shapes, shape)
	}
	return shapes
}

// randomShapes are a model's in poses that turn every joint by up to about a right angle, which tear its skin.
func randomShapes(m *skinning.Model, r *rand.Rand, count int) (shapes [][]mgl64.Vec3) {
	f := skinning.NewFrame(m, nil)
	for range count {
		p := m.NewPose()
		for i := range p.Local {
			axis := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			p.Local[i].Rotation = p.Local[i].Rotation.Mul(geom.AxisAngle(axis, 0.8*r.NormFloat64()))
		}
		f.SetPose(p)
		shapes = append(shapes, f.Positions(skinning.DIB))
	}
	return shapes
}

// TestOBJOrder: shapes of muscles, a mesh sequence, and poses that tear the skin are in order, also under noise; two of
// their vertices that change places are named where their edges are longer for it, as nearly all are of vertices that
// lie apart, and hardly ever others.
func TestOBJOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := rand.New(rand.NewPCG(51, 52))
	open := func(path string) *skinning.Model {
		m, err := demo.New(strings.TrimPrefix(path, demo.Prefix))
		if !strings.HasPrefix(path, demo.Prefix) {
			m, err = gltf.Open(t.Context(), path, "", nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	arm := open("demo:arm")
	cases := []orderCase{{"demo:arm", arm, posedShapes(arm, "examples", 2)}}
	if dir := gltftest.ModelsFolder(); exists(dir) {
		for _, c := range []struct {
			model, file string
			step        int
		}{
			{"examples/arm_examples.glb", "examples/arm_examples.f32", 8},
			{"human_male.glb", "examples/human_male_exercise_targets.f32", 8},
			{"sequences/bone_rig.glb", "sequences/bone_sequence.f32", 80},
		} {
			m := open(filepath.Join(dir, c.model))
			shapes := shapesFile(t, filepath.Join(dir, c.file), len(m.Skin.Positions), c.step)
			cases = append(cases, orderCase{c.model, m, shapes})
		}
		for _, model := range []string{"Fox.glb", "CesiumMan.glb", "Knight.glb", "RobotExpressive.glb"} {
			m := open(filepath.Join(dir, model))
			cases = append(cases, orderCase{model, m, randomShapes(m, r, 4)})
		}
	}
	var tried, found [2]int // vertices of one edge, and others
	for _, c := range cases {
		var rest []mgl64.Vec3
		for _, p := range c.model.Skin.Positions {
			rest = append(rest, geom.Vec64(p))
		}
		triangles := c.model.Skin.Triangles
		var lengths []float64
		for _, k := range triangles {
			lengths = append(lengths, rest[k[0]].Sub(rest[k[1]]).Len())
		}
		slices.Sort(lengths)
		for i, shape := range c.shapes {
			for _, noise := range []float64{0, 0.2} { // of the median edge
				o := &Shape{Positions: slices.Clone(shape)}
				for v := range o.Positions {
					n := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
					o.Positions[v] = o.Positions[v].Add(n.Mul(noise * lengths[len(lengths)/2]))
				}
				if err := o.CheckOrder(rest, triangles); err != nil {
					t.Errorf("%s, shape %d, noise %g: %v", c.name, i, noise, err)
				}
			}
			for range 3 {
				one, other := triangles[r.IntN(len(triangles))], triangles[r.IntN(len(triangles))]
				for kind, pair := range [2][2]uint32{{one[0], one[1]}, {one[0], other[2]}} {
					a, b := min(pair[0], pair[1]), max(pair[0], pair[1])
					if rest[a] == rest[b] {
						continue
					}
					o := &Shape{Positions: slices.Clone(shape)}
					o.Positions[a], o.Positions[b] = o.Positions[b], o.Positions[a]
					tried[kind]++
					err := o.CheckOrder(rest, triangles)
					if err == nil {
						continue
					}
					if want := fmt.Sprintf("vertices %d and %d ", a+1, b+1); !errors.Is(err, fault.ErrMalformed) ||
						!strings.Contains(err.Error(), want) {
						t.Errorf("%s, shape %d: %v, expected %s", c.name, i, err, want)
					}
					found[kind]++
				}
			}
		}
	}
	t.Logf("found %d of %d vertices of one edge, %d of %d others", found[0], tried[0], found[1], tried[1])
	if !(float64(found[0]) >= 0.8*float64(tried[0])) || !(float64(found[1]) >= 0.95*float64(tried[1])) {
		t.Errorf("found %d of %d vertices of one edge, %d of %d others", found[0], tried[0], found[1], tried[1])
	}
}

// exists reports whether a file or folder is there.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// A shape of which nearly half has no order, and all of it lies within the reach of any vertex, is looked through in
// 10 s of processor time: it takes 2 s, and all pairs would take minutes. One in which all vertices, or those of the
// mesh, lie in one place says nothing.
func TestOBJOrderOfNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := rand.New(rand.NewPCG(53, 54))
	const n, mixed = 100_000, 40_000
	rest, o := make([]mgl64.Vec3, n), &Shape{Positions: make([]mgl64.Vec3, n)}
	var triangles [][3]uint32
	for v := range n - 1 {
		p := mgl64.Vec3{r.Float64(), r.Float64(), r.Float64()}
		rest[v], o.Positions[v] = p, p
		near := mixed + r.IntN(n-mixed)
		if v < mixed {
			rest[v] = p.Mul(1e-3).Add(mgl64.Vec3{1, 0, 0})
			near = r.IntN(mixed)
		}
		triangles = append(triangles, [3]uint32{uint32(v), uint32(near), n - 1})
	}
	took := cputime.Of(func() { _ = o.CheckOrder(rest, triangles) })
	t.Logf("%v of processor time", took)
	if !testing.Short() && !(took <= 10*time.Second) { // the race detector is slow
		t.Errorf("%v of processor time", took)
	}
	if err := (&Shape{Positions: make([]mgl64.Vec3, n)}).CheckOrder(rest, triangles); err != nil {
		t.Errorf("all vertices in one place: %v", err)
	}
	if err := o.CheckOrder(make([]mgl64.Vec3, n), triangles); err != nil {
		t.Errorf("a mesh in one place: %v", err)
	}
}
