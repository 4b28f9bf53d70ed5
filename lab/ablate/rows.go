package main

import "skinlab/lab/ablate/recipes"

// fit is a part of the table. Its rows change the code of a fit, and are measured on sets of their own; beats is the
// baseline that the fit must beat. Errors below least count as that: nobody sees them, and a ratio of two would tell
// nothing.
type fit struct {
	folder, short, title, beats, errors string
	least                               float64
}

var fits = [...]fit{
	{"enveloping", "[enveloping](fits/enveloping.md)", "Enveloping (fit/enveloping)", "trained SSD", "EE in percent", 1},
	{"blendbones", "[blend bones](fits/blend-bones.md)", "Blend bones (fit/blendbones)", "linear blending", "EE in percent", 1},
	{"training", "poses of all clips", "Poses chosen from all clips (fit/training)", "linear blending", "EE in percent", 1},
	{"helperbones", "[helper bones](fits/helper-bones.md)", "Helper bones (fit/helperbones, fit/ssdr)", "linear blending with trained weights", "RMS in mm", 0.01},
	{"bodymodel", "[body models](fits/body-model.md)", "Body models (fit/bodymodel)", "the same body by linear blending", "RMS in mm", 0.01},
}

// row is a line of the table: a change of a recipe, or a piece of text in the place of another that a file has once.
type row struct {
	recipes.Row
	file, old, new string // file is below the folder fit; "" for a change of a recipe
}

// rows lists all of them.
func rows() (all []row) {
	for _, r := range recipes.Rows() {
		all = append(all, row{Row: r})
	}
	in := func(fit, file string) func(number int, name, old, new string) {
		return func(number int, name, old, new string) {
			all = append(all, row{recipes.Row{Number: number, Name: name, Fit: fit}, file, old, new})
		}
	}

	f := in("training", "training/chosenposes.go")
	f(121, "clips count alike", "s.clips[i] = 1 / max(linear[i]/most, leastError)", "s.clips[i] = 1")
	f = in("training", "training/choose.go")
	f(138, "candidates of a clip: 2 for 8 at least", "leastOfAClip   = 8", "leastOfAClip   = 2")
	f = in("training", "clips.go")
	f(131, "no refits", "set.ChosenPoses() == nil ||", "true ||")
	f = in("training", "training/set.go")
	f(134, "poses: 12 for 24", "defaultFrames = 24", "defaultFrames = 12")
	f(135, "poses: 48 for 24", "defaultFrames = 24", "defaultFrames = 48")

	f = in("helperbones", "helperbones/method.go")
	f(231, "as published", `return f.job.On(fit.AsPublished)`, "return true")
	f = in("helperbones", "ssdr/decompose.go")
	f(232, "bones are inserted on all vertices and examples, once",
		"opt.sketch = opt.Start == nil && opt.Bones > 0 && !opt.AsPublished", "opt.sketch, opt.trialRounds = false, 2")
	f(233, "bones are inserted at the worst vertex", "if !d.opt.AsPublished {\n		if t :=", "if false {\n		if t :=")
	f(234, "rounds after an insertion: 1 for 8", "	return 8\n", "	return 1\n")
	f(235, "rounds have no momentum", "if !d.opt.AsPublished {\n		further =", "if false {\n		further =")
	f(236, "all rounds solve weights thoroughly", "thorough = thorough || d.opt.AsPublished", "thorough = true")
	f(237, "rounds that solve weights thoroughly: one in 4 for 8", "thoroughEvery = 8", "thoroughEvery = 4")
	f(238, "rounds that solve weights thoroughly: one in 16 for 8", "thoroughEvery = 8", "thoroughEvery = 16")
	f = in("helperbones", "ssdr/sketch.go")
	f(240, "starts: 1 for 3", "[...]int{2, 0, 4}", "[...]int{2}")
	f(241, "starts are made on all vertices and examples", "sketchedExamples = 200\n	sketchedVertices = 2500",
		"sketchedExamples = 1 << 30\n	sketchedVertices = 1 << 30")
	f = in("helperbones", "ssdr/gain.go")
	f(242, "places for a new bone: 6 for 12", "mostSeeds = 12", "mostSeeds = 6")
	f(243, "places for a new bone: 24 for 12", "mostSeeds = 12", "mostSeeds = 24")
	f = in("helperbones", "ssdr/problem.go")
	f(244, "weights are not held to the rig's", "if o.PriorWeights && p.rigged != nil {", "if false {")
	f = in("helperbones", "ssdr/weights.go")
	f(245, "weights are held to the rig's: 1e-4 for 2e-4", "likeRig = 2e-4", "likeRig = 1e-4")
	f(246, "weights are held to the rig's: 4e-4 for 2e-4", "likeRig = 2e-4", "likeRig = 4e-4")
	f(247, "joints come in without a look at prices", "mostPrices = 4", "mostPrices = 0")
	f(248, "all rounds exchange bones for all joints of a point", "	if thorough {\n		for _, j := range p.candidates",
		"	if true {\n		for _, j := range p.candidates")
	f = in("helperbones", "helperbones/method.go")
	f(287, "no prior poses", "if !f.published() {", "if false {")
	f = in("helperbones", "helperbones/control.go")
	f(249, "weights and controllers are not solved again", "if !opt.AsPublished && len(c.bones) > 0 {", "if false {")
	f = in("helperbones", "helperbones/controller.go")
	f(251, "all joints take part in a controller", "if c.opt.AsPublished || plenty*count <= len(c.x.Targets) {", "if true {")
	f(252, "only near joints take part, however many examples", "if c.opt.AsPublished || plenty*count <= len(c.x.Targets) {",
		"if c.opt.AsPublished {")
	f(253, "features that hardly move take part", "hardlyMoves = 0.05", "hardlyMoves = 0.0")
	f = in("helperbones", "helperbones/parent.go")
	f(254, "all joints are tried as parents", "least := leastShare", "least := 0.0")
	f(255, "the Lasso compares one parent for three", "lassoParents = 3", "lassoParents = 1")
	f(256, "powers cost what angles cost", "if !c.opt.AsPublished {\n			penalty", "if false {\n			penalty")
	f(257, "coefficients stay as the Lasso has shrunk them", "b.lambda == 0 || !c.opt.AsPublished", "b.lambda == 0")
	f(258, "motions are about the parent's place", "	if c.opt.AsPublished {\n		place =",
		"	if true {\n		place =")
	f = in("helperbones", "helperbones/regression.go")
	f(259, "all terms, no Lasso", "all < allBetter*errors[best]", "all >= 0")
	f(260, "all terms only by the Lasso", "const allBetter = 0.01", "const allBetter = 0.0")
	f(261, "all terms for a half of the error, for a hundredth", "const allBetter = 0.01", "const allBetter = 0.5")
	f(262, "one ridge of controllers: 1e-8", "{1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}", "{1e-8}")
	f = in("helperbones", "helperbones/inputs.go")
	f(263, "angles are clamped to the range of the examples", "const beyond = 0.25", "const beyond = 0.0")
	f(264, "angles are clamped a half of the range beyond it, for a quarter", "const beyond = 0.25", "const beyond = 0.5")
	return all
}
