// Package recipes lists what the ablation table measures: a row is a function that changes the recipe of a fit.
package recipes

import (
	"strings"

	"skinlab/fit"
	"skinlab/fit/blendbones"
	"skinlab/fit/bodymodel"
	"skinlab/fit/enveloping"
	"skinlab/fit/helperbones"
)

// Recipes are the fits that a set is measured with.
type Recipes struct {
	BlendBones  *blendbones.Recipe
	Enveloping  *enveloping.Recipe
	HelperBones *helperbones.Recipe
	BodyModel   *bodymodel.Recipe

	Poses int // that are chosen from all clips where a fit learns from these; 0 for as many as by default
}

// Ours returns the fits as they are.
func Ours() *Recipes {
	return &Recipes{
		BlendBones:  blendbones.Ours(),
		Enveloping:  enveloping.Ours(),
		HelperBones: helperbones.Ours(),
		BodyModel:   bodymodel.Ours(),
	}
}

// BlendBonesMethod is blend bones by the recipe.
func (r *Recipes) BlendBonesMethod() *fit.Method { return blendbones.WithRecipe(r.BlendBones) }

// HelperBonesMethod is helper bones by the recipe.
func (r *Recipes) HelperBonesMethod() *fit.Method { return helperbones.WithRecipe(r.HelperBones) }

// BodyModelMethod is body models by the recipe.
func (r *Recipes) BodyModelMethod() *fit.Method { return bodymodel.WithRecipe(r.BodyModel) }

// Row is a line of the table.
type Row struct {
	Number int // of the line: a new row has the next one, and one that goes leaves a gap
	Name   string
	Fit    string // the part of the table, on whose sets it is measured
	Change func(r *Recipes)
}

// Value reports whether the row gives a constant another value, and takes nothing out.
func (r *Row) Value() bool { return strings.Contains(r.Name, " for ") }

// Rows lists all of them.
func Rows() (all []Row) {
	for _, rows := range [...][]Row{envelopes(), blendBones(), training(), helperBones(), bodyModels()} {
		all = append(all, rows...)
	}
	return all
}

// training lists the rows of poses that are chosen from all clips.
func training() []Row {
	return []Row{
		{131, "poses weigh alike, no second fit", "training", func(r *Recipes) { r.BlendBones.Refit = false }},
		{134, "poses: 12 for 24", "training", func(r *Recipes) { r.Poses = 12 }},
		{135, "poses: 48 for 24", "training", func(r *Recipes) { r.Poses = 48 }},
	}
}
