package passes

import (
	"time"

	"github.com/go-gl/gl/all-core/gl"
)

// softwareLabel replaces "GPU" as the source of times on a software renderer.
const softwareLabel = "CPU (software renderer)"

// New makes the timer of a context. It uses GPU queries, except with a software renderer and with drivers whose queries
// have no bits: there it takes wall time to glFinish. A software renderer's first query returns the absolute clock, and
// its queries of work without rasterisation read a few nanoseconds.
func New(software bool) *Timer {
	if software {
		return newTimer(&finishClock{}, softwareLabel)
	}
	var bits int32
	gl.GetQueryiv(gl.TIME_ELAPSED, gl.QUERY_COUNTER_BITS, &bits)
	if bits == 0 {
		return newTimer(&finishClock{}, "wall time (the driver has no timer)")
	}
	return newTimer(&elapsedQueries{}, "GPU")
}

// elapsedQueries are GL_TIME_ELAPSED queries.
type elapsedQueries struct {
	// C writes the result here. As part of a heap object it costs no allocation per frame.
	nanoseconds uint64
	available   int32
}

func (q *elapsedQueries) Make(queries []uint32)   { gl.GenQueries(int32(len(queries)), &queries[0]) }
func (q *elapsedQueries) Delete(queries []uint32) { gl.DeleteQueries(int32(len(queries)), &queries[0]) }
func (q *elapsedQueries) Begin(query uint32)      { gl.BeginQuery(gl.TIME_ELAPSED, query) }
func (q *elapsedQueries) End(uint32)              { gl.EndQuery(gl.TIME_ELAPSED) }

func (q *elapsedQueries) Available(query uint32) bool {
	gl.GetQueryObjectiv(query, gl.QUERY_RESULT_AVAILABLE, &q.available)
	return q.available != 0
}

func (q *elapsedQueries) Seconds(query uint32) float64 {
	gl.GetQueryObjectui64v(query, gl.QUERY_RESULT, &q.nanoseconds)
	return float64(q.nanoseconds) * 1e-9
}

// finishClock takes wall time. A span begins and ends with glFinish, which waits for all drawing.
type finishClock struct {
	start   time.Time
	seconds []float64 // by query, from 1
}

func (c *finishClock) Make(queries []uint32) {
	for i := range queries {
		c.seconds = append(c.seconds, 0)
		queries[i] = uint32(len(c.seconds))
	}
}

func (c *finishClock) Delete([]uint32) {}

func (c *finishClock) Begin(uint32) {
	gl.Finish()
	c.start = time.Now()
}

func (c *finishClock) End(query uint32) {
	gl.Finish()
	c.seconds[query-1] = time.Since(c.start).Seconds()
}

func (c *finishClock) Available(uint32) bool { return true }

func (c *finishClock) Seconds(query uint32) float64 { return c.seconds[query-1] }
