package gpubench

import (
	"errors"
	"slices"
	"time"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
)

// load is what one row times.
type load struct {
	scene      picture.Scene // of the first pose, without a camera
	instances  int
	base, next func(scene *picture.Scene, i int) // set the i-th pass of linear blending, and of the subject
	palette    func()                            // computes palettes
	palettes   int                               // the number of palettes
	bounds     func() (lo, hi mgl32.Vec3)        // of the scene
	pose       func(i int)                       // poses the scene for the i-th picture
}

// time adds a row. It times posing separately first, then pictures: framed, on the floor, with shadows.
func (b *bencher) time(s compare.Subject, l *load) error {
	row, err := b.posing(s, l)
	if err != nil {
		return err
	}
	if b.opt.Frames == 0 {
		b.result.Rows = append(b.result.Rows, *row)
		return nil
	}
	lo, hi := l.bounds()
	scene := l.scene
	scene.Camera = picture.NewCamera(skin.Box{Lo: lo, Hi: hi}.Corners(), float32(b.opt.Width)/float32(b.opt.Height))
	scene.Grid, scene.Width, scene.Height = true, b.opt.Width, b.opt.Height
	err = b.pictures(row, &scene, l.pose)
	b.result.Rows = append(b.result.Rows, *row)
	return err
}

// seconds returns how long a pass takes, in the mean over some.
func (b *bencher) seconds(next func(*picture.Scene, int), count int) (float64, error) {
	var s picture.Scene
	return b.r.PoseSeconds(&s, count, func(i int) { next(&s, i) })
}

// count returns how many passes a round has.
func (b *bencher) count(next func(*picture.Scene, int)) (int, error) {
	seconds, err := b.seconds(next, 2)
	return max(1, int(b.opt.Round.Seconds()/max(seconds, 1e-9))), err
}

// posing times posing alone.
func (b *bencher) posing(s compare.Subject, l *load) (*bench.Row, error) {
	way := b.r.WayOf(&l.scene)
	baseCount, err := b.count(l.base)
	if err != nil {
		return nil, err
	}
	count, err := b.count(l.next)
	if err != nil {
		return nil, err
	}
	vertices := len(b.model.Skin.Positions)
	moved := 0 // bytes
	if way != skin.InShader {
		moved = l.instances * skinBytes(l.scene.Frame, s.Method)
	}
	var ns, ratio, palette, took, copied []float64
	for range b.opt.Repeats {
		if err := b.ctx.Err(); err != nil {
			return nil, err
		}
		before, err1 := b.seconds(l.base, baseCount)
		seconds, err2 := b.seconds(l.next, count)
		start := time.Now()
		l.palette()
		palette = append(palette, time.Since(start).Seconds()*1e6/float64(l.palettes))
		// the machine's speed drifts: each subject is held against its neighbours in time
		after, err3 := b.seconds(l.base, baseCount)
		rate, err4 := 0.0, error(nil)
		if moved > 0 {
			rate, err4 = b.copies.rate(moved, b.opt.Round)
		}
		if err := errors.Join(err1, err2, err3, err4); err != nil {
			return nil, err
		}
		took, copied = append(took, seconds), append(copied, rate)
		ns = append(ns, seconds*1e9/float64(l.instances*vertices))
		ratio = append(ratio, 2*seconds/(before+after))
	}
	slices.Sort(ns)
	row := &bench.Row{Model: b.model.Name, Vertices: vertices, Method: s.Name, Device: b.device,
		NsPerVertex: bench.Median(ns), RatioToLBS: bench.Ratio(&s, ratio), PaletteUs: bench.Median(palette),
		Picture: &bench.Picture{Instances: l.instances, Skinning: way.String(),
			P95NsPerVertex: ns[(95*len(ns)+99)/100-1]},
	}
	if moved > 0 {
		row.Memory = bench.NewMemory(float64(moved), l.instances*vertices, took, copied)
	}
	if rig := b.solved(l.scene.Frame.Model, s.Method); rig != nil {
		row.Envelope = bench.NewEnvelope(*rig, 4)
	}
	return row, nil
}

// skinBytes returns the bytes of a model's skin that a pass which poses it reads and writes.
func skinBytes(f *skinning.Frame, method skinning.Method) int {
	s := &f.Model.Skin
	to := make([]mgl32.Vec3, len(s.Positions))
	stream := f.Stream(method, to, to, s.Positions, s.Normals, 0)
	return stream.BytesMoved()
}

// errUnanswered reports a driver whose timer queries do not come back.
var errUnanswered = errors.New("render: the driver answers no timer query")

// pictures draws a scene, posed again for each picture, and adds the times of its passes to the row.
func (b *bencher) pictures(row *bench.Row, s *picture.Scene, pose func(i int)) error {
	const warm = 3
	t := b.r.Timer()
	t.SetTiming(passes.TimingPasses)
	defer t.SetTiming(passes.TimingOff)
	t.Reset()
	start := time.Now()
	for i := 0; t.Picture().Len() < b.opt.Frames; i++ {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		if i == warm {
			t.Reset()
			t.Frame()
			start = time.Now()
		}
		missed := t.Missed()
		pose(i)
		if err := b.r.DrawOffscreen(s); err != nil {
			return err
		}
		gl.Flush()
		t.Frame()
		if t.Missed() > missed {
			gl.Finish() // offscreen drawing does not wait for a display: let the GPU catch up
		}
		if i > warm && t.Picture().Len() >= 3 && time.Since(start) > b.opt.PictureTime {
			break
		}
		if i > 100*b.opt.Frames {
			return errUnanswered
		}
	}
	p := row.Picture
	p.Frames = t.Picture().Len()
	p.PictureNs, p.PictureP95Ns = t.Picture().Median()*1e9, t.Picture().P95()*1e9
	p.NsPerInstance = p.PictureNs / float64(p.Instances)
	for _, pass := range passes.All() {
		if w := t.Pass(pass); w.Len() > 0 {
			p.Passes = append(p.Passes, bench.Pass{Pass: pass.String(), MedianNs: w.Median() * 1e9, P95Ns: w.P95() * 1e9})
		}
	}
	return gpu.Error("timing pictures")
}
