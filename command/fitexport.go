package command

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"skinlab/assets/gltf"
	"skinlab/assets/gltf/export"
	"skinlab/fit"
	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// export writes the fitted model to the output, if there is one, also after Ctrl-C: the best model so far is usable.
// After Ctrl-C during baking, the clips that are left are baked coarsely.
func (c *fitCommand) export(ctx context.Context, source string, m *skinning.Model, out *fit.Result) error {
	if c.Path == "" {
		return nil
	}
	r := out.Report
	opt := exportOptions(r, out.Model, c.fps, c.threads)
	opt.Hurry, opt.Ready = ctx.Done(), c.Recheck
	suggested, err := c.beside.writePoses(ctx, c, m, out)
	if err != nil {
		return err
	}
	if suggested != nil {
		opt.Clips = []skinning.Clip{*suggested}
	}
	if out.Whole {
		written, err := export.Whole(c.Path, source, out.Model, opt)
		r.Output, r.Note = c.Path, wholeNote(out.Model, &written)
		return err
	}
	if ctx.Err() != nil { // the fit was cancelled: its clips are worth another Ctrl-C
		fmt.Fprintf(os.Stderr, "cancelled: writing the best so far to %s; Ctrl-C again bakes its clips coarsely\n", c.Path)
		again, stop := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(again, stop)
		opt.Hurry = again.Done()
	}
	progress, end := fit.BakingProgress(os.Stderr)
	opt.Progress = progress
	written, err := export.File(context.WithoutCancel(ctx), c.Path, source, out.Model, opt)
	end()
	if err != nil {
		return err
	}
	r.Output, r.Note, r.KeyError = c.Path, exportNote(out.Model, r.Diagonal, &written), &written.MaxError
	opt.Progress, opt.Clips = nil, nil
	return c.beside.writeLevels(ctx, c, source, out, opt)
}

func exportOptions(r *fit.Report, m *skinning.Model, fps float64, workers int) export.Options {
	extras := map[string]any{gltf.FitKey: r.Method, gltf.TeacherKey: r.Operator, "ee": r.EE, "rms": r.RMS, "max": r.Max,
		"train": r.Train, "frames": r.Frames}
	if r.For != "" {
		extras[gltf.ForKey] = r.For
	}
	return export.Options{RMS: r.RMS, Spare: r.Clips.Spare(m.Clips), FPS: fps, Workers: workers, Extras: extras}
}

// wholeNote lists the parts of a new model, and the parts of its source that it does not have.
func wholeNote(m *skinning.Model, e *export.Report) string {
	note := fmt.Sprintf("a new model: %s, %s, %s, %d bytes",
		messages.Count(len(m.Skin.Positions), "vertex", "vertices"),
		messages.Count(len(m.Skeleton.Joints), "joint", "joints"), messages.Count(len(m.Clips), "clip", "clips"), e.Bytes)
	return withWarnings(note, e)
}

// exportNote says what was written, and its faults.
func exportNote(fitted *skinning.Model, diagonal float64, e *export.Report) string {
	_, bone := fitted.AddedBones()
	bone = cmp.Or(bone, "bone")
	note := fmt.Sprintf("%s on %s, %s baked, largest error between keys %s, %d bytes",
		messages.Count(e.Bones, bone, bone+"s"), messages.Count(e.AddedNodes, "node", "nodes"),
		messages.Count(len(e.Clips), "clip", "clips"),
		messages.ReportLength(e.MaxError, diagonal), e.Bytes)
	if e.Bones == 0 {
		note = fmt.Sprintf("no bones added, weights of the model's own joints, %d bytes", e.Bytes)
	}
	return withWarnings(note, e)
}

func withWarnings(note string, e *export.Report) string {
	return strings.Join(append([]string{note}, e.Warnings...), "\nwarning: ")
}
