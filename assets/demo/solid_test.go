package demo

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"skinlab/internal/cputime"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"

	"github.com/go-gl/mathgl/mgl64"
)

// made returns a built-in model that has passed what all of them must: a closed solid with outward triangles and
// normals, valid weights, clips of the given names, the whole of it above the ground in every clip.
func made(t *testing.T, name string, clips ...string) *skinning.Model {
	t.Helper()
	m, err := New("demo:" + name)
	if err != nil {
		t.Fatal(err)
	}
	checkSolid(t, m)
	if err := m.Skin.Validate(len(m.Skeleton.Joints)); err != nil {
		t.Error(err)
	}
	var names []string
	for i := range m.Clips {
		names = append(names, m.Clips[i].Name)
	}
	if !slices.Equal(names, clips) {
		t.Errorf("clips %q, expected %q", names, clips)
	}
	checkAboveGround(t, m)
	return m
}

// checkSolid: every edge is run through once in each direction, the surface is in one piece of genus 0, and the vertex
// normals are unit vectors that agree with the triangles.
func checkSolid(t *testing.T, m *skinning.Model) {
	t.Helper()
	skin := &m.Skin
	edges := map[[2]uint32]int{}
	piece := make([]uint32, len(skin.Positions))
	for i := range piece {
		piece[i] = uint32(i)
	}
	find := func(i uint32) uint32 {
		for piece[i] != i {
			i = piece[i]
		}
		return i
	}
	for _, tri := range skin.Triangles {
		for k := range tri {
			a, b := tri[k], tri[(k+1)%3]
			edges[[2]uint32{a, b}]++
			piece[find(a)] = find(b)
		}
	}
	for e, n := range edges {
		if n != 1 || edges[[2]uint32{e[1], e[0]}] != 1 {
			t.Fatalf("edge %v: %d times this way, %d times the other", e, n, edges[[2]uint32{e[1], e[0]}])
		}
	}
	for i := range piece {
		if find(uint32(i)) != find(0) {
			t.Fatalf("vertex %d is not connected to vertex 0", i)
		}
	}
	if euler := len(skin.Positions) - len(edges)/2 + len(skin.Triangles); euler != 2 {
		t.Errorf("characteristic of Euler %d, expected 2", euler)
	}
	if v := metrics.Volume(metrics.SkinBody(m), restShape(m)); !(v > 0) {
		t.Errorf("volume %g m³: the triangles face inwards", v)
	}
	for v, n := range skinning.ComputeNormals(skin.Positions, skin.Triangles) {
		given := geom.Vec64(skin.Normals[v])
		if !(math.Abs(given.Len()-1) <= 1e-3) { // packed normals are rounded to 16 bits
			t.Fatalf("vertex %d: normal of length %g", v, given.Len())
		}
		// 60 degrees: where the fingers part, few flat triangles stand for a saddle as narrow as they are long.
		if d := given.Dot(geom.Vec64(n)); !(d >= 0.5) {
			t.Fatalf("vertex %d: normal %v, triangles say %v", v, given, n)
		}
	}
}

// checkAboveGround poses every clip 10 times a second by linear blending.
func checkAboveGround(t *testing.T, m *skinning.Model) {
	t.Helper()
	for c := range m.Clips {
		for s := 0.0; s <= m.Clips[c].Seconds; s += 0.1 {
			for v, p := range posed(m, c, s) {
				if !(p[1] > 0) {
					t.Fatalf("clip %q at %g s: vertex %d at height %g m", m.Clips[c].Name, s, v, p[1])
				}
			}
		}
	}
}

func restShape(m *skinning.Model) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(m.Skin.Positions))
	for v, p := range m.Skin.Positions {
		out[v] = geom.Vec64(p)
	}
	return out
}

// posed returns the skin of a clip at a time by morph targets and linear blending.
func posed(m *skinning.Model, clip int, seconds float64) []mgl64.Vec3 {
	pose := m.NewPose()
	m.SamplePose(pose, clip, seconds)
	return posedBy(m, pose)
}

func posedBy(m *skinning.Model, pose *skinning.Pose) []mgl64.Vec3 {
	palette := palette(m, pose)
	out := restShape(m)
	for _, morph := range m.Skin.Morphs {
		if w := pose.Morphs[morph.Slot]; w != 0 {
			for i, d := range morph.Positions {
				out[morph.FirstVertex+i] = out[morph.FirstVertex+i].Add(geom.Vec64(d).Mul(w))
			}
		}
	}
	var influences []skinning.Influence
	for v, p := range out {
		influences = m.Skin.Of(influences[:0], v)
		var sum mgl64.Vec3
		for _, f := range influences {
			sum = sum.Add(palette[f.Joint].Apply(p).Mul(float64(f.Weight)))
		}
		out[v] = sum
	}
	return out
}

func palette(m *skinning.Model, pose *skinning.Pose) []geom.Affine {
	globals := make([]geom.Affine, len(m.Skeleton.Nodes))
	m.Skeleton.Globals(globals, pose)
	out := make([]geom.Affine, len(m.Skeleton.Joints))
	m.Skeleton.Palette(out, globals)
	return out
}

// relativeTurn is the rotation of a joint against its parent joint, from the rest pose, as the skinning matrices have
// it.
func relativeTurn(t *testing.T, m *skinning.Model, clip string, seconds float64, joint int) geom.Quat {
	t.Helper()
	c, err := m.ClipIndex(clip)
	if err != nil {
		t.Fatal(err)
	}
	pose := m.NewPose()
	m.SamplePose(pose, c, seconds)
	p := palette(m, pose)
	parent := p[m.Skeleton.Joints[joint].Parent].Linear()
	return geom.QuatFromMat3(parent.Transpose().Mul(p[joint].Linear()))
}

// twistAndSwing splits a rotation q = swing·twist into the twist about x and the swing about an axis across it.
// Degrees; the swing as a rotation vector. The twist is in (−180, 180].
func twistAndSwing(q geom.Quat) (twist float64, swing mgl64.Vec3) {
	twist = 2 * math.Atan2(q[0], q[3])
	if twist > math.Pi {
		twist -= 2 * math.Pi
	} else if twist <= -math.Pi {
		twist += 2 * math.Pi
	}
	s := q.Mul(geom.AxisAngle(mgl64.Vec3{1, 0, 0}, twist).Conjugate())
	if s[3] < 0 {
		s = s.Scale(-1)
	}
	degree := 180 / math.Pi
	return twist * degree, s.Log().Mul(2 * degree)
}

// degrees of difference that rounding quaternions to float32 may make: 1e-7 rad each, a few of them.
const turnTolerance = 1e-4

func near(got, want float64) bool { return math.Abs(got-want) <= turnTolerance }

func TestModelsAreDeterministic(t *testing.T) {
	for _, name := range Names() {
		a, b := must(t, name), must(t, name)
		if !reflect.DeepEqual(a, b) {
			t.Errorf("demo:%s differs from one call to the next", name)
		}
	}
}

func must(t *testing.T, name string) *skinning.Model {
	t.Helper()
	m, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestModelsAreMadeQuickly asks for 200 ms, of processor time, the best of five. Processors that share a core with
// others' work take twice as long as alone: the slowest model then took 100 ms. The race detector makes it more; it
// runs with -short. Box, tube and arm take 3, 0.3 and 20 ms.
func TestModelsAreMadeQuickly(t *testing.T) {
	if testing.Short() {
		t.Skip("a time that the race detector would change")
	}
	for _, name := range Names() {
		best := time.Hour
		for range 5 {
			best = min(best, cputime.Of(func() { must(t, name) }))
		}
		if best > 200*time.Millisecond {
			t.Errorf("demo:%s took %v", name, best)
		}
	}
}
