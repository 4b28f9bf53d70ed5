package flags

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/spf13/pflag"

	"skinlab/assets/hdr"
	"skinlab/render/environment"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/deltamush"
	"skinlab/skinning/messages"
	"skinlab/skinning/rig"
)

type MethodFlag struct{ flag, Name string }

// Register adds the flag; others are words that it takes besides the methods.
func (m *MethodFlag) Register(f *pflag.FlagSet, flag, byDefault, usage string, others ...string) {
	m.flag = flag
	f.StringVar(&m.Name, flag, byDefault, usage)
	TakeWords(f, flag, append(DirectMethods(), others...)...)
}

func (m *MethodFlag) Parse() (skinning.Method, error) { return ParseMethod(m.flag, m.Name) }

func ParseMethod(flag, name string) (skinning.Method, error) {
	m, err := skinning.ParseMethod(name)
	if err != nil {
		return 0, Usagef("--%s: %v%s", flag, err, messages.Nearest(name, DirectMethods()))
	}
	return m, nil
}

// ReferenceDefault ends the help of a flag whose method [compare.Reference] chooses where none is named.
const ReferenceDefault = " (default: twist-swing for a model of two weight sets, sdqs where joints scale, else dqs)"

// ReferenceFlag names what methods are measured against: one of them, or Delta Mush.
type ReferenceFlag struct {
	MethodFlag
	mush *DeltaMush // nil where its options have no flags
	Why  string     // why it was chosen; "" where it was named
}

func (r *ReferenceFlag) Register(f *pflag.FlagSet, usage string, others ...string) {
	r.MethodFlag.Register(f, "reference", "", usage+ReferenceDefault, append(others, deltamush.Name)...)
}

func (r *ReferenceFlag) RegisterDeltaMush(f *pflag.FlagSet) {
	r.mush = &DeltaMush{}
	r.mush.Register(f, "with --reference "+deltamush.Name+", ")
}

// Check checks the name, before the model is read.
func (r *ReferenceFlag) Check() error {
	if r.mush != nil {
		if err := r.mush.Check(r.Name); err != nil {
			return err
		}
	}
	if r.Name == "" || r.Name == deltamush.Name {
		return nil
	}
	_, err := r.Parse()
	return err
}

// Choose returns what is named, or the method for the model, whose name and reason are kept.
func (r *ReferenceFlag) Choose(m *skinning.Model) (skinning.Reference, error) {
	switch {
	case r.Name == deltamush.Name && r.mush != nil:
		return deltamush.New(m, r.mush.Options), nil
	case r.Name == deltamush.Name:
		return deltamush.New(m, deltamush.Default()), nil
	case r.Name != "":
		return r.Parse()
	}
	method, why := compare.Reference(m)
	r.Name, r.Why = method.String(), why
	return method, nil
}

// Operators lists the methods that a fit can imitate, as a help text does.
func Operators() string {
	return skinning.ListMethods(skinning.Operators(), skinning.Method.String, " ", " ")
}

// DirectMethods lists the methods that need no fit.
func DirectMethods() (names []string) {
	for _, m := range skinning.Methods() {
		names = append(names, m.String())
	}
	return names
}

func MethodUsage() string { return "skinning method: " + strings.Join(DirectMethods(), " ") }

// PictureFlags shape a picture: --size, --clay and --environment.
type PictureFlags struct {
	Size        string
	Clay        bool
	Environment string
	Transparent bool
}

func (p *PictureFlags) Register(f *pflag.FlagSet, size, usage string) {
	f.StringVar(&p.Size, "size", size, usage)
	f.BoolVar(&p.Clay, "clay", false, "one plain material instead of the file's")
	var names []string
	for _, c := range environment.Choices {
		names = append(names, c.Name)
	}
	f.StringVar(&p.Environment, "environment", names[0],
		"what lights the file's materials and the floor: "+strings.Join(names, ", ")+", or a picture all round in Radiance's "+
			"format, FILE.hdr; white shows colours without shading, black shows shading and shadows of one lamp")
	CompleteWords(f, "environment", names...)
}

func (p *PictureFlags) Light() (*environment.Light, error) {
	var names []string
	for _, c := range environment.Choices {
		if c.Name == p.Environment {
			return c.Light(), nil
		}
		names = append(names, c.Name)
	}
	if !strings.EqualFold(filepath.Ext(p.Environment), hdr.Ending) {
		return nil, Usagef("--environment: %q is none of %s, and no %s file%s", messages.Shortened(p.Environment),
			strings.Join(names, ", "), hdr.Ending, messages.Nearest(p.Environment, names))
	}
	around, err := hdr.Open(p.Environment)
	if err != nil {
		return nil, err
	}
	return environment.New(128, around.Radiance, mgl32.Vec3{}), nil
}

// RegisterTransparent adds --transparent, which a window has not.
func (p *PictureFlags) RegisterTransparent(f *pflag.FlagSet) {
	f.BoolVar(&p.Transparent, "transparent", false, "leave out backdrop and floor: the picture's alpha says where the model is")
}

// Pixels reads "1280x720".
func (p *PictureFlags) Pixels() (width, height int, err error) {
	w, h, ok := strings.Cut(strings.ToLower(p.Size), "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	if !ok || errW != nil || errH != nil || width < 16 || height < 16 || width > 16384 || height > 16384 {
		return 0, 0, Usagef("--size: %q is not WxH in pixels, each from 16 to 16384", p.Size)
	}
	return width, height, nil
}

// Where normals of a posed skin come from.
const (
	AutoNormals        = "auto"
	SurfaceNormals     = "surface"
	TransformedNormals = "transformed"
)

// PosedOutput is the flags of a command that writes a model, posed and skinned by a method, to a file.
type PosedOutput struct {
	Method  MethodFlag // "" until the model is loaded, where it is not named
	Normals string
	PoseFlags
	Output
}

func (p *PosedOutput) Register(f *pflag.FlagSet, usage string) {
	p.Method.Register(f, "method", "", MethodUsage()+", each with the weights from before a fit, and without the "+
		"shapes of an example set, as compare has them; or what the file holds: "+fitted+", or "+skinning.Examples,
		fitted, skinning.Examples)
	// What help calls the default. --method= is refused.
	f.Lookup("method").DefValue = fitted + " or " + skinning.Examples + ", else lbs"
	f.StringVar(&p.Normals, "normals", AutoNormals,
		SurfaceNormals+" sums them from the triangles around each posed vertex, "+TransformedNormals+" skins those of the file; "+
			AutoNormals+" takes those of the surface for enveloping and for morph targets without normals")
	TakeWords(f, "normals", AutoNormals, SurfaceNormals, TransformedNormals)
	p.PoseFlags.Register(f, "the static pose, or the first where --time is given")
	p.Output.Register(f, usage)
}

// fitted is the word of --method for the fit that a file holds: what compare has in the row of the file's name.
const fitted = "fit"

// CheckMethod checks --method before the model is read.
func (p *PosedOutput) CheckMethod() error {
	if p.Method.Name == "" || p.Method.Name == fitted || p.Method.Name == skinning.Examples {
		return nil
	}
	_, err := p.Method.Parse()
	return err
}

// Frame loads a model, and poses it as the flags say. The model of the frame is that of the method: a method that is
// named poses a fitted model as it was before the fit, see [rig.Folded], and examples without their shapes, as in
// compare.
func (p *PosedOutput) Frame(ctx context.Context, path string) (f *skinning.Frame, clip int, method skinning.Method,
	err error) {
	m, err := p.LoadMoved(ctx, path)
	if err != nil {
		return nil, 0, 0, err
	}
	holdsFit := m.Fit != nil || len(m.Added()) > 0
	name := p.Method.Name
	switch {
	case name == fitted && !holdsFit:
		return nil, 0, 0, Usagef("--method: %s holds no fit", m.Name)
	case name == "" && holdsFit:
		name = fitted
	}
	switch name {
	case "", skinning.Examples:
	case fitted:
		method, _ = m.MadeFor()
	default:
		if method, err = p.Method.Parse(); err != nil {
			return nil, 0, 0, err
		}
		if of := compare.OfFit(m); of != "" {
			fmt.Fprintf(os.Stderr, "note: %s: %s\n", m.Name, of)
		}
		m = rig.Folded(m)
	}
	if f, clip, err = p.PoseFlags.Frame(m); err != nil {
		return nil, 0, 0, err
	}
	var of *skinning.Clip
	if clip >= 0 {
		of = &f.Model.Clips[clip]
	}
	if still := compare.StillBones(of, f.Model); still != "" && (clip >= 0 || p.Pose != "") {
		fmt.Fprintln(os.Stderr, "note: "+still)
	}
	switch shows := m.ShowsExamples(clip); {
	case name == skinning.Examples && !shows:
		return nil, 0, 0, Usagef("--method: %s shows no examples there", m.Name)
	case name == "" && shows:
		name = skinning.Examples
	case name == "":
		name = skinning.LBS.String()
	case shows && name != skinning.Examples && name != fitted:
		f, clip, err = p.PoseFlags.Frame(m.WithoutMorphs())
	}
	p.Method.Name = name
	return f, clip, method, err
}

// Check checks before the work that the output is no file of the model, and has the format's ending.
func (p *PosedOutput) Check(model, ending string) error {
	return p.Output.Check(func() []string { return append(append(ModelFiles(model), p.Pose), p.MotionReads()...) }, ending)
}

func (p *PosedOutput) Print(f *skinning.Frame, clip int, text func(io.Writer)) error {
	out := struct {
		Model    string  `json:"model"`
		Method   string  `json:"method"`
		Clip     string  `json:"clip"` // "" for the static pose
		Time     float64 `json:"time"`
		Vertices int     `json:"vertices"`
		Output   string  `json:"output"`
	}{f.Model.Name, p.Method.Name, "", p.Time, len(f.Model.Skin.Positions), p.Path}
	if clip >= 0 {
		out.Clip = f.Model.Clips[clip].Name
	}
	return p.Output.Print(&out, text)
}
