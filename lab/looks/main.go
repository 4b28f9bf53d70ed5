// Command looks holds skinlab's materials against independent renderers of the same files: Cycles, Blender's path
// tracer, by Blender's own reader of glTF, and three.js in a browser. All have the same surroundings, which come with
// Blender, and the same camera. `make looks` runs it. It prints tables of mean colours, and writes a picture of all
// models side by side: by skinlab, by three.js, by Cycles where surfaces see nothing but the surroundings, as in these
// two, and by Cycles as it is.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/assets"
	"skinlab/assets/hdr"
	"skinlab/internal/gltftest"
	"skinlab/render"
	"skinlab/render/environment"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
)

func init() { runtime.LockOSThread() } // GL contexts stay on the first thread

// job is a picture for looks.py.
type job struct {
	File   string     `json:"file"`
	Out    string     `json:"out"`    // .f32 files: linear RGBA, rows from below
	Camera mgl32.Mat4 `json:"camera"` // its place in the world, columns; glTF's axes
	FOV    float32    `json:"fov"`    // vertical, radians
	Size   int        `json:"size"`
}

// ways are the columns of the picture that others draw, by the ending of their files.
var ways = []struct{ ending, name string }{
	{"three", "three.js"}, {"alone", "Cycles, surroundings alone"}, {"whole", "Cycles"}}

func main() {
	models := flag.String("models", "../../shared/models", "folder of the models")
	world := flag.String("world", "forest",
		"Blender's surroundings: city, courtyard, forest, interior, night, studio, sunrise, sunset")
	size := flag.Int("size", 174, "pixels of a side of a picture")
	samples := flag.Int("samples", 128, "samples of a pixel by Cycles")
	keep := flag.String("keep", "", "folder for what is made on the way (default: a temporary one)")
	browser := flag.String("browser", "chromium", "Chromium, for three.js")
	drawn := flag.Bool("drawn", false, "take Cycles' pictures from -keep, where an earlier run has left them")
	out := flag.String("o", "looks.png", "PNG file to write")
	flag.Parse()
	if err := run(*models, *world, *browser, *keep, *out, *size, *samples, *drawn); err != nil {
		fmt.Fprintln(os.Stderr, "looks:", err)
		os.Exit(1)
	}
}

func run(models, world, browser, folder, out string, size, samples int, drawn bool) (err error) {
	if folder == "" {
		if folder, err = os.MkdirTemp("", "looks"); err != nil {
			return err
		}
		defer os.RemoveAll(folder)
	}
	spheres := filepath.Join(folder, "spheres.glb")
	file, names, places := gltftest.Materials()
	if err := os.WriteFile(spheres, file.Glb(), 0o644); err != nil {
		return err
	}
	files := []string{spheres}
	for _, name := range []string{"CesiumMan.glb", "Knight.glb", "RobotExpressive.glb"} {
		files = append(files, filepath.Join(models, name))
	}
	var jobs []job
	var scenes []picture.Scene
	for _, file := range files {
		scene, err := sceneOf(file, size)
		if err != nil {
			return err
		}
		if file == spheres {
			scene.Camera.Yaw, scene.Camera.Pitch = 0, 0
			scene.Camera.Frame(skin.Posed(scene.Frame), 1, picture.Whole)
		}
		scenes = append(scenes, scene)
		file, err = filepath.Abs(file)
		jobs = append(jobs, job{file, filepath.Base(file), scene.Camera.View().Inv(), scene.Camera.FOV, size})
		if err != nil {
			return err
		}
	}
	if !drawn {
		if err := cycles(folder, world, samples, jobs); err != nil {
			return err
		}
	}
	if err := threeJS(browser, folder, jobs); err != nil {
		return fmt.Errorf("three.js: %w", err)
	}
	surroundings, err := hdr.Open(filepath.Join(folder, "world.hdr"))
	if err != nil {
		return err
	}
	light := environment.New(128, surroundings.Radiance, mgl32.Vec3{})
	sheet := image.NewNRGBA(image.Rect(0, 0, (1+len(ways))*size, len(scenes)*size))
	return errors.Join(render.WithHeadless(func(r *render.Renderer) error {
		for row := range scenes {
			scenes[row].Environment = light
			if err := r.SetModel(scenes[row].Frame.Model); err != nil {
				return err
			}
			ours, err := r.Picture(&scenes[row])
			if err != nil {
				return err
			}
			pictures := []*image.NRGBA{ours}
			for _, way := range ways {
				theirs, err := readLinear(filepath.Join(folder, jobs[row].Out+"."+way.ending+".f32"), size)
				if err != nil {
					return err
				}
				pictures = append(pictures, theirs)
			}
			for column, p := range pictures {
				place(sheet, p, image.Pt(column*size, row*size))
			}
			if row == 0 {
				printSpheres(&scenes[row].Camera, pictures, names, places)
			} else {
				printWhole(jobs[row].Out, pictures)
			}
		}
		return nil
	}), write(out, sheet))
}

// sceneOf is a model as its file shows it at rest, seen as by `skinlab render`.
func sceneOf(file string, size int) (picture.Scene, error) {
	m, err := assets.Open(file)
	if err != nil {
		return picture.Scene{}, err
	}
	f := skinning.NewFrame(m, nil)
	f.SetPose(m.NewPose())
	return picture.Scene{Frame: f, Width: size, Height: size, Transparent: true,
		Camera: picture.NewCamera(skin.Posed(f), 1)}, nil
}

// cycles runs Blender, which leaves world.hdr and the pictures of all jobs in a folder.
func cycles(folder, world string, samples int, jobs []job) error {
	input, err := json.Marshal(map[string]any{"folder": folder, "world": world, "samples": samples, "jobs": jobs})
	if err != nil {
		return err
	}
	command := exec.Command("blender", "-b", "--factory-startup", "--python-exit-code", "1", "-P", "looks/looks.py")
	command.Stdin = bytes.NewReader(input)
	if said, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("blender: %w: %s", err, said[max(0, len(said)-2000):])
	}
	return nil
}

// readLinear reads a picture by Cycles as skinlab shows one: by its tone curve, as sRGB.
func readLinear(path string, size int) (*image.NRGBA, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := make([]float32, 4*size*size)
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, values); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for i := range size * size {
		p := values[4*i:]
		c := toneMap(mgl32.Vec3{p[0], p[1], p[2]}.Mul(1 / max(p[3], 1e-4))) // Cycles multiplies colours by alpha
		img.SetNRGBA(i%size, size-1-i/size, color.NRGBA{encode(c[0]), encode(c[1]), encode(c[2]), uint8(255*p[3] + 0.5)})
	}
	return img, nil
}

// toneMap is that of shaders/tone.glsl.
func toneMap(c mgl32.Vec3) mgl32.Vec3 {
	const start, desaturation = 0.76, 0.15
	peak := max(c[0], c[1], c[2])
	if peak < start {
		return c
	}
	rolled := 1 - (1-start)*(1-start)/(peak+1-2*start)
	g := 1 / (desaturation*(peak-rolled) + 1)
	return c.Mul(rolled / peak * g).Add(mgl32.Vec3{rolled, rolled, rolled}.Mul(1 - g))
}

func encode(x float32) uint8 {
	c := math.Min(math.Max(float64(x), 0), 1)
	if c < 0.0031308 {
		c *= 12.92
	} else {
		c = 1.055*math.Pow(c, 1/2.4) - 0.055
	}
	return uint8(255*c + 0.5)
}

// place puts a picture on a grey sheet.
func place(sheet, p *image.NRGBA, at image.Point) {
	for i := range p.Rect.Dx() * p.Rect.Dy() {
		x, y := i%p.Rect.Dx(), i/p.Rect.Dx()
		c := p.NRGBAAt(x, y)
		mix := func(v uint8) uint8 { return uint8((int(v)*int(c.A) + 90*(255-int(c.A))) / 255) }
		sheet.SetNRGBA(at.X+x, at.Y+y, color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 255})
	}
}

// mean returns the mean colour of the pixels of a picture that count, of 255.
func mean(p *image.NRGBA, counts func(x, y int) bool) (sum [3]float64) {
	n := 0.0
	for y := range p.Rect.Dy() {
		for x := range p.Rect.Dx() {
			if c := p.NRGBAAt(x, y); counts(x, y) {
				sum[0], sum[1], sum[2], n = sum[0]+float64(c.R), sum[1]+float64(c.G), sum[2]+float64(c.B), n+1
			}
		}
	}
	for k := range sum {
		sum[k] /= max(n, 1)
	}
	return sum
}

// printSpheres prints the mean colours of the spheres.
func printSpheres(c *picture.Camera, pictures []*image.NRGBA, names []string, places []mgl32.Vec3) {
	fmt.Print("| material | skinlab |")
	for _, way := range ways {
		fmt.Printf(" %s |", way.name)
	}
	fmt.Println("\n|---|---|---|---|---|")
	half := float64(pictures[0].Rect.Dx()) / 2
	pixel := func(p mgl32.Vec3) (x, y float64) {
		at := c.Projected(p, 1)
		return half * (1 + float64(at[0])), half * (1 - float64(at[1]))
	}
	for i, middle := range places {
		x, y := pixel(middle)
		edge, _ := pixel(middle.Add(mgl32.Vec3{gltftest.MaterialRadius, 0, 0}))
		fmt.Printf("| %s |", names[i])
		for _, p := range pictures {
			m := mean(p, func(px, py int) bool {
				return math.Hypot(float64(px)+0.5-x, float64(py)+0.5-y) < 0.96*(edge-x)
			})
			fmt.Printf(" %.0f %.0f %.0f |", m[0], m[1], m[2])
		}
		fmt.Println()
	}
}

// printWhole prints the mean colours of a model, and how far skinlab's pixels are from Cycles'.
func printWhole(name string, pictures []*image.NRGBA) {
	inside := func(x, y int) bool {
		for _, p := range pictures {
			if p.NRGBAAt(x, y).A < 250 {
				return false
			}
		}
		return true
	}
	m := mean(pictures[0], inside)
	fmt.Printf("| %s | %.0f %.0f %.0f |", name, m[0], m[1], m[2])
	for _, p := range pictures[1:] {
		m := mean(p, inside)
		off := image.NewNRGBA(p.Rect)
		for i := range p.Pix {
			off.Pix[i] = uint8(math.Abs(float64(p.Pix[i]) - float64(pictures[0].Pix[i])))
		}
		d := mean(off, inside)
		fmt.Printf(" %.0f %.0f %.0f (off by %.0f) |", m[0], m[1], m[2], (d[0]+d[1]+d[2])/3)
	}
	fmt.Println()
}

func write(path string, img image.Image) error {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
