package export

import (
	"bytes"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// checkEnveloped is checkExport of a model with proxies, each of two nodes.
func checkEnveloped(
	t *testing.T, fitted *skinning.Model, data []byte, files fs.FS, rms float64,
) (again *skinning.Model, out []byte) {
	t.Helper()
	want := gltftest.EnvelopeOf(fitted)
	again, report, out := checkExport(t, fitted, data, files, rms, want.Masters)
	if got := gltftest.EnvelopeOf(again); got == nil || len(got.Proxies) != len(want.Proxies) {
		t.Fatalf("the rig came back as %v, warnings %q", got, again.Warnings)
	}
	if report.Bones != len(want.Proxies) || report.AddedNodes != 2*report.Bones {
		t.Errorf("%d bones on %d nodes, expected two nodes for each of %d proxies", report.Bones, report.AddedNodes,
			len(want.Proxies))
	}
	return again, out
}

// fittedArm fits enveloping to the example set of an arm: demo:arm or the shared one.
func fittedArm(t testing.TB, name string) (m, fitted *skinning.Model, data []byte, files fs.FS, e enveloping.Errors) {
	t.Helper()
	m, data, files = source(t, name)
	clip, err := m.ClipIndex(skinning.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	x, err := (&training.Set{Teacher: skinning.LBS, Clip: clip, Times: m.Clips[clip].KeyTimes()}).Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := enveloping.Fit(t.Context(), x, enveloping.Options{Proxies: 30})
	if err != nil {
		t.Fatal(err)
	}
	if fitted, err = r.Model.With(m); err != nil {
		t.Fatal(err)
	}
	return m, fitted, data, files, r.Fit
}

// TestExportEnvelopingFit: a real fit to an example set. The morph targets of the examples are gone, and the clip that
// showed them shows the fit: its poses are those of the clip without targets. At every key of a proxy the file has
// nearly the live matrix.
func TestExportEnvelopingFit(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the tests of baking run what is concurrent in it")
	}
	for _, name := range []string{"demo:arm", filepath.Join("examples", "arm_examples.glb")} {
		t.Run(name, func(t *testing.T) {
			m, fitted, data, files, e := fittedArm(t, name)
			again, out := checkEnveloped(t, fitted, data, files, e.RMS/m.Diagonal())
			checkExamples(t, m, again, e)
			if len(again.MorphSlots) > 0 || bytes.Contains(out, []byte(`"targets"`)) || bytes.Contains(out, []byte(`"weights"`)) {
				t.Errorf("%d morph slots are left", len(again.MorphSlots))
			}
			if data != nil && bytes.Contains(out, bytesOfTarget(t, data)) {
				t.Error("the bytes of a morph target are still in the file")
			}
			checkKeys(t, fitted, again, e.RMS/m.Diagonal())
		})
	}
}

// moved returns a model that stands elsewhere.
func moved(m *skinning.Model, by mgl64.Vec3) *skinning.Model {
	out := *m
	out.Skin.Positions = slices.Clone(m.Skin.Positions)
	for v, p := range m.Skin.Positions {
		out.Skin.Positions[v] = geom.Vec32(geom.Vec64(p).Add(by))
	}
	s := &out.Skeleton
	s.Nodes, s.Joints = slices.Clone(s.Nodes), slices.Clone(s.Joints)
	for i := range s.Nodes {
		if s.Nodes[i].Parent < 0 {
			s.Nodes[i].Rest.Translation = s.Nodes[i].Rest.Translation.Add(by)
		}
	}
	back := geom.NewAffine(geom.Identity3(), by.Mul(-1))
	for j := range s.Joints {
		s.Joints[j].Position = s.Joints[j].Position.Add(by)
		s.Joints[j].FromRest = s.Joints[j].FromRest.Mul(back)
	}
	return &out
}

// TestExportEnvelopingFar: a fit to a model a thousand of its sizes from the origin drives the file as it drove the
// model, to what float32 leaves there of positions and inverse bind matrices: a step is 6e-5 of the diagonal, of which
// c₁ and c₂ add up several, 4e-4 at most.
func TestExportEnvelopingFar(t *testing.T) {
	here, _, _ := source(t, "demo:tube")
	m := moved(here, mgl64.Vec3{1000, 0, -300})
	x, err := (&training.Set{Teacher: skinning.DQS, Clip: 0, Times: []float64{0, 1, 2, 3, 4}}).Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := enveloping.Fit(t.Context(), x, enveloping.Options{Proxies: 8})
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := r.Model.With(m)
	if err != nil {
		t.Fatal(err)
	}
	again, _, _ := export(t, fitted, nil, nil, Options{})
	if gltftest.EnvelopeOf(again) == nil || len(gltftest.EnvelopeOf(again).Proxies) == 0 {
		t.Fatal("nothing drives the file")
	}
	want, live := skinning.NewFrame(fitted, nil), skinning.NewFrame(again, nil)
	fittedPose, pose := fitted.NewPose(), again.NewPose()
	for _, seconds := range []float64{0, 0.5, 2, 3.3} {
		fitted.SamplePose(fittedPose, 0, seconds)
		again.SamplePose(pose, 0, seconds)
		want.SetPose(fittedPose)
		live.SetPose(pose)
		if d := apart(want, live); !(d <= 4e-4) {
			t.Errorf("at %g s off by %.3g of the diagonal", seconds, d)
		}
	}
}

// checkExamples holds the baked clip of the examples against the examples themselves, the source's morph targets: their
// RMS distance and the largest are those of the fit, to 1 % of it, ten times what float32 and keys may add to it.
func checkExamples(t *testing.T, m, again *skinning.Model, e enveloping.Errors) {
	t.Helper()
	clip, err := m.ClipIndex(skinning.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	want, baked := skinning.NewFrame(m, nil), skinning.NewFrame(again, nil)
	baked.Baked = true
	wantPose, pose := m.NewPose(), again.NewPose()
	sum, most, n := 0.0, 0.0, 0
	for _, seconds := range m.Clips[clip].KeyTimes() {
		m.SamplePose(wantPose, clip, seconds)
		again.SamplePose(pose, clip, seconds)
		want.SetPose(wantPose)
		baked.SetPose(pose)
		a, b := want.Positions(skinning.LBS), baked.Positions(skinning.LBS)
		for v := range a {
			d := a[v].Sub(b[v])
			sum, most, n = sum+d.Dot(d), math.Max(most, d.Len()), n+1
		}
	}
	if rms := math.Sqrt(sum / float64(n)); !(math.Abs(rms-e.RMS) <= 0.01*e.RMS) || !(math.Abs(most-e.Max) <= 0.01*e.Max) {
		t.Errorf("the file is %.4g m RMS from the examples and %.4g m at most, the fit %.4g m and %.4g m", rms, most, e.RMS,
			e.Max)
	}
}

// bytesOfTarget returns the bytes of the first morph target of a file.
func bytesOfTarget(t *testing.T, data []byte) []byte {
	t.Helper()
	d := sourceOf(t, data)
	return d.Accessors[d.Doc.Meshes[0].Primitives[0].Targets[0]["POSITION"]].Data
}

// checkKeys holds the baked matrix of every added joint against the live one at each few of its keys, at the vertices
// that follow it: within what a bone may be off for a fit of an RMS error, which least squares spread over keys and
// what lies between, and 4e-6 of the diagonal, float32 keys on top of float32 matrices.
func checkKeys(t *testing.T, fitted, again *skinning.Model, rms float64) {
	t.Helper()
	most := (1.4*math.Max(rms*keyShare, leastKeyError) + 4e-6) * fitted.Diagonal()
	masters := len(fitted.Skeleton.Joints) - addedJoints(fitted)
	moved := make([][]mgl64.Vec3, len(fitted.Skeleton.Joints))
	var buf []skinning.Influence
	for v := range fitted.Skin.Bindings {
		for _, f := range fitted.Skin.Of(buf[:0], v) {
			moved[f.Joint] = append(moved[f.Joint], geom.Vec64(fitted.Skin.Positions[v]))
		}
	}
	baked, want := skinning.NewFrame(again, nil), skinning.NewFrame(fitted, nil)
	baked.Baked = true
	pose, fittedPose := again.NewPose(), fitted.NewPose()
	checked := 0
	for clip := range again.Clips {
		keysOf := map[int][]float32{} // by node
		for _, c := range again.Clips[clip].Channels {
			keysOf[c.Node] = c.Times
		}
		for j := masters; j < len(fitted.Skeleton.Joints); j++ {
			node := again.Skeleton.Joints[j].Node
			times := keysOf[node]
			if times == nil {
				times = keysOf[again.Skeleton.Nodes[node].Parent]
			}
			for k := 0; k < len(times); k += 1 + len(times)/10 {
				again.SamplePose(pose, clip, float64(times[k]))
				fitted.SamplePose(fittedPose, clip, float64(times[k]))
				baked.SetPose(pose)
				want.SetPose(fittedPose)
				checked++
				for _, p := range moved[j] {
					if d := baked.Matrices[j].Apply(p).Sub(want.Matrices[j].Apply(p)).Len(); !(d <= most) {
						t.Fatalf("clip %d, joint %d, key %d at %g s: off by %.3g of the diagonal", clip, j, k, times[k],
							d/fitted.Diagonal())
					}
				}
			}
		}
	}
	if checked < len(fitted.Skeleton.Joints)-masters {
		t.Errorf("%d keys checked", checked)
	}
}
