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
	"skinlab/render/gpu"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// newTestRenderer makes a headless renderer for one test, which is skipped where there is no EGL.
func newTestRenderer(t testing.TB) *Renderer {
	t.Helper()
	h, err := gpu.NewHeadless()
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
func readPosed(t testing.TB, r *Renderer, f *skinning.Frame, method skinning.Method) []skin.RestVertex {
	t.Helper()
	gpu.ResetState()
	g := r.modelOf(f)
	if err := r.poser.Pose(g.Model, f, method, r.skinning, r.timer); err != nil {
		t.Fatal(err)
	}
	posed := g.Streams.Posed
	if r.skinning == skin.InShader {
		posed = captureMesh(t, r, &picture.Scene{Frame: f, Method: method})
		defer posed.Delete()
	}
	out := make([]skin.RestVertex, g.Streams.All)
	if len(out) > 0 {
		gl.BindBuffer(gl.ARRAY_BUFFER, posed.ID)
		gl.GetBufferSubData(gl.ARRAY_BUFFER, 0, gpu.ByteSize(out), unsafe.Pointer(&out[0]))
	}
	if err := gpu.Error("read back"); err != nil {
		t.Fatal(err)
	}
	return out
}

// captureMesh captures what a picture of the scene draws. What posing needs has been sent.
func captureMesh(t testing.TB, r *Renderer, s *picture.Scene) *gpu.Buffer[skin.RestVertex] {
	t.Helper()
	var d picture.Drawn
	d.Set(s, picture.Posed{Model: r.modelOf(s.Frame), Way: r.skinning})
	return captureDrawn(t, &d)
}

// captureDrawn runs the mesh pass's vertex stage over all vertices, with the programs and the array that a picture
// draws with, and captures what it hands to the fragment stage: the skins of all instances, then their rigid meshes.
func captureDrawn(t testing.TB, d *picture.Drawn) *gpu.Buffer[skin.RestVertex] {
	t.Helper()
	own, all, n := d.Streams.SkinVertices, d.Streams.All, int(d.Instances)
	out, err := gpu.NewBuffer("captured", gl.ARRAY_BUFFER, gl.DYNAMIC_COPY, make([]skin.RestVertex, n*all))
	if err != nil {
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
		p, err := gpu.NewProgram("capture "+part.source.String(), append(part.source.Files(), "mesh.vert.glsl"), nil,
			"worldPosition", "worldNormal")
		if err != nil {
			t.Fatal(err)
		}
		gl.UseProgram(p.ID)
		d.Bind()
		gl.BindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, out.ID, part.first*n*int(skin.VertexSize),
			part.count*n*int(skin.VertexSize))
		gl.BeginTransformFeedback(gl.POINTS)
		gl.DrawArraysInstanced(gl.POINTS, int32(part.first), int32(part.count), d.Instances)
		gl.EndTransformFeedback()
		gl.BindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, 0)
		p.Delete()
	}
	gl.BindVertexArray(0)
	return out
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
