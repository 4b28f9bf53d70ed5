package gpu

import (
	"fmt"
	"strings"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/shaders"
	"skinlab/skinning"
)

// Texture units are fixed for the whole renderer: every sampler name has one, in every program.
const (
	UnitBase uint32 = iota
	UnitShadowDepth
	UnitShadowCompare
	UnitContact
	UnitPicture
	UnitPalette
	UnitExtra
	UnitMorphDeltas
	UnitMorphActive
	UnitColorMap
	UnitPosedCrowd
	UnitPosed
	UnitRings
	UnitProxyRows
	UnitProxyInputs
	UnitSurroundings
	UnitReflection
	UnitMaps  // and as many after it as materials have kinds of maps
	unitCount = UnitMaps + uint32(skinning.MapKinds)
)

// samplers names the samplers of each unit.
var samplers = [unitCount][]string{
	{"baseTexture"}, {"shadowDepth"}, {"shadowCompare"}, {"contactMap", "source"}, {"picture"}, {"palette"},
	{"extraInfluences"}, {"morphDeltas"}, {"morphActive"}, {"colorMap"}, {"posedCrowd"}, {"posed"}, {"ringTriangles"},
	{"proxyRows"}, {"proxyInputs"}, {"surroundings"}, {"reflectionTable"}, UnitMaps + uint32(skinning.RoughnessMap): {"roughnessMap"},
	UnitMaps + uint32(skinning.NormalMap): {"normalMap"}, UnitMaps + uint32(skinning.OcclusionMap): {"occlusionMap"},
	UnitMaps + uint32(skinning.EmissiveMap): {"emissiveMap"},
}

// Bindings of uniform blocks, in the order of blocks.
const (
	SceneBinding uint32 = iota
	PoseBinding
)

var blocks = [...]string{"Scene", "Pose"}

// Stages names the shader files from which each stage of a program is joined, "" for no such stage. Captured names the
// outputs of the vertex stage that transform feedback writes, interleaved. Names are separated by spaces.
type Stages struct{ Vertex, Fragment, Compute, Captured string }

// Program is a linked GL program.
type Program struct {
	id       uint32
	label    string
	uniforms map[string]int32 // locations
}

// Compile joins, compiles and links a program, and stores it in a pointer that is still nil. The label names it in
// errors.
func Compile(o *Owner, into **Program, label string, s Stages) error {
	if *into != nil {
		return nil
	}
	p := &Program{id: gl.CreateProgram(), label: label, uniforms: map[string]int32{}}
	if err := p.build(s); err != nil {
		gl.DeleteProgram(p.id)
		return err
	}
	o.Own(func() { gl.DeleteProgram(p.id) })
	*into = p
	return nil
}

func (p *Program) build(s Stages) error {
	for _, stage := range []struct {
		kind  uint32
		files string
	}{{gl.VERTEX_SHADER, s.Vertex}, {gl.FRAGMENT_SHADER, s.Fragment}, {gl.COMPUTE_SHADER, s.Compute}} {
		if stage.files == "" {
			continue
		}
		shader, err := compile(p.label, stage.kind, strings.Fields(stage.files))
		if err != nil {
			return err
		}
		gl.AttachShader(p.id, shader)
		gl.DeleteShader(shader) // it lives as long as the program holds it
	}
	if captured := strings.Fields(s.Captured); len(captured) > 0 {
		for i := range captured {
			captured[i] += "\x00"
		}
		names, free := gl.Strs(captured...)
		gl.TransformFeedbackVaryings(p.id, int32(len(captured)), names, gl.INTERLEAVED_ATTRIBS)
		free()
	}
	gl.LinkProgram(p.id)
	var ok int32
	gl.GetProgramiv(p.id, gl.LINK_STATUS, &ok)
	if ok == gl.FALSE {
		return fmt.Errorf("render: program %q does not link:\n%s", p.label,
			infoLog(p.id, gl.GetProgramiv, gl.GetProgramInfoLog))
	}
	p.locate()
	return nil
}

// locate finds the uniforms, and fixes the units of samplers and the bindings of blocks.
func (p *Program) locate() {
	var count, size int32
	gl.GetProgramiv(p.id, gl.ACTIVE_UNIFORMS, &count)
	var name [128]uint8
	for i := range uint32(count) {
		var length int32
		var kind uint32
		gl.GetActiveUniform(p.id, i, int32(len(name)), &length, &size, &kind, &name[0])
		if at := gl.GetUniformLocation(p.id, &name[0]); at >= 0 { // not in a block
			p.uniforms[string(name[:length])] = at
		}
	}
	p.Use()
	for unit, names := range samplers {
		for _, name := range names {
			p.SetInt(name, int32(unit))
		}
	}
	for binding, name := range blocks {
		if block := gl.GetUniformBlockIndex(p.id, gl.Str(name+"\x00")); block != gl.INVALID_INDEX {
			gl.UniformBlockBinding(p.id, block, uint32(binding))
		}
	}
}

// Use makes the program current.
func (p *Program) Use() { gl.UseProgram(p.id) }

// Set sets a uniform of one to four floats. It and the other setters require that the program is in use. They ignore
// uniforms that the program does not read.
func (p *Program) Set(name string, v ...float32) {
	at, ok := p.uniforms[name]
	if !ok {
		return
	}
	switch len(v) {
	case 1:
		gl.Uniform1f(at, v[0])
	case 2:
		gl.Uniform2f(at, v[0], v[1])
	case 3:
		gl.Uniform3f(at, v[0], v[1], v[2])
	case 4:
		gl.Uniform4f(at, v[0], v[1], v[2], v[3])
	default:
		panic(fmt.Sprintf("render: uniform %q of %d floats", name, len(v)))
	}
}

// SetMatrix sets a uniform from memory that C may read.
func (p *Program) SetMatrix(name string, m *mgl32.Mat4) {
	if at, ok := p.uniforms[name]; ok {
		gl.UniformMatrix4fv(at, 1, false, &m[0])
	}
}

// SetInt sets a uniform integer.
func (p *Program) SetInt(name string, v int32) {
	if at, ok := p.uniforms[name]; ok {
		gl.Uniform1i(at, v)
	}
}

// SetInts sets a uniform of four integers.
func (p *Program) SetInts(name string, v [4]int32) {
	if at, ok := p.uniforms[name]; ok {
		gl.Uniform4i(at, v[0], v[1], v[2], v[3])
	}
}

// SetBool sets a uniform truth value.
func (p *Program) SetBool(name string, v bool) { p.SetInt(name, Bool(v)) }

// Bool returns 1 for true, 0 for false: what GLSL reads.
func Bool(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// compile returns a compiled shader, or an error with the compiler's log by file and line and the numbered source.
func compile(label string, kind uint32, files []string) (uint32, error) {
	join := shaders.Join
	if kind == gl.COMPUTE_SHADER {
		join = shaders.JoinCompute
	}
	stage, err := join(files...)
	if err != nil {
		return 0, err
	}
	return compileStage(label, kind, stage)
}

func compileStage(label string, kind uint32, stage shaders.Stage) (uint32, error) {
	shader := gl.CreateShader(kind)
	source, free := gl.Strs(stage.Text + "\x00")
	gl.ShaderSource(shader, 1, source, nil)
	free()
	gl.CompileShader(shader)
	var ok int32
	gl.GetShaderiv(shader, gl.COMPILE_STATUS, &ok)
	if ok == gl.FALSE {
		log := infoLog(shader, gl.GetShaderiv, gl.GetShaderInfoLog)
		gl.DeleteShader(shader)
		return 0, fmt.Errorf("render: program %q, %s does not compile:\n%s\n%s",
			label, stage.Files[len(stage.Files)-1], stage.Explain(log), stage.Numbered())
	}
	return shader, nil
}

func infoLog(id uint32, length func(uint32, uint32, *int32), read func(uint32, int32, *int32, *uint8)) string {
	var n int32
	length(id, gl.INFO_LOG_LENGTH, &n)
	if n <= 0 {
		return "(the driver gives no reason)"
	}
	log := make([]byte, n)
	read(id, n, &n, &log[0])
	return strings.TrimRight(string(log[:n]), "\x00\n")
}

// Feedback is the destination of transform feedback: a buffer, the byte at which it begins, and the number of bytes for
// each point.
type Feedback struct {
	Buffer        uint32
	Offset, Point int
}

// Run runs the program in use over a range of vertices of the bound array, as points that are not drawn, and writes the
// captured outputs, all vertices of the first instance before those of the next.
func (f Feedback) Run(first, count, instances int) {
	if count == 0 {
		return
	}
	gl.Enable(gl.RASTERIZER_DISCARD)
	gl.BindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, f.Buffer, f.Offset, f.Point*count*instances)
	gl.BeginTransformFeedback(gl.POINTS)
	gl.DrawArraysInstanced(gl.POINTS, int32(first), int32(count), int32(instances))
	gl.EndTransformFeedback()
	gl.BindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, 0)
	gl.Disable(gl.RASTERIZER_DISCARD)
}
