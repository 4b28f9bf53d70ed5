// Package passes names the passes of a frame and times them. A [Timer] brackets each [Pass] with queries of the GPU's
// clock, or with wall time to glFinish where the CPU rasterises, reads them some frames later without waiting, and
// keeps the last [Samples] of each.
package passes

import (
	"fmt"
	"time"

	"skinlab/skinning"
)

const (
	// timerFrames may be under way at once: a GPU lags up to three frames behind.
	timerFrames = 4
	// timerSpans is the most spans of one frame: four panes of a dozen each, twice over.
	timerSpans = 96
)

// querySource makes and reads the queries of a [Timer].
type querySource interface {
	Make(queries []uint32)
	Begin(query uint32) // at most one at a time
	End(query uint32)
	Available(query uint32) bool  // never waits
	Seconds(query uint32) float64 // of one that is available
	Delete(queries []uint32)
}

// Timer times the passes of frames with a ring of queries that it never waits for: a frame's times show up some frames
// later, and a frame that finds the ring full is left out. Spans of one pass within a frame, of several pictures say,
// are summed.
//
// It belongs to the goroutine that draws, and allocates nothing once timing is on.
type Timer struct {
	source  querySource
	label   string
	timing  Timing
	frames  [timerFrames]timedFrame
	first   int // the oldest frame under way
	pending int // frames under way, the one being drawn not among them
	open    *timedFrame
	begun   Pass // of the span that is open
	inside  bool
	missed  int
	passes  [passCount]Samples
	picture Samples
}

type timedFrame struct {
	queries [timerSpans]uint32
	passes  [timerSpans]Pass
	spans   int
	cpu     [passCount]float64 // seconds measured by clock
	has     [passCount + 1]bool
	spoiled bool // too many spans, or another way of timing since: it counts for nothing
}

func newTimer(source querySource, label string) *Timer { return &Timer{source: source, label: label} }

// Label says whose time it is: "GPU", or what stands in for it.
func (t *Timer) Label() string { return t.label }

// OnGPU reports whether times are those of a GPU, by its own clock.
func (t *Timer) OnGPU() bool {
	_, ok := t.source.(*elapsedQueries)
	return ok
}

// SetTiming switches timing on or off. Samples so far stay; frames under way, this one too, are left out.
func (t *Timer) SetTiming(timing Timing) {
	if timing == t.timing {
		return
	}
	if t.timing == TimingOff && t.frames[0].queries[0] == 0 {
		for i := range t.frames {
			t.source.Make(t.frames[i].queries[:])
		}
	}
	if t.inside {
		panic("render: SetTiming between Begin and End")
	}
	t.timing = timing
	t.openFrame()
	t.spoil()
}

// Reset forgets all samples, those of frames under way too: what comes now is something else, and should not be mixed
// with what was.
func (t *Timer) Reset() {
	for i := range t.passes {
		t.passes[i].clear()
	}
	t.picture.clear()
	t.missed = 0
	t.spoil()
}

// spoil leaves out all frames under way.
func (t *Timer) spoil() {
	for i := range t.pending {
		t.frames[(t.first+i)%timerFrames].spoiled = true
	}
	if t.open != nil {
		t.open.spoiled = true
	}
}

// times reports whether spans of a pass are timed. A nil timer times nothing.
func (t *Timer) times(p Pass) bool {
	return t != nil && (t.timing == TimingPasses && p != Picture || t.timing == TimingPicture && p == Picture)
}

// Begin starts a span of a pass, or of [Picture] where only pictures are timed. Spans do not nest; End ends it.
func (t *Timer) Begin(p Pass) {
	if !t.times(p) {
		return
	}
	if t.inside {
		panic(fmt.Sprintf("render: Timer: pass %d begins inside pass %d", p, t.begun))
	}
	t.inside, t.begun = true, p
	f := t.open
	if f == nil {
		return
	}
	if f.spans == timerSpans {
		f.spoiled = true
		return
	}
	f.passes[f.spans], f.has[p] = p, true
	t.source.Begin(f.queries[f.spans])
}

// End ends the span.
func (t *Timer) End(p Pass) {
	if !t.times(p) {
		return
	}
	if !t.inside || t.begun != p {
		panic(fmt.Sprintf("render: Timer: pass %d ends, pass %d was begun", p, t.begun))
	}
	t.inside = false
	if f := t.open; f != nil && f.spans < timerSpans {
		t.source.End(f.queries[f.spans])
		f.spans++
	}
}

// Add adds time that was measured by a clock to a pass on the CPU.
func (t *Timer) Add(p Pass, d time.Duration) {
	if t != nil && t.timing == TimingPasses && t.open != nil {
		t.open.cpu[p] += d.Seconds()
		t.open.has[p] = true
	}
}

// SetPose poses a frame and adds what that takes to [Palette].
func (t *Timer) SetPose(f *skinning.Frame, p *skinning.Pose) {
	start := time.Now()
	f.SetPose(p)
	t.Add(Palette, time.Since(start))
}

// Frame ends a frame, takes the times of earlier ones that are ready, and starts the next.
func (t *Timer) Frame() {
	if t.timing == TimingOff {
		return
	}
	if t.inside {
		panic(fmt.Sprintf("render: Timer: the frame ends inside pass %d", t.begun))
	}
	if t.open == nil {
		t.missed++
	} else {
		t.pending++
	}
	t.open = nil
	t.collect()
	t.openFrame()
}

// openFrame starts a frame where the ring has room.
func (t *Timer) openFrame() {
	t.open = nil
	if t.timing == TimingOff || t.pending == timerFrames {
		return
	}
	f := &t.frames[(t.first+t.pending)%timerFrames]
	f.spans, f.spoiled = 0, false
	f.cpu, f.has = [passCount]float64{}, [passCount + 1]bool{}
	t.open = f
}

// collect reads frames in their order as far as all their queries are ready.
func (t *Timer) collect() {
	for t.pending > 0 {
		f := &t.frames[t.first]
		for i := range f.spans {
			if !t.source.Available(f.queries[i]) {
				return
			}
		}
		t.record(f)
		t.first = (t.first + 1) % timerFrames
		t.pending--
	}
}

func (t *Timer) record(f *timedFrame) {
	if f.spoiled {
		return
	}
	var sum [passCount + 1]float64
	copy(sum[:], f.cpu[:])
	for i := range f.spans {
		sum[f.passes[i]] += t.source.Seconds(f.queries[i])
	}
	picture := sum[Picture]
	for p := range passCount {
		if !f.has[p] {
			continue
		}
		t.passes[p].add(sum[p])
		if !p.OnCPU() && p != Interface {
			picture += sum[p]
		}
	}
	if picture > 0 {
		t.picture.add(picture)
	}
}

// Pass returns the times of one pass, sums over a frame. They are empty where the pass has not run, and unless passes
// are timed.
func (t *Timer) Pass(p Pass) *Samples { return &t.passes[p] }

// Picture returns the times of all pictures of a frame: all passes but the palette and the interface.
func (t *Timer) Picture() *Samples { return &t.picture }

// Missed returns how many frames found the ring full since the last Reset.
func (t *Timer) Missed() int { return t.missed }

// Delete releases the queries. It is nil-safe and may be called again.
func (t *Timer) Delete() {
	if t == nil || t.frames[0].queries[0] == 0 {
		return
	}
	t.timing, t.open, t.pending = TimingOff, nil, 0
	for i := range t.frames {
		t.source.Delete(t.frames[i].queries[:])
		t.frames[i].queries = [timerSpans]uint32{}
	}
}
