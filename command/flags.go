package command

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
)

// methodFlag names one of the direct methods.
type methodFlag struct{ flag, name string }

// register adds the flag; others are words that it takes besides the methods.
func (m *methodFlag) register(f *pflag.FlagSet, flag, byDefault, usage string, others ...string) {
	m.flag = flag
	f.StringVar(&m.name, flag, byDefault, usage)
	takeWords(f, flag, append(directMethods(), others...)...)
}

func (m *methodFlag) parse() (skinning.Method, error) { return parseMethod(m.flag, m.name) }

func parseMethod(flag, name string) (skinning.Method, error) {
	m, err := skinning.ParseMethod(name)
	if err != nil {
		return 0, usagef("--%s: %v%s", flag, err, messages.Nearest(name, directMethods()))
	}
	return m, nil
}

// referenceDefault ends the help of a flag whose method [compare.Reference] chooses where none is named.
const referenceDefault = " (default: twist-swing for a model of two weight sets, sdqs where joints scale, else dqs)"

// referenceFlag names the method that others are measured against.
type referenceFlag struct {
	methodFlag
	why string // why it was chosen; "" where it was named
}

func (r *referenceFlag) register(f *pflag.FlagSet, usage string, others ...string) {
	r.methodFlag.register(f, "reference", "", usage+referenceDefault, others...)
}

// check checks the name, before the model is read.
func (r *referenceFlag) check() error {
	if r.name == "" {
		return nil
	}
	_, err := r.parse()
	return err
}

// choose returns the named method, or that for the model, whose name and reason are kept.
func (r *referenceFlag) choose(m *skinning.Model) (skinning.Method, error) {
	if r.name != "" {
		return r.parse()
	}
	method, why := compare.Reference(m)
	r.name, r.why = method.String(), why
	return method, nil
}

// text is the reference with the reason for it.
func (r *referenceFlag) text() string {
	if r.why == "" {
		return r.name
	}
	return r.name + " (" + r.why + ")"
}

// operators lists the methods that a fit can imitate, as a help text does.
func operators() string {
	return skinning.ListMethods(skinning.Operators(), skinning.Method.String, " ", " ")
}

// directMethods lists the methods that need no fit.
func directMethods() (names []string) {
	for _, m := range skinning.Methods() {
		names = append(names, m.String())
	}
	return names
}

// methodUsage is the help of --method.
func methodUsage() string { return "skinning method: " + strings.Join(directMethods(), " ") }

// pictureFlags shape a picture: --size and --clay.
type pictureFlags struct {
	size        string
	clay        bool
	transparent bool
}

func (p *pictureFlags) register(f *pflag.FlagSet, size, usage string) {
	f.StringVar(&p.size, "size", size, usage)
	f.BoolVar(&p.clay, "clay", false, "one plain material instead of the file's")
}

// registerTransparent adds --transparent, which a window has not.
func (p *pictureFlags) registerTransparent(f *pflag.FlagSet) {
	f.BoolVar(&p.transparent, "transparent", false, "leave out backdrop and floor: the picture's alpha says where the model is")
}

// pixels reads "1280x720".
func (p *pictureFlags) pixels() (width, height int, err error) {
	w, h, ok := strings.Cut(strings.ToLower(p.size), "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || width < 16 || height < 16 || width > 16384 || height > 16384 {
		return 0, 0, usagef("--size: %q is not WxH in pixels, each from 16 to 16384", p.size)
	}
	return width, height, nil
}

// Where normals of a posed skin come from.
const (
	autoNormals        = "auto"
	surfaceNormals     = "surface"
	transformedNormals = "transformed"
)

// posedOutput is the flags of a command that writes a model, posed and skinned by a method, to a file.
type posedOutput struct {
	method  methodFlag
	normals string
	poseFlags
	output
}

func (p *posedOutput) register(f *pflag.FlagSet, usage string) {
	p.method.register(f, "method", "lbs", methodUsage())
	f.StringVar(&p.normals, "normals", autoNormals,
		surfaceNormals+" sums them from the triangles around each posed vertex, "+transformedNormals+" skins those of the file; "+
			autoNormals+" takes those of the surface for enveloping and for morph targets without normals")
	takeWords(f, "normals", autoNormals, surfaceNormals, transformedNormals)
	p.poseFlags.register(f, "the static pose, or the first where --time is given")
	p.output.register(f, usage)
}

// check checks the output before the work: the model is read and must stay, and the ending is that of the format.
func (p *posedOutput) check(model, ending string) error {
	return p.output.check(func() []string { return append(modelFiles(model), p.pose) }, ending)
}

// print reports the file that was written.
func (p *posedOutput) print(f *skinning.Frame, clip int, method skinning.Method, text func()) error {
	out := struct {
		Model    string  `json:"model"`
		Method   string  `json:"method"`
		Clip     string  `json:"clip"` // "" for the static pose
		Time     float64 `json:"time"`
		Vertices int     `json:"vertices"`
		Output   string  `json:"output"`
	}{f.Model.Name, method.String(), "", p.time, len(f.Model.Skin.Positions), p.path}
	if clip >= 0 {
		out.Clip = f.Model.Clips[clip].Name
	}
	return p.output.print(&out, text)
}
