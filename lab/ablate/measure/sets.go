package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"skinlab/assets"
	"skinlab/fit"
	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/lab/ablate/recipes"
	"skinlab/skinning"
	"skinlab/skinning/stress"
)

// realArm is a model with an example set of a real arm.
const realArm = "examples/arm_examples.glb"

// set is a fit to measure.
type set struct {
	name, fit string
	run       func() (Outcome, error)
}

// source opens models, and has the fits that they are measured with.
type source struct {
	folder string
	*recipes.Recipes
}

// open opens a built-in model or one of the folder; a clip named stress: is added where it is asked for.
func (s source) open(name, clip string) (*skinning.Model, error) {
	if !strings.HasPrefix(name, "demo:") {
		name = filepath.Join(s.folder, name)
	}
	m, err := assets.Open(name)
	if err == nil && strings.HasPrefix(clip, "stress:") {
		m = stress.Append(m)
	}
	return m, err
}

// sets lists the fits that every row is measured on: real characters and built-in models, few and many examples, shapes
// of methods and of scans, with and without bulges, and those on which a fit fails or nearly does. Where examples have
// no others of their own to be tested on, every fourth is kept from the training.
func sets(s source) []set {
	const dqs, sdqs, dib, sbs = skinning.DQS, skinning.SDQS, skinning.DIB, skinning.SBS
	blendBones := s.BlendBonesMethod()
	e := func(name string, proxies int, seen, unseen examples) set {
		return set{name, "enveloping", func() (Outcome, error) { return envelope(s.Enveloping, proxies, seen, unseen) }}
	}
	b := func(name string, c clipFit) set {
		return set{name, "blendbones", func() (Outcome, error) { return s.blendBones(c) }}
	}
	d := func(name, model, without string, operator skinning.Method) set {
		return set{name, "training", func() (Outcome, error) {
			return s.withoutClip(blendBones, 10, model, without, operator)
		}}
	}
	t := func(name string, run func() (Outcome, error)) set { return set{name, "training", run} }
	h := func(name string, j jobMaker) set {
		return set{name, "helperbones", func() (Outcome, error) { return s.helperBones(4, j) }}
	}
	body := func(name string, limbs int, j jobMaker) set {
		return set{name, "bodymodel", func() (Outcome, error) { return s.bodyModel(limbs, j) }}
	}
	idle := func(name string, method *fit.Method, added int, model, clip string, fraction float64) set {
		return t(name, func() (Outcome, error) { return s.withIdle(method, added, model, clip, fraction, dqs) })
	}
	return []set{
		e("arm, real", 30, s.shapes(realArm, "examples"), nil),
		e("human SBS dance bulges to jacks", 40, s.taught("human_male.glb", "dance", 12, sbs, 0.3),
			s.taught("human_male.glb", "jumping_jacks", 12, sbs, 0.3)),
		e("bar", 10, s.shapes("demo:bar", "examples"), s.shapes("demo:bar", "unseen")),
		e("hand DQS", 30, s.taught("GenericHand.glb", "", 16, dqs, 0), nil),
		e("hand DIB", 30, s.taught("GenericHand.glb", "", 12, dib, 0), nil),
		e("fox DIB survey to run", 40, s.taught("Fox.glb", "Survey", 12, dib, 0), s.taught("Fox.glb", "Run", 15, dib, 0)),
		e("fox DQS run bulges", 40, s.taught("Fox.glb", "Run", 16, dqs, 0.4), nil),
		e("fox DQS run of 2", 40, s.taught("Fox.glb", "Run", 2, dqs, 0), s.taught("Fox.glb", "Walk", 15, dqs, 0)),
		e("figure DQS twist to walk", 40, s.taught("demo:figure", "twist", 12, dqs, 0),
			s.taught("demo:figure", "walk", 15, dqs, 0)),
		e("cesium SBS bulges of 5", 30, s.taught("CesiumMan.glb", "0", 5, sbs, 0.4), nil),
		e("cesium DIB bulges of 2", 30, s.taught("CesiumMan.glb", "0", 2, dib, 0.4),
			s.taught("CesiumMan.glb", "0", 15, dib, 0.4)),
		e("simple DQS bulges", 20, s.taught("RiggedSimple.glb", "", 12, dqs, 0.4), nil),
		e("simple skin DQS", 5, s.taught("SimpleSkin.gltf", "0", 8, dqs, 0), nil),
		e("knight DQS run of 3 to walk", 30, s.taught("Knight.glb", "Running_A", 3, dqs, 0.4),
			s.taught("Knight.glb", "Walking_A", 12, dqs, 0.4)),
		e("robot DIB walk bulges to run", 30, s.taught("RobotExpressive.glb", "Walking", 12, dib, 0.4),
			s.taught("RobotExpressive.glb", "Running", 12, dib, 0.4)),
		e("sequence of 5", 30, s.sequence(0, 80), s.sequence(33, 25)),
		e("tube DIB bulges", 20, s.taught("demo:tube", "", 12, dib, 0.4), nil),

		b("box DQS train", clipFit{"demo:box", "train", 4, 4, dqs}),
		b("tube DQS train", clipFit{"demo:tube", "train", 6, 12, dqs}),
		b("arm DQS flex", clipFit{"demo:arm", "flex", 12, 10, dqs}),
		b("figure DQS exercise", clipFit{"demo:figure", "exercise", 12, 10, dqs}),
		b("fox DQS survey", clipFit{"Fox.glb", "Survey", 12, 10, dqs}),
		b("knight DQS reload", clipFit{"Knight.glb", "1H_Ranged_Reload", 12, 10, dqs}),
		b("robot DQS dance", clipFit{"RobotExpressive.glb", "Dance", 12, 10, dqs}),
		b("human DQS exercise", clipFit{"human_male.glb", "exercise", 12, 10, dqs}),
		b("human DQS dance", clipFit{"human_male.glb", "dance", 12, 10, dqs}),
		b("human DIB jacks of 3", clipFit{"human_male.glb", "jumping_jacks", 3, 6, dib}),
		b("hand SBS", clipFit{"GenericHand.glb", "", 12, 8, sbs}),
		b("tube SDQS writhe", clipFit{"demo:tube", "writhe", 12, 4, sdqs}),

		d("fox but Run", "Fox.glb", "Run", dqs),
		d("fox but Survey DIB", "Fox.glb", "Survey", dib),
		d("robot but Running", "RobotExpressive.glb", "Running", dqs),
		idle("tube with an idle clip", blendBones, 4, "demo:tube", "train", 0.05),
		idle("figure with an idle clip", blendBones, 6, "demo:figure", "twist", 0.03),
		idle("human with an idle clip", blendBones, 10, "human_male.glb", "walk", 0.01),
		idle("figure with an idle clip, enveloping", enveloping.Method, 40, "demo:figure", "twist", 0.1),
		idle("cesium with its rest pose, enveloping", enveloping.Method, 40, "CesiumMan.glb", "0", 0),
		t("arm that rests for a minute", func() (Outcome, error) { return s.delayed("demo:arm", "flex", 60, 6, dqs) }),
		t("fox but Run, enveloping", func() (Outcome, error) {
			return s.withoutClip(enveloping.Method, 40, "Fox.glb", "Run", dqs)
		}),

		h("leg, every 17th of the grid", s.grid(17)),
		h("arm, real", s.own(realArm, 31, 10)),
		h("arm", s.own("demo:arm", 20, 6)),
		h("human targets", s.targets(16)),
		h("fox DQS but Run", s.without("Fox.glb", "Run", dqs)),
		h("fox DQS but Walk", s.without("Fox.glb", "Walk", dqs)),
		h("figure DQS but walk", s.without("demo:figure", "walk", dqs)),
		h("robot DQS but Running", s.without("RobotExpressive.glb", "Running", dqs)),
		h("robot DQS but Dance", s.without("RobotExpressive.glb", "Dance", dqs)),

		body("arm of 6 limbs, real", 6, s.own(realArm, 31, 6)),
		body("arm of 5 limbs", 5, s.own("demo:arm", 20, 4)),
		body("leg of 4 limbs", 4, s.own("demo:leg", 24, 4)),
		body("arm with its skeleton, real", 0, s.own(realArm, 16, 4)),
		body("leg with its skeleton", 0, s.own("demo:leg", 24, 4)),
	}
}

// ofClip poses a model at n times spread evenly over a clip.
func ofClip(m *skinning.Model, clip, n int) ([]*skinning.Frame, error) {
	if clip < 0 || clip >= len(m.Clips) || n < 1 {
		return nil, fmt.Errorf("%d poses of clip %d of %d", n, clip, len(m.Clips))
	}
	centers := skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	pose := m.NewPose()
	frames := make([]*skinning.Frame, n)
	for i, t := range training.Times(m.Clips[clip].Seconds, n) {
		m.SamplePose(pose, clip, t)
		frames[i] = skinning.NewFrame(m, centers)
		frames[i].SetPose(pose)
	}
	return frames, nil
}
