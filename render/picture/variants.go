package picture

import (
	"fmt"

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
func (s VertexSource) Files() string {
	switch s {
	case FromBuffer:
		return "frombuffer.glsl"
	case fromCrowd:
		return "fromcrowd.glsl"
	}
	return "attributes.glsl " + skinning.Method(s-fromMethod).Shader() + " frommethod.glsl"
}

// variants are the programs of one pass that draws the model, one per source of vertices, each compiled when it is
// first needed.
type variants struct {
	owner            *gpu.Owner
	label            string
	vertex, fragment string         // files
	made             []*gpu.Program // by source
}

// newVariants compiles the program that reads the posed buffer.
func newVariants(o *gpu.Owner, label, vertex, fragment string) *variants {
	v := &variants{o, label, vertex, fragment, make([]*gpu.Program, int(fromMethod)+len(skinning.Methods()))}
	o.Fail(v.Ready(FromBuffer))
	return v
}

// Ready compiles the program for a source where that has not happened yet.
func (v *variants) Ready(s VertexSource) error {
	if v.made[s] != nil {
		return nil
	}
	return gpu.Compile(v.owner, &v.made[s], v.label+" "+s.String(),
		gpu.Stages{Vertex: s.Files() + " " + v.vertex, Fragment: v.fragment})
}

// Use makes the program for a source current. Ready has been called for it.
func (v *variants) Use(s VertexSource) *gpu.Program {
	p := v.made[s]
	if p == nil {
		panic(fmt.Sprintf("render: program %q %v is used before it is ready", v.label, s))
	}
	p.Use()
	return p
}
