package command

// This file is what the command line's comparisons learn from examples: enveloping, trained weights and pose space
// deformation, fitted on the spot to what they are compared with.

import (
	"fmt"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/enveloping"
	"skinlab/fit/job"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// exampleReference in place of a method is the shapes that the model's own morph targets show.
const exampleReference = "examples"

func (o *options) againstExamples() bool { return o.reference == exampleReference }

// parseReference reads --reference of compare. Example shapes are linear blending with morph targets.
func (o *options) parseReference() (skinning.Method, error) {
	if o.againstExamples() {
		return skinning.LBS, nil
	}
	return parseMethod("reference", o.reference)
}

// comparedClip returns the clip of --clip; of example shapes, by default that of the example set.
func (o *options) comparedClip(m *skinning.Model) (int, error) {
	if !o.againstExamples() {
		clip, err := o.clipIndex(m, 0)
		if err == nil && clip < 0 {
			err = fmt.Errorf("%s: no clip to compare over", m.Name)
		}
		return clip, err
	}
	if o.clip == "" {
		o.clip = enveloping.ExampleClip
	}
	clip, err := namedClip(m, o.clip)
	if err != nil {
		return 0, fmt.Errorf("%s: --reference examples: %w", m.Name, err)
	}
	if !job.ShowsShapes(m, clip) {
		return 0, fmt.Errorf("%s: --reference examples: clip %q shows no shapes by morph targets; a fit leaves them out: compare the model that it was made from, with the fitted file among --methods",
			m.Name, skinning.Shortened(m.Clips[clip].Name))
	}
	return clip, nil
}

// checkLearnt refuses names of --methods that go with another reference or another command.
func (o *options) checkLearnt(name string) error {
	command := o.cmd.Name()
	method, _, _ := strings.Cut(name, ":")
	switch {
	case name == exampleReference && !o.againstExamples():
		return usagef("--methods: examples: that is for --reference examples")
	case method == "blend-bones" && o.againstExamples():
		return usagef("--methods: blend-bones imitates a method, not examples")
	case method == "psd" && command != "compare":
		return usagef("%s: psd is no palette, it is for compare alone", command)
	}
	return nil
}

// withoutShapes is the model without the morph targets of its skin, which hold the examples.
func withoutShapes(m *skinning.Model) *skinning.Model {
	bare := *m
	bare.Skin.Morphs = nil
	return &bare
}

// learner fits the subjects of one comparison, each number of proxies once.
type learner struct {
	o       *options
	model   *skinning.Model
	clip    int // RangeOfMotion for none
	teacher skinning.Method
	fits    map[int]*job.EnvelopeOutcome
}

// training is the example set where that is the reference, else the reference's own poses in the clip.
func (l *learner) training() (*job.Training, error) {
	if l.o.againstExamples() {
		return job.OwnExamples(l.model)
	}
	return &job.Training{Teacher: l.teacher, Train: []job.Part{{Clip: l.clip}}}, nil
}

// fit fits with so many proxies, 0 for as many as usual, or weights alone for −1.
func (l *learner) fit(proxies int) (*job.EnvelopeOutcome, error) {
	if out := l.fits[proxies]; out != nil {
		return out, nil
	}
	training, err := l.training()
	if err != nil {
		return nil, err
	}
	spec := job.EnvelopeSpec{Method: "enveloping", Training: training, Proxies: proxies, Test: -1}
	if proxies < 0 {
		spec.Method = "ssd"
	}
	out, err := job.Envelope(l.o.cmd.Context(), l.model, spec)
	if err == nil {
		err = l.o.cmd.Context().Err()
	}
	if err != nil {
		return nil, err
	}
	if l.fits == nil {
		l.fits = map[int]*job.EnvelopeOutcome{}
	}
	l.fits[proxies] = out
	return out, nil
}

// subject makes one of enveloping, ssd and psd.
func (l *learner) subject(method string, proxies int) (compare.Subject, error) {
	if method != "enveloping" {
		proxies = -1
	}
	out, err := l.fit(proxies)
	if err != nil {
		return compare.Subject{}, err
	}
	s := compare.Subject{Model: out.Fitted, Clip: l.clip, Title: "Trained SSD"}
	switch method {
	case "enveloping":
		s.Title = fmt.Sprintf("Enveloping, %d proxies", out.Model.Proxies())
	case "psd":
		psd, err := enveloping.NewPSD(l.o.cmd.Context(), out.Examples, out.Trained, 0)
		if err != nil {
			return compare.Subject{}, fmt.Errorf("%s: %w", l.model.Name, err)
		}
		s.Title = "Pose space deformation"
		s.Deform = func(f *skinning.Frame) []mgl64.Vec3 {
			return psd.Pose(f.Model.Skin.RestShape(f.Morphs).Positions, f.Matrices)
		}
	}
	return s, nil
}

// halfWay makes the subject half-way with weights trained on the examples.
func (l *learner) halfWay() (compare.Subject, error) {
	training, err := l.training()
	if err != nil {
		return compare.Subject{}, err
	}
	fitted, err := job.TrainHalfWay(l.o.cmd.Context(), l.model, training)
	if err != nil {
		return compare.Subject{}, err
	}
	title := fmt.Sprintf("%d half-way joints", len(fitted.Blend.Bones))
	return compare.Subject{Name: "half-way", Title: title, Model: fitted, Clip: l.clip}, nil
}
