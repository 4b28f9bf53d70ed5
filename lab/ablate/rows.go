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

	return all
}
