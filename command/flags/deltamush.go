package flags

import (
	"github.com/spf13/pflag"

	"skinlab/skinning"
	"skinlab/skinning/deltamush"
)

// DeltaMush is the options of Delta Mush, which a flag names in place of a method.
type DeltaMush struct {
	deltamush.Options
	flags *pflag.FlagSet
}

var deltaMushFlags = []string{"iterations", "step", "pin-borders"}

// Register adds the options; with is what their help begins with.
func (d *DeltaMush) Register(f *pflag.FlagSet, with string) {
	d.flags, d.Options = f, deltamush.Default()
	f.IntVar(&d.Iterations, deltaMushFlags[0], d.Iterations, with+"iterations of smoothing")
	f.Float64Var(&d.Step, deltaMushFlags[1], d.Step,
		with+"how far an iteration moves a point towards the mean of its neighbours, 0 to 1")
	f.BoolVar(&d.PinBorders, deltaMushFlags[2], d.PinBorders, with+"keep open edges where linear blending poses them")
}

// Check takes the name that was given: the options are for Delta Mush alone.
func (d *DeltaMush) Check(named string) error {
	for _, name := range deltaMushFlags {
		if d.flags != nil && named != deltamush.Name && d.flags.Changed(name) {
			return Usagef("--%s is for %s", name, deltamush.Name)
		}
	}
	if err := d.Options.Check(); err != nil {
		return Usagef("%v", err)
	}
	return nil
}

// TeachFlag names what a fit learns the shapes of: a method that is not linear, or Delta Mush.
type TeachFlag struct {
	MethodFlag
	mush DeltaMush
}

func (t *TeachFlag) Register(f *pflag.FlagSet, usage string) {
	t.MethodFlag.Register(f, "teach", "", usage+": "+Operators()+" "+deltamush.Name, deltamush.Name)
	t.mush.Register(f, "with --teach "+deltamush.Name+", ")
}

func (t *TeachFlag) Check() error { return t.mush.Check(t.Name) }

// Teacher returns what is named, for a model.
func (t *TeachFlag) Teacher(m *skinning.Model) (skinning.Reference, error) {
	if t.Name == deltamush.Name {
		return deltamush.New(m, t.mush.Options), nil
	}
	method, err := t.Parse()
	if err == nil && !method.IsOperator() {
		err = Usagef("--teach: %v is what the fit starts from", method)
	}
	return method, err
}
