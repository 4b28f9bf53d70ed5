package render

import (
	"time"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/picture"
	"skinlab/render/skin"
)

// PoseSeconds measures posing only, including the upload of the palette and, for an enveloped skin, all three of its
// passes. It returns the mean over count passes in seconds, by the renderer's way of skinning. Next changes the scene
// from pass to pass. With InShader it measures the vertex stage, once for every vertex, in a pass whose vertices are
// all outside the picture. A picture runs that stage in every pass, and again for vertices that have left the vertex
// cache. On a GPU the time is that of a timer query. The queries of a software renderer are wrong, so there it is wall
// time to glFinish. It waits for the GPU, so a running viewer must not call it.
func (r *Renderer) PoseSeconds(s *picture.Scene, count int, next func(i int)) (float64, error) {
	if err := r.painter.BeginTiming(); err != nil {
		return 0, err
	}
	return r.Seconds(count, func(i int) error {
		next(i)
		return r.poseOnce(s)
	})
}

// Seconds measures the work of the GPU in count calls of once, and returns the mean in seconds. It uses a timer query
// or, if there is no reliable one, wall time to glFinish. Before these it calls once with 0 without timing it, so that
// programs are compiled and memory is allocated. Seconds waits for the GPU.
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
