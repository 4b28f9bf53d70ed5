package command

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/fit/bodymodel"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/deltamush"
	"skinlab/skinning/messages"
)

// subjectFlags name what is compared, swept or timed: direct methods, fits made on the spot, and fitted files.
type subjectFlags struct {
	methods []string
	bones   int
	fits    []*fit.Method // the table of fits
}

// register adds the flags. Others are words of --methods besides the direct methods; bones is the help of --bones.
func (s *subjectFlags) register(f *pflag.FlagSet, others, bones string) {
	f.StringSliceVar(&s.methods, "methods", flags.DirectMethods(),
		"comma-separated: "+strings.Join(flags.DirectMethods(), " ")+", "+others)
	flags.CompleteWords(f, "methods", s.names()...)
	f.IntVar(&s.bones, "bones", 10, bones)
}

// isFile tells the subjects that are files.
func isFile(name string) bool {
	ending := filepath.Ext(name)
	return strings.EqualFold(ending, ".glb") || strings.EqualFold(ending, ".gltf")
}

// named is a fit that --methods names, such as blend-bones:4.
type named struct {
	method *fit.Method
	count  int // of added joints at most
}

// fit splits the name of a fit into its row and the largest number of joints that it adds. Without a number, a fit to a
// method has the number of --bones, and a fit to shapes its default.
func (s *subjectFlags) fit(name string) (n named, ok bool) {
	word, count, numbered := strings.Cut(name, ":")
	for _, m := range s.fits {
		o := m.Count()
		if m.Name == word {
			n.method = m
			if !numbered {
				if o != nil {
					n.count = int(o.Default)
				}
				if m.Learns == fit.Operator {
					n.count = s.bones
				}
				return n, true
			}
			if o == nil {
				return named{}, false
			}
			var err error
			n.count, err = strconv.Atoi(count)
			return n, err == nil && o.Check(float64(n.count)) == nil
		}
	}
	return named{}, false
}

// fitNames lists the fits as --methods takes them: with [:N] where the number of added joints can be chosen.
func (s *subjectFlags) fitNames() string {
	var names []string
	for _, m := range s.fits {
		if m.Count() != nil {
			names = append(names, m.Name+"[:N]")
		} else {
			names = append(names, m.Name)
		}
	}
	return strings.Join(names, " ")
}

func (s *subjectFlags) names() []string {
	return append(flags.DirectMethods(), strings.Fields(strings.ReplaceAll(s.fitNames(), "[:N]", ""))...)
}

// check returns an error for names that the command cannot use. Only compare takes examples, as its reference.
func (s *subjectFlags) check(examples bool) error {
	if len(s.methods) == 0 {
		return flags.Usagef("--methods: no method")
	}
	for _, name := range s.methods {
		n, ok := s.fit(name)
		switch {
		case name == exampleReference && !examples:
			return flags.Usagef("--methods: examples: those are for compare, with --reference examples")
		case ok && examples && n.method.Learns == fit.Operator && n.method.OnShapes == nil:
			return flags.Usagef("--methods: %s imitates a method, not examples", n.method.Name)
		}
		if ok || isFile(name) || name == exampleReference || name == deltamush.Name {
			continue
		}
		if _, err := skinning.ParseMethod(name); err != nil {
			return flags.Usagef("--methods: %v, nor %s or a fitted .glb file%s", err,
				strings.ReplaceAll(s.fitNames(), " ", ", "), messages.Nearest(name, s.names()))
		}
	}
	return nil
}

func (s *subjectFlags) files(models []string) []string {
	return flags.ModelFiles(slices.Concat(models, s.methods)...)
}

func (s *subjectFlags) subjects(ctx context.Context, l *learner) (subjects []compare.Subject, err error) {
	for _, name := range s.methods {
		subject, err := s.subject(ctx, l, name)
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, subject)
	}
	return subjects, nil
}

func (s *subjectFlags) subject(ctx context.Context, l *learner, name string) (subject compare.Subject, err error) {
	subject = compare.Subject{Name: name, Clip: l.clip}
	defer func() { playBody(&subject, l.examples) }()
	switch n, fitted := s.fit(name); {
	case name == exampleReference:
		subject.Title, subject.Model = "Example shapes", l.model
	case name == deltamush.Name:
		mush, ok := l.teacher.(*deltamush.Deformer)
		if !ok {
			mush = deltamush.New(l.model, deltamush.Default())
		}
		subject.Title, subject.Deform = "Delta Mush", mush.Positions
	case fitted:
		err = l.learn(ctx, &subject, n.method, n.count)
	case isFile(name):
		if subject.Model, err = flags.Load(ctx, name); err != nil {
			return subject, err
		}
		if n, want := len(subject.Model.Skin.Positions), len(l.model.Skin.Positions); n != want {
			return subject, fmt.Errorf("%s: a skin of %d vertices, %s has %d", name, n, l.model.Name, want)
		}
		if l.clip != training.RangeOfMotion && !(l.examples && hasScans(subject.Model)) {
			if subject.Clip, err = flags.SameClip(l.model, subject.Model, l.clip); err != nil {
				return subject, fmt.Errorf("%s: %w", name, err)
			}
		}
		if subject.Model.ShowsExamples(subject.Clip) {
			subject.Model = subject.Model.WithoutMorphs()
		}
		subject.Name, subject.Title, subject.Path = subject.Model.Name, subject.Model.Name, name
	default:
		direct, err := flags.ParseMethod("methods", name)
		if err != nil {
			return subject, err
		}
		subject = compare.Direct(direct)[0]
		if l.examples { // the morph targets of the skin hold the examples
			subject.Model, subject.Clip = l.model.WithoutMorphs(), l.clip
		}
	}
	return subject, err
}

// playBody sets how a subject with a model of its own is posed: by the method that it was made for and, if it is a body
// model that is compared with examples, in the poses that the fit has found for them.
func playBody(subject *compare.Subject, examples bool) {
	if subject.Model == nil {
		return
	}
	if method, ok := subject.Model.MadeFor(); ok {
		subject.Method = method
		if subject.Model.Fit != nil && subject.Model.Fit.For != "" {
			subject.Name += " by " + method.String()
		}
	}
	if examples && hasScans(subject.Model) {
		subject.Clip, _ = subject.Model.ClipIndex(bodymodel.ScansClip)
	}
}

// posedTimes returns the times of examples at which all subjects have poses. A body model has poses for the scans that
// it has learnt, the keys of its clip of scans. Between two keys it shows a mixture, which is the pose of no example.
func posedTimes(times []float64, subjects []compare.Subject) ([]float64, error) {
	for _, s := range subjects {
		if s.Model == nil || !hasScans(s.Model) {
			continue
		}
		keys := s.Model.Clips[s.Clip].KeyTimes()
		times = slices.DeleteFunc(slices.Clone(times), func(t float64) bool {
			return !slices.ContainsFunc(keys, func(key float64) bool { return math.Abs(key-t) <= sameTime })
		})
		if len(times) == 0 {
			return nil, fmt.Errorf("%s: its clip %s has no poses at the times of the examples", s.Name, bodymodel.ScansClip)
		}
	}
	return times, nil
}

// sameTime is how far apart two times of one pose may be, seconds: both are rounded to float32.
const sameTime = 1e-4

func hasScans(m *skinning.Model) bool {
	_, err := m.ClipIndex(bodymodel.ScansClip)
	return err == nil
}
