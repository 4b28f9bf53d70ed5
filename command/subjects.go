package command

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"skinlab/fit/job"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// subjectFlags name what is compared, swept or timed: direct methods, fits that are made on the spot, and fitted files.
type subjectFlags struct {
	methods []string
	bones   int
}

// register adds the flags. Others are what --methods takes besides the direct methods; bones is the help of --bones.
func (s *subjectFlags) register(f *pflag.FlagSet, others, bones string) {
	f.StringSliceVar(&s.methods, "methods", directMethods(),
		"comma-separated: "+strings.Join(directMethods(), " ")+", "+others)
	completeWords(f, "methods", directMethods()...)
	f.IntVar(&s.bones, "bones", 10, bones)
}

// isMethodFit tells the subjects that are fitted to a method.
func isMethodFit(method string) bool { return method == "blend-bones" || method == "half-way" }

// isExampleFit tells the subjects that learn from example shapes.
func isExampleFit(method string) bool {
	return method == "enveloping" || method == "ssd" || method == "psd"
}

// isFile tells the subjects that are files.
func isFile(name string) bool {
	return strings.HasSuffix(name, ".glb") || strings.HasSuffix(name, ".gltf")
}

// fit splits the name of a fit, such as blend-bones:4, into its method and number of bones. A name without a number has
// that of --bones; of enveloping it has 0, which stands for as many as usual.
func (s *subjectFlags) fit(name string) (method string, bones int, ok bool) {
	method, count, numbered := strings.Cut(name, ":")
	switch {
	case !isMethodFit(method) && !isExampleFit(method):
		return "", 0, false
	case !numbered && isMethodFit(method):
		return method, s.bones, true
	case !numbered:
		return method, 0, true
	case method != "blend-bones" && method != "enveloping":
		return "", 0, false
	}
	n, err := strconv.Atoi(count)
	return method, n, err == nil && n >= 1 && n <= 1000
}

// check finds names that the command cannot use. compare alone takes examples, where these are the reference, and psd,
// which deforms without a palette.
func (s *subjectFlags) check(command string, examples bool) error {
	if len(s.methods) == 0 {
		return usagef("--methods: no method")
	}
	for _, name := range s.methods {
		method, _, _ := strings.Cut(name, ":")
		switch {
		case name == exampleReference && !examples:
			return usagef("--methods: examples: that is for --reference examples")
		case method == "blend-bones" && examples:
			return usagef("--methods: blend-bones imitates a method, not examples")
		case method == "psd" && command != "compare":
			return usagef("%s: psd is no palette, it is for compare alone", command)
		}
		if _, _, ok := s.fit(name); ok || isFile(name) || name == exampleReference {
			continue
		}
		if _, err := skinning.ParseMethod(name); err != nil {
			return usagef("--methods: %v, nor blend-bones[:N], half-way, enveloping[:P], ssd, psd or a fitted .glb file", err)
		}
	}
	return nil
}

// files lists the files that are read for a model and for the subjects.
func (s *subjectFlags) files(models []string) []string {
	return modelFiles(slices.Concat(models, s.methods)...)
}

// subjects makes what --methods names.
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

func (s *subjectFlags) subject(ctx context.Context, l *learner, name string) (compare.Subject, error) {
	subject := compare.Subject{Name: name, Clip: l.clip}
	var err error
	switch method, bones, fitted := s.fit(name); {
	case name == exampleReference:
		subject.Title, subject.Model = "Example shapes", l.model
	case fitted && isExampleFit(method):
		err = l.learn(ctx, &subject, method, bones)
	case fitted && l.examples:
		err = l.trainHalfWay(ctx, &subject)
	case fitted:
		err = l.imitate(ctx, &subject, method, bones)
	case isFile(name):
		if subject.Model, err = load(name); err != nil {
			return subject, err
		}
		if l.clip != job.RangeOfMotion {
			if subject.Clip, err = sameClip(l.model, subject.Model, l.clip); err != nil {
				return subject, fmt.Errorf("%s: %w", name, err)
			}
		}
		subject.Name, subject.Title = subject.Model.Name, subject.Model.Name
	default:
		direct, err := parseMethod("methods", name)
		if err != nil {
			return subject, err
		}
		subject = compare.Direct(direct)[0]
		if l.examples { // the morph targets of the skin hold the examples
			bare := *l.model
			bare.Skin.Morphs = nil
			subject.Model, subject.Clip = &bare, l.clip
		}
	}
	return subject, err
}
