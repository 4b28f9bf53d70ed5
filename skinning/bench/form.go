package bench

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"skinlab/skinning"
	"skinlab/skinning/simd"
)

// form is all that is timed at one level on one number of threads, and linear blending there, which it is held against.
type form struct {
	level    simd.Level
	threads  int
	lbs      *subject
	subjects []*subject
	first    *form // the same level on the first number of threads; nil in that itself
}

// newForm makes subjects on the given stages. It adds stages that are missing.
func newForm(m *skinning.Model, level simd.Level, threads int, opt *Options, stages map[stageKey]*stage) *form {
	f := &form{level: level, threads: threads}
	add := func(model *skinning.Model, method skinning.Method, clip int) *subject {
		key := stageKey{model, clip, level}
		if stages[key] == nil {
			stages[key] = newStage(model, clip, level)
		}
		s := &subject{stage: stages[key], method: method, deformer: skinning.NewDeformer(model, threads), count: 2}
		s.deformer.UseLevel(level)
		s.count = max(1, int(opt.Round.Seconds()/s.frames()))
		return s
	}
	f.lbs = add(m, skinning.LBS, 0)
	for _, s := range opt.Subjects {
		model := s.Model
		if model == nil {
			model = m
		}
		f.subjects = append(f.subjects, add(model, s.Method, s.Clip))
	}
	return f
}

func (f *form) close() {
	f.lbs.deformer.Close()
	for _, s := range f.subjects {
		s.deformer.Close()
	}
}

// most returns the most bytes that a frame of a subject moves.
func (f *form) most() (bytes int) {
	for _, s := range f.subjects {
		bytes = max(bytes, s.bytesMoved())
	}
	return bytes
}

// round times copying, then every subject once.
func (f *form) round(ctx context.Context, machine *copier, round time.Duration) error {
	rates := make(map[int]float64) // of this round's copies, by their bytes
	for _, s := range f.subjects {
		if bytes := s.bytesMoved(); rates[bytes] == 0 {
			rates[bytes] = machine.rate(bytes, f.threads, round)
		}
	}
	before := f.lbs.frames()
	for _, s := range f.subjects {
		if err := ctx.Err(); err != nil {
			return err
		}
		seconds := s.frames()
		after := f.lbs.frames()
		s.add(seconds, before, after, s.palettes(), rates[s.bytesMoved()])
		before = after
	}
	return nil
}

// row sums up the rounds of subject i on a skin of a number of vertices.
func (f *form) row(i, vertices int) Row {
	s := f.subjects[i]
	return Row{Vertices: vertices, Device: "cpu", NsPerVertex: Median(s.seconds) * 1e9 / float64(vertices),
		PaletteUs: Median(s.palette) * 1e6, Kernel: f.kernel(i),
		Memory: NewMemory(float64(s.bytesMoved()), vertices, s.seconds, s.copied), Envelope: envelopeOf(s.model)}
}

// kernel is what a row says of the CPU's kernels.
func (f *form) kernel(i int) *Kernel {
	s := f.subjects[i]
	k := &Kernel{SIMD: f.level.String(), Threads: f.threads, SpeedUp: 1}
	if f.first != nil {
		ratio := make([]float64, len(s.seconds))
		for r := range ratio {
			ratio[r] = f.first.subjects[i].seconds[r] / s.seconds[r]
		}
		k.SpeedUp = Median(ratio)
	}
	return k
}

// Kernel is the form of a CPU kernel.
type Kernel struct {
	SIMD    string  `json:"simd"`    // scalar, avx2 or avx512; else the next lower that the method has
	Threads int     `json:"threads"` // workers
	SpeedUp float64 `json:"speedup"` // median of the time on the first number of threads over this
}

// form and workers write a row's kernel into a table, dashes for none.
func (k *Kernel) form() string {
	if k == nil {
		return "–"
	}
	return k.SIMD
}

func (k *Kernel) workers() (threads, speedUp string) {
	if k == nil {
		return "–", "–"
	}
	return strconv.Itoa(k.Threads), fmt.Sprintf("%.2f", k.SpeedUp)
}
