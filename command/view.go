package command

// This file is the command line's view: the window.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"skinlab/assets"
	"skinlab/render/viewer"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

func runView(o *options, args []string) error {
	path := first(args)
	method, err := parseMethod("method", o.method)
	if err != nil {
		return err
	}
	opt := viewer.Options{Methods: []skinning.Method{method}, Heat: o.heat, Time: o.time, Clay: o.clay,
		ShortestPath: o.shortestPath, NoInterface: o.noInterface}
	if o.size != "" {
		if opt.Width, opt.Height, err = o.parseSize(); err != nil {
			return err
		}
	}
	path = cmp.Or(path, "demo:figure")
	if err := o.checkFile("--screenshot", &o.screenshot, []string{path}, ".png"); err != nil {
		return err
	}
	opt.Screenshot = o.screenshot
	if o.page != "" {
		page, ok := state.ParseTab(o.page)
		if !ok {
			return usagef("--page: %q is not one of model, pose, errors, sweep, timing, fit", o.page)
		}
		opt.Page = &page
	}
	if opt.StartFit, err = o.parseStartFit(); err != nil {
		return err
	}
	if o.paint != "" {
		view, ok := state.ParsePaint(o.paint)
		if !ok {
			return usagef("--paint: %q is not one of groups, keys, turning", o.paint)
		}
		opt.Paint = &view
	}
	if opt.Reference, err = parseMethod("reference", o.reference); err != nil {
		return err
	}
	for _, name := range o.against {
		m, err := parseMethod("against", name)
		if err != nil {
			return err
		}
		if slices.Contains(opt.Methods, m) {
			return usagef("--against: %v is shown already", m)
		}
		opt.Methods = append(opt.Methods, m)
	}
	if opt.Layout, err = o.parseLayout(len(opt.Methods)); err != nil {
		return err
	}
	if err := o.useSettings(&opt); err != nil {
		return err
	}
	m, err := load(path)
	if err != nil {
		return err
	}
	fits := &viewerFits{}
	opt.Fit = fits
	var sources sync.Map // the name that each model was opened by: what an export starts from
	sources.Store(m, path)
	opt.Path, opt.BesidePath, opt.Files, opt.BuiltIn = path, o.beside, assets.Files, assets.BuiltIn()
	opt.Load = func(ctx context.Context, path string, report func(step string, share float64)) (*skinning.Model, error) {
		m, err := assets.OpenContext(ctx, path, report)
		if err == nil {
			sources.Store(m, path)
		}
		return m, err
	}
	opt.Export = func(path string, master, fitted *skinning.Model, ready func() error) (string, error) {
		source, ok := sources.Load(master)
		if !ok {
			return "", fmt.Errorf("%s: no source to export from", master.Name)
		}
		how := fits.options(fitted)
		how.Ready = ready
		export, err := assets.ExportFile(context.Background(), path, source.(string), fitted, how)
		return exportNote(&export), err
	}
	opt.CheckOutput = func(path, ending string, reads []string, replace bool) (string, error) {
		out := assets.Output{Path: path, Endings: []string{ending}, Reads: func() []string { return reads }, Replace: replace}
		return out.Check()
	}
	if o.beside != "" {
		if opt.Beside, err = load(o.beside); err != nil {
			return err
		}
	}
	if opt.Clip, err = o.clipIndex(m, 0); err != nil {
		return err
	}
	opt.Clip = max(opt.Clip, 0) // a model without clips plays a stress clip
	if o.pose != "" {
		if opt.Pose, err = o.readPose(m); err != nil {
			return err
		}
	}
	opt.SavePose, opt.LoadPose, opt.WritePicture = assets.WritePose, assets.ReadPose, assets.WritePNG
	opt.Model = m
	if err := viewer.Run(o.cmd.Context(), opt); err != nil {
		return fmt.Errorf("%w (skinlab render and skinlab compare need no display)", err)
	}
	return o.report(map[string]any{"model": m.Name, "screenshot": o.screenshot}, func() {
		if o.screenshot != "" {
			fmt.Println(o.screenshot)
		}
	})
}

// parseStartFit reads --fit.
func (o *options) parseStartFit() (viewer.FitStart, error) {
	switch o.startFit {
	case "":
		return viewer.NoFit, nil
	case "blend-bones":
		return viewer.FitBlendBones, nil
	case "enveloping":
		return viewer.FitEnveloping, nil
	}
	return 0, usagef("--fit: %q is not one of blend-bones, enveloping", o.startFit)
}

// parseLayout reads --layout, or chooses one that has room for the methods and files of the command line.
func (o *options) parseLayout(methods int) (state.Layout, error) {
	if o.layout != "" {
		l, ok := state.ParseLayout(o.layout)
		if !ok {
			return 0, usagef("--layout: %q is not one, split, two or four", o.layout)
		}
		if need := max(methods, 1); l.Panes() < need {
			return 0, usagef("--layout: %v shows %d pictures, not %d", l, l.Panes(), need)
		}
		return l, nil
	}
	switch {
	case methods > state.MostPanes:
		return 0, usagef("--against: %d pictures at most", state.MostPanes)
	case methods > 2:
		return state.Four, nil
	case o.beside != "":
		return state.Two, nil
	case methods == 2:
		return state.Split, nil
	}
	return state.One, nil
}
