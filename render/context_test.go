package render

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/assets"
	"skinlab/assets/demo"
	"skinlab/skinning"
)

// newTestRenderer makes a headless renderer for one test, which is skipped where there is no EGL.
func newTestRenderer(t testing.TB) *Renderer {
	t.Helper()
	h, err := NewHeadless()
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
		if err := glError("after the test"); err != nil {
			t.Error(err)
		}
		h.Close()
	})
	return r
}

// sharedModels is where the development models lie, relative to this package.
const sharedModels = "../../shared/models"

// loadModel loads a built-in model, or a shared one; a test without the shared models is skipped.
func loadModel(t testing.TB, name string) *skinning.Model {
	t.Helper()
	var m *skinning.Model
	var err error
	if strings.HasPrefix(name, "demo:") {
		m, err = demo.New(name)
	} else {
		path := filepath.Join(sharedModels, filepath.FromSlash(name))
		if _, missing := os.Stat(path); missing != nil {
			t.Skipf("%s is not here", path)
		}
		m, err = assets.Open(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// readPosed poses a frame as Draw would with the renderer's way of skinning, and reads the result back. Only tests read
// back.
func readPosed(t testing.TB, r *Renderer, f *skinning.Frame, method skinning.Method) []restVertex {
	t.Helper()
	resetState()
	g := r.modelOf(f)
	if err := r.poser.Pose(g.gpuModel, f, method, r.skinning, r.timer); err != nil {
		t.Fatal(err)
	}
	posed := g.streams.posed
	if r.skinning == InShader {
		posed = captureMesh(t, r, &Scene{Frame: f, Method: method})
		defer posed.Delete()
	}
	out := make([]restVertex, g.streams.all)
	if len(out) > 0 {
		gl.BindBuffer(gl.ARRAY_BUFFER, posed.id)
		gl.GetBufferSubData(gl.ARRAY_BUFFER, 0, byteSize(out), unsafe.Pointer(&out[0]))
	}
	if err := glError("read back"); err != nil {
		t.Fatal(err)
	}
	return out
}

// captureMesh captures what a picture of the scene draws. What posing needs has been sent.
func captureMesh(t testing.TB, r *Renderer, s *Scene) *buffer[restVertex] {
	t.Helper()
	var d drawn
	d.set(s, posed{shown: r.modelOf(s.Frame), way: r.skinning})
	return captureDrawn(t, &d)
}

// captureDrawn runs the mesh pass's vertex stage over all vertices, with the programs and the array that a picture
// draws with, and captures what it hands to the fragment stage: the skins of all instances, then their rigid meshes.
func captureDrawn(t testing.TB, d *drawn) *buffer[restVertex] {
	t.Helper()
	own, all, n := d.streams.skinVertices, d.streams.all, int(d.instances)
	out, err := newBuffer("captured", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, make([]restVertex, n*all))
	if err != nil {
		t.Fatal(err)
	}
	gl.Enable(gl.RASTERIZER_DISCARD)
	defer gl.Disable(gl.RASTERIZER_DISCARD)
	for _, part := range []struct {
		source       vertexSource
		first, count int
	}{{d.skin, 0, own}, {d.rigid, own, all - own}} {
		if part.count == 0 {
			continue
		}
		p, err := newProgram("capture "+part.source.String(), append(part.source.files(), "mesh.vert.glsl"), nil,
			"worldPosition", "worldNormal")
		if err != nil {
			t.Fatal(err)
		}
		gl.UseProgram(p.id)
		d.bind()
		gl.BindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out.id, part.first*n*int(vertexSize),
			part.count*n*int(vertexSize))
		gl.BeginTransformFeedback(gl.POINTS)
		gl.DrawArraysInstanced(gl.POINTS, int32(part.first), int32(part.count), d.instances)
		gl.EndTransformFeedback()
		gl.BindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, 0)
		p.Delete()
	}
	gl.BindVertexArray(0)
	return out
}

// everyWay runs a test with each way of skinning that the context has, then sets the first again.
func everyWay(t testing.TB, r *Renderer, f func(way Skinning)) {
	t.Helper()
	before := r.Skinning()
	for _, way := range Skinnings() {
		if way == InBufferCompute && !r.poser.computes {
			continue
		}
		if err := r.SetSkinning(way); err != nil {
			t.Fatal(err)
		}
		f(way)
	}
	if err := r.SetSkinning(before); err != nil {
		t.Fatal(err)
	}
}
