package picture

import (
	"fmt"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/render/gpu"
	"skinlab/skinning"
)

// VertexSource is where the vertex stage of a pass that draws the model gets posed vertices from.
type VertexSource uint8

const (
	FromBuffer VertexSource = iota // attributes of the posed buffer
	fromCrowd                      // the posed buffer of a crowd, by instance
	fromMethod                     // and its successors: the stage poses them itself, by a skinning.Method
)

// PosedBy returns the source that poses by a method.
func PosedBy(m skinning.Method) VertexSource { return fromMethod + VertexSource(m) }

func (s VertexSource) String() string {
	switch s {
	case FromBuffer:
		return "from buffer"
	case fromCrowd:
		return "from crowd"
	}
	return skinning.Method(s - fromMethod).String()
}

// Files returns the shader files that go before the stage's own: they define readVertex.
func (s VertexSource) Files() []string {
	switch s {
	case FromBuffer:
		return []string{"frombuffer.glsl"}
	case fromCrowd:
		return []string{"fromcrowd.glsl"}
	}
	return []string{"attributes.glsl", skinning.Method(s - fromMethod).Shader(), "frommethod.glsl"}
}

// variants are the programs of one pass that draws the model, one per source of vertices, each compiled when it is
// first needed. U holds the locations of the pass's own uniforms in one program.
type variants[U any] struct {
	label            string
	vertex, fragment string // files
	locate           func(*gpu.Program) U
	made             []*variant[U] // by source
}

type variant[U any] struct {
	*gpu.Program
	at U
}

// newVariants compiles the program that reads the posed buffer.
func newVariants[U any](label, vertex, fragment string, locate func(*gpu.Program) U) (*variants[U], error) {
	sources := int(fromMethod) + len(skinning.Methods())
	v := &variants[U]{label: label, vertex: vertex, fragment: fragment, locate: locate, made: make([]*variant[U], sources)}
	if err := v.Ready(FromBuffer); err != nil {
		return nil, err
	}
	return v, nil
}

// Ready compiles the program for a source where that has not happened yet.
func (v *variants[U]) Ready(s VertexSource) error {
	if v.made[s] != nil {
		return nil
	}
	p, err := gpu.NewProgram(v.label+" "+s.String(), append(s.Files(), v.vertex), []string{v.fragment})
	if err != nil {
		return err
	}
	v.made[s] = &variant[U]{p, v.locate(p)}
	return nil
}

// Use makes the program for a source current. Ready has been called for it.
func (v *variants[U]) Use(s VertexSource) *variant[U] {
	p := v.made[s]
	if p == nil {
		panic(fmt.Sprintf("render: program %q %v is used before it is ready", v.label, s))
	}
	gl.UseProgram(p.ID)
	return p
}

// Delete is nil-safe and releases in reverse order.
func (v *variants[U]) Delete() {
	if v == nil {
		return
	}
	for i := len(v.made) - 1; i >= 0; i-- {
		if v.made[i] != nil {
			v.made[i].Delete()
			v.made[i] = nil
		}
	}
}
