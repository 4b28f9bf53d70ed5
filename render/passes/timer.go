// Package passes names the passes of a frame and times them. A [Timer] brackets each [Pass] with queries of the GPU's
// clock and reads them some frames later without waiting. On a software renderer it takes wall time to glFinish. It
// keeps the last [Samples] of each pass.
package passes

import (
	"fmt"
	"time"

	"skinlab/skinning"
)

const (
	// timerFrames is how many frames may await their times: a GPU lags up to three frames behind.
	timerFrames = 4
	// timerSpans is the most spans of one frame: twice those of four panes with a dozen passes each.
	timerSpans = 96
)

// querySource makes and reads the queries of a [Timer].
type querySource interface {
	Make(queries []uint32)
	Begin(query uint32) // one query at a time
	End(query uint32)
	Available(query uint32) bool  // does not wait
	Seconds(query uint32) float64 // the query must be available
	Delete(queries []uint32)
}

// Timer times the passes of frames with a ring of queries. It never waits for a query, so a frame's times arrive some
// frames later. A frame is not timed if the ring is full. A frame's spans of the same pass, of several pictures for
// instance, are summed.
//
// It belongs to the goroutine that draws, and allocates nothing once timing is on.
type Timer struct {
	source  querySource
	label   string
	timing  Timing
	frames  [timerFrames]timedFrame
	first   int // oldest frame that awaits its times
	pending int // number of frames that await their times, without the one being drawn
	open    *timedFrame
	begun   Pass // pass of the open span
	inside  bool
	missed  int
	passes  [passCount]Samples
	picture Samples
}

type timedFrame struct {
	queries [timerSpans]uint32
	passes  [timerSpans]Pass
	spans   int
	cpu     [passCount]float64 // seconds measured by the CPU's clock
	has     [passCount + 1]bool
	spoiled bool // to be ignored: it had too many spans, or the way of timing changed during it
}

func newTimer(source querySource, label string) *Timer { return &Timer{source: source, label: label} }

// Label names the clock of the times: "GPU", or softwareLabel.
func (t *Timer) Label() string { return t.label }

// OnGPU reports whether times come from the GPU's own clock.
func (t *Timer) OnGPU() bool {
	_, ok := t.source.(*elapsedQueries)
	return ok
}

// SetTiming sets how closely frames are timed. It keeps the samples so far, but ignores the frames that await their
// times and the current one.
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

// Reset forgets all samples, and the frames that await their times. Call it when the work that is timed changes, so
// that old and new times do not mix.
func (t *Timer) Reset() {
	for i := range t.passes {
		t.passes[i].clear()
	}
	t.picture.clear()
	t.missed = 0
	t.spoil()
}

// spoil marks all frames that await their times as to be ignored.
func (t *Timer) spoil() {
	for i := range t.pending {
		t.frames[(t.first+i)%timerFrames].spoiled = true
	}
	if t.open != nil {
		t.open.spoiled = true
	}
}

// times reports whether spans of this pass are timed. A nil timer times nothing.
func (t *Timer) times(p Pass) bool {
	return t != nil && (t.timing == TimingPasses && p != Picture || t.timing == TimingPicture && p == Picture)
}

// Begin starts a span of a pass, or of [Picture] if pictures are timed as a whole. Spans do not nest. End ends the
// span.
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

// Add adds time measured by a clock to a pass on the CPU.
func (t *Timer) Add(p Pass, d time.Duration) {
	if t != nil && t.timing == TimingPasses && t.open != nil {
		t.open.cpu[p] += d.Seconds()
		t.open.has[p] = true
	}
}

// SetPose poses a frame and adds the time that it took to [Palette].
func (t *Timer) SetPose(f *skinning.Frame, p *skinning.Pose) {
	start := time.Now()
	f.SetPose(p)
	t.Add(Palette, time.Since(start))
}

// Frame ends the current frame, reads the times of earlier frames that are available, and starts the next frame.
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

// openFrame starts a frame if the ring has room.
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

// collect reads frames, oldest first, until one has a query that is not available.
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

// Pass returns the times of one pass, each the sum over a frame. They are empty if the pass has not run or passes are
// not timed.
func (t *Timer) Pass(p Pass) *Samples { return &t.passes[p] }

// Picture returns the times of all pictures of a frame: all passes except Palette and Interface.
func (t *Timer) Picture() *Samples { return &t.picture }

// Missed returns the number of frames that were not timed since the last Reset because the ring was full.
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
