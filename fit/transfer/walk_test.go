package transfer

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/bodymodel"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/internal/cputime"
	"skinlab/internal/longtest"
	"skinlab/internal/ssdrtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// capture is a clip given as meshes of another topology, and where the model's own vertices are in truth.
type capture struct {
	*Sequence
	truth [][]mgl64.Vec3
}

// newCapture shows a clip at some times by so many vertices of the model. They have noise of a standard
// deviation, metres in each coordinate, and the surface has a hole of a radius. All of it stands elsewhere, and faces
// elsewhere.
func newCapture(m *skinning.Model, clip int, times []float64, vertices int, noise, hole float64) *capture {
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	rest := m.Skin.RestPositions(pose.Morphs)
	kept, triangles := decimate(rest, m.Skin.Triangles, vertices)
	at := rest[kept[len(kept)/3]]
	triangles = slices.DeleteFunc(triangles, func(c [3]uint32) bool { return rest[kept[c[0]]].Sub(at).Len() < hole })
	rng := rand.New(rand.NewPCG(1, 2))
	turn, shift := geom.AxisAngle(mgl64.Vec3{0, 1, 0}, 2.2), mgl64.Vec3{5, 0.1, -3}
	out := &capture{Sequence: &Sequence{Name: m.Name, Times: times}}
	for _, t := range times {
		m.SamplePose(pose, clip, t)
		frame.SetPose(pose)
		shape := frame.Positions(skinning.LBS)
		for v, p := range shape {
			shape[v] = turn.Rotate(p).Add(shift)
		}
		f := Frame{Name: m.Name, Triangles: triangles}
		for _, v := range kept {
			by := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Mul(noise)
			f.Positions = append(f.Positions, shape[v].Add(by))
		}
		out.Frames, out.truth = append(out.Frames, f), append(out.truth, shape)
	}
	return out
}

// errors returns the RMS and the largest distance of the body's vertices from the truth, over some frames, metres.
func (c *capture) errors(out *Result, frames ...int) (rms, most float64) {
	p := newPoser(out.rig)
	shape := make([]mgl64.Vec3, len(c.truth[0]))
	for _, i := range frames {
		p.set(&out.Frames[i].Pose)
		p.shape(shape)
		for v := range shape {
			d := shape[v].Sub(c.truth[i][v])
			rms += d.Dot(d) / float64(len(shape)*len(frames))
			most = max(most, d.Len())
		}
	}
	return math.Sqrt(rms), most
}

// all lists the frames.
func (c *capture) all() (frames []int) {
	for i := range c.Frames {
		frames = append(frames, i)
	}
	return frames
}

// withClips returns the model with some of its clips alone.
func withClips(m *skinning.Model, names ...string) *skinning.Model {
	out := *m
	out.Clips = nil
	for _, c := range m.Clips {
		if slices.Contains(names, c.Name) {
			out.Clips = append(out.Clips, c)
		}
	}
	return &out
}

// The human follows its own walk, of which it has only meshes: 2,700 vertices with noise of 2 mm in each coordinate and
// a hole of 16 cm. It knows the poses of its exercises. No vertex farther than 7 cm is no flip, as a hand that is
// turned over has 8 cm. The whole walk is followed within 2 mm RMS. In six of its frames, points of the body hardly
// move against each other, and correspondences may slide along it: 10 mm.
func TestWalk(t *testing.T) {
	longtest.Only(t)
	m := assetstest.Open(t, "human_male.glb")
	walk, err := m.ClipIndex("walk")
	if err != nil {
		t.Fatal(err)
	}
	c := newCapture(m, walk, m.Clips[walk].KeyTimes(), 2700, 0.002, 0.08)
	var out *Result
	used := cputime.Of(func() {
		out, err = Run(context.Background(), withClips(m, "exercise"), c.Sequence, Options{Linear: true})
	})
	if err != nil {
		t.Fatal(err)
	}
	rms, most := c.errors(out, c.all()...)
	each := used / time.Duration(len(c.Frames))
	t.Logf("vertices %.2f mm RMS, %.1f mm at most; surfaces %.2f mm; %d correspondences; %v of processor time a frame",
		1000*rms, 1000*most, 1000*out.RMS, out.Correspondences, each)
	if !(rms < 0.002) || !(most < 0.07) || len(out.Lost()) > 0 {
		t.Errorf("vertices %.2f mm RMS, %.1f mm at most, lost %v", 1000*rms, 1000*most, out.Lost())
	}
}

// A body of 18 limbs that are found in the targets of the human's exercises, with weights of its own for twist-swing,
// follows the whole walk of the human within 7 mm RMS. Its shape is not the human's, which walks by linear blending
// without the muscles of the targets.
func TestBodyWalks(t *testing.T) {
	if !longtest.On() {
		t.Skip("a body model and a walk take minutes: SKINLAB_LONG=1")
	}
	m, set := ssdrtest.HumanSet(t)
	walk, err := m.ClipIndex("walk")
	if err != nil {
		t.Fatal(err)
	}
	body, err := fit.Run(context.Background(), fit.Job{Method: bodymodel.Method, Model: m, Training: set,
		Tests: training.Tests{Clip: -1}, Values: fit.Values{"limbs": 18}})
	if err != nil {
		t.Fatal(err)
	}
	c := newCapture(m, walk, m.Clips[walk].KeyTimes(), 2700, 0.002, 0.08)
	var out *Result
	used := cputime.Of(func() { out, err = Run(context.Background(), body.Model, c.Sequence, Options{}) })
	if err != nil {
		t.Fatal(err)
	}
	rms, most := c.errors(out, c.all()...)
	each := used / time.Duration(len(c.Frames))
	t.Logf("vertices %.2f mm RMS, %.1f mm at most; surfaces %.2f mm; %v of processor time a frame",
		1000*rms, 1000*most, 1000*out.RMS, each)
	if !(rms < 0.007) || !(most < 0.06) || len(out.Lost()) > 0 {
		t.Errorf("vertices %.2f mm RMS, %.1f mm at most, lost %v", 1000*rms, 1000*most, out.Lost())
	}
}
