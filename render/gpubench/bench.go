// Package gpubench times posing and pictures on an OpenGL renderer ([Run]), in the rows of package skinning/bench.
package gpubench

import (
	"context"
	"fmt"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render"
	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
)

// Options choose what [Run] times. All fields except Instances, Frames and Progress are required.
type Options struct {
	Subjects  []compare.Subject
	Skinnings []skin.Way
	Instances []int // sizes of crowds; nil for the model alone
	Repeats   int   // rounds of posing, of which medians are reported
	Round     time.Duration
	Frames    int // pictures of which medians are reported; fewer where PictureTime is over, three at least; 0 for none
	// PictureTime bounds the time that is spent on the pictures of one row.
	PictureTime   time.Duration
	Width, Height int                // of a picture
	Progress      func(done, of int) // is told how many rows are timed; may be nil
}

// Result is what [Run] measured.
type Result struct {
	Rows    []bench.Row
	Info    gpu.Info
	Clock   string   // whose time it is: [passes.Timer.Label]
	Skipped []string // rows that could not be, and why
}

// Run times subjects on a headless GL renderer. It times posing separately, as [bench.CPU] times the CPU kernels: each
// subject is compared with linear blending before and after it. It also times whole pictures, pass by pass, with the
// viewer's timer. Rows of a software renderer have the device "software", and their times are wall times to glFinish.
// On an error, or if ctx is done, the result has the rows so far.
func Run(ctx context.Context, m *skinning.Model, opt Options) (result Result, err error) {
	err = render.WithHeadless(func(r *render.Renderer) error {
		b := bencher{r: r, ctx: ctx, model: m, opt: opt, device: "gpu"}
		b.result.Info, b.result.Clock = r.Info(), r.Timer().Label()
		if r.Info().Software {
			b.device = "software"
		} else if !r.Timer().OnGPU() {
			b.device = "gpu, wall time"
		}
		b.copies = newCopier(r)
		defer b.copies.owner.Delete()
		err := b.run()
		result = b.result
		return err
	})
	return result, err
}

type bencher struct {
	r      *render.Renderer
	ctx    context.Context
	model  *skinning.Model
	opt    Options
	device string
	copies *copier
	result Result
}

func (b *bencher) run() error {
	if err := b.r.SetModel(b.model); err != nil {
		return err
	}
	if len(b.model.Skin.Positions) == 0 {
		return fmt.Errorf("%s: no skinned mesh to time", b.model.Name)
	}
	for w, way := range b.opt.Skinnings {
		if err := b.r.SetWay(way); err != nil {
			if len(b.opt.Skinnings) == 1 {
				return err
			}
			b.result.Skipped = append(b.result.Skipped, err.Error())
			continue
		}
		for i, s := range b.opt.Subjects {
			if b.opt.Progress != nil {
				b.opt.Progress(w*len(b.opt.Subjects)+i, len(b.opt.Skinnings)*len(b.opt.Subjects))
			}
			if err := b.subject(s); err != nil {
				return err
			}
		}
	}
	return nil
}

// subject times one subject, alone or in crowds.
func (b *bencher) subject(s compare.Subject) error {
	model := b.model
	if s.Model != nil {
		model = s.Model
		if err := b.r.SetFitted(model, nil); err != nil {
			return err
		}
	}
	if b.opt.Instances == nil {
		return b.time(s, b.loadOf(s, model))
	}
	c := b.r.NewCrowd(model, nil, 0)
	defer c.Close()
	own := c // whose linear blending is the measure
	if model != b.model {
		own = b.r.NewCrowd(b.model, nil, 0)
		defer own.Close()
	}
	for _, n := range b.opt.Instances {
		if most, why := b.r.CrowdLimit(c, s.Method.Reads()); n > most {
			b.result.Skipped = append(b.result.Skipped,
				fmt.Sprintf("%s, %s, %d instances by way of %v: %s", b.model.Name, s.Name, n, b.r.Way(), why))
			continue
		}
		if err := b.time(s, b.crowd(s, c, own, n)); err != nil {
			return err
		}
	}
	return nil
}

// solved returns the rig whose matrices the GPU solves for when a method poses a model, nil for none.
func (b *bencher) solved(m *skinning.Model, method skinning.Method) *skinning.LinearSystem {
	if method.Reads() != 0 {
		return nil
	}
	return b.r.SolvedRig(m)
}

// loadOf poses the model by itself.
func (b *bencher) loadOf(s compare.Subject, model *skinning.Model) *load {
	_, own := bench.Poses(b.model, s.Clip)
	poses, frames := bench.Poses(model, s.Clip)
	for _, f := range frames {
		f.LazyProxies = b.solved(model, s.Method) != nil
	}
	l := &load{instances: 1, palettes: len(poses), scene: picture.Scene{Frame: frames[0], Method: s.Method}}
	l.base = func(scene *picture.Scene, i int) { scene.Frame, scene.Method = own[i%len(own)], skinning.LBS }
	l.next = func(scene *picture.Scene, i int) { scene.Frame, scene.Method = frames[i%len(frames)], s.Method }
	l.palette = func() {
		for k, p := range poses {
			frames[k].SetPose(p)
			frames[k].Prepare(s.Method)
		}
	}
	l.bounds = func() (lo, hi mgl32.Vec3) { return skin.PosedBounds(frames[0]) }
	l.pose = func(i int) { b.r.Timer().SetPose(frames[0], poses[i%len(poses)]) }
	return l
}

// crowd poses a crowd of n, and for linear blending one of the model's own.
func (b *bencher) crowd(s compare.Subject, c, own *skin.Crowd, n int) *load {
	frame, base := skinning.NewFrame(c.Model(), nil), skinning.NewFrame(own.Model(), nil)
	pose := func(seconds float64) { c.Pose(n, s.Clip, seconds, s.Method.Reads()) }
	pose(0)
	l := &load{instances: n, palettes: n, scene: picture.Scene{Frame: frame, Method: s.Method, Crowd: c}}
	l.base = func(scene *picture.Scene, i int) {
		scene.Frame, scene.Method, scene.Crowd = base, skinning.LBS, own
		if i == 0 {
			own.Pose(n, s.Clip, 0, 0)
		}
	}
	l.next = func(scene *picture.Scene, i int) {
		scene.Frame, scene.Method, scene.Crowd = frame, s.Method, c
		if i == 0 {
			pose(0)
		}
	}
	l.palette, l.bounds = func() { pose(0) }, c.Bounds
	l.pose = func(i int) {
		start := time.Now()
		pose(float64(i) / 60)
		b.r.Timer().Add(passes.Palette, time.Since(start))
	}
	return l
}
