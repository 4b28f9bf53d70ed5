package export

import (
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/gltf"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// playing shows a fitted model and the file that it was exported to, in the same poses: the model, the file with its
// rigs driven live, and the file as its nodes are baked.
type playing struct {
	want, live, baked *skinning.Frame
	fittedPose, pose  *skinning.Pose
}

func newPlaying(fitted, again *skinning.Model) *playing {
	p := &playing{skinning.NewFrame(fitted, nil), skinning.NewFrame(again, nil), skinning.NewFrame(again, nil),
		fitted.NewPose(), again.NewPose()}
	p.baked.Baked = true
	return p
}

// at poses all at a time of a clip, −1 for the static pose, and returns how far the file is off, live and baked, as
// fractions of the diagonal.
func (p *playing) at(clip int, seconds float64) (live, baked float64) {
	p.want.Model.SamplePose(p.fittedPose, clip, seconds)
	p.live.Model.SamplePose(p.pose, clip, seconds)
	p.set()
	return apart(p.want, p.live), apartBaked(p.want, p.baked, clip)
}

func (p *playing) set() {
	p.want.SetPose(p.fittedPose)
	p.live.SetPose(p.pose)
	p.baked.SetPose(p.pose)
}

// turned turns some joints of the fitted model by chance from the static pose, a pose of no clip, and returns how far
// the file is off live.
func (p *playing) turned(joints []int, random *rand.Rand) (live float64) {
	p.want.Model.SamplePose(p.fittedPose, -1, 0)
	p.live.Model.SamplePose(p.pose, -1, 0)
	for _, j := range joints {
		node := p.want.Model.Skeleton.Joints[j].Node
		turn := geom.AxisAngle(mgl64.Vec3{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()},
			0.4*random.NormFloat64())
		for _, pose := range []*skinning.Pose{p.fittedPose, p.pose} {
			pose.Local[node].Rotation = pose.Local[node].Rotation.Mul(turn)
		}
	}
	p.set()
	return apart(p.want, p.live)
}

// checkExport exports a fitted model, reads it again and holds it against what was exported. Live the two agree to
// float32 of weights, inverse bind matrices and controllers, 2e-6 of the diagonal, where some joints are turned as
// well. Baked they agree to the error that the report states, and float32 of the keys. That error is as small as was
// asked for.
func checkExport(t *testing.T, fitted *skinning.Model, data []byte, files fs.FS, rms float64, turned []int) (
	again *skinning.Model, report Report, out []byte) {
	t.Helper()
	again, report, out = export(t, fitted, data, files, Options{RMS: rms})
	p := newPlaying(fitted, again)
	worstLive, worstBaked := 0.0, 0.0
	// The ends, and times that baking has no reason to measure at.
	random, times := rand.New(rand.NewPCG(1, 2)), []float64{0, 1}
	for range 12 {
		times = append(times, random.Float64())
	}
	for clip := -1; clip < min(len(fitted.Clips), 8); clip++ {
		for _, u := range times {
			if clip >= 0 {
				u *= fitted.Clips[clip].Seconds
			}
			live, baked := p.at(clip, u)
			worstLive, worstBaked = max(worstLive, live), max(worstBaked, baked)
		}
	}
	for range 5 {
		worstLive = max(worstLive, p.turned(turned, random))
	}
	t.Logf("%d bones on %d nodes, %d kB, live %.2g, baked %.2g, reported %.2g", report.Bones, report.AddedNodes,
		len(out)>>10, worstLive, worstBaked, report.MaxError)
	if !(worstLive <= 2e-6) {
		t.Errorf("live: %.3g of the diagonal", worstLive)
	}
	if most := math.Max(rms*keyShare, leastKeyError); !(report.MaxError <= most) {
		t.Errorf("%.3g of the diagonal between keys, asked for %.3g", report.MaxError, most)
	}
	if !(worstBaked <= report.MaxError*1.1+4e-6) {
		t.Errorf("baked: %.3g of the diagonal, reported %.3g", worstBaked, report.MaxError)
	}
	return again, report, out
}

// samePlay: an exported file plays what the fitted model does, in all clips.
func samePlay(t *testing.T, fitted, again *skinning.Model) {
	t.Helper()
	p := newPlaying(fitted, again)
	for clip := -1; clip < len(fitted.Clips); clip++ {
		for _, u := range []float64{0, 0.2, 0.7, 1} {
			seconds := 0.0
			if clip >= 0 {
				seconds = u * fitted.Clips[clip].Seconds
			}
			if live, baked := p.at(clip, seconds); !(live <= 1e-5) || !(baked <= 2e-5) {
				t.Errorf("clip %d at %g s: live off by %.3g of the diagonal, baked by %.3g", clip, seconds, live, baked)
			}
		}
	}
}

// badExtras is a change of a file's extras, and a part of the warning that it gives, "" for none.
type badExtras struct {
	path  string
	value any
	want  string
}

// checkBadExtras: extras that cannot be understood give a warning that says why, and the model plays without a rig.
func checkBadExtras(t *testing.T, build func() *gltftest.Builder, all []badExtras) {
	t.Helper()
	for _, c := range all {
		m, err := gltf.Decode("beam", build().Set(c.path, c.value).Glb(), nil)
		if err != nil {
			t.Errorf("%s = %v: %v", c.path, c.value, err)
			continue
		}
		gltftest.CheckModel(t, m)
		warned := ""
		for _, w := range m.Warnings {
			if strings.Contains(w, "extras.skinlab") {
				warned = w
			}
		}
		if len(m.Rigs) > 0 || (c.want == "") != (warned == "") || !strings.Contains(warned, c.want) || len(warned) > 300 {
			t.Errorf("%s = %v: rigs %v, warning %q, expected %q", c.path, c.value, m.Rigs, warned, c.want)
		}
	}
}

// decoded reads a file that must be good.
func decoded(t testing.TB, name string, data []byte) *skinning.Model {
	t.Helper()
	m, err := gltf.Decode(name, data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// encoded writes a model that can be written.
func encoded(t testing.TB, m *skinning.Model) []byte {
	t.Helper()
	data, err := Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sourceOf reads the document of a file that must be good.
func sourceOf(t testing.TB, data []byte) *gltf.Source {
	t.Helper()
	d, err := gltf.ReadSource(data, nil, "")
	if err != nil {
		t.Fatal(err)
	}
	return d
}
