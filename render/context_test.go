package render

import (
	"testing"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// newTestRenderer makes a headless renderer for one test, which is skipped where there is no EGL. Its context reports
// every OpenGL error in the call that makes it, and the test fails.
func newTestRenderer(t testing.TB) *Renderer {
	t.Helper()
	h, err := gpu.NewHeadlessDebug(func(message string) { t.Errorf("OpenGL: %s", message) })
	return newRendererOn(t, h, err)
}

// newTimedRenderer is newTestRenderer without reports of errors, which may take time.
func newTimedRenderer(t testing.TB) *Renderer {
	t.Helper()
	h, err := gpu.NewHeadless()
	return newRendererOn(t, h, err)
}

func newRendererOn(t testing.TB, h *gpu.Headless, err error) *Renderer {
	t.Helper()
	if err != nil {
		t.Skip(err)
	}
	r, err := NewRenderer()
	if err != nil {
		h.Close()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Delete()
		if err := gpu.Error("after the test"); err != nil {
			t.Error(err)
		}
		h.Close()
	})
	return r
}

// newFramebuffer makes a framebuffer for one test.
func newFramebuffer(t testing.TB, width, height int) uint32 {
	t.Helper()
	var o gpu.Owner
	target := gpu.NewTarget(&o, "test", gl.RGBA8, width, height, gl.NEAREST)
	if err := o.Err(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Delete)
	return target.Framebuffer
}

// readBuffer reads the first elements of a buffer back, as many as out has. Only tests read back.
func readBuffer[T any](t testing.TB, buffer uint32, offset int, out []T) []T {
	t.Helper()
	if len(out) > 0 {
		// By way of a buffer for reading: a GPU's own memory is read over the bus a word at a time.
		size := len(out) * int(unsafe.Sizeof(out[0]))
		var staged uint32
		gl.GenBuffers(1, &staged)
		gl.BindBuffer(gl.COPY_WRITE_BUFFER, staged)
		gl.BufferData(gl.COPY_WRITE_BUFFER, size, nil, gl.STREAM_READ)
		gl.BindBuffer(gl.COPY_READ_BUFFER, buffer)
		gl.CopyBufferSubData(gl.COPY_READ_BUFFER, gl.COPY_WRITE_BUFFER, offset, 0, size)
		gl.GetBufferSubData(gl.COPY_WRITE_BUFFER, 0, size, unsafe.Pointer(&out[0]))
		gl.DeleteBuffers(1, &staged)
	}
	if err := gpu.Error("read back"); err != nil {
		t.Fatal(err)
	}
	return out
}

// readPosed poses a frame as Draw would with the renderer's way of skinning, and reads the result back. Only tests read
// back.
func readPosed(t testing.TB, r *Renderer, f *skinning.Frame, method skinning.Method) []skin.Vertex {
	t.Helper()
	gpu.ResetState()
	g := r.modelOf(f)
	if err := r.poser.Pose(g.Model, f, method, r.chosen, r.timer); err != nil {
		t.Fatal(err)
	}
	if r.chosen == skin.InShader {
		return captureMesh(t, r, &picture.Scene{Frame: f, Method: method})
	}
	return readBuffer(t, g.Streams.Posed.ID, 0, make([]skin.Vertex, g.Streams.All))
}

// captureMesh captures what a picture of the scene draws. What posing needs has been sent.
func captureMesh(t testing.TB, r *Renderer, s *picture.Scene) []skin.Vertex {
	t.Helper()
	var d picture.Drawn
	d.Set(s, picture.Posed{Model: r.modelOf(s.Frame), Way: r.chosen})
	return captureDrawn(t, &d)
}

// captureDrawn runs the mesh pass's vertex stage over all vertices, with the programs and the array that a picture
// draws with, and captures what it hands to the fragment stage: the skins of all instances, then their rigid meshes.
func captureDrawn(t testing.TB, d *picture.Drawn) []skin.Vertex {
	t.Helper()
	own, all, n := d.Streams.SkinVertices, d.Streams.All, int(d.Instances)
	var o gpu.Owner
	defer o.Delete()
	out := gpu.NewBuffer(&o, "captured", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, make([]skin.Vertex, n*all))
	if err := o.Err(); err != nil {
		t.Fatal(err)
	}
	gl.Enable(gl.RASTERIZER_DISCARD)
	defer gl.Disable(gl.RASTERIZER_DISCARD)
	for _, part := range []struct {
		source       picture.VertexSource
		first, count int
	}{{d.Skin, 0, own}, {d.Rigid, own, all - own}} {
		if part.count == 0 {
			continue
		}
		var p *gpu.Program
		if err := gpu.Compile(&o, &p, "capture "+part.source.String(), gpu.Stages{
			Vertex: part.source.Files() + " mesh.vert.glsl", Captured: "worldPosition worldNormal",
		}); err != nil {
			t.Fatal(err)
		}
		p.Use()
		d.Bind()
		gl.BindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out.ID, part.first*n*int(skin.VertexSize),
			part.count*n*int(skin.VertexSize))
		gl.BeginTransformFeedback(gl.POINTS)
		gl.DrawArraysInstanced(gl.POINTS, int32(part.first), int32(part.count), d.Instances)
		gl.EndTransformFeedback()
		gl.BindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, 0)
	}
	gl.BindVertexArray(0)
	return readBuffer(t, out.ID, 0, make([]skin.Vertex, n*all))
}

// everyWay runs a test with each way of skinning that the context has, then sets the first again.
func everyWay(t testing.TB, r *Renderer, f func(way skin.Way)) {
	t.Helper()
	before := r.Way()
	for _, way := range skin.Ways() {
		if way == skin.InBufferCompute && !r.poser.Computes {
			continue
		}
		if err := r.SetWay(way); err != nil {
			t.Fatal(err)
		}
		f(way)
	}
	if err := r.SetWay(before); err != nil {
		t.Fatal(err)
	}
}
