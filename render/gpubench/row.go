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

// posing is the part of a row that times posing alone.
type posing struct {
	b          *bencher
	vertices   int                               // of one pass
	base, next func(scene *picture.Scene, i int) // the i-th pass of linear blending, and of the subject
	palette    func()                            // computes palettes
	palettes   int                               // so many
	way        skin.Way                          // of the subject
	envelope   *bench.Envelope
}

// count returns how many passes a round has.
func (p *posing) count(next func(*picture.Scene, int)) (int, error) {
	seconds, err := p.seconds(next, 2)
	return max(1, int(p.b.opt.Round.Seconds()/max(seconds, 1e-9))), err
}

func (p *posing) seconds(next func(*picture.Scene, int), count int) (float64, error) {
	var s picture.Scene
	return p.b.r.PoseSeconds(&s, count, func(i int) { next(&s, i) })
}

// row runs the rounds.
func (p *posing) row(name string) (bench.Row, error) {
	baseCount, err := p.count(p.base)
	if err != nil {
		return bench.Row{}, err
	}
	count, err := p.count(p.next)
	if err != nil {
		return bench.Row{}, err
	}
	var ns, ratio, palette []float64
	for range p.b.opt.Repeats {
		if err := p.b.ctx.Err(); err != nil {
			return bench.Row{}, err
		}
		before, err1 := p.seconds(p.base, baseCount)
		seconds, err2 := p.seconds(p.next, count)
		start := time.Now()
		p.palette()
		palette = append(palette, time.Since(start).Seconds()*1e6/float64(p.palettes))
		// the machine's speed drifts: each subject is held against its neighbours in time
		after, err3 := p.seconds(p.base, baseCount)
		if err := errors.Join(err1, err2, err3); err != nil {
			return bench.Row{}, err
		}
		ns = append(ns, seconds*1e9/float64(p.vertices))
		ratio = append(ratio, 2*seconds/(before+after))
	}
	slices.Sort(ns)
	m := p.b.model
	return bench.Row{Model: m.Name, Vertices: len(m.Skin.Positions), Method: name, Device: p.b.device,
		NsPerVertex: bench.Median(ns), RatioToLBS: bench.Median(ratio), PaletteUs: bench.Median(palette),
		Envelope: p.envelope,
		Picture:  &bench.Picture{Skinning: p.way.String(), P95NsPerVertex: ns[(95*len(ns)+99)/100-1]},
	}, nil
}

// scene is the picture that is timed: framed, on the floor, with shadows.
func (b *bencher) scene(s compare.Subject, frame *skinning.Frame, lo, hi mgl32.Vec3) picture.Scene {
	return picture.Scene{
		Camera: picture.NewCamera(lo, hi, float32(b.opt.Width)/float32(b.opt.Height)), Method: s.Method, Frame: frame,
		Grid:  true,
		Width: b.opt.Width, Height: b.opt.Height,
	}
}

// errUnanswered reports a driver whose timer queries do not come back.
var errUnanswered = errors.New("render: the driver answers no timer query")

// pictures draws a scene, posed anew for each picture, and adds what its passes take to the row.
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
		if t.Frame(); t.Missed() > missed {
			gl.Finish() // no display holds back who draws offscreen: let the GPU come after
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
