package render

import (
	"time"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/picture"
	"skinlab/render/skin"
)

// PoseSeconds measures posing alone, palette upload included, and of an enveloped skin all three of its passes: the
// mean in seconds of count passes over a scene, which next changes from pass to pass, by the renderer's way of
// skinning. With InShader it is the vertex stage over every vertex once, of a pass whose vertices all fall outside the
// picture; a picture runs it for every pass, and more than once for vertices that its cache has lost. On a GPU it is
// what a timer query says of the passes; a software renderer's queries are wrong, so there it is wall time to glFinish.
// It waits for the GPU: not for a running viewer.
func (r *Renderer) PoseSeconds(s *picture.Scene, count int, next func(i int)) (float64, error) {
	if err := r.painter.BeginTiming(); err != nil {
		return 0, err
	}
	return r.Seconds(count, func(i int) error {
		next(i)
		return r.poseOnce(s)
	})
}

// Seconds measures what count calls of once make the GPU do: the mean in seconds, by a timer query, or by wall time to
// glFinish where there is no such query that could be trusted. A call before, of 0, is not timed: it compiles and makes
// room. Seconds waits for the GPU.
func (r *Renderer) Seconds(count int, once func(i int) error) (float64, error) {
	if err := once(0); err != nil {
		return 0, err
	}
	gl.Finish()
	var query uint32
	queries := r.timer.OnGPU()
	if queries {
		gl.GenQueries(1, &query)
		defer gl.DeleteQueries(1, &query)
		gl.BeginQuery(gl.TIME_ELAPSED, query)
	}
	start := time.Now()
	var err error
	for i := 0; i < count && err == nil; i++ {
		err = once(i)
	}
	if queries {
		gl.EndQuery(gl.TIME_ELAPSED)
	}
	if err != nil {
		return 0, err
	}
	seconds := 0.0
	if queries {
		var ns uint64
		gl.GetQueryObjectui64v(query, gl.QUERY_RESULT, &ns) // waits
		seconds = float64(ns) * 1e-9
	} else {
		gl.Finish()
		seconds = time.Since(start).Seconds()
	}
	return seconds / float64(count), gpu.Error("timing %d passes", count)
}

// poseOnce poses a scene's model or crowd once, whatever the way.
func (r *Renderer) poseOnce(s *picture.Scene) error {
	s = r.plain(s)
	g := r.modelOf(s.Frame)
	way := r.way(g, s)
	if s.Crowd != nil {
		s.Crowd.Resend() // its palettes go up each time, as they do in frames that differ
	}
	if err := r.pose(g, s, way, nil); err != nil || way != skin.InShader {
		return err
	}
	return r.painter.VertexStage(s, picture.Posed{Model: g, Way: way, Crowd: r.poser.Crowd})
}
