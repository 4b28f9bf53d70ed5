package bodymodel_test

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/bodymodel"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// bar is a built-in model and its example set.
func bar(t *testing.T) (*skinning.Model, *training.Set) {
	t.Helper()
	m := assetstest.Open(t, "demo:bar")
	set, err := training.Own(m)
	if err != nil {
		t.Fatal(err)
	}
	return m, set
}

func run(t *testing.T, m *skinning.Model, set *training.Set, values fit.Values) (*fit.Result, *bodymodel.Details) {
	t.Helper()
	out, err := fit.Run(context.Background(), fit.Job{Method: bodymodel.Method, Model: m, Training: set,
		Tests: training.Tests{Clip: -1}, Values: values})
	if err != nil {
		t.Fatal(err)
	}
	return out, out.Report.Details.(*bodymodel.Details)
}

// rmsOf returns how far a model in its clip of scans is from targets, metres, posed by a method.
func rmsOf(t *testing.T, m *skinning.Model, by skinning.Method, targets [][]mgl64.Vec3) float64 {
	t.Helper()
	clip, err := m.ClipIndex(bodymodel.ScansClip)
	if err != nil {
		t.Fatal(err)
	}
	times := m.Clips[clip].KeyTimes()
	if len(times) != len(targets) {
		t.Fatalf("%d keys for %d scans", len(times), len(targets))
	}
	f, pose, sum := skinning.NewFrame(m, nil), m.NewPose(), 0.0
	for i, target := range targets {
		m.SamplePose(pose, clip, times[i])
		f.SetPose(pose)
		for v, p := range f.Positions(by) {
			d := p.Sub(target[v])
			sum += d.Dot(d)
		}
	}
	return math.Sqrt(sum / float64(len(targets)*len(targets[0])))
}

// TestJudgedByTheModel: a body that is farther from the scans than the model itself by linear blending is worse. Scans
// that linear blending posed are so.
func TestJudgedByTheModel(t *testing.T) {
	for reference, worse := range map[skinning.Method]bool{skinning.DQS: false, skinning.LBS: true} {
		m := assetstest.Open(t, "demo:tube")
		set := &training.Set{Teacher: reference, Clip: 0, Times: m.Clips[0].KeyTimes()[:3]}
		out, d := run(t, m, set, fit.Values{"rounds": 1})
		c := out.Report.Clips[0]
		if rig := 1e3 * c.LBSRMS * out.Report.Diagonal; c.Worse != worse || !(math.Abs(rig-d.RigMm) < 1e-6) ||
			worse && !(c.LBSMax < 1e-5) {
			t.Errorf("against %v: %+v, the model's own weights %g mm; expected worse %v", reference, c, d.RigMm, worse)
		}
	}
}

// A body with the model's skeleton has its nodes, names and clips and one clip more, which shows the scans with the
// error that is reported: to a hundredth of a millimetre, for a mesh in float32 and for seams, whose vertices count
// several times here.
func TestOwnSkeleton(t *testing.T) {
	m, set := bar(t)
	out, d := run(t, m, set, fit.Values{"rounds": 1})
	x, err := set.Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	b := out.Model
	if got := rmsOf(t, b, skinning.TwistSwing, x.Targets); !(math.Abs(1e3*got-d.RMSmm) < 0.01) {
		t.Errorf("RMS %g mm in the clip, %g reported", 1e3*got, d.RMSmm)
	}
	if got := rmsOf(t, b, skinning.LBS, x.Targets); !(math.Abs(1e3*got-d.PlayedMm) < 0.01) {
		t.Errorf("RMS %g mm by linear blending in the clip, %g reported", 1e3*got, d.PlayedMm)
	}
	if !(d.RMSmm < d.RigMm) || !out.Whole || d.Found || out.Report.AddedBones != 0 || b.Skin.Second(skinning.TwistSwing) == nil {
		t.Errorf("%+v", d)
	}
	says := slices.ContainsFunc(out.Report.Warnings, func(w string) bool {
		return strings.Contains(w, "programs without twist-swing")
	})
	if worse := d.RigMm < d.PlayedMm; says != worse {
		t.Errorf("%.3f mm by linear blending, by the model's own weights %.3f mm, warnings %q", d.PlayedMm, d.RigMm,
			out.Report.Warnings)
	}
	if len(b.Skeleton.Nodes) != len(m.Skeleton.Nodes) || len(b.Clips) != len(m.Clips)+1 {
		t.Fatalf("%d nodes, %d clips of %d and %d", len(b.Skeleton.Nodes), len(b.Clips), len(m.Skeleton.Nodes), len(m.Clips))
	}
	for c := range m.Clips {
		if m.Clips[c].Name != b.Clips[c].Name {
			t.Errorf("clip %q is now %q", m.Clips[c].Name, b.Clips[c].Name)
		}
	}
	// In every clip joints turn as they did, and stand where the moved joints are carried.
	from, to, pose := skinning.NewFrame(m, nil), skinning.NewFrame(b, nil), m.NewPose()
	moved := b.NewPose()
	for c := range m.Clips {
		m.SamplePose(pose, c, m.Clips[c].Seconds/3)
		b.SamplePose(moved, c, m.Clips[c].Seconds/3)
		from.SetPose(pose)
		to.SetPose(moved)
		for j := range b.Skeleton.Joints {
			old, now := from.Globals[m.Skeleton.Joints[j].Node].Linear(), to.Globals[b.Skeleton.Joints[j].Node].Linear()
			for k := range old {
				if !(math.Abs(old[k]-now[k]) < 1e-6) {
					t.Fatalf("clip %q turns joint %d to %v, before to %v", m.Clips[c].Name, j, now, old)
				}
			}
			if p := b.Skeleton.Joints[j].Parent; p >= 0 { // parent and child agree on where the child's joint is
				at := b.Skeleton.Joints[j].Position
				if d := to.Matrices[j].Apply(at).Sub(to.Matrices[p].Apply(at)).Len(); !(d < 1e-6) {
					t.Errorf("clip %q tears joint %d off by %g m", m.Clips[c].Name, j, d)
				}
			}
		}
	}
}

// Limbs that are found are joints of their own, with x along the bone, and the report says so.
func TestFoundLimbs(t *testing.T) {
	m, set := bar(t)
	out, d := run(t, m, set, fit.Values{"limbs": 3, "rounds": 1})
	s := &out.Model.Skeleton
	if len(s.Joints) != 3 || s.Joints[0].Name != "limb_1" || !d.Found || d.Limbs != 3 || out.Report.AddedBones != 3 {
		t.Fatalf("%d joints: %+v", len(s.Joints), d)
	}
	for j := range s.Joints {
		p := s.Joints[j].Parent
		if p < 0 {
			continue
		}
		bind, _ := s.Joints[p].FromRest.Inverse()
		along := s.Joints[j].Position.Sub(s.Joints[p].Position).Normalize()
		if x := bind.Linear().Apply(mgl64.Vec3{1, 0, 0}); len(s.Joints) == 3 && s.Joints[p].Parent >= 0 &&
			!(x.Dot(along) > 0.99) {
			t.Errorf("limb %d has x along %v, the next joint is along %v", p, x, along)
		}
	}
	x, err := set.Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	if got := rmsOf(t, out.Model, skinning.TwistSwing, x.Targets); !(math.Abs(1e3*got-d.RMSmm) < 0.01) {
		t.Errorf("RMS %g mm in the clip, %g reported", 1e3*got, d.RMSmm)
	}
	for v, n := range out.Model.Skin.Normals {
		if l := geom.Vec64(n).Len(); !(math.Abs(l-1) < 1e-5) {
			t.Fatalf("normal %d has length %g", v, l)
		}
	}
	text, err := json.Marshal(out.Report)
	if err != nil {
		t.Fatal(err)
	}
	var o struct {
		Q      float64 `json:"q"`
		RMSmm  float64 `json:"rms_mm"`
		Phases []struct {
			Phase string
			Q     float64
		}
	}
	if err := json.Unmarshal(text, &o); err != nil || !(o.Q > 0) || o.RMSmm != d.RMSmm || len(o.Phases) != len(d.Phases) {
		t.Errorf("%v: %s", err, text)
	}
	var lines strings.Builder
	out.Report.WriteText(&lines)
	if !strings.Contains(lines.String(), "3 limbs found in the scans") {
		t.Error(lines.String())
	}
}

// The limb of the vertex that is given is the root: its joint is in its own middle, at the vertex's end of the bar. A
// vertex that is not there is an error, and a root of the model's own skeleton.
func TestRootOption(t *testing.T) {
	m, set := bar(t)
	x, err := set.Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	shape := x.Targets[0]
	last := 0 // the vertex farthest from vertex 0: they are at the ends of the bar
	for v, p := range shape {
		if p.Sub(shape[0]).Len() > shape[last].Sub(shape[0]).Len() {
			last = v
		}
	}
	for _, v := range []int{0, last} {
		out, _ := run(t, m, set, fit.Values{"limbs": 3, "rounds": 1, "root": float64(v + 1)})
		root := out.Model.Skeleton.Joints[0].Position
		if near, far := root.Sub(shape[v]).Len(), root.Sub(shape[last-v]).Len(); !(near < far) {
			t.Errorf("vertex %d: the root is %.2f m from it and %.2f m from the other end", v, near, far)
		}
	}
	for name, values := range map[string]fit.Values{
		"a vertex too far":     {"limbs": 3, "root": float64(len(shape) + 1)},
		"the model's skeleton": {"root": 1},
	} {
		_, err := fit.Run(context.Background(), fit.Job{Method: bodymodel.Method, Model: m, Training: set,
			Tests: training.Tests{Clip: -1}, Values: values})
		if err == nil || !strings.Contains(err.Error(), "--root") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A mesh without a skeleton is fitted to scans that are given; those that were held out get poses alone. The last scan
// is the bind pose there, and the poses that are found for it leave no more than those of the others.
func TestScansAlone(t *testing.T) {
	m, set := bar(t)
	x, err := set.Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	bare := &skinning.Model{Name: "scan.obj", Rigid: []skinning.Mesh{{Positions: m.Skin.Positions, Normals: m.Skin.Normals,
		Triangles: m.Skin.Triangles, Parts: []skinning.Part{{Name: "mesh", VertexCount: len(m.Skin.Positions),
			TriangleCount: len(m.Skin.Triangles), Material: -1}}}}}
	bare.Skeleton.Nodes = []skinning.Node{{Name: "mesh", Parent: -1, Rest: geom.IdentityTransform()}}
	if err := bare.Skeleton.SortNodes(); err != nil {
		t.Fatal(err)
	}
	model, scans := training.WithSequence(bare, len(x.Targets), 1)
	scans.Targets = x.Targets
	learnt, held := scans.HoldOut(1)
	out, err := fit.Run(context.Background(), fit.Job{Method: bodymodel.Method, Model: model, Training: learnt,
		Tests: training.Tests{Clip: -1, HeldOut: held}, Values: fit.Values{"limbs": 3, "rounds": 1}})
	if err != nil {
		t.Fatal(err)
	}
	d := out.Report.Details.(*bodymodel.Details)
	if h := d.HeldOut; h == nil || h.Frames != 1 || d.Scans != len(x.Targets)-1 || d.RigMm != 0 ||
		!(h.RMSmm < 5*d.RMSmm) {
		t.Errorf("%+v, held out %+v", d, d.HeldOut)
	}
	if len(out.Model.Clips) != 1 || out.Model.Clips[0].Name != bodymodel.ScansClip ||
		out.Model.Clips[0].Seconds != float64(len(x.Targets)-1) {
		t.Errorf("%+v", out.Model.Clips)
	}
	learnt.Targets[1] = learnt.Targets[1][:100]
	if _, err := fit.Run(context.Background(), fit.Job{Method: bodymodel.Method, Model: model, Training: learnt,
		Tests: training.Tests{Clip: -1}}); err == nil || !strings.Contains(err.Error(), "scan.obj: ") ||
		!strings.Contains(err.Error(), "example 2") {
		t.Errorf("a short scan: %v", err)
	}
}

// TestModelTwistsAsItsBody: the model of a body twists as the body does, or a warning says how far it is from the
// scans. Where a foot hangs from the root, for inverse kinematics, vertices may come to follow both. The report has the
// model's distance. Tolerance 0.02 mm: weights and positions are float32, and joints are turned by keys.
func TestModelTwistsAsItsBody(t *testing.T) {
	plain := assetstest.Open(t, "demo:leg")
	rehung, _ := skinningtest.Rehung(plain, false)
	loose, _ := skinningtest.Rehung(plain, true)
	for name, m := range map[string]*skinning.Model{"as it is": plain, "with its foot on the root": rehung,
		"with its foot a root": loose, "with fingers that are still": assetstest.Open(t, "demo:arm")} {
		set, err := training.Own(m)
		if err != nil {
			t.Fatal(err)
		}
		out, d := run(t, m, set.KeyFrames(6), fit.Values{"rounds": 2})
		l := out.Learned.(*bodymodel.Learned)
		clip, err := out.Model.ClipIndex(bodymodel.ScansClip)
		if err != nil {
			t.Fatal(err)
		}
		f, pose, sum, n := skinning.NewFrame(out.Model, nil), out.Model.NewPose(), 0.0, 0
		for i, at := range l.Times() {
			out.Model.SamplePose(pose, clip, at)
			f.SetPose(pose)
			for v, p := range f.Positions(skinning.TwistSwing) {
				e := p.Sub(l.Scans()[i][v])
				sum, n = sum+e.Dot(e), n+1
			}
		}
		rms, warned := 1e3*math.Sqrt(sum/float64(n)), strings.Contains(strings.Join(out.Report.Warnings, "\n"), "twist otherwise")
		if far := rms-d.RMSmm > 0.02; far != warned || !(math.Abs(rms-d.FileMm) <= 0.02) {
			t.Errorf("%s: the model is %.3f mm from its scans, %.3f mm reported, the body %.3f mm, warnings %q", name, rms, d.FileMm,
				d.RMSmm, out.Report.Warnings)
		}
	}
}
