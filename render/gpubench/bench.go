package gpubench

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"skinlab/render"
	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
)

// Options choose what [Run] times. All fields but Instances are needed.
type Options struct {
	Subjects  []compare.Subject
	Skinnings []skin.Way
	Instances []int // sizes of crowds; nil for the model alone
	Repeats   int   // rounds of posing, of which medians are reported
	Round     time.Duration
	Frames    int // pictures of which medians are reported; fewer where PictureTime is over, three at least
	// PictureTime bounds the time that is spent on the pictures of one row.
	PictureTime   time.Duration
	Width, Height int // of a picture
}

// Result is what [Run] measured.
type Result struct {
	Rows    []bench.Row
	Info    gpu.Info
	Clock   string   // whose time it is: [passes.Timer.Label]
	Skipped []string // rows that could not be, and why
}

// Run times subjects on a GL renderer, headless: posing alone, as [bench.CPU] times the CPU kernels, with each
// subject held against linear blending before and after it; and whole pictures, pass by pass, by the timer that the
// viewer has. Rows of a software renderer have the device "software", and their times are wall times to glFinish.
func Run(ctx context.Context, m *skinning.Model, opt Options) (result Result, err error) {
	err = render.WithHeadless(func(r *render.Renderer) error {
		b := bencher{r: r, ctx: ctx, model: m, opt: opt, device: "gpu"}
		b.result.Info, b.result.Clock = r.Info(), r.Timer().Label()
		if r.Info().Software {
			b.device = "software"
		} else if !r.Timer().OnGPU() {
			b.device = "gpu, wall time"
		}
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
	result Result
}

func (b *bencher) run() error {
	if err := b.r.SetModel(b.model); err != nil {
		return err
	}
	if len(b.model.Skin.Positions) == 0 {
		return fmt.Errorf("%s: no skinned mesh to time", b.model.Name)
	}
	for _, way := range b.opt.Skinnings {
		if err := b.r.SetWay(way); err != nil {
			if len(b.opt.Skinnings) == 1 {
				return err
			}
			b.result.Skipped = append(b.result.Skipped, err.Error())
			continue
		}
		for _, s := range b.opt.Subjects {
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
		return b.alone(s, model)
	}
	c := b.r.NewCrowd(model, 0)
	defer c.Close()
	own := c // whose linear blending is the measure
	if model != b.model {
		own = b.r.NewCrowd(b.model, 0)
		defer own.Close()
	}
	for _, n := range b.opt.Instances {
		if most, why := b.r.CrowdLimit(c, s.Method.Reads()); n > most {
			b.result.Skipped = append(b.result.Skipped,
				fmt.Sprintf("%s, %s, %d instances by way of %v: %s", b.model.Name, s.Name, n, b.r.Way(), why))
			continue
		}
		if err := b.crowd(s, c, own, n); err != nil {
			return err
		}
	}
	return nil
}

// posing starts the row of a scene with so many instances.
func (b *bencher) posing(m *skinning.Model, s compare.Subject, scene *picture.Scene, instances int) posing {
	p := posing{b: b, vertices: instances * len(m.Skin.Positions), way: b.r.WayOf(scene)}
	if rig := b.r.SolvedRig(m); rig != nil && s.Method.Reads() == 0 {
		p.envelope = bench.NewEnvelope(*rig, 4)
	}
	return p
}

// alone times the model by itself.
func (b *bencher) alone(s compare.Subject, model *skinning.Model) error {
	_, own := bench.Poses(b.model, s.Clip)
	poses, frames := bench.Poses(model, s.Clip)
	posing := b.posing(model, s, &picture.Scene{Frame: frames[0], Method: s.Method}, 1)
	for _, f := range frames {
		f.LazyProxies = posing.envelope != nil
	}
	posing.base = func(scene *picture.Scene, i int) { scene.Frame, scene.Method = own[i%len(own)], skinning.LBS }
	posing.next = func(scene *picture.Scene, i int) { scene.Frame, scene.Method = frames[i%len(frames)], s.Method }
	posing.palette = func() {
		for k, p := range poses {
			frames[k].SetPose(p)
			frames[k].Prepare(s.Method)
		}
	}
	posing.palettes = len(poses)
	row, err := posing.row(s.Name)
	if err != nil {
		return err
	}
	lo, hi := skin.PosedBounds(frames[0])
	scene := b.scene(s, frames[0], lo, hi)
	row.Instances = 1
	frame := frames[0]
	err = b.pictures(&row, &scene, func(i int) { b.r.Timer().SetPose(frame, poses[i%len(poses)]) })
	b.result.Rows = append(b.result.Rows, row)
	return err
}

// crowd times a crowd of n against linear blending of the model's own.
func (b *bencher) crowd(s compare.Subject, c, own *skin.Crowd, n int) error {
	pose := func(seconds float64) { c.Pose(n, s.Clip, seconds, s.Method.Reads()) }
	pose(0)
	model := cmp.Or(s.Model, b.model)
	frame, base := skinning.NewFrame(model, nil), skinning.NewFrame(b.model, nil)
	posing := b.posing(model, s, &picture.Scene{Frame: frame, Method: s.Method, Crowd: c}, n)
	posing.base = func(scene *picture.Scene, i int) {
		if scene.Frame, scene.Method, scene.Crowd = base, skinning.LBS, own; i == 0 {
			own.Pose(n, s.Clip, 0, 0)
		}
	}
	posing.next = func(scene *picture.Scene, i int) {
		if scene.Frame, scene.Method, scene.Crowd = frame, s.Method, c; i == 0 {
			pose(0)
		}
	}
	posing.palette, posing.palettes = func() { pose(0) }, n
	row, err := posing.row(s.Name)
	if err != nil {
		return err
	}
	lo, hi := c.Bounds()
	scene := b.scene(s, frame, lo, hi)
	scene.Crowd = c
	row.Instances = n
	err = b.pictures(&row, &scene, func(i int) {
		start := time.Now()
		pose(float64(i) / 60)
		b.r.Timer().Add(passes.Palette, time.Since(start))
	})
	b.result.Rows = append(b.result.Rows, row)
	return err
}
