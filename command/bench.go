package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"skinlab/assets"
	"skinlab/command/flags"
	"skinlab/fit/training"
	"skinlab/render/gpubench"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
	"skinlab/skinning/deltamush"
	"skinlab/skinning/progress"
	"skinlab/skinning/simd"
)

// A benchmark times benchRepeats rounds of benchRound each. Crowds, whose rounds are long, get benchCrowdRepeats. A
// renderer then draws benchFrames pictures, or fewer if the time of benchPictures ends first.
const (
	benchRepeats      = 15
	benchCrowdRepeats = 5
	benchRound        = 10 * time.Millisecond
	benchFrames       = 60
	benchPictures     = 500 * time.Millisecond
)

// mostSubdivisions bounds --subdivide, which multiplies the vertices by a thousand: a character has ten million.
const mostSubdivisions = 5

// benchCommand times methods: on models, or on meshes of chosen sizes.
type benchCommand struct {
	subjectFlags
	meshFlags
	flags.Printer
	device    string
	threads   []int
	simd      string // form of the CPU's kernels
	skinning  string // where the GPU poses
	instances []int
	subdivide []int
	pictures  bool
}

func (c *benchCommand) register(f *pflag.FlagSet) {
	c.subjectFlags.register(f, c.fitNames()+", and fitted files",
		"blend bones of the method blend-bones, fitted to what compare measures against, on 12 poses of the first clip; "+
			"on the meshes of --sizes fitted to nothing")
	c.meshFlags.register(f)
	c.Printer.Register(f)
	f.StringVar(&c.device, "device", "cpu", "what to time: the kernels on the cpu, the pose pass on the gpu, or all")
	flags.TakeWords(f, "device", "cpu", "gpu", "all")
	f.IntSliceVar(&c.threads, "threads", []int{1},
		"threads to skin on; several, such as 1,2, for rows of each and the speed-up")
	f.StringVar(&c.simd, "simd", "", "form of the CPU's kernels: scalar, avx2, avx512, or all that the machine has "+
		"(default: "+simd.Variable+", else the fastest)")
	flags.TakeWords(f, "simd", "scalar", "avx2", "avx512", "all")
	f.StringVar(&c.skinning, "skinning", "buffer",
		"where the GPU poses: in the shader of every pass, once a frame in a buffer by compute or feedback "+
			"(buffer: by the better of the two), or all")
	flags.TakeWords(f, "skinning", "shader", "compute", "feedback", "buffer", "all")
	f.IntSliceVar(&c.instances, "instances", nil, "sizes of crowds to time on the GPU, each up to 4096, such as 1,16,256")
	f.IntSliceVar(&c.subdivide, "subdivide", []int{0},
		"how often each triangle of MODEL is divided into four before it is timed; several, such as 0,2,3, for rows of "+
			"each. Fits are made before")
	f.BoolVar(&c.pictures, "pictures", true, "time whole pictures on the GPU too, pass by pass")
}

func (c *benchCommand) run(ctx context.Context, args []string) error {
	for _, n := range c.threads {
		if n < 1 || n > 1024 {
			return flags.Usagef("--threads: %d is not from 1 to 1024", n)
		}
	}
	for _, n := range c.subdivide {
		if n < 0 || n > mostSubdivisions {
			return flags.Usagef("--subdivide: %d is not from 0 to %d", n, mostSubdivisions)
		}
	}
	if err := c.subjectFlags.check(false); err != nil {
		return err
	}
	if slices.Contains(c.methods, deltamush.Name) {
		return flags.Usagef("--methods: %s is no palette and has no kernel", deltamush.Name)
	}
	gpu, err := c.gpuBench()
	if err != nil {
		return err
	}
	sizes, err := c.vertexCounts(c.device)
	if err != nil {
		return err
	}
	levels, err := c.levels()
	if err != nil {
		return err
	}
	models := args
	if len(models) == 0 && c.device != "cpu" {
		models = assets.BuiltIn()
	}
	result := benchResult{CPU: bench.Processor(), Renderer: "none (CPU kernels)", Threads: c.threads, Rows: []bench.Row{},
		Fits: []string{}, Skipped: []string{}}
	for _, level := range levels {
		result.SIMD = append(result.SIMD, level.String())
	}
	cpu := bench.Options{Levels: levels, Threads: c.threads, Repeats: benchRepeats, Round: benchRound}
	for _, path := range models {
		if err == nil {
			err = c.timeModel(ctx, path, cpu, gpu, &result)
		}
	}
	if err == nil {
		err = c.timeMeshes(ctx, sizes, cpu, &result)
	}
	if err != nil && (ctx.Err() == nil || len(result.Rows) == 0) {
		return err
	}
	// An interrupted benchmark prints the rows that it has.
	return errors.Join(c.Print(result, func(out io.Writer) { c.write(out, &result, gpu) }), err)
}

// benchResult is what bench --json prints.
type benchResult struct {
	CPU      string      `json:"cpu"`
	Renderer string      `json:"renderer"`
	Clock    string      `json:"clock"` // whose time a renderer's is
	SIMD     []string    `json:"simd"`  // the forms of the CPU's kernels
	Threads  []int       `json:"threads"`
	Rows     []bench.Row `json:"rows"`
	Fits     []string    `json:"fits"` // what those made for a model imitate, and why
	Skipped  []string    `json:"skipped"`
}

// timeModel adds the rows of a model on the devices that are asked for.
func (c *benchCommand) timeModel(ctx context.Context, path string, cpu bench.Options, gpu *gpubench.Options,
	result *benchResult) error {
	m, err := flags.Load(ctx, path)
	if err != nil {
		return err
	}
	teacher, why := compare.Reference(m)
	learn := &learner{model: m, teacher: teacher}
	if len(m.Clips) == 0 {
		learn.clip = training.RangeOfMotion
	}
	subjects, err := c.subjects(ctx, learn)
	if err != nil {
		return err
	}
	if len(learn.made) > 0 {
		result.Fits = append(result.Fits, fmt.Sprintf("fits of %s imitate %v: %s", m.Name, teacher, why))
	}
	for _, times := range c.subdivide {
		fine := slices.Clone(subjects)
		for i := range fine {
			if fine[i].Model != nil {
				fine[i].Model = bench.Subdivide(fine[i].Model, times)
			}
		}
		cpu.Subjects, gpu.Subjects = fine, fine
		if err := c.timeSubjects(ctx, bench.Subdivide(m, times), cpu, gpu, result); err != nil {
			return err
		}
	}
	return nil
}

func (c *benchCommand) timeSubjects(ctx context.Context, m *skinning.Model, cpu bench.Options, gpu *gpubench.Options,
	result *benchResult) error {
	if n := len(m.Skin.Positions); n > maxBenchVertices {
		return flags.Usagef("--subdivide: %s would have %d vertices, more than %s", m.Name, n, bench.Count(maxBenchVertices))
	}
	if c.device != "gpu" {
		rows, err := timeCPU(ctx, m, cpu)
		if err != nil {
			return err
		}
		result.Rows = append(result.Rows, rows...)
	}
	if c.device == "cpu" {
		return nil
	}
	out, err := progress.Stage(ctx, "timing "+m.Name+" by OpenGL, row", func(report progress.Report) (gpubench.Result, error) {
		opt := *gpu
		opt.Progress = report
		return gpubench.Run(ctx, m, opt)
	})
	result.Rows, result.Skipped = append(result.Rows, out.Rows...), append(result.Skipped, out.Skipped...)
	if out.Info.Renderer != "" {
		result.Renderer, result.Clock = out.Info.Renderer, out.Clock
	}
	return err
}

// timeCPU is [bench.CPU] as a stage of a command.
func timeCPU(ctx context.Context, m *skinning.Model, opt bench.Options) ([]bench.Row, error) {
	return progress.Stage(ctx, "timing "+m.Name+", round", func(report progress.Report) ([]bench.Row, error) {
		opt.Progress = report
		return bench.CPU(ctx, m, opt)
	})
}

// meshBones names the fit whose added joints a benchmark mesh can have too. The numbers of these joints are random.
const meshBones = "blend-bones"

// timeMeshes adds the rows of meshes of the given numbers of vertices, and names the subjects that a mesh cannot have.
func (c *benchCommand) timeMeshes(ctx context.Context, sizes []int, cpu bench.Options, result *benchResult) error {
	methods := c.methods
	if !c.set.Changed("methods") {
		methods = append(flags.DirectMethods(), meshBones)
	}
	for i, n := range sizes {
		m, err := progress.Stage(ctx, fmt.Sprintf("making a mesh of %d vertices", n),
			func(progress.Report) (*skinning.Model, error) { return bench.Mesh(n, c.turn), nil })
		if err != nil {
			return err
		}
		cpu.Subjects = nil
		for _, name := range methods {
			subject, fitted := c.fit(name)
			if direct, err := skinning.ParseMethod(name); err == nil {
				cpu.Subjects = append(cpu.Subjects, compare.Direct(direct)...)
			} else if fitted && subject.method.Name == meshBones {
				rig, err := bench.MeshBones(m, skinning.DQS, subject.count)
				if err != nil {
					return err
				}
				cpu.Subjects = append(cpu.Subjects, compare.Subject{Name: name, Model: rig})
			} else if i == 0 {
				result.Skipped = append(result.Skipped, fmt.Sprintf("%s of the meshes: it is made for a model", name))
			}
		}
		rows, err := timeCPU(ctx, m, cpu)
		if err != nil {
			return err
		}
		result.Rows = append(result.Rows, rows...)
	}
	return nil
}

func (c *benchCommand) write(w io.Writer, r *benchResult, gpu *gpubench.Options) {
	if c.device != "gpu" {
		fmt.Fprintf(w, "%s, kernels: %s, threads: %s, positions and normals, medians of %d rounds\n",
			r.CPU, strings.Join(r.SIMD, ", "), strings.Trim(fmt.Sprint(c.threads), "[]"), benchRepeats)
	}
	if c.device != "cpu" {
		clock := r.Clock + ", wall time to glFinish, no GPU time"
		if r.Clock == "GPU" {
			clock = "GPU time by timer queries"
		}
		fmt.Fprintf(w, "%s, %s: posing alone, palette upload included\n", r.Renderer, clock)
	}
	bench.WriteTable(w, r.Rows)
	fmt.Fprintln(w, "ratio to lbs: the median over rounds of a time over that of lbs right before and after it, "+
		"not the ratio of the medians")
	bench.WriteEnvelopes(w, r.Rows)
	if c.device != "cpu" && c.pictures {
		fmt.Fprintf(w, "\nPictures of %d × %d pixels, milliseconds, medians and 95th percentiles; "+
			"palettes are the CPU's, and no part of the picture\n", gpu.Width, gpu.Height)
		bench.WritePictures(w, r.Rows)
	}
	for _, s := range r.Fits {
		fmt.Fprintln(w, s)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "left out: %s\n", s)
	}
}

// gpuBench reads the flags of times on a GL renderer. Naming one asks for the GPU where --device is not given.
func (c *benchCommand) gpuBench() (*gpubench.Options, error) {
	if !c.set.Changed("device") && (c.set.Changed("skinning") || c.set.Changed("instances")) {
		c.device = "gpu"
	}
	opt := &gpubench.Options{Repeats: benchRepeats, Round: benchRound, Frames: benchFrames, PictureTime: benchPictures,
		Width: 1280, Height: 720}
	if c.skinning == "all" {
		opt.Skinnings = skin.Ways()
	} else {
		way, err := skin.ParseWay(c.skinning)
		if err != nil {
			return nil, flags.Usagef("--skinning: %v, nor all", err)
		}
		opt.Skinnings = []skin.Way{way}
	}
	for _, n := range c.instances {
		if n < 1 || n > skin.MaxInstances {
			return nil, flags.Usagef("--instances: %d is not from 1 to %d", n, skin.MaxInstances)
		}
	}
	if !c.pictures {
		opt.Frames = 0
	}
	opt.Instances = c.instances
	if opt.Instances != nil {
		opt.Repeats = benchCrowdRepeats
	}
	return opt, nil
}

// levels reads --simd: the forms of the CPU's kernels that are timed.
func (c *benchCommand) levels() ([]simd.Level, error) {
	have := simd.Levels()
	if c.simd == "all" {
		return have, nil
	}
	if c.simd == "" {
		level, err := simd.Default()
		return []simd.Level{level}, err
	}
	for _, level := range have {
		if level.String() == c.simd {
			return []simd.Level{level}, nil
		}
	}
	return nil, flags.Usagef("--simd: %q is none of what this machine has: %v, all", c.simd, have)
}
