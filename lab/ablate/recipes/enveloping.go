package recipes

import "skinlab/fit/enveloping"

func envelopes() (all []Row) {
	add := func(number int, name string, change func(r *enveloping.Recipe)) {
		all = append(all, Row{number, name, "enveloping", func(r *Recipes) { change(r.Enveloping) }})
	}
	published := enveloping.Published()
	add(200, "as published", func(r *enveloping.Recipe) { *r = *published })
	add(220, "nothing is known of the rig", func(r *enveloping.Recipe) { r.Rig = false })
	add(1, "no prior poses, no rest pose", func(r *enveloping.Recipe) { r.PriorPoses = 0 })
	add(2, "prior poses: 12 for 24", func(r *enveloping.Recipe) { r.PriorPoses = 12 })
	add(3, "prior poses: 48 for 24", func(r *enveloping.Recipe) { r.PriorPoses = 48 })
	add(4, "prior poses' weight: 0.0025 for 0.005", func(r *enveloping.Recipe) { r.PriorWeight = 0.0025 })
	add(5, "prior poses' weight: 0.01 for 0.005", func(r *enveloping.Recipe) { r.PriorWeight = 0.01 })
	add(226, "groups keep their transformations in joins", func(r *enveloping.Recipe) { r.Refit = false })
	add(32, "rounds of weights and transformations: 3 for 1", func(r *enveloping.Recipe) { r.Rounds = 3 })
	add(224, "keys fitted together", func(r *enveloping.Recipe) { r.Keys = published.Keys })
	add(17, "keys are predicted from all joints", func(r *enveloping.Recipe) { r.Drivers = published.Drivers })
	add(223, "two joints for each key", func(r *enveloping.Recipe) { r.SecondTerm = true })
	add(225, "polar S by plain least squares", func(r *enveloping.Recipe) {
		r.PolarShear, r.ShearRidge = true, published.ShearRidge
	})
	add(153, "ridge of shear: 0.1 for 0.01", func(r *enveloping.Recipe) { r.ShearRidge = 0.1 })
	add(290, "c₁ and c₂ begin at the Poisson solve", func(r *enveloping.Recipe) {
		r.Keys, r.Matrices = published.Keys, published.Matrices
	})
	add(46, "c₁ and c₂ end at the Poisson solve", func(r *enveloping.Recipe) {
		r.Keys, r.Matrices, r.Refine = published.Keys, published.Matrices, 0
	})
	add(47, "matrices and weights are fitted twice for 4 times", func(r *enveloping.Recipe) { r.Refine = 2 })
	add(48, "matrices and weights are fitted 8 times for 4", func(r *enveloping.Recipe) { r.Refine = 8 })
	add(37, "ridge of c₁ and c₂: 1e-3 for 1e-4", func(r *enveloping.Recipe) { r.Ridge = 1e-3 })
	add(38, "ridge of c₁ and c₂: 1e-5 for 1e-4", func(r *enveloping.Recipe) { r.Ridge = 1e-5 })
	return all
}
