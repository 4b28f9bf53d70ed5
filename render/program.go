package render

import (
	"fmt"
	"strings"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/shaders"
)

// Texture units are fixed for the whole renderer: every sampler name has one, in every program.
const (
	unitBase uint32 = iota
	unitShadowDepth
	unitShadowCompare
	unitContact
	unitPicture
	unitPalette
	unitExtra
	unitMorphDeltas
	unitMorphActive
	unitColorMap
	unitPosedCrowd
	unitPosed
	unitRings
	unitProxyRows
	unitProxyInputs
	unitCount
)

var samplerUnits = [...]struct {
	name string
	unit uint32
}{
	{"baseTexture", unitBase}, {"shadowDepth", unitShadowDepth}, {"shadowCompare", unitShadowCompare},
	{"contactMap", unitContact}, {"source", unitContact}, {"picture", unitPicture}, {"palette", unitPalette},
	{"extraInfluences", unitExtra}, {"morphDeltas", unitMorphDeltas}, {"morphActive", unitMorphActive},
	{"colorMap", unitColorMap}, {"posedCrowd", unitPosedCrowd},
	{"posed", unitPosed}, {"ringTriangles", unitRings},
	{"proxyRows", unitProxyRows}, {"proxyInputs", unitProxyInputs},
}

// Uniform buffer bindings of the blocks Scene and Pose.
const (
	sceneBinding = iota
	poseBinding
)

var blockBindings = [...]struct {
	name    string
	binding uint32
}{{"Scene", sceneBinding}, {"Pose", poseBinding}}

// program is a linked GL program.
type program struct {
	id    uint32
	label string
}

// newProgram joins, compiles and links a vertex and a fragment stage, each given by its files; fragment may be nil for
// a program that only poses, and captured names the outputs that transform feedback writes, interleaved.
func newProgram(label string, vertex, fragment []string, captured ...string) (*program, error) {
	p := &program{id: gl.CreateProgram(), label: label}
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
		gl.TransformFeedbackVaryings(p.id, int32(len(captured)), names, gl.INTERLEAVED_ATTRIBS)
		free()
	}
	return p.link()
}

// newComputeProgram joins, compiles and links a compute stage.
func newComputeProgram(label string, files ...string) (*program, error) {
	p := &program{id: gl.CreateProgram(), label: label}
	if err := p.attach(gl.COMPUTE_SHADER, files); err != nil {
		p.Delete()
		return nil, err
	}
	return p.link()
}

// attach joins and compiles a stage.
func (p *program) attach(kind uint32, files []string) error {
	shader, err := compile(p.label, kind, files)
	if err == nil {
		gl.AttachShader(p.id, shader)
		gl.DeleteShader(shader) // it lives as long as the program holds it
	}
	return err
}

// link links the attached stages, and fixes the units of samplers and the bindings of blocks. On an error nothing stays
// behind.
func (p *program) link() (*program, error) {
	gl.LinkProgram(p.id)
	var ok int32
	if gl.GetProgramiv(p.id, gl.LINK_STATUS, &ok); ok == gl.FALSE {
		err := fmt.Errorf("render: program %q does not link:\n%s", p.label,
			infoLog(p.id, gl.GetProgramiv, gl.GetProgramInfoLog))
		p.Delete()
		return nil, err
	}
	gl.UseProgram(p.id)
	for _, s := range samplerUnits {
		if at := p.Uniform(s.name); at >= 0 {
			gl.Uniform1i(at, int32(s.unit))
		}
	}
	for _, b := range blockBindings {
		if block := gl.GetUniformBlockIndex(p.id, gl.Str(b.name+"\x00")); block != gl.INVALID_INDEX {
			gl.UniformBlockBinding(p.id, block, b.binding)
		}
	}
	return p, nil
}

// Uniform returns a location, −1 where the program does not use the name. It allocates: look up once.
func (p *program) Uniform(name string) int32 { return gl.GetUniformLocation(p.id, gl.Str(name+"\x00")) }

// Delete is nil-safe and may be called again.
func (p *program) Delete() {
	if p != nil && p.id != 0 {
		gl.DeleteProgram(p.id)
		p.id = 0
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

// feedback is where transform feedback writes: into a buffer from a byte on, so many bytes for each point.
type feedback struct {
	buffer        uint32
	offset, point int
}

// run runs the program in use over a range of vertices of the bound array, as points that are not drawn, and writes
// what it captures, all vertices of the first instance before those of the next.
func (f feedback) run(first, count, instances int) {
	if count == 0 {
		return
	}
	gl.Enable(gl.RASTERIZER_DISCARD)
	gl.BindBufferRange(gl.TRANSFORM_FEEDBACK_BUFFER, 0, f.buffer, f.offset, f.point*count*instances)
	gl.BeginTransformFeedback(gl.POINTS)
	gl.DrawArraysInstanced(gl.POINTS, int32(first), int32(count), int32(instances))
	gl.EndTransformFeedback()
	gl.BindBufferBase(gl.TRANSFORM_FEEDBACK_BUFFER, 0, 0)
	gl.Disable(gl.RASTERIZER_DISCARD)
}
