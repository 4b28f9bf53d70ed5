package render

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

const (
	// gpuTolerance is the largest distance of a GPU vertex from the float64 reference, as a fraction of the rest pose's
	// diagonal: the design's number. A dozen float32 operations on coordinates of the model's size leave a tenth of it.
	gpuTolerance = 1e-5
	// normalTolerance is the largest angle between GPU and reference normals, radians (0.06°). A unit normal keeps
	// 1e-7 per operation; where linear blending nearly collapses, cofactors cancel, and vertices whose reference
	// matrix is that singular are left out (collapsed).
	normalTolerance = 1e-3
	// collapsed is the length of the unnormalised reference normal, as a share of the matrix's size squared, below
	// which its direction is noise.
	collapsed = 1e-3
	// mirrored is the determinant, as a share of the matrix's size cubed, below which its sign, hence the side of the
	// normal, is noise: half-way between a joint and a mirrored one a blend is singular.
	mirrored = 1e-6
)

// gpuModels are the models that every GPU method is held on: demos, real characters, and files made to break kernels.
var gpuModels = []string{
	"demo:box", "demo:tube", "demo:arm", "demo:figure",
	"human_male.glb", "CesiumMan.glb", "Fox.glb", "RobotExpressive.glb", "Knight.glb", "RiggedSimple.glb",
	"SimpleSkin.gltf",
	"GenericHand.glb", "examples/arm_examples.glb", "sequences/bone_rig.glb",
	"hostile/negative_scale_joint.glb", "hostile/two_weight_sets.glb", "hostile/morph_and_skin.glb",
	"hostile/quantized.glb",
	"hostile/zero_weights.glb", "hostile/no_inverse_bind_matrices.glb",
	"conformance/Animation_Skin_08.glb", "conformance/Animation_Skin_10.glb",
}

// TestGPUMatchesCPU holds every method's shader against skinning.Frame.Reference, on every model, at several times of
// up to four clips.
func TestGPUMatchesCPU(t *testing.T) {
	for _, name := range gpuModels {
		t.Run(name, func(t *testing.T) {
			m := assetstest.Open(t, name)
			if testing.Short() && len(m.Skin.Positions) > 2000 {
				t.Skip("short: small models alone")
			}
			r := newTestRenderer(t)
			if err := r.SetModel(m); err != nil {
				t.Fatal(err)
			}
			f := skinning.NewFrame(m, nil)
			for _, at := range posesOf(m) {
				m.SamplePose(at.pose, at.clip, at.seconds)
				f.SetPose(at.pose)
				for _, method := range skinning.Methods() {
					compareToReference(t, r, f, method, at.String())
				}
				everyWay(t, r, func(way skin.Way) { compareRigid(t, r, f, skinning.DQS, fmt.Sprintf("%v, %v", way, at)) })
			}
		})
	}
}

type testPose struct {
	pose    *skinning.Pose
	clip    int
	name    string
	seconds float64
}

func (p testPose) String() string { return fmt.Sprintf("clip %q at %.3f s", p.name, p.seconds) }

// posesOf returns the static pose and three times of up to four clips. The times are odd fractions, because at exactly
// 180 degrees float32 and float64 may take either way round.
func posesOf(m *skinning.Model) []testPose {
	out := []testPose{{m.NewPose(), -1, "static", 0}}
	step := max(1, len(m.Clips)/4)
	for c := 0; c < len(m.Clips) && c < 4*step; c += step {
		for _, u := range []float64{0.13, 0.51, 0.87} {
			out = append(out, testPose{m.NewPose(), c, m.Clips[c].Name, u * m.Clips[c].Seconds})
		}
	}
	return out
}

// compareToReference holds every way of skinning against the reference, and against the first way.
func compareToReference(t *testing.T, r *Renderer, f *skinning.Frame, method skinning.Method, at string) {
	t.Helper()
	want := f.Reference(method)
	steady := steadyNormals(f, method)
	var first []skin.Vertex
	everyWay(t, r, func(way skin.Way) {
		t.Helper()
		got := readPosed(t, r, f, method)
		what := fmt.Sprintf("%v, %v, %s", method, way, at)
		far, turn := compareShape(t, f, got, want, steady, gpuTolerance, what)
		noteErrors(t, method.String(), way, far, turn)
		if first == nil {
			first = got
		}
		compareWays(t, r.modelOf(f).Model, got, first, what)
	})
}

// steadyNormals tells the vertices whose normals have a direction, see collapsed and mirrored.
func steadyNormals(f *skinning.Frame, method skinning.Method) []bool {
	rest := f.Model.Skin.RestShape(f.Morphs)
	out := make([]bool, len(rest.Positions))
	for v := range out {
		linear := f.BlendVertex(method, v).Linear()
		n := linear.NormalMatrix().Apply(rest.Normals[v])
		size := 0.0
		for _, x := range linear {
			size += x * x
		}
		out[v] = !(n.Len() < collapsed*size*rest.Normals[v].Len() || math.Abs(linear.Det()) < mirrored*math.Pow(size, 1.5))
	}
	return out
}

// noteErrors leaves the largest errors of a comparison in the test's verbose output, from which package gpureport
// makes a table: of positions as a fraction of the diagonal, of normals in radians.
func noteErrors(t *testing.T, method string, way skin.Way, far, turn float64) {
	t.Attr(fmt.Sprintf("error:%s:%v", method, way), fmt.Sprintf("%.3g %.3g", far, turn))
}

// compareShape holds posed vertices against a reference. It returns the largest distance of a position, as a fraction
// of the diagonal, and the largest angle of a normal, in radians.
func compareShape(t *testing.T, f *skinning.Frame, got []skin.Vertex, want skinning.Shape, steady []bool,
	within float64, what string) (far, turn float64) {
	t.Helper()
	diagonal := f.Model.Diagonal()
	var farAt, turnAt int
	for v := range want.Positions {
		d := geom.Vec64(got[v].Position).Sub(want.Positions[v]).Len() / diagonal
		if !(d <= far) {
			far, farAt = d, v
		}
		if !steady[v] {
			continue
		}
		if a := angle(geom.Vec64(got[v].Normal), want.Normals[v]); !(a <= turn) {
			turn, turnAt = a, v
		}
	}
	if !(far <= within) {
		t.Errorf("%s: vertex %d is %.3g of the diagonal off, tolerance %g", what, farAt, far, within)
	}
	if !(turn <= normalTolerance) {
		t.Errorf("%s: normal %d is %.3g rad off, tolerance %g", what, turnAt, turn, normalTolerance)
	}
	if testing.Verbose() {
		t.Logf("%-60s position %.2g of the diagonal, normal %.2g rad", what, far, turn)
	}
	return far, turn
}

// compareWays holds two ways of skinning against each other, rigid meshes included. They run the same code, so that
// they differ by how a compiler contracts and orders sums at most: a fifth of what they may differ from the reference.
func compareWays(t *testing.T, g *skin.Model, got, want []skin.Vertex, what string) {
	t.Helper()
	for v := range want {
		d := float64(got[v].Position.Sub(want[v].Position).Len() / g.Diagonal)
		if !(d <= gpuTolerance/5) {
			t.Errorf("%s: vertex %d is %.3g of the diagonal off another way of skinning, tolerance %g", what, v, d,
				gpuTolerance/5)
			return
		}
	}
}

// compareRigid holds the rigid meshes, which go through the same pass, against their node's global transform.
func compareRigid(t *testing.T, r *Renderer, f *skinning.Frame, method skinning.Method, at string) {
	t.Helper()
	got := readPosed(t, r, f, method)
	diagonal := float64(r.model.Diagonal)
	for i := range f.Model.Rigid {
		mesh := &f.Model.Rigid[i]
		g := f.Globals[mesh.Parts[0].Node]
		first := r.modelOf(f).Streams.First[i+1]
		for v, p := range mesh.RestPositions(f.Morphs) {
			d := geom.Vec64(got[first+v].Position).Sub(g.Apply(p)).Len() / diagonal
			if !(d <= gpuTolerance) {
				t.Errorf("rigid mesh %d, %s: vertex %d is %.3g of the diagonal off, tolerance %g", i, at, v, d, gpuTolerance)
				break
			}
		}
	}
}

// angle between two vectors, accurate near zero; NaN where one is NaN or zero.
func angle(a, b mgl64.Vec3) float64 {
	if !(a.Len() > 0 && b.Len() > 0) {
		return math.NaN()
	}
	return math.Atan2(a.Cross(b).Len(), a.Dot(b))
}
