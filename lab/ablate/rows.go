package main

import "skinlab/lab/ablate/recipes"

// fit is a part of the table. Its rows change the code of a fit, and are measured on sets of their own; beats is the
// baseline that the fit must beat. Errors below least count as that: nobody sees them, and a ratio of two would tell
// nothing.
type fit struct {
	folder, title, beats, errors string
	least                        float64
}

var fits = [...]fit{
	{"enveloping", "Enveloping (fit/enveloping)", "trained SSD", "EE in percent", 1},
	{"blendbones", "Blend bones (fit/blendbones)", "linear blending", "EE in percent", 1},
	{"training", "Poses chosen from all clips (fit/training)", "linear blending", "EE in percent", 1},
	{"helperbones", "Helper bones (fit/helperbones, fit/ssdr)", "linear blending with trained weights", "RMS in mm", 0.01},
	{"bodymodel", "Body models (fit/bodymodel)", "the same body by linear blending", "RMS in mm", 0.01},
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

	f := in("enveloping", "enveloping/priors.go")
	f(1, "no prior poses, no rest pose", "if x.model == nil || x.Rigged == nil {", "if true {")
	f(2, "prior poses: 12 for 24", "priorPoses  = 24", "priorPoses  = 12")
	f(3, "prior poses: 48 for 24", "priorPoses  = 24", "priorPoses  = 48")
	f(4, "prior poses' weight: 0.0025 for 0.005", "priorWeight = 0.005", "priorWeight = 0.0025")
	f(5, "prior poses' weight: 0.01 for 0.005", "priorWeight = 0.005", "priorWeight = 0.01")
	f(6, "the rest pose weighs as a prior one", "restWeight  = 0.3", "restWeight  = priorWeight")
	f(7, "the rest pose's weight: 0.15 for 0.3", "restWeight  = 0.3", "restWeight  = 0.15")
	f(8, "the rest pose's weight: 0.6 for 0.3", "restWeight  = 0.3", "restWeight  = 0.6")
	f = in("enveloping", "enveloping/priors.go")
	f(9, "no prior turns", "if trust == 0 {", "if true {")
	f(10, "prior turns are always trusted", "trust := x.trustIn(trained)", "trust := 1.0")
	f(11, "prior turns' part of the turns: 0.065 for 0.13", "priorTurnPart  = 0.13", "priorTurnPart  = 0.065")
	f(12, "prior turns' part of the turns: 0.26 for 0.13", "priorTurnPart  = 0.13", "priorTurnPart  = 0.26")
	f(13, "prior turns' weight: 0.4 for 0.8", "priorTurnWeight = 0.8", "priorTurnWeight = 0.4")
	f(14, "prior turns' weight: 1.6 for 0.8", "priorTurnWeight = 0.8", "priorTurnWeight = 1.6")
	f(15, "prior turns' angle: 0.15 for 0.3", "taughtAngle = 0.3", "taughtAngle = 0.15")
	f(16, "prior turns' angle: 0.6 for 0.3", "taughtAngle = 0.3", "taughtAngle = 0.6")

	f = in("enveloping", "enveloping/joints.go")
	f(17, "keys are predicted from all joints", "			if n {\n", "			if n || l >= 0 {\n")
	f(18, "keys are predicted without parents and children",
		"near[j] = near[j] || bound(p)\n				near[p] = near[p] || bound(j)", "")
	f(19, "a binding joint's share of weights: 0 for 0.01", "boundShare = 0.01", "boundShare = 0.0")
	f(20, "a binding joint's share of weights: 0.05 for 0.01", "boundShare = 0.01", "boundShare = 0.05")

	all = append(all, publishedRows()...)

	f = in("enveloping", "enveloping/regression.go")
	f(153, "one ridge of shear: 1e-2", "float64{1e-3, 1e-2, 1e-1, 1}", "float64{1e-2}")
	f = in("enveloping", "enveloping/joints.go")
	f(23, "turns are not counted on past half a turn",
		"rig.NearestRotationVector(vectors[s.pose], vectors[s.from])", "vectors[s.pose]")
	f(26, "turns are counted on in the order of the examples", "if c := math.Abs(q[at].Dot(q[i])); c > near[i] {",
		"if c := 1 - float64(i-at)*1e-9; i > at && c > near[i] {")

	f = in("enveloping", "enveloping/flatrigs/flatrigs.go")
	f(27, "flat rigs stay flat", "if roots < 2 {", "if true {")

	f = in("enveloping", "enveloping/solve.go")
	f(28, "as many proxies as asked for, however few poses",
		"} else if !r.opt.AllProxies && foldsOf(r.y) == nil {", "} else if false {")
	f(29, "proxies for few poses are chosen from 10 on for 5", "firstProxies  = 5", "firstProxies  = 10")
	f(32, "no rounds of weights and transformations", "defaultRounds  = 3", "defaultRounds  = 1")
	f(33, "rounds of weights and transformations: 6 for 3", "defaultRounds  = 3", "defaultRounds  = 6")
	f(34, "no vertex is fixed to SSD", "defaultRigid   = 0.6", "defaultRigid   = 1e-9")
	f(35, "fixed below a share of SSD's mean error: 0.3 for 0.6", "defaultRigid   = 0.6", "defaultRigid   = 0.3")
	f(36, "fixed below a share of SSD's mean error: 1.2 for 0.6", "defaultRigid   = 0.6", "defaultRigid   = 1.2")

	f = in("enveloping", "enveloping/forecast.go")
	f(137, "no pose is held out", "foldsOf(r.y),", "nil,")
	f(30, "no pose is held out of up to 4 poses for 8", "const fewPoses = 8", "const fewPoses = 4")
	f(31, "no pose is held out of up to 16 poses for 8", "const fewPoses = 8", "const fewPoses = 16")
	f(140, "a held-out pose is forecast by half, for 0.8", "const heldShare = 0.8", "const heldShare = 0.5")
	f(141, "a held-out pose is forecast by what has not seen it alone", "const heldShare = 0.8", "const heldShare = 1.0")
	f(142, "poses are held out in 3 parts for 5", "const mostFolds = 5", "const mostFolds = 3")
	f(143, "poses are held out in 10 parts for 5", "const mostFolds = 5", "const mostFolds = 10")
	f(144, "joints of a held-out predictor: 3 for 1", "red.drivers[k][:1]", "red.drivers[k][:min(3, len(red.drivers[k]))]")

	f = in("enveloping", "enveloping/adjust.go")
	f(154, "one ridge of c₁ and c₂: 1e-4", "float64{1e-4, 1e-3, 1e-2, 1e-1, 1}", "float64{1e-4}")
	f(37, "ridges of c₁ and c₂: from 1e-3 for 1e-4", "float64{1e-4, 1e-3, 1e-2, 1e-1, 1}", "float64{1e-3, 1e-2, 1e-1, 1}")
	f(38, "ridges of c₁ and c₂: 1e-4, 1e-2 and 1", "float64{1e-4, 1e-3, 1e-2, 1e-1, 1}", "float64{1e-4, 1e-2, 1}")
	f(39, "ridge of wanted changes: 0.001 for 0.05", "const wantedRidge = 0.05", "const wantedRidge = 0.001")
	f(40, "ridge of wanted changes: 0.025 for 0.05", "const wantedRidge = 0.05", "const wantedRidge = 0.025")
	f(41, "ridge of wanted changes: 0.1 for 0.05", "const wantedRidge = 0.05", "const wantedRidge = 0.1")
	f(42, "joints of a change: 3 for 8", "const mostDrivers = 8", "const mostDrivers = 3")
	f(43, "joints of a change: all", "const mostDrivers = 8", "const mostDrivers = 1 << 16")
	f(44, "least radius of a proxy: 1e-4 for 1e-3", "const leastReach = 1e-3", "const leastReach = 1e-4")
	f(45, "least radius of a proxy: 1e-2 for 1e-3", "const leastReach = 1e-3", "const leastReach = 1e-2")

	f = in("enveloping", "enveloping/refine.go")
	f(46, "c₁ and c₂ as the Poisson solve has them", "		r.adjust(red, c, weights, f)\n", "")
	f(47, "matrices and weights are fitted once", "const refiningRounds = 2", "const refiningRounds = 1")
	f(48, "matrices and weights are fitted 4 times for 2", "const refiningRounds = 2", "const refiningRounds = 4")
	f(49, "vertices may be worse than by trained SSD", "if !(e < s.square[v]) {", "if e < 0 {")
	f(57, "final weights as the proxies were made with", "weights = r.mixedWeights(s, red, f)", "_ = r.mixedWeights")
	f(50, "proxies that nothing follows stay in the model", "		m.pruneProxies()\n", "")

	f = in("enveloping", "enveloping/mixed.go")
	f(51, "rounds of final weights: 1 for 3, no smoothness", "mixingRounds = 3", "mixingRounds = 1")
	f(52, "rounds of final weights: 2 for 3", "mixingRounds = 3", "mixingRounds = 2")
	f(53, "rounds of final weights: 6 for 3", "mixingRounds = 3", "mixingRounds = 6")
	f(54, "smoothness: 0 for 2", "smoothness = 2", "smoothness = 0")
	f(55, "smoothness: 1 for 2", "smoothness = 2", "smoothness = 1")
	f(56, "smoothness: 4 for 2", "smoothness = 2", "smoothness = 4")

	f = in("enveloping", "enveloping/reduce.go")
	f(58, "proxies that a vertex chooses from: 5 for 10", "const mostReach = 10", "const mostReach = 5")
	f(59, "proxies that a vertex chooses from: 20 for 10", "const mostReach = 10", "const mostReach = 20")
	f(60, "ridge of proxies' transformations: 0.001 for 0.1", "const ridge = 0.1", "const ridge = 0.001")
	f(61, "ridge of proxies' transformations: 0.05 for 0.1", "const ridge = 0.1", "const ridge = 0.05")
	f(62, "ridge of proxies' transformations: 0.2 for 0.1", "const ridge = 0.1", "const ridge = 0.2")
	f = in("enveloping", "enveloping/group.go")
	f(63, "ridge of a group's transformation: 1e-4 for 1e-3", "const flatRidge = 1e-3", "const flatRidge = 1e-4")
	f(64, "ridge of a group's transformation: 1e-2 for 1e-3", "const flatRidge = 1e-3", "const flatRidge = 1e-2")
	f = in("enveloping", "enveloping/assemble.go")
	f(65, "proxies are held to keys: 1e-5 for 1e-3", "key: 1e-3, ssd", "key: 1e-5, ssd")
	f(66, "proxies are held to keys: 1e-2 for 1e-3", "key: 1e-3, ssd", "key: 1e-2, ssd")
	f(67, "vertices are held to SSD: 1e-5 for 1e-3", "ssd: 1e-3}", "ssd: 1e-5}")
	f(68, "vertices are held to SSD: 1e-2 for 1e-3", "ssd: 1e-3}", "ssd: 1e-2}")

	f = in("enveloping", "enveloping/ssd.go")
	f(69, "SSD is not held to the rig", "held := x.heldToRig()", "held := x")

	f = in("training", "training/chosenposes.go")
	f(121, "clips count alike", "s.clips[i] = 1 / max(linear[i]/most, leastError)", "s.clips[i] = 1")
	f = in("training", "enveloping/forecast.go")
	f(175, "proxies: the rest pose is held out too", "if !atRest(given[i].Matrices, size) {", "{")
	f = in("training", "enveloping/examples.go")
	f(176, "proxies: poses weigh 1 in the mean", "		x.Weights = w\n",
		"		sum := 0.0\n		for _, v := range w {\n			sum += v / float64(len(w))\n		}\n"+
			"		for _, v := range w {\n			x.Weights = append(x.Weights, v/sum)\n		}\n")
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
