package viewer

import (
	"time"

	"github.com/go-gl/gl/all-core/gl"
)

// timerRing is how many queries are under way: a GPU may lag three frames behind.
const timerRing = 4

// frameTimer measures what drawing the picture takes. On a GPU it reads timer queries when they are ready and never waits for one. A
// software renderer's queries are wrong (the first returns the absolute clock), so there it times the drawing with glFinish,
// which costs nothing: the CPU would do the same work a moment later.
type frameTimer struct {
	software bool
	query    [timerRing]uint32
	started  int // queries begun
	read     int // queries read
	start    time.Time
	// result is what C writes: part of the heap object so that no frame allocates it.
	result    uint64
	available int32
	seconds   float64 // smoothed over about ten frames
}

func newFrameTimer(software bool) *frameTimer {
	t := &frameTimer{software: software}
	if !software {
		gl.GenQueries(timerRing, &t.query[0])
	}
	return t
}

// delete is nil-safe and repeatable.
func (t *frameTimer) delete() {
	if t != nil && t.query[0] != 0 {
		gl.DeleteQueries(timerRing, &t.query[0])
		t.query = [timerRing]uint32{}
	}
}

// name says what the seconds are.
func (t *frameTimer) name() string {
	if t.software {
		return "CPU (software renderer)"
	}
	return "GPU"
}

func (t *frameTimer) begin() {
	if t.software {
		gl.Finish() // what came before is not ours
		t.start = time.Now()
		return
	}
	t.collect()
	if t.started-t.read < timerRing {
		gl.BeginQuery(gl.TIME_ELAPSED, t.query[t.started%timerRing])
	}
}

func (t *frameTimer) end() {
	if t.software {
		gl.Finish()
		t.add(time.Since(t.start).Seconds())
		return
	}
	if t.started-t.read < timerRing {
		gl.EndQuery(gl.TIME_ELAPSED)
		t.started++
	}
}

func (t *frameTimer) collect() {
	for t.read < t.started {
		q := t.query[t.read%timerRing]
		gl.GetQueryObjectiv(q, gl.QUERY_RESULT_AVAILABLE, &t.available)
		if t.available == 0 {
			return
		}
		gl.GetQueryObjectui64v(q, gl.QUERY_RESULT, &t.result)
		t.read++
		t.add(float64(t.result) * 1e-9)
	}
}

func (t *frameTimer) add(seconds float64) {
	if t.seconds == 0 {
		t.seconds = seconds
	}
	t.seconds += (seconds - t.seconds) * 0.1
}
