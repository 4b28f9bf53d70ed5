package gpu

import (
	"fmt"
	"strings"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/shaders"
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
	unitCount
)

var samplerUnits = [...]struct {
	name string
	unit uint32
}{
	{"baseTexture", UnitBase}, {"shadowDepth", UnitShadowDepth}, {"shadowCompare", UnitShadowCompare},
	{"contactMap", UnitContact}, {"source", UnitContact}, {"picture", UnitPicture}, {"palette", UnitPalette},
	{"extraInfluences", UnitExtra}, {"morphDeltas", UnitMorphDeltas}, {"morphActive", UnitMorphActive},
	{"colorMap", UnitColorMap}, {"posedCrowd", UnitPosedCrowd},
	{"posed", UnitPosed}, {"ringTriangles", UnitRings},
	{"proxyRows", UnitProxyRows}, {"proxyInputs", UnitProxyInputs},
}

// Uniform buffer bindings of the blocks Scene and Pose.
const (
	SceneBinding = iota
	PoseBinding
)

var blockBindings = [...]struct {
	name    string
	binding uint32
}{{"Scene", SceneBinding}, {"Pose", PoseBinding}}

// Program is a linked GL program.
type Program struct {
	ID    uint32
	label string
}

// NewProgram joins, compiles and links a vertex and a fragment stage, each given by its files; fragment may be nil for
// a program that only poses, and captured names the outputs that transform feedback writes, interleaved.
func NewProgram(label string, vertex, fragment []string, captured ...string) (*Program, error) {
	p := &Program{ID: gl.CreateProgram(), label: label}
	for _, stage := range []struct {
		kind  uint32
		files []string
	}{{gl.VERTEX_SHADER, vertex}, {gl.FRAGMENT_SHADER, fragment}} {
		if stage.files == nil {
			continue
		}
		if err := p.attach(stage.kind, stage.files); err != nil {
			p.Delete()
			return nil, err
		}
	}
	if len(captured) > 0 {
		names, free := gl.Strs(terminated(captured)...)
		gl.TransformFeedbackVaryings(p.ID, int32(len(captured)), names, gl.INTERLEAVED_ATTRIBS)
		free()
	}
	return p.link()
}

// NewComputeProgram joins, compiles and links a compute stage.
func NewComputeProgram(label string, files ...string) (*Program, error) {
	p := &Program{ID: gl.CreateProgram(), label: label}
	if err := p.attach(gl.COMPUTE_SHADER, files); err != nil {
		p.Delete()
		return nil, err
	}
	return p.link()
}

// attach joins and compiles a stage.
func (p *Program) attach(kind uint32, files []string) error {
	shader, err := compile(p.label, kind, files)
	if err == nil {
		gl.AttachShader(p.ID, shader)
		gl.DeleteShader(shader) // it lives as long as the program holds it
	}
	return err
}

// link links the attached stages, and fixes the units of samplers and the bindings of blocks. On an error nothing stays
// behind.
func (p *Program) link() (*Program, error) {
	gl.LinkProgram(p.ID)
	var ok int32
	if gl.GetProgramiv(p.ID, gl.LINK_STATUS, &ok); ok == gl.FALSE {
		err := fmt.Errorf("render: program %q does not link:\n%s", p.label,
			infoLog(p.ID, gl.GetProgramiv, gl.GetProgramInfoLog))
		p.Delete()
		return nil, err
	}
	gl.UseProgram(p.ID)
	for _, s := range samplerUnits {
		if at := p.Uniform(s.name); at >= 0 {
			gl.Uniform1i(at, int32(s.unit))
		}
	}
	for _, b := range blockBindings {
		if block := gl.GetUniformBlockIndex(p.ID, gl.Str(b.name+"\x00")); block != gl.INVALID_INDEX {
			gl.UniformBlockBinding(p.ID, block, b.binding)
		}
	}
	return p, nil
}

// Uniform returns a location, −1 where the program does not use the name. It allocates: look up once.
func (p *Program) Uniform(name string) int32 { return gl.GetUniformLocation(p.ID, gl.Str(name+"\x00")) }

// Delete is nil-safe and may be called again.
func (p *Program) Delete() {
	if p != nil && p.ID != 0 {
		gl.DeleteProgram(p.ID)
		p.ID = 0
	}
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
	source, free := gl.Strs(terminated([]string{stage.Text})...)
	gl.ShaderSource(shader, 1, source, nil)
	free()
	gl.CompileShader(shader)
	var ok int32
	if gl.GetShaderiv(shader, gl.COMPILE_STATUS, &ok); ok == gl.FALSE {
		log := infoLog(shader, gl.GetShaderiv, gl.GetShaderInfoLog)
		gl.DeleteShader(shader)
		return 0, fmt.Errorf("render: program %q, %s does not compile:\n%s\n%s",
			label, stage.Files[len(stage.Files)-1], stage.Explain(log), stage.Numbered())
	}
	return shader, nil
}

// terminated returns the strings with the zero byte that C wants.
func terminated(in []string) []string {
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = s + "\x00"
	}
	return out
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

// Feedback is where transform feedback writes: into a buffer from a byte on, so many bytes for each point.
type Feedback struct {
	Buffer        uint32
	Offset, Point int
}

// Run runs the program in use over a range of vertices of the bound array, as points that are not drawn, and writes
// what it captures, all vertices of the first instance before those of the next.
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
