package render

import (
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/gpu"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/rig"
)

func newTestCrowd(t testing.TB, r *Renderer, m *skinning.Model, workers int) *skin.Crowd {
	t.Helper()
	c := r.NewCrowd(m, nil, workers)
	t.Cleanup(c.Close)
	return c
}

// readCrowd poses a crowd as Draw would and reads the vertices of all instances back: the skins, then the rigid meshes.
func readCrowd(t testing.TB, r *Renderer, c *skin.Crowd, f *skinning.Frame, method skinning.Method) []skin.Vertex {
	t.Helper()
	return readCrowdOf(t, r, &picture.Scene{Frame: f, Method: method, Crowd: c})
}

// readCrowdOf is readCrowd for a scene.
func readCrowdOf(t testing.TB, r *Renderer, s *picture.Scene) []skin.Vertex {
	t.Helper()
	gpu.ResetState()
	g := r.modelOf(s.Frame)
	way := r.way(g, s)
	if err := r.pose(g, s, way, nil); err != nil {
		t.Fatal(err)
	}
	var d picture.Drawn
	d.Set(s, picture.Posed{Model: g, Way: way, Crowd: r.poser.Crowd})
	// What the mesh pass's vertex stage hands on, which for a buffer is read from there by instance.
	return captureDrawn(t, &d)
}

// TestCrowdMatchesSingle holds every instance of a crowd against the same model posed alone at the instance's time,
// moved to its place: models with rigid meshes, morph targets, further influences and an added binding, by every method
// and way of skinning; a rig that was fitted to turns past 180 degrees is driven so. The palettes are the same numbers,
// so that only the move has other rounding.
func TestCrowdMatchesSingle(t *testing.T) {
	if testing.Short() {
		t.Skip("short: every method of every crowd")
	}
	for _, name := range []string{
		"demo:tube", "CesiumMan.glb", "RobotExpressive.glb", "hostile/two_weight_sets.glb", "hostile/morph_and_skin.glb",
		"fitted demo:box", "fitted long demo:box",
	} {
		t.Run(name, func(t *testing.T) {
			file, fit := strings.CutPrefix(name, "fitted ")
			file, long := strings.CutPrefix(file, "long ")
			m := assetstest.Open(t, file)
			r := newTestRenderer(t)
			setModel(t, r, m)
			methods := skinning.Methods()
			if fit {
				m = halfway(t, m)
				skinning.RigOf[*rig.BlendBones](m).LongWay = long
				if err := r.SetFitted(m, nil); err != nil {
					t.Fatal(err)
				}
				methods = methods[:1]
			}
			c := newTestCrowd(t, r, m, 3)
			clip := len(m.Clips) - 1
			if long {
				clip = slices.IndexFunc(m.Clips, func(c skinning.Clip) bool { return c.Name == "full-turn" })
			}
			posed := compare.Pose(m, clip, true)
			g := r.modelOf(posed.At(0))
			const instances = 11
			for _, method := range methods {
				c.Pose(instances, clip, 0.37*m.Clips[clip].Seconds, method.Reads())
				everyWay(t, r, func(way skin.Way) {
					got := readCrowd(t, r, c, posed.At(0), method)
					for i := range instances {
						compareInstance(t, g.Model, got, readPosed(t, r, posed.At(c.Time(i)), method), c, i,
							fmt.Sprintf("%v, %v", method, way))
					}
				})
			}
		})
	}
}

func compareInstance(t *testing.T, g *skin.Model, got, want []skin.Vertex, c *skin.Crowd, i int, what string) {
	t.Helper()
	lo, hi := c.Bounds()
	tolerance := 2e-7*hi.Sub(lo).Len() + gpuTolerance/5*g.Diagonal // the rounding of a coordinate of the crowd's size
	skin, rigid := g.Streams.SkinVertices, g.Streams.All-g.Streams.SkinVertices
	for v := range want {
		at := i*skin + v
		if v >= skin {
			at = c.Instances()*skin + i*rigid + v - skin
		}
		d := got[at].Position.Sub(want[v].Position.Add(c.Place(i))).Len()
		n := got[at].Normal.Sub(want[v].Normal).Len()
		if !(d <= tolerance && n <= 1e-4) {
			t.Errorf("%s, instance %d, vertex %d: %.3g m off, normal %.3g; tolerance %.3g m, 1e-4", what, i, v, d, n, tolerance)
			return
		}
	}
}

// A crowd's picture is the same by every way of skinning, and nothing is allocated for it.
func TestCrowdPicture(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := newTestRenderer(t)
	m := assetstest.Open(t, "CesiumMan.glb")
	setModel(t, r, m)
	c := newTestCrowd(t, r, m, 2)
	s := newTestScene(m, 0.4, 160, 90)
	s.Method = skinning.DQS
	alone := pictureOf(t, r, s)
	s.Crowd = c
	c.Pose(1, 0, 0.4, s.Method.Reads())
	if d := compareImages(alone, pictureOf(t, r, s)); d.mean != 0 {
		t.Errorf("a crowd of one is not the model: %v", d)
	}
	const n = 6
	c.Pose(n, 0, 0.4, s.Method.Reads())
	lo, hi := c.Bounds()
	s.Camera.Frame(skin.Box{Lo: lo, Hi: hi}.Corners(), 16./9, picture.Whole)
	s.Width, s.Height = 96, 54
	s.Wireframe = true
	first := pictureOf(t, r, s)
	everyWay(t, r, func(way skin.Way) {
		c.Pose(n, 0, 0.4, s.Method.Reads())
		if d := compareImages(first, pictureOf(t, r, s)); !(d.mean <= 0.05 && d.share <= 0.002) { // samples at edges
			t.Errorf("%v: %v from the first; tolerance mean 0.05, share 0.2 %%", way, d)
		}
		at := 0.4
		framebuffer := newFramebuffer(t, 96, 54)
		step := func() {
			at += 0.01
			c.Pose(n, 0, at, s.Method.Reads())
			if err := r.Draw(s, framebuffer); err != nil {
				t.Fatal(err)
			}
		}
		step()
		if n := testing.AllocsPerRun(3, step); n != 0 {
			t.Errorf("%v: %g allocations a frame, expected none", way, n)
		}
	})
	s.Surface, s.Heat = picture.SurfaceHeat, &picture.Heat{Frame: s.Frame, Reference: skinning.LBS, Full: 1}
	clay := pictureOf(t, r, s)
	s.Surface, s.Heat = picture.SurfaceClay, nil
	if d := compareImages(clay, pictureOf(t, r, s)); d.mean != 0 {
		t.Errorf("a crowd's surface of numbers is not clay: %v", d)
	}
	c.Pose(65, 0, 0.4, s.Method.Reads())
	if c.Shadows() {
		t.Error("a crowd of 65 casts shadows")
	}
	pictureOf(t, r, s)
}

// TestGoldenCrowd keeps a crowd's picture: places, times, shadows and the floor. It is drawn by every way of skinning,
// and again after another model.
func TestGoldenCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:figure")
	draw := func() *image.NRGBA {
		setModel(t, r, m)
		c := newTestCrowd(t, r, m, 2)
		s := newTestScene(m, 0.4, 192, 108)
		s.Crowd, s.Method = c, skinning.SBS
		c.Pose(9, 0, 0.4, s.Method.Reads())
		lo, hi := c.Bounds()
		s.Camera = picture.NewCamera(skin.Box{Lo: lo, Hi: hi}.Corners(), 192./108)
		return pictureOf(t, r, s)
	}
	first := draw()
	compareGolden(t, "crowd", first, r.Info().Software)
	everyWay(t, r, func(way skin.Way) {
		if d := compareImages(first, draw()); !(d.mean <= 0.02 && d.share <= 0.001) { // samples at edges
			t.Errorf("%v: %v from the first; tolerance mean 0.02, share 0.1 %%", way, d)
		}
		other := assetstest.Open(t, "demo:tube")
		setModel(t, r, other)
		pictureOf(t, r, newTestScene(other, 1, 100, 37))
	})
}

// What does not fit is refused with the reason and the number that fits, by the ways that need the room alone, and a
// crowd of that number is drawn.
func TestCrowdLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:box")
	setModel(t, r, m)
	c := newTestCrowd(t, r, m, 0)
	s := newTestScene(m, 0.4, 32, 32)
	s.Crowd = c
	if err := r.SetWay(skin.InShader); err != nil {
		t.Fatal(err)
	}
	if n, why := r.CrowdLimit(c, skinning.DQS.Reads()); n != skin.MaxInstances || why != "" {
		t.Errorf("%d boxes fit, %q", n, why)
	}
	r.poser.Texels = 3 * 2 * r.model.Streams.All
	texels := 8 * (len(m.Skeleton.Joints) + len(m.Rigid)) // of an instance's palette
	fits := r.poser.Texels / max(texels, 2*r.model.Streams.All)
	everyWay(t, r, func(way skin.Way) {
		n, why := r.CrowdLimit(c, skinning.DQS.Reads())
		if want := map[bool]int{true: min(skin.MaxInstances, r.poser.Texels/texels),
			false: fits}[way == skin.InShader]; n != want {
			t.Errorf("%v: %d fit, expected %d", way, n, want)
		}
		c.Pose(n+1, 0, 0.1, skinning.DQS.Reads())
		_, err := r.Picture(s)
		if !errors.Is(err, skin.ErrCrowd) || !strings.Contains(err.Error(), why) || why == "" {
			t.Errorf("%v: %d instances where %d fit: error %v, reason %q", way, n+1, n, err, why)
		}
		c.Pose(n, 0, 0.1, skinning.DQS.Reads())
		pictureOf(t, r, s)
	})
	r.poser.Texels = 1
	if n, _ := r.CrowdLimit(c, skinning.DQS.Reads()); n != 1 {
		t.Errorf("%d fit into nothing, expected the one that is always drawn", n)
	}
	c.Pose(1, 0, 0.1, skinning.DQS.Reads())
	pictureOf(t, r, s)
}
