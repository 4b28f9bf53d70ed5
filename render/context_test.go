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
		m, err = assets.Load(path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// readPosed poses a frame and reads the result back. Only tests read back.
func readPosed(t testing.TB, r *Renderer, f *skinning.Frame, method skinning.Method) []restVertex {
	t.Helper()
	r.resetState()
	if err := r.poser.Pose(r.model, f, method, r.timer); err != nil {
		t.Fatal(err)
	}
	out := make([]restVertex, r.model.streams.all)
	if len(out) > 0 {
		gl.BindBuffer(gl.ARRAY_BUFFER, r.model.streams.posed.id)
		gl.GetBufferSubData(gl.ARRAY_BUFFER, 0, byteSize(out), unsafe.Pointer(&out[0]))
	}
	if err := glError("read back"); err != nil {
		t.Fatal(err)
	}
	return out
}
