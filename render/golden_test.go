package render

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/internal/gltftest"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
)

var update = flag.Bool("update", false,
	"rewrite the golden pictures in testdata/golden; look at the diff before committing it")

// goldenScene is one picture that is kept.
type goldenScene struct {
	name, model, clip string
	seconds           float64
	method            skinning.Method
	yaw               float32
	surface           picture.Surface
	wire              bool
	size              int     // pixels; 0 means goldenSize
	full              float64 // of the heat map, fraction of the diagonal
	joint             int     // of the weights
	lines             float64 // along normals, fraction of the diagonal
	recomputed, ghost bool
	contours          int // of the heat map
	background        picture.Background
}

// goldenScenes show what each pass does: collapse and cure, textures, rigid parts, clay, wireframe, a model in
// centimetres.
var goldenScenes = []goldenScene{
	{name: "box-twist-lbs", model: "demo:box", clip: "twist", seconds: 100, method: skinning.LBS, yaw: 0.6},
	{name: "box-twist-dqs", model: "demo:box", clip: "twist", seconds: 100, method: skinning.DQS, yaw: 0.6},
	{name: "tube-writhe-sbs-clay", model: "demo:tube", clip: "writhe", seconds: 2, method: skinning.SBS, yaw: 0.6,
		surface: picture.SurfaceClay},
	{name: "tube-writhe-dib-wire", model: "demo:tube", clip: "writhe", seconds: 2, method: skinning.DIB, yaw: 0.6,
		wire: true},
	{name: "cesium-man", model: "CesiumMan.glb", clip: "0", seconds: 0.9, method: skinning.DQS, yaw: 0.5},
	{name: "background-grey", model: "CesiumMan.glb", clip: "0", seconds: 0.9, method: skinning.DQS, yaw: 0.5,
		background: picture.Grey},
	{name: "background-light", model: "CesiumMan.glb", clip: "0", seconds: 0.9, method: skinning.DQS, yaw: 0.5,
		background: picture.Light},
	{name: "robot-behind", model: "RobotExpressive.glb", clip: "6", seconds: 0.5, method: skinning.LBS, yaw: 2.4},
	{name: "fox", model: "Fox.glb", clip: "Walk", seconds: 0.3, method: skinning.SDQS, yaw: 0.9},
	{name: "overlay-heat", model: "demo:box", clip: "twist", seconds: 1.7, method: skinning.LBS, yaw: 0.6,
		surface: picture.SurfaceHeat, size: overlaySize, full: 0.05},
	{name: "overlay-contours", model: "demo:box", clip: "twist", seconds: 1.7, method: skinning.LBS, yaw: 0.6,
		surface: picture.SurfaceHeat, full: 0.05, contours: 5},
	{name: "overlay-weights", model: "demo:arm", clip: "flex-twist", seconds: 1, method: skinning.DQS, yaw: 0.4,
		surface: picture.SurfaceWeights, size: overlaySize, joint: 3},
	{name: "overlay-influences", model: "demo:arm", clip: "flex-twist", seconds: 1, method: skinning.DQS, yaw: 0.4,
		surface: picture.SurfaceInfluences, size: overlaySize},
	{name: "overlay-normals", model: "demo:tube", clip: "writhe", seconds: 2, method: skinning.DQS, yaw: 0.6,
		surface: picture.SurfaceNormals, size: overlaySize},
	{name: "overlay-paint", model: "demo:box", clip: "twist", seconds: 1.5, method: skinning.DQS, yaw: 0.6,
		surface: picture.SurfacePaint, size: overlaySize},
	{name: "overlay-normal-lines", model: "CesiumMan.glb", clip: "0", seconds: 0.9, method: skinning.LBS, yaw: 0.6,
		surface: picture.SurfaceClay, size: overlaySize, lines: 0.04},
	{name: "overlay-recomputed", model: "demo:tube", clip: "writhe", seconds: 2, method: skinning.LBS, yaw: 0.6,
		surface: picture.SurfaceClay, recomputed: true, lines: 0.04},
	{name: "overlay-ghost", model: "demo:figure", clip: "0", seconds: 1, method: skinning.DQS, yaw: 0.6, size: overlaySize,
		ghost: true},
	{name: "materials", model: materials},
	{name: "arm-flex-twist", model: "demo:arm", clip: "flex-twist", seconds: 1, method: skinning.DIB, yaw: 0.4,
		surface: picture.SurfaceClay},
}

const (
	goldenSize  = 192
	overlaySize = 128
)

// Tolerances against the kept pictures, made with Mesa's llvmpipe: other versions of it compile shaders a little
// differently, which moves edges and noise by a step here and there. A GPU samples edges at other places and filters
// textures by its own rules.
var (
	mesaTolerance = imageDifference{mean: 0.6, share: 0.005}
	gpuPictures   = imageDifference{mean: 3, share: 0.06}
)

// TestGoldenPictures draws every scene three times: fresh, after another model was shown at another size, and in a new
// context. What a cache or a left-over state changes shows up between the three; what changes the look shows up against
// the kept picture.
func TestGoldenPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, g := range goldenScenes {
		t.Run(g.name, func(t *testing.T) {
			m := g.open(t)
			other := assetstest.Open(t, "demo:tube")
			s := g.scene(t, m)
			first := func() *image.NRGBA {
				r := newTestRenderer(t)
				g.set(t, r, m)
				fresh := pictureOf(t, r, s)
				setModel(t, r, other)
				pictureOf(t, r, newTestScene(other, 1, 100, 37))
				g.set(t, r, m)
				if d := compareImages(fresh, pictureOf(t, r, s)); d.mean != 0 {
					t.Errorf("after another model and size: %v", d)
				}
				return fresh
			}()
			r := newTestRenderer(t)
			g.set(t, r, m)
			if d := compareImages(first, pictureOf(t, r, s)); d.mean != 0 {
				t.Errorf("in a new context: %v", d)
			}
			compareGolden(t, g.name, first, r.Info().Software)
			everyWay(t, r, func(way skin.Way) {
				// Positions differ in the last bits, so that a sample at an edge may fall to the other side.
				if d := compareImages(first, pictureOf(t, r, s)); !(d.mean <= 0.02 && d.share <= 0.001) {
					t.Errorf("%v: %v from the first; tolerance mean 0.02, share 0.1 %%", way, d)
				} else {
					t.Logf("%v: %v", way, d)
				}
				if want := map[bool]picture.VertexSource{true: picture.PosedBy(s.Method),
					false: picture.FromBuffer}[way == skin.InShader &&
					!s.NeedsPosed()]; r.painter.Drawn.Skin != want {
					t.Errorf("%v: the skin was drawn %v, expected %v", way, r.painter.Drawn.Skin, want)
				}
			})
		})
	}
}

// materials is the model that gltftest.Materials makes.
const materials = "materials"

// open opens the model.
func (g *goldenScene) open(t *testing.T) *skinning.Model {
	t.Helper()
	if g.model != materials {
		return assetstest.Open(t, g.model)
	}
	file, _, _ := gltftest.Materials()
	path := filepath.Join(t.TempDir(), materials+".glb")
	if err := os.WriteFile(path, file.Glb(), 0o600); err != nil {
		t.Fatal(err)
	}
	return assetstest.Open(t, path)
}

// set shows the model, in colours that run along it.
func (g *goldenScene) set(t *testing.T, r *Renderer, m *skinning.Model) {
	t.Helper()
	setModel(t, r, m)
	if g.surface != picture.SurfacePaint {
		return
	}
	lo, hi := m.RestBounds()
	tints := make([]skin.Tint, len(m.Skin.Positions))
	for v, p := range m.Skin.Positions {
		u := p.Sub(lo).Dot(hi.Sub(lo)) / hi.Sub(lo).LenSqr()
		tints[v] = skin.Tint{uint8(255 * u), 40, uint8(255 * (1 - u)), 220}
	}
	if err := r.SetTints(m, tints); err != nil {
		t.Fatal(err)
	}
}

func (g *goldenScene) scene(t *testing.T, m *skinning.Model) *picture.Scene {
	t.Helper()
	clip := -1
	if g.clip != "" {
		var err error
		if clip, err = m.ClipIndex(g.clip); err != nil {
			t.Fatal(err)
		}
	}
	f := skinning.NewFrame(m, nil)
	pose := m.NewPose()
	m.SamplePose(pose, clip, g.seconds)
	f.SetPose(pose)
	size := cmp.Or(g.size, goldenSize)
	s := &picture.Scene{Method: g.method, Frame: f, Surface: g.surface, Wireframe: g.wire, Grid: true, Width: size,
		Background: g.background,
		Height:     size}
	s.Heat = &picture.Heat{Frame: f, Reference: skinning.DQS, Full: float32(g.full * m.Diagonal()),
		Contours: g.contours}
	s.Joint = g.joint
	s.NormalLines, s.Recomputed, s.Ghost = float32(g.lines*m.Diagonal()), g.recomputed, g.ghost
	s.Camera = picture.NewCamera(nil, 1)
	s.Camera.Yaw = g.yaw
	s.Camera.Frame(skin.Posed(f), 1, picture.Whole)
	return s
}

func compareGolden(t *testing.T, name string, got *image.NRGBA, software bool) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name+".png")
	if *update {
		if err := writePNG(path, got); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := readPNG(path)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("%v; run the test with -update and look at the picture", err)
	} else if err != nil {
		t.Fatal(err)
	}
	limit := gpuPictures
	if software {
		limit = mesaTolerance
	}
	d := compareImages(got, want)
	t.Attr("picture:"+name, fmt.Sprintf("%.3g %.3g %.3g %.3g", d.mean, limit.mean, d.share, limit.share))
	if !(d.mean <= limit.mean && d.share <= limit.share) {
		seen := filepath.Join(t.ArtifactDir(), name+".png")
		if err := writePNG(seen, got); err != nil {
			t.Error(err)
		}
		t.Errorf("%v; tolerance mean %g, share %g %%; drawn: %s", d, limit.mean, 100*limit.share, seen)
	}
}

func writePNG(path string, img image.Image) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(file, img), file.Close())
}

func readPNG(path string) (*image.NRGBA, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		return nil, err
	}
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Src)
	return out, nil
}
