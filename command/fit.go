package command

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skinlab/fit/job"
	"skinlab/skinning"
)

// fitRows is the table of fits: a subcommand of fit for each.
func fitRows() []row {
	return []row{
		{"blend-bones MODEL", "Add blend bones, samples of a nonlinear method",
			"skinlab fit blend-bones character.glb --operator dqs --bones 10 --train walk:12 -o fitted.glb", &blendBonesFit{}},
		{"half-way MODEL", "Add a bone half-way between the two sides of each joint, the baseline of blend bones",
			"skinlab fit half-way character.glb -o fitted.glb", &halfWayFit{}},
		{"enveloping MODEL", "Add proxy bones that learn from example shapes, or from a method's",
			"skinlab fit enveloping character.glb --targets shapes/ --clip exercise -o fitted.glb", &envelopingFit{}},
		{"ssd MODEL", "Train the weights of the model's own joints on example shapes, or on a method's",
			"skinlab fit ssd character.glb --teach dqs -o fitted.glb", &ssdFit{}},
	}
}

// newFit makes the command fit, which lists the fits where none is named.
func newFit() *cobra.Command {
	fit := &cobra.Command{Use: "fit METHOD MODEL", DisableFlagsInUseLine: true,
		Short: "Fit bones to a method or to example shapes, and write a glTF that plain linear skinning plays"}
	var names, examples []string
	for _, r := range fitRows() {
		method := newCommand(r)
		fit.AddCommand(method)
		names, examples = append(names, method.Name()), append(examples, r.example)
		// A flag without a value may stand before the method: cobra finds the method behind it if fit knows the flag.
		method.Flags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal != "" && fit.Flags().Lookup(f.Name) == nil {
				fit.Flags().Bool(f.Name, false, f.Usage)
				fit.Flags().Lookup(f.Name).Hidden = true
			}
		})
	}
	fit.Example = strings.Join(examples, "\n")
	fit.Args = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return usagef("fit: %q: not one of %s", args[0], strings.Join(names, ", "))
		}
		return nil
	}
	fit.RunE = func(*cobra.Command, []string) error { return fit.Help() }
	return fit
}

// fitFlags are the flags of every fit.
type fitFlags struct {
	output
	train   []string
	test    string
	fps     float64
	threads int
}

// register adds the flags; train and test begin the help of these two.
func (c *fitFlags) register(f *pflag.FlagSet, train, test string) {
	f.StringArrayVar(&c.train, "train", nil,
		train+": CLIP[:N], N evenly from the clip, 12 without N; may be given several times "+
			"(default: 24 poses that stand for all clips, or poses made from the skeleton)")
	f.StringVar(&c.test, "test", "", test)
	f.Float64Var(&c.fps, "fps", 0,
		"keys a second of the baked bones (default: as many as keep the error between keys below a tenth of the fit's)")
	f.IntVar(&c.threads, "threads", 0, "threads to fit on; the result does not depend on it (default: all)")
	c.output.register(f, "GLB file to write")
}

// open checks the flags of every fit and the output, before the work and not after it, and loads the model. Shapes are
// what the fit reads besides.
func (c *fitFlags) open(path string, shapes ...*shapeFlags) (*skinning.Model, error) {
	if !(c.fps >= 0 && c.fps <= 1000) || c.threads < 0 {
		return nil, usagef("fit: --fps is from 0 to 1000, --threads is not negative")
	}
	reads := func() []string {
		files := modelFiles(path, c.test)
		for _, s := range shapes {
			more, _ := objFiles(s.folder) // the fit says what is wrong with the folder
			files = append(files, more...)
		}
		return files
	}
	if err := c.check(reads, ".glb"); err != nil {
		return nil, err
	}
	return load(path)
}

// trainingParts reads --train CLIP[:N], any number of times; none without it.
func (c *fitFlags) trainingParts(m *skinning.Model) (parts []job.Part, err error) {
	for _, name := range c.train {
		part := job.Part{}
		if at := strings.LastIndexByte(name, ':'); at >= 0 {
			if _, whole := namedClip(m, name); whole != nil { // a clip may have a colon in its name
				n, err := strconv.Atoi(name[at+1:])
				if err != nil || n < 1 || n > 10_000 {
					return nil, usagef("--train: %q is not CLIP:N with N from 1 to 10000", name)
				}
				name, part.Frames = name[:at], n
			}
		}
		if part.Clip, err = namedClip(m, name); err != nil {
			return nil, usagef("%s: --train: %v", m.Name, err)
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// testClip reads --test; −1 without it.
func (c *fitFlags) testClip(m *skinning.Model) (int, error) {
	if c.test == "" {
		return -1, nil
	}
	clip, err := namedClip(m, c.test)
	if err != nil {
		return 0, usagef("%s: --test: %v", m.Name, err)
	}
	return clip, nil
}

// warnOfOperator says before a fit what a named method loses on a model, and returns that for the report.
func warnOfOperator(m *skinning.Model, method skinning.Method) (warnings []string) {
	if w := job.OperatorWarning(m, method); w != "" {
		warn(m.Name, w)
		return []string{w}
	}
	return nil
}
