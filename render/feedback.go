package render

import "github.com/go-gl/gl/all-core/gl"

// feedback is where transform feedback writes: into a buffer from a byte on, so many bytes for each point.
type feedback struct {
	buffer        uint32
	offset, point int
}

// run runs the program in use over a range of vertices of the bound array, as points that are not drawn, and writes
// what it captures, all vertices of the first instance before those of the next.
func (f feedback) run(first, count, instances int) {
	if count == 0 {
		return
	}
	gl.Enable(gl.RASTERIZER_DISCARD)
	gl.BindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, f.buffer, f.offset, f.point*count*instances)
	gl.BeginTransformFeedback(gl.POINTS)
	gl.DrawArraysInstanced(gl.POINTS, int32(first), int32(count), int32(instances))
	gl.EndTransformFeedback()
	gl.BindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, 0)
	gl.Disable(gl.RASTERIZER_DISCARD)
}
