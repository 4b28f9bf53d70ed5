package picture

import (
	"fmt"

	"skinlab/render/gpu"
	"skinlab/render/skin"
	"skinlab/skinning"
)

// VertexSource is where a drawing pass's vertex stage gets posed vertices from.
type VertexSource uint8

const (
	FromBuffer VertexSource = iota // attributes of the posed buffer
	fromCrowd                      // the posed buffer of a crowd, indexed by instance
	fromMethod                     // this and the values after it: the stage poses, see PosedBy
)

// PosedBy returns the source that poses by a method with one weight set.
func PosedBy(m skinning.Method) VertexSource { return fromMethod + VertexSource(m) }

// posedBySecond returns the source that poses by a method with a second weight set: those of all methods are behind
// those of one set.
func posedBySecond(m skinning.Method) VertexSource {
	return PosedBy(m) + VertexSource(len(skinning.Methods()))
}

// method returns the method of a source that poses, and whether it reads a second weight set.
func (s VertexSource) method() (m skinning.Method, second bool) {
	n := len(skinning.Methods())
	return skinning.Method(int(s-fromMethod) % n), int(s-fromMethod) >= n
}

func (s VertexSource) String() string {
	switch s {
	case FromBuffer:
		return "from buffer"
	case fromCrowd:
		return "from crowd"
	}
	m, _ := s.method()
	return m.String()
}

// Files returns the shader files that define readVertex. They come before the stage's own file.
func (s VertexSource) Files() string {
	switch s {
	case FromBuffer:
		return "frombuffer.glsl"
	case fromCrowd:
		return "fromcrowd.glsl"
	}
	m, second := s.method()
	return skin.InputFiles(m, second) + "attributes.glsl " + m.Shader() + " frommethod.glsl"
}

// variants are the programs of one drawing pass, one per source of vertices. Each compiles when it is first needed.
type variants struct {
	owner            *gpu.Owner
	label            string
	vertex, fragment string         // file names
	made             []*gpu.Program // by source; nil if not compiled yet
}

// newVariants compiles the program that reads the posed buffer.
func newVariants(o *gpu.Owner, label, vertex, fragment string) *variants {
	v := &variants{o, label, vertex, fragment, make([]*gpu.Program, int(fromMethod)+2*len(skinning.Methods()))}
	o.Fail(v.ready(FromBuffer))
	return v
}

// ready compiles the program for a source unless it is compiled already.
func (v *variants) ready(s VertexSource) error {
	if v.made[s] != nil {
		return nil
	}
	return gpu.Compile(v.owner, &v.made[s], v.label+" "+s.String(),
		gpu.Stages{Vertex: s.Files() + " " + v.vertex, Fragment: v.fragment})
}

// use makes the program for a source current. Ready must have been called for it.
func (v *variants) use(s VertexSource) *gpu.Program {
	p := v.made[s]
	if p == nil {
		panic(fmt.Sprintf("render: program %q %v is used before it is ready", v.label, s))
	}
	p.Use()
	return p
}
