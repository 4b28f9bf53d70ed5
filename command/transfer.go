package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/pflag"

	"skinlab/assets/gltf/export"
	"skinlab/assets/posefile"
	"skinlab/assets/shapefile"
	"skinlab/command/flags"
	"skinlab/fit/training"
	"skinlab/fit/transfer"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/progress"
)

type transferCommand struct {
	clip, name, method string
	pose               string // a file
	start              int    // a frame, −1 for the one that is found
	fps                float64
	threads            int
	flags.Output
}

func (c *transferCommand) register(f *pflag.FlagSet) {
	f.StringVar(&c.clip, "clip", "", "clip of a SEQUENCE in one file: a name or an index "+
		"(default: the first that shows morph targets, else the first)")
	f.Float64Var(&c.fps, "fps", 0,
		"frames a second: of a folder (default 24), or to take from a clip (default: the keys of morph targets, else 30)")
	f.StringVar(&c.method, "method", "", "how the body is posed: lbs or twist-swing "+
		"(default: twist-swing where the body has weights for it, else lbs)")
	flags.TakeWords(f, "method", skinning.LBS.String(), skinning.TwistSwing.String())
	f.IntVar(&c.start, "start", -1, "frame of the SEQUENCE that the fit begins with, from 0 "+
		"(default: one that is like a known pose)")
	f.StringVar(&c.pose, "pose", "", "a pose file that the viewer saved: the known pose, which the first frame is like "+
		"(default: the bind pose and poses of the body's clips)")
	f.StringVar(&c.name, "name", "transfer", "name of the new clip")
	f.IntVar(&c.threads, "threads", 0, "threads to fit on; the result does not depend on it (default: all)")
	c.Output.Register(f, "GLB file to write: BODY with one clip more")
}

func (c *transferCommand) run(ctx context.Context, args []string) error {
	body, from := args[0], args[1]
	switch {
	case c.Path == "":
		return flags.Usagef("transfer: no output: give -o FILE.glb")
	case !(c.fps >= 0 && c.fps <= 1000) || c.threads < 0:
		return flags.Usagef("transfer: --fps is from 0 to 1000, --threads is not negative")
	case c.start < -1:
		return flags.Usagef("transfer: --start is a frame, from 0")
	case c.name == "":
		return flags.Usagef("transfer: --name is empty")
	}
	reads := func() []string {
		files := append(flags.ModelFiles(body, from), shapeFiles(from)...)
		if c.pose != "" {
			files = append(files, c.pose)
		}
		return files
	}
	if err := c.Check(reads, ".glb"); err != nil {
		return err
	}
	flags.LimitMemory(reads(), false)
	m, err := flags.Load(ctx, body)
	if err != nil {
		return err
	}
	for i := range m.Clips {
		if m.Clips[i].Name == c.name {
			return flags.Usagef("%s: it has a clip %q: give another --name", m.Name, messages.Shortened(c.name))
		}
	}
	sequence, err := c.sequence(ctx, from)
	if err != nil {
		return err
	}
	opt := transfer.Options{Linear: c.linear(m), Workers: c.threads}
	if err := c.setStart(&opt, m, len(sequence.Frames)); err != nil {
		return err
	}
	var end func()
	opt.Progress, end = stages(ctx)
	out, err := transfer.Run(ctx, m, sequence, opt)
	end()
	if ctx.Err() != nil && out == nil {
		fmt.Fprintln(os.Stderr, "cancelled before a frame was posed: nothing is written")
		return flags.PrintedError{Err: err}
	}
	if err != nil {
		return err
	}
	clip, err := out.Clip(c.name)
	if err != nil {
		return err
	}
	flags.Warn(sequence.Name, out.Warnings()...)
	if err := c.Recheck(); err != nil {
		return err
	}
	warnings, err := export.Clips(c.Path, body, m, []skinning.Clip{clip})
	if err != nil {
		return err
	}
	flags.Warn(m.Name, warnings...)
	report := newTransferReport(m, sequence, out, opt.Linear, c)
	return c.Print(report, report.writeText)
}

func (c *transferCommand) setStart(opt *transfer.Options, m *skinning.Model, frames int) error {
	if c.start >= frames {
		return flags.Usagef("transfer: --start %d: the sequence has %s", c.start, messages.Count(frames, "frame", "frames"))
	}
	if c.start >= 0 {
		opt.Start = []int{c.start}
	}
	if c.pose == "" {
		return nil
	}
	opt.Pose = m.NewPose()
	warnings, err := posefile.Read(c.pose, m, opt.Pose)
	flags.Warn(c.pose, warnings...)
	return err
}

func (c *transferCommand) linear(m *skinning.Model) bool {
	if c.method == "" {
		return m.Skin.Second(skinning.TwistSwing) == nil
	}
	return c.method == skinning.LBS.String()
}

func (c *transferCommand) sequence(ctx context.Context, from string) (*transfer.Sequence, error) {
	if info, err := os.Stat(from); err == nil && info.IsDir() {
		if c.clip != "" {
			return nil, flags.Usagef("%s: --clip is for a sequence in one file", from)
		}
		return c.folder(ctx, from)
	}
	m, err := flags.Load(ctx, from)
	if err != nil {
		return nil, err
	}
	clip := -1
	if c.clip != "" {
		if clip, err = flags.NamedClip(m, c.clip); err != nil {
			return nil, flags.Usagef("%s: --clip: %v", m.Name, err)
		}
		return transfer.OfClip(m, clip, c.fps)
	}
	shown, set, err := training.Sequence(m, -1, c.fps)
	switch {
	case err == nil:
		return transfer.OfClip(shown, set.Clip, c.fps)
	case errors.Is(err, training.ErrNoSequence):
		if len(m.Clips) > 0 {
			clip = 0
		}
		return transfer.OfClip(m, clip, c.fps)
	}
	return nil, err
}

func (c *transferCommand) folder(ctx context.Context, folder string) (*transfer.Sequence, error) {
	files, err := shapefile.Folder(folder)
	if err != nil {
		return nil, err
	}
	rate := c.fps
	if rate == 0 {
		rate = training.SequenceRate
	}
	s := &transfer.Sequence{Name: folder}
	for i, path := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		shape, err := shapefile.Read(path)
		if err != nil {
			return nil, err
		}
		frame := transfer.Frame{Name: path, Positions: shape.Positions, Triangles: shape.Triangles()}
		s.Frames, s.Times = append(s.Frames, frame), append(s.Times, float64(i)/rate)
	}
	return s, nil
}

// stages reports work whose parts follow each other as stages of the command. Calls of report must not overlap.
func stages(ctx context.Context) (report func(stage string, done, of int), end func()) {
	var now string
	tell, endStage := progress.Report(nil), func() {}
	return func(stage string, done, of int) {
		if stage != now {
			endStage()
			now = stage
			tell, endStage = progress.Begin(ctx, stage)
		}
		tell(done, of)
	}, func() { endStage() }
}

type transferReport struct {
	Model           string      `json:"model"`
	Sequence        string      `json:"sequence"`
	Method          string      `json:"method"`
	Clip            string      `json:"clip"`
	Frames          int         `json:"frames"`
	Seconds         float64     `json:"seconds"` // that it took
	RMS             float64     `json:"rms_mm"`  // distance of the frames' surfaces to the body, over those not lost
	Worst           frameReport `json:"worst_frame"`
	Start           int         `json:"start_frame"`
	Lost            []int       `json:"lost_frames"`
	SameTopology    bool        `json:"same_topology"`
	Correspondences int         `json:"correspondences"` // common to all frames; 0 where topologies differ
	FrameRMS        []float64   `json:"frame_rms_mm"`
	Output          string      `json:"output"`

	diagonal float64 // of the model at rest, metres
}

type frameReport struct {
	Index int     `json:"index"`
	Name  string  `json:"name"`
	RMS   float64 `json:"rms_mm"`
}

func newTransferReport(m *skinning.Model, s *transfer.Sequence, out *transfer.Result, linear bool,
	c *transferCommand) *transferReport {
	const mm = 1000
	worst := out.Worst()
	r := &transferReport{Model: m.Name, Sequence: s.Name, Method: skinning.TwistSwing.String(), Clip: c.name,
		Frames: len(out.Frames), Seconds: out.Elapsed.Seconds(), RMS: mm * out.RMS, Start: out.Start, Lost: []int{},
		Worst:        frameReport{worst, out.Frames[worst].Name, mm * out.Frames[worst].RMS},
		SameTopology: out.SameTopology, Correspondences: out.Correspondences, Output: c.Path, diagonal: m.Diagonal()}
	if linear {
		r.Method = skinning.LBS.String()
	}
	r.Lost = append(r.Lost, out.Lost()...)
	for i := range out.Frames {
		r.FrameRMS = append(r.FrameRMS, mm*out.Frames[i].RMS)
	}
	return r
}

func (r *transferReport) writeText(out io.Writer) {
	fmt.Fprintf(out, "%s: clip %s of %s, %.1f s\n", r.Output, messages.Printable(r.Clip),
		messages.Count(r.Frames, "frame", "frames"), r.Seconds)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "posed by\t%s\n", r.Method)
	length := func(mm float64) string { return messages.ReportLength(mm/1e3/r.diagonal, r.diagonal) }
	fmt.Fprintf(w, "RMS from the meshes\t%s, at most %s in frame %d\n", length(r.RMS), length(r.Worst.RMS), r.Worst.Index)
	if r.SameTopology {
		fmt.Fprintf(w, "common points\t%d, from frame %d on\n", r.Correspondences, r.Start)
	}
	if len(r.Lost) > 0 {
		fmt.Fprintf(w, "lost\t%s\n", messages.Count(len(r.Lost), "frame", "frames"))
	}
	w.Flush()
}
