package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"skinlab/assets/demo"
	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/lab/reproduce/pages"
	"skinlab/render"
	"skinlab/render/gpu"
	"skinlab/skinning"
	"skinlab/skinning/progress"
)

// work is what the sections of a run share.
type work struct {
	opt   Options
	stage string         // the section that is being made
	made  map[string]any // by key, what sections share, see once

	headless *gpu.Headless
	renderer *render.Renderer
	info     string // what draws the pictures
	noGL     bool   // nothing draws pictures here
}

// size returns full, or quick with --quick.
func (w *work) size(full, quick int) int {
	if w.opt.Quick {
		return quick
	}
	return full
}

// name is [work.size] of a model.
func (w *work) name(full, quick string) string {
	if w.opt.Quick {
		return quick
	}
	return full
}

// once returns what f makes, which is made once for each key.
func once[T any](w *work, key string, f func() (T, error)) (T, error) {
	if have, ok := w.made[key]; ok {
		return have.(T), nil
	}
	out, err := f()
	if err == nil {
		w.made[key] = out
	}
	return out, err
}

// demo returns a built-in model, which sections share and leave as it is.
func (w *work) demo(name string) (*skinning.Model, error) {
	return once(w, name, func() (*skinning.Model, error) { return demo.New(name) })
}

// models returns built-in models and those of the command line.
func (w *work) models(names ...string) ([]*skinning.Model, error) {
	var all []*skinning.Model
	for _, name := range names {
		m, err := w.demo(name)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return append(all, w.opt.Models...), nil
}

// method returns a row of the table of fits.
func (w *work) method(name string) *fit.Method {
	for _, m := range w.opt.Fits {
		if m.Name == name {
			return m
		}
	}
	panic(fmt.Sprintf("reproduce: no fit is called %q", name))
}

// run runs a fit, once for each key.
func (w *work) run(ctx context.Context, key string, job fit.Job) (*fit.Result, error) {
	return once(w, "fit "+job.Method.Name+" of "+job.Model.Name+" "+key, func() (*fit.Result, error) {
		if job.Tests == (training.Tests{}) {
			job.Tests.Clip = -1
		}
		_, end := progress.Begin(ctx, "fitting "+job.Method.Name+" to "+job.Model.Name)
		defer end()
		out, err := fit.Run(ctx, job)
		return out, cmp.Or(err, ctx.Err())
	})
}

// way is one way to run a fit.
type way struct {
	origin pages.Origin
	out    *fit.Result
}

// ways runs a fit as published, if its row has that option, and with our defaults.
func (w *work) ways(ctx context.Context, key string, job fit.Job) (all []way, err error) {
	if hasOption(job.Method, fit.AsPublished) {
		published := job
		published.Values = fit.Values{fit.AsPublished: 1}
		maps.Copy(published.Values, job.Values)
		out, err := w.run(ctx, key+" "+fit.AsPublished, published)
		if err != nil {
			return nil, err
		}
		all = append(all, way{pages.Published, out})
	}
	out, err := w.run(ctx, key, job)
	return append(all, way{pages.Ours, out}), err
}

// hasOption reports whether a fit has an option.
func hasOption(m *fit.Method, name string) bool {
	return slices.ContainsFunc(m.Options, func(o fit.Option) bool { return o.Name == name })
}

// number writes x with a fixed number of decimals.
func number(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }

// span writes the least and the largest of some numbers: "1.0 to 1.3", or the one number that they are.
func span(x []float64, decimals int) string {
	least, most := number(slices.Min(x), decimals), number(slices.Max(x), decimals)
	if least == most {
		return least
	}
	return least + " to " + most
}

// errNoPictures ends a section where the machine draws none.
var errNoPictures = errors.New("this machine has no OpenGL without a display")

// open makes the renderer that draws all pictures of a run.
func (w *work) open() (*render.Renderer, error) {
	if w.renderer != nil {
		return w.renderer, nil
	}
	if w.noGL {
		return nil, errNoPictures
	}
	var err error
	w.headless, err = gpu.NewHeadless()
	if errors.Is(err, gpu.ErrHeadless) {
		w.noGL = true
		return nil, errNoPictures
	} else if err != nil {
		return nil, err
	}
	if w.renderer, err = render.NewRenderer(); err != nil {
		return nil, err
	}
	w.info = w.renderer.Info().Renderer
	return w.renderer, nil
}

// close releases the renderer.
func (w *work) close() {
	if w.renderer != nil {
		w.renderer.Delete()
	}
	if w.headless != nil {
		w.headless.Close()
	}
}
