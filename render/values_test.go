package render

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/render/gpu"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// readValues fills the numbers of a scene's surface and reads them back. Only tests read back.
func readValues(t testing.TB, r *Renderer, s *picture.Scene) []float32 {
	t.Helper()
	gpu.ResetState()
	g := r.modelOf(s.Frame)
	way := r.way(g, s)
	if err := r.painter.Values.Ready(g, s.Surface); err != nil {
		t.Fatal(err)
	}
	if s.Surface == picture.SurfaceHeat {
		if err := r.poseReference(g, s, way); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.poser.Pose(g.Model, s.Frame, s.Method, way, r.timer); err != nil {
		t.Fatal(err)
	}
	r.painter.Values.Fill(g, s)
	return readBuffer(t, g.Values.Value.ID, 0, make([]float32, g.Streams.All))
}

// heatTolerance is the largest error of a heat value as a fraction of the diagonal: both ends of the distance are a GPU
// vertex.
const heatTolerance = 2 * gpuTolerance

// TestHeatMatchesCPU holds GPU distances between methods, and between the model's own skin and a fitted one both ways
// round, against distances of the float64 references.
func TestHeatMatchesCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, name := range []string{"demo:tube", "human_male.glb", "RobotExpressive.glb", "hostile/two_weight_sets.glb",
		"hostile/morph_and_skin.glb"} {
		t.Run(name, func(t *testing.T) {
			m := assetstest.Open(t, name)
			r := newTestRenderer(t)
			setModel(t, r, m)
			fitted := halfway(t, m)
			if err := r.SetFitted(fitted, nil); err != nil {
				t.Fatal(err)
			}
			other := *m // the same model as if from another file
			if err := r.SetBeside(&other); err != nil {
				t.Fatal(err)
			}
			own, live, early := skinning.NewFrame(m, nil), skinning.NewFrame(fitted, nil), skinning.NewFrame(&other, nil)
			pose, livePose := m.NewPose(), fitted.NewPose()
			m.SamplePose(pose, 0, 0.21*m.Clips[0].Seconds)
			early.SetPose(pose)
			m.SamplePose(pose, 0, 0.61*m.Clips[0].Seconds)
			own.SetPose(pose)
			fitted.SamplePose(livePose, 0, 0.61*m.Clips[0].Seconds)
			live.SetPose(livePose)
			for _, c := range []struct {
				what       string
				shown, ref *skinning.Frame
				by, refBy  skinning.Method
			}{
				{"lbs to dqs", own, own, skinning.LBS, skinning.DQS},
				{"dib to sbs", own, own, skinning.DIB, skinning.SBS},
				{"fitted to dqs", live, own, skinning.LBS, skinning.DQS},
				{"lbs to fitted", own, live, skinning.LBS, skinning.LBS},
				{"another file in another pose", own, early, skinning.SDQS, skinning.SDQS},
			} {
				s := &picture.Scene{Frame: c.shown, Method: c.by, Surface: picture.SurfaceHeat,
					Heat: &picture.Heat{Frame: c.ref, Reference: c.refBy, Full: 1}}
				got := readValues(t, r, s)
				a, b := c.shown.Reference(c.by), c.ref.Reference(c.refBy)
				worst, largest := 0.0, 0.0
				for v := range a.Positions {
					want := a.Positions[v].Sub(b.Positions[v]).Len()
					largest = max(largest, want)
					d := (float64(got[v]) - want) / m.Diagonal()
					if d < 0 {
						d = -d
					}
					if !(d <= worst) {
						worst = d
					}
				}
				if !(worst <= heatTolerance) {
					t.Errorf("%s: a distance is %.3g of the diagonal off, tolerance %g", c.what, worst, heatTolerance)
				}
				if !(largest > 20*heatTolerance*m.Diagonal()) {
					t.Errorf("%s: the largest distance is %g m: the case shows nothing", c.what, largest)
				}
				s.Heat.Distances = make([]float32, len(a.Positions)) // those that are known are shown as they are
				for v := range s.Heat.Distances {
					s.Heat.Distances[v] = float32(v)
				}
				got = readValues(t, r, s)
				if !slices.Equal(got[:len(a.Positions)], s.Heat.Distances) {
					t.Errorf("%s: shows other distances than are known", c.what)
				}
				for v := len(a.Positions); v < len(got); v++ {
					if got[v] >= 0 {
						t.Fatalf("%s: rigid vertex %d has the value %g, expected none", c.what, v, got[v])
					}
				}
			}
		})
	}
}

// Weights of every joint and the number of influences are those of the model, with more than four influences too.
// Weights are sums of one float32: exact.
func TestWeightAndCountMatchTheModel(t *testing.T) {
	for _, name := range []string{"demo:tube", "RobotExpressive.glb", "hostile/two_weight_sets.glb", "demo:tube, fitted"} {
		t.Run(name, func(t *testing.T) {
			name, isFitted := strings.CutSuffix(name, ", fitted")
			m := assetstest.Open(t, name)
			r := newTestRenderer(t)
			setModel(t, r, m)
			if isFitted {
				m = halfway(t, m)
				if err := r.SetFitted(m, nil); err != nil {
					t.Fatal(err)
				}
			}
			f := skinning.NewFrame(m, nil)
			var buf []skinning.Influence
			most := 0
			got := readValues(t, r, &picture.Scene{Frame: f, Surface: picture.SurfaceInfluences})
			for v := range m.Skin.Positions {
				buf = m.Skin.Of(buf[:0], v)
				most = max(most, len(buf))
				if int(got[v]) != len(buf) {
					t.Fatalf("vertex %d shows %g influences, expected %d", v, got[v], len(buf))
				}
			}
			if name == "hostile/two_weight_sets.glb" && most <= 4 {
				t.Errorf("at most %d influences: the case shows nothing", most)
			}
			for j := range m.Skeleton.Joints {
				got := readValues(t, r, &picture.Scene{Frame: f, Surface: picture.SurfaceWeights, Joint: j})
				for v := range m.Skin.Positions {
					want := float32(0)
					buf = m.Skin.Of(buf[:0], v)
					for _, in := range buf {
						if int(in.Joint) == j {
							want += in.Weight
						}
					}
					if got[v] != want {
						t.Fatalf("joint %d, vertex %d: weight %g, expected %g", j, v, got[v], want)
					}
				}
			}
		})
	}
}

// newSkinCard returns the card of newCard as a skin whose vertices have the given weights on joints 0, 1 and so on. All
// joints are the one node.
func newSkinCard(weights ...float32) *skinning.Model {
	m := newCard(skinning.Material{BaseColor: [4]float32{1, 1, 1, 1}, Texture: -1}, color.NRGBA{}, color.NRGBA{})
	m.Skin, m.Rigid = m.Rigid[0], nil
	for range weights {
		m.Skeleton.Joints = append(m.Skeleton.Joints,
			skinning.Joint{Parent: -1, FromRest: geom.NewAffine(geom.Identity3(), mgl64.Vec3{})})
	}
	for range m.Skin.Positions {
		var raw []skinning.Influence
		for j, w := range weights {
			raw = append(raw, skinning.Influence{Joint: uint16(j), Weight: w})
		}
		m.Skin.Append(raw, 0)
	}
	return m
}

// shows draws a scene from straight ahead and compares its middle with a colour of a legend, within two steps of 255:
// one for the picture's noise and one for the map's texels.
func shows(t *testing.T, r *Renderer, s *picture.Scene, want [3]uint8, what string) {
	t.Helper()
	s.Camera, s.Width, s.Height = picture.Camera{Distance: 6, FOV: 0.5}, 64, 64
	if got := pictureOf(t, r, s).NRGBAAt(32, 32); !near(got, color.NRGBA{want[0], want[1], want[2], 255}, 2) {
		t.Errorf("%s: the surface is %v, the legend %v; tolerance 2", what, got, want)
	}
}

// A surface that faces the eye has exactly the colour that the legend gives its number.
func TestSurfaceAgreesWithLegend(t *testing.T) {
	r := newTestRenderer(t)
	m := newSkinCard(0.625, 0.375)
	setModel(t, r, m)
	here, there := skinning.NewFrame(m, nil), skinning.NewFrame(m, nil)
	pose := m.NewPose()
	const full = 0.5
	for _, d := range []float64{0, 0.11, 0.25, 0.37, 0.5, 0.9} {
		pose.Local[0].Translation = mgl64.Vec3{d, 0, 0}
		there.SetPose(pose)
		s := &picture.Scene{Frame: here, Surface: picture.SurfaceHeat, Heat: &picture.Heat{Frame: there, Reference: skinning.LBS, Full: full}}
		shows(t, r, s, picture.Colormap(float32(d/full)), fmt.Sprintf("%g m", d))
		s.Heat.Full = 0
		if d > 0 {
			shows(t, r, s, picture.Colormap(1), fmt.Sprintf("%g m with the top at 0", d))
		}
	}
	for j, w := range []float32{0.625, 0.375, 0} { // the last is a joint that there is none of
		shows(t, r, &picture.Scene{Frame: here, Surface: picture.SurfaceWeights, Joint: j}, picture.Colormap(w),
			fmt.Sprintf("weight %g", w))
	}
	shows(t, r, &picture.Scene{Frame: here, Surface: picture.SurfaceNormals}, [3]uint8{128, 128, 255}, "a normal along z")
	colors := picture.InfluenceColors()
	for n := 1; n <= 7; n++ {
		weights := make([]float32, n)
		for i := range weights {
			weights[i] = 1
		}
		m := newSkinCard(weights...)
		setModel(t, r, m)
		s := &picture.Scene{Frame: skinning.NewFrame(m, nil), Surface: picture.SurfaceInfluences}
		shows(t, r, s, colors[min(n, picture.InfluenceSteps)-1], fmt.Sprintf("%d influences", n))
	}
}

// Any of the models shown can be painted, each in its own colours.
func TestTintsOfAnyModel(t *testing.T) {
	r := newTestRenderer(t)
	m, other := newSkinCard(1), newSkinCard(1)
	setModel(t, r, m)
	if err := r.SetBeside(other); err != nil {
		t.Fatal(err)
	}
	middle := func(m *skinning.Model, s picture.Surface) color.NRGBA {
		scene := &picture.Scene{Frame: skinning.NewFrame(m, nil), Surface: s, Camera: picture.Camera{Distance: 6, FOV: 0.5},
			Width:  64,
			Height: 64}
		return pictureOf(t, r, scene).NRGBAAt(32, 32)
	}
	clay := middle(m, picture.SurfaceClay)
	if got := middle(m, picture.SurfacePaint); got != clay {
		t.Errorf("paint without tints is %v, clay %v", got, clay)
	}
	tint := func(c skin.Tint) []skin.Tint { return []skin.Tint{c, c, c, c} }
	for _, set := range []struct {
		m *skinning.Model
		c skin.Tint
	}{{m, skin.Tint{255, 0, 0, 255}}, {other, skin.Tint{0, 0, 255, 255}}} {
		if err := r.SetTints(set.m, tint(set.c)); err != nil {
			t.Fatal(err)
		}
	}
	if c := middle(m, picture.SurfacePaint); c.R < c.B+100 {
		t.Errorf("the first model is %v, expected red", c)
	}
	if c := middle(other, picture.SurfacePaint); c.B < c.R+100 {
		t.Errorf("the second model is %v, expected blue", c)
	}
	if err := r.SetTints(m, nil); err != nil {
		t.Fatal(err)
	}
	if got := middle(m, picture.SurfacePaint); got != clay {
		t.Errorf("with tints taken away the surface is %v, clay %v", got, clay)
	}
}

// shapes is a reference that is no method.
type shapes struct{ of skinning.Method }

func (s shapes) String() string                           { return s.of.String() }
func (s shapes) Positions(f *skinning.Frame) []mgl64.Vec3 { return f.Positions(s.of) }

// A heat map against whole shapes is that against the method that makes them: to one step of a colour.
func TestHeatAgainstShapes(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:tube")
	setModel(t, r, m)
	var pictures [2]*image.NRGBA
	for i, reference := range []skinning.Reference{skinning.DQS, shapes{skinning.DQS}} {
		s := newTestScene(m, 0.9, 96, 64)
		s.Surface, s.Heat = picture.SurfaceHeat, &picture.Heat{Frame: s.Frame, Reference: reference, Full: float32(0.05 * m.Diagonal())}
		var err error
		if pictures[i], err = r.Picture(s); err != nil {
			t.Fatal(err)
		}
	}
	for k, a := range pictures[0].Pix {
		if d := int(a) - int(pictures[1].Pix[k]); d < -1 || d > 1 {
			t.Fatalf("byte %d is %d by a method, %d by its shapes", k, a, pictures[1].Pix[k])
		}
	}
}

// overlays are scenes with everything that can be laid over a model, for tests that look for leaks and errors.
func overlays(m *skinning.Model) (out []picture.Scene) {
	f := newTestScene(m, 0.4, 96, 64)
	for surface := range picture.SurfaceNormals + 1 {
		s := *f
		s.Surface = surface
		if surface == picture.SurfaceHeat {
			s.Heat = &picture.Heat{Frame: s.Frame, Reference: skinning.LBS, Full: 0.01}
		}
		out = append(out, s)
		if surface <= picture.SurfaceHeat {
			s.Recomputed, s.NormalLines, s.Ghost, s.Wireframe = true, 0.02, true, surface == picture.SurfaceHeat
			out = append(out, s)
		}
	}
	return out
}

func TestOverlaysAllocateNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:tube")
	setModel(t, r, m)
	if err := r.SetTints(m, make([]skin.Tint, len(m.Skin.Positions))); err != nil {
		t.Fatal(err)
	}
	framebuffer := newFramebuffer(t, 96, 64)
	scenes := overlays(m)
	for i := range scenes {
		s := &scenes[i]
		step := func() {
			if err := r.Draw(s, framebuffer); err != nil {
				t.Fatal(err)
			}
		}
		step()
		if n := testing.AllocsPerRun(10, step); n != 0 {
			t.Errorf("surface %d: Draw allocates %g times a frame, expected none", s.Surface, n)
		}
		if err := gpu.Error("surface %d", s.Surface); err != nil {
			t.Error(err)
		}
	}
}

// Every overlay draws models without vertices, without triangles or without joints.
func TestOverlaysOfEmptyModels(t *testing.T) {
	r := newTestRenderer(t)
	triangle := skinning.Mesh{
		Positions: []mgl32.Vec3{{}, {1, 0, 0}, {0, 1, 0}}, Normals: []mgl32.Vec3{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
		Parts: []skinning.Part{{VertexCount: 3, Material: -1}},
	}
	node := skinning.Skeleton{Nodes: []skinning.Node{{Parent: -1, Rest: geom.IdentityTransform()}}, Order: []int{0}}
	for name, m := range map[string]*skinning.Model{"nothing": {},
		"points": {Rigid: []skinning.Mesh{triangle}, Skeleton: node}} {
		setModel(t, r, m)
		for _, s := range overlays(m) {
			pictureOf(t, r, &s)
			if err := gpu.Error("%s, surface %d", name, s.Surface); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestHeatWithoutReferencePanics(t *testing.T) {
	r := newTestRenderer(t)
	m, other := newSkinCard(1), assetstest.Open(t, "demo:box")
	setModel(t, r, m)
	if err := r.SetBeside(other); err != nil {
		t.Fatal(err)
	}
	for what, h := range map[string]*picture.Heat{
		"nothing": nil, "no frame": {}, "a model that is not shown": {Frame: skinning.NewFrame(newSkinCard(1), nil)},
		"another number of vertices": {Frame: skinning.NewFrame(other, nil)},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("heat against %s: expected a panic", what)
				}
			}()
			r.Picture(&picture.Scene{Frame: skinning.NewFrame(m, nil), Surface: picture.SurfaceHeat, Heat: h,
				Camera: picture.Camera{Distance: 1},
				Width:  8, Height: 8})
		}()
	}
}
