package render

import (
	"fmt"
	"time"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/skinning"
)

// PoseSeconds measures the pose pass alone, palette upload included: the mean of count passes over the given frames in turn, of
// the model that was set or the fitted one. On a GPU it is what a timer query says of the passes; a software renderer's queries
// are wrong, so there it is wall time to glFinish, and [Info.Software] says so. It waits for the GPU: not for a running viewer.
func (r *Renderer) PoseSeconds(frames []*skinning.Frame, method skinning.Method, count int) (float64, error) {
	if r.model == nil {
		return 0, errNoModel
	}
	if len(frames) == 0 || count < 1 {
		panic(fmt.Sprintf("render: PoseSeconds: %d frames, %d passes", len(frames), count))
	}
	r.resetState()
	gl.Finish()
	var query uint32
	if !r.info.Software {
		gl.GenQueries(1, &query)
		defer gl.DeleteQueries(1, &query)
		gl.BeginQuery(gl.TIME_ELAPSED, query)
	}
	start := time.Now()
	for i := range count {
		if err := r.poser.Pose(r.model, frames[i%len(frames)], method, r.skinning, nil); err != nil {
			return 0, err
		}
	}
	seconds := 0.0
	if r.info.Software {
		gl.Finish()
		seconds = time.Since(start).Seconds()
	} else {
		gl.EndQuery(gl.TIME_ELAPSED)
		var ns uint64
		gl.GetQueryObjectui64v(query, gl.QUERY_RESULT, &ns) // waits
		seconds = float64(ns) * 1e-9
	}
	return seconds / float64(count), glError("timing %d pose passes", count)
}
