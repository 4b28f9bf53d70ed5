package gpu

import (
	"strings"
	"testing"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/shaders"
)

// A compile error names the file, the line in it and shows the source.
func TestCompileErrorNamesFileAndLine(t *testing.T) {
	h, err := NewHeadless()
	if err != nil {
		t.Skip(err)
	}
	defer h.Close()
	stage := shaders.Stage{
		Text:  shaders.Version + "\n#line 1 0\nvoid main() {\n#line 7 1\n\tnonsense = 1;\n#line 3 0\n}\n",
		Files: []string{"a.vert.glsl", "b.glsl"},
	}
	_, err = compileStage("broken", gl.VERTEX_SHADER, stage)
	if err == nil {
		t.Fatal("it compiled")
	}
	for _, want := range []string{"broken", "a.vert.glsl", "b.glsl:7", "nonsense = 1;"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not mention %q:\n%v", want, err)
		}
	}
}
