package render

import (
	"context"
	"fmt"
	"image"
	"math"
	"strings"
	"sync"
	"testing"

	"skinlab/assets/demo"
	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/render/passes"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// envelopedArm is demo:arm with 30 proxies fitted to its own examples. Tests share it: models are read-only.
var envelopedArm = sync.OnceValues(func() (*skinning.Model, error) {
	m, err := demo.New("demo:arm")
	if err != nil {
		return nil, err
	}
	clip, err := m.ClipIndex(skinning.ExampleClip)
	if err != nil {
		return nil, err
	}
	x, err := (&training.Set{Teacher: skinning.LBS, Clip: clip, Times: m.Clips[clip].KeyTimes()}).Examples(m)
	if err != nil {
		return nil, err
	}
	return fitEnvelope(m, x, 30)
})

func fitEnvelope(m *skinning.Model, x *training.Examples, proxies int) (*skinning.Model, error) {
	r, err := enveloping.Fit(context.Background(), x, enveloping.Options{Proxies: proxies})
	if err != nil {
		return nil, err
	}
	return r.Model.With(m)
}

func loadEnveloped(t testing.TB) *skinning.Model {
	t.Helper()
	m, err := envelopedArm()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// taughtEnvelope fits proxies to what another method makes of a clip's keys: for rigs without examples.
func taughtEnvelope(t testing.TB, m *skinning.Model, clip, proxies int) *skinning.Model {
	t.Helper()
	var times []float64
	for i := range 9 {
		times = append(times, m.Clips[clip].Seconds*float64(i)/8)
	}
	x, err := (&training.Set{Teacher: skinning.DQS, Clip: clip, Times: times}).Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	out, err := fitEnvelope(m, x, proxies)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// shuffled returns a model with its joints in another order, the proxies between the others, as a file may have them,
// and without the first proxy, whose key gradient the others go on reading behind theirs.
func shuffled(m *skinning.Model) *skinning.Model {
	n := len(m.Skeleton.Joints)
	of := make([]int, n) // of joint j the new index
	for j := range of {
		of[j] = (j*7 + 3) % n
		for n%7 == 0 {
			panic("joints divisible by 7")
		}
	}
	out := *m
	out.Skeleton.Joints = make([]skinning.Joint, n)
	for j, joint := range m.Skeleton.Joints {
		if joint.Parent >= 0 {
			joint.Parent = of[joint.Parent]
		}
		out.Skeleton.Joints[of[j]] = joint
	}
	envelope := m.SolvedRig().Remap(func(joint int) int { return of[joint] }).(*rig.Enveloping)
	first := uint16(envelope.Proxies[0])
	leaveOutFirst(envelope)
	envelope.Prepare()
	out.Rigs = []skinning.Rig{envelope}
	in := &out.Skin.Influences
	in.Bindings = append([]skinning.Binding(nil), in.Bindings...)
	for v := range in.Bindings {
		for k, j := range in.Bindings[v].Joints {
			in.Bindings[v].Joints[k] = uint16(of[j])
			if uint16(of[j]) == first {
				in.Bindings[v].Joints[k] = uint16(envelope.Proxies[0])
			}
		}
	}
	return &out
}

// leaveOutFirst takes the first proxy out of a rig. Its key gradient becomes the last: the others' stay where theirs
// are.
func leaveOutFirst(envelope *rig.Enveloping) {
	wide, tall := 3*len(envelope.Keys), 4*len(envelope.Masters)
	all := envelope.C1
	envelope.C1, envelope.C2, envelope.Proxies = nil, envelope.C2[4*tall:], envelope.Proxies[1:]
	for row := 4; row < 4+4*len(envelope.Proxies); row++ {
		c := all[row*wide : (row+1)*wide]
		envelope.C1 = append(append(envelope.C1, c[3:]...), c[:3]...)
	}
	envelope.Keys = append(append([]rig.GradientKey(nil), envelope.Keys[1:]...), envelope.Keys[0])
}

// proxyTolerance is the largest error of an entry of a proxy's matrix against the float64 twin, as a share of the sum
// of the magnitudes of what it is summed from, Σ|c|·|x|: float32 keeps 6e-8 of each term when c and x are rounded, of
// the product, and of the partial sums.
const proxyTolerance = 2e-6

// readProxies returns the proxies' matrices as the palette has them after a frame was posed.
func readProxies(t *testing.T, r *Renderer, f *skinning.Frame) []geom.Mat34 {
	t.Helper()
	readPosed(t, r, f, skinning.LBS)
	b, m := r.modelOf(f).Of(f.Model), f.Model
	proxies := len(skinning.RigOf[*rig.Enveloping](m).Joints())
	before := 8 * (len(m.Skeleton.Joints) - proxies + len(m.Rigid)) // texels of all that is no proxy
	return readBuffer(t, b.Sent.Palettes.ID, 16*((before+15)/16*16), make([]geom.Mat34, proxies))
}

// magnitude returns Σ|c|·|x| for entry k of row c of a proxy.
func magnitude(f *skinning.Frame, proxy, c, k int) (sum float64) {
	r := skinning.RigOf[*rig.Enveloping](f.Model)
	n := 3 * len(r.Keys)
	row := 4*proxy + k
	for i, v := range r.C1[row*n : (row+1)*n] {
		sum += math.Abs(v * f.Gradients()[n*c+i])
	}
	for i, v := range r.C2[row*4*len(r.Masters) : (row+1)*4*len(r.Masters)] {
		sum += math.Abs(v * f.Matrices[r.Masters[i/4]][4*c+i%4])
	}
	return sum
}

// everySolver is everyWay with the proxies' pass by a compute stage too, which a software renderer does not take by
// itself.
func everySolver(t *testing.T, r *Renderer, f func(way skin.Way)) {
	t.Helper()
	before := r.poser.Barriers
	defer func() { r.poser.Barriers = before }()
	r.poser.Barriers = true
	everyWay(t, r, f)
	if r.poser.ProxyCompute == nil && r.poser.Computes {
		t.Error("no compute stage has solved for proxies")
	}
	if !before {
		r.poser.Barriers = false
		everyWay(t, r, f)
	}
}

// TestProxiesMatchCPU holds all three passes against their float64 twins, each by every way of skinning, on rigs that
// were fitted: the matrices of the proxies against rig.EnvelopingDriver, positions and normals against the reference,
// recomputed normals against OneRings. The frame that is drawn is lazy: what the CPU has for proxies would be wrong.
// Positions may be twice as far off as where joints pose them: a proxy sums what eighty keys turn in float32.
func TestProxiesMatchCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("short: several fits")
	}
	for _, name := range []string{"demo:arm", "demo:arm, shuffled", "RobotExpressive.glb", "hostile/morph_and_skin.glb",
		"human_male.glb"} {
		t.Run(name, func(t *testing.T) {
			proxies := 5
			if name == "human_male.glb" {
				proxies = 80
			}
			file, _, shuffle := strings.Cut(name, ",")
			m := assetstest.Open(t, file)
			var fitted *skinning.Model
			if file == "demo:arm" { // its own clip of examples sets weights of morph targets, which are not the fitted skin's
				fitted = loadEnveloped(t)
			} else {
				fitted = taughtEnvelope(t, m, 0, proxies)
			}
			r := newTestRenderer(t)
			if shuffle {
				fitted = shuffled(fitted)
				setModel(t, r, fitted) // as a file has it
			} else {
				setModel(t, r, m)
				if err := r.SetFitted(fitted, nil); err != nil {
					t.Fatal(err)
				}
			}
			twin, live := skinning.NewFrame(fitted, nil), skinning.NewFrame(fitted, nil)
			live.LazyProxies = true
			pose := fitted.NewPose()
			rings := skinning.NewOneRings(&fitted.Skin, fitted.Skeleton.Joints)
			worst, turned := 0.0, 0.0
			for _, at := range posesOf(m) {
				fitted.SamplePose(pose, at.clip, at.seconds)
				twin.SetPose(pose)
				live.SetPose(pose)
				want := twin.Reference(skinning.LBS)
				steady := steadyNormals(twin, skinning.LBS)
				everySolver(t, r, func(way skin.Way) {
					what := fmt.Sprintf("%v, %v", way, at)
					for b, got := range readProxies(t, r, live) {
						for i, v := range got {
							exact := twin.Matrices[fitted.SolvedRig().Joints()[b]][i]
							d, sum := math.Abs(float64(v)-exact), magnitude(twin, b, i/4, i%4)
							if !(d <= proxyTolerance*sum) { // a proxy that moves nothing may be all zeros
								t.Fatalf(
									"%s: proxy %d, entry %d is %g, expected %g: off by %.3g, what it is summed from is %.3g, tolerance %g of it",
									what, b, i, v, exact, d, sum, proxyTolerance)
							}
							if sum > 0 {
								worst = max(worst, d/sum)
							}
						}
					}
					far, turn := compareShape(t, twin, readPosed(t, r, live, skinning.LBS), want, steady, 2*gpuTolerance, what)
					noteErrors(t, "enveloping", way, far, turn)
					if way == skin.InShader {
						return // the buffer is not posed
					}
					var s skinning.Shape
					for _, p := range readPosed(t, r, live, skinning.LBS)[:len(fitted.Skin.Positions)] {
						s.Positions = append(s.Positions, geom.Vec64(p.Position))
						s.Normals = append(s.Normals, geom.Vec64(p.Normal))
					}
					normals := rings.Normals(s, live.Mirrored())
					for v, got := range readRecomputed(t, r, live, way)[:len(normals)] {
						if flat(rings, fitted.Skin.Triangles, s.Positions, v) {
							continue
						}
						if a := angle(geom.Vec64(got), normals[v]); !(a <= normalTolerance) {
							t.Fatalf("%s: recomputed normal %d is %.3g rad off, tolerance %g", what, v, a, normalTolerance)
						} else {
							turned = max(turned, a)
						}
					}
				})
				compareRigid(t, r, live, skinning.LBS, at.String())
			}
			t.Logf("proxies: %.2g of what is summed, tolerance %g; recomputed normals %.2g rad, tolerance %g", worst,
				proxyTolerance, turned, normalTolerance)
		})
	}
}

// What the GPU does not solve for is as the CPU has it: baked joints, other methods, and rigs past the driver's limit.
func TestProxiesFromCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	fitted := loadEnveloped(t)
	r := newTestRenderer(t)
	f := skinning.NewFrame(fitted, nil)
	pose := fitted.NewPose()
	fitted.SamplePose(pose, 1, 0.37*fitted.Clips[1].Seconds)
	for _, baked := range []bool{false, true} {
		setModel(t, r, fitted)
		f.Baked = baked
		f.SetPose(pose)
		for _, method := range []skinning.Method{skinning.LBS, skinning.DQS, skinning.SBS} {
			compareToReference(t, r, f, method, fmt.Sprintf("baked %v", baked))
		}
	}
	f.Baked, f.LazyProxies = false, true
	f.SetPose(pose)
	s := newTestScene(fitted, 1.1, 96, 96)
	solved := pictureOf(t, r, s)
	limit := r.poser.Texels
	r.poser.Texels = 4 * 1000
	setModel(t, r, fitted)
	if r.SolvedRig(fitted) != nil {
		t.Fatal("a rig past the limit is on the GPU")
	}
	r.poser.Texels = limit
	twin := skinning.NewFrame(fitted, nil)
	twin.SetPose(pose)
	compareShape(t, f, readPosed(t, r, f, skinning.LBS), twin.Reference(skinning.LBS), steadyNormals(twin, skinning.LBS),
		gpuTolerance, "past the limit")
	if d := compareImages(solved, pictureOf(t, r, s)); !(d.mean <= 0.02 && d.share <= 0.001) { // samples at edges
		t.Errorf("past the limit: %v from what the GPU solves for; tolerance mean 0.02, share 0.1 %%", d)
	}
}

// TestEnvelopedPicture: an enveloped skin is shaded with the normals of the posed surface unless the scene says
// otherwise, every way of skinning gives one picture, all passes are timed, and nothing is allocated for a frame.
func TestEnvelopedPicture(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := newTestRenderer(t)
	m, fitted := assetstest.Open(t, "demo:arm"), loadEnveloped(t)
	draw := func() *image.NRGBA {
		setModel(t, r, m)
		if err := r.SetFitted(fitted, nil); err != nil {
			t.Fatal(err)
		}
		return pictureOf(t, r, envelopedScene(t, fitted))
	}
	first := draw()
	compareGolden(t, "arm-enveloped", first, r.Info().Software)
	setModel(t, r, assetstest.Open(t, "demo:tube"))
	pictureOf(t, r, newTestScene(r.model.Source, 1, 100, 37))
	if d := compareImages(first, draw()); d.mean != 0 {
		t.Errorf("after another model: %v", d)
	}
	s := envelopedScene(t, fitted)
	s.Recomputed = true
	if d := compareImages(first, pictureOf(t, r, s)); d.mean != 0 {
		t.Errorf("normals of the posed surface are not the default: %v", d)
	}
	s.Recomputed, s.Transformed = false, true
	transformed := pictureOf(t, r, s)
	if d := compareImages(first, transformed); d.mean == 0 {
		t.Error("transformed normals change nothing")
	}
	framebuffer := newFramebuffer(t, goldenSize, goldenSize)
	r.timer.SetTiming(passes.TimingPasses)
	pose := fitted.NewPose()
	everySolver(t, r, func(way skin.Way) {
		for _, want := range []*image.NRGBA{first, transformed} {
			s.Transformed = want == transformed
			if d := compareImages(want, pictureOf(t, r, s)); !(d.mean <= 0.02 && d.share <= 0.001) { // samples at edges
				t.Errorf("%v, transformed normals %v: %v from the first; tolerance mean 0.02, share 0.1 %%", way, s.Transformed, d)
			}
		}
		s.Transformed = false
		at := 12.5
		step := func() {
			at += 0.01
			fitted.SamplePose(pose, armPoses, at)
			r.timer.SetPose(s.Frame, pose)
			if err := r.Draw(s, framebuffer); err != nil {
				t.Fatal(err)
			}
			r.timer.Frame()
		}
		step()
		step()
		if n := testing.AllocsPerRun(5, step); n != 0 {
			t.Errorf("%v: %g allocations a frame, expected none", way, n)
		}
		for _, p := range []passes.Pass{passes.Palette, passes.Proxies, passes.Skin, passes.Normals} {
			if w := r.timer.Pass(p); !(w.Len() > 0 && w.Median() > 0) {
				t.Errorf("%v: pass %v is not timed", way, p)
			}
		}
		fitted.SamplePose(pose, armPoses, 12.5)
		s.Frame.SetPose(pose)
	})
}

// armPoses is the clip poses_only of demo:arm: the poses of the examples, a second each, and what lies between them.
const armPoses = 3

func envelopedScene(t *testing.T, fitted *skinning.Model) *picture.Scene {
	t.Helper()
	g := goldenScene{clip: "poses_only", seconds: 12.5, method: skinning.LBS, yaw: 0.4, surface: picture.SurfaceClay}
	s := g.scene(t, fitted)
	s.Frame.LazyProxies = true
	return s
}

// Every instance of an enveloped crowd is the model posed alone, whatever solves for it, and the crowd's box holds its
// vertices.
func TestEnvelopedCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := newTestRenderer(t)
	fitted := loadEnveloped(t)
	setModel(t, r, fitted)
	c := newTestCrowd(t, r, fitted, 3)
	f, pose := skinning.NewFrame(fitted, nil), fitted.NewPose()
	g := r.modelOf(f)
	const instances = 11 // not a multiple of proxyTile
	for _, posed := range []skinning.Method{skinning.LBS, skinning.DQS} {
		everySolver(t, r, func(way skin.Way) {
			c.Pose(instances, armPoses, 4.3, posed.Reads())
			got := readCrowd(t, r, c, f, skinning.LBS)
			lo, hi := c.Bounds()
			room := 0.1 * g.Diagonal
			for i := range instances {
				fitted.SamplePose(pose, armPoses, c.Time(i))
				f.SetPose(pose)
				compareInstance(t, g.Model, got, readPosed(t, r, f, skinning.LBS), c, i,
					fmt.Sprintf("posed for %v, %v", posed, way))
			}
			for v := range got {
				for k, x := range got[v].Position {
					if !(x >= lo[k]-room && x <= hi[k]+room) {
						t.Fatalf("%v: vertex %d of the crowd at %v is more than %g m outside %v to %v", way, v, got[v].Position, room, lo,
							hi)
					}
				}
			}
		})
	}
	s := newTestScene(fitted, 0.4, 64, 64)
	s.Method, s.Crowd = skinning.LBS, c
	framebuffer := newFramebuffer(t, 64, 64)
	at := 0.4
	step := func() {
		at += 0.01
		c.Pose(instances, armPoses, at, s.Method.Reads())
		if err := r.Draw(s, framebuffer); err != nil {
			t.Fatal(err)
		}
	}
	everySolver(t, r, func(way skin.Way) {
		step()
		if n := testing.AllocsPerRun(3, step); n != 0 {
			t.Errorf("%v: %g allocations a frame, expected none", way, n)
		}
	})
	// It is shaded with normals of the posed surface, by every way of skinning; one that fits into no buffer is drawn
	// with normals that the method transforms.
	c.Pose(instances, armPoses, 12.5, s.Method.Reads())
	lo, hi := c.Bounds()
	s.Camera.Frame(skin.Box{Lo: lo, Hi: hi}.Corners(), 1, picture.Whole)
	s.Surface = picture.SurfaceClay
	s.Width, s.Height = 192, 192 // in less, an instance has no pixel that its normals alone shade
	first := pictureOf(t, r, s)
	s.Transformed = true
	transformed := pictureOf(t, r, s)
	s.Transformed = false
	if d := compareImages(first, transformed); !(d.mean > 0.05 && d.share > 0.002) {
		t.Errorf("normals of a crowd's surface change %v, expected more than the ways of skinning may", d)
	}
	everyWay(t, r, func(way skin.Way) {
		if d := compareImages(first, pictureOf(t, r, s)); !(d.mean <= 0.05 && d.share <= 0.002) { // samples at edges
			t.Errorf("%v: %v from the first; tolerance mean 0.05, share 0.2 %%", way, d)
		}
	})
	if err := r.SetWay(skin.InShader); err != nil {
		t.Fatal(err)
	}
	texels := r.poser.Texels
	r.poser.Texels = 2*g.Streams.All*instances - 1
	if d := compareImages(transformed, pictureOf(t, r, s)); !(d.mean <= 0.05 && d.share <= 0.002) {
		t.Errorf("past the limit: %v from transformed normals; tolerance mean 0.05, share 0.2 %%", d)
	}
	r.poser.Texels = texels
	if r.SetWay(r.poser.Best()) != nil {
		t.Fatal("no way back")
	}
	s.Method = skinning.DQS
	defer func() {
		if recover() == nil {
			t.Error("a crowd without the proxies' matrices is drawn by a method that needs them")
		}
	}()
	r.Picture(s)
}
