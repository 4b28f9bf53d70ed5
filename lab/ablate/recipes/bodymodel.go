package recipes

import "skinlab/fit/bodymodel"

func bodyModels() (all []Row) {
	add := func(number int, name string, change func(r *bodymodel.Recipe)) {
		all = append(all, Row{number, name, "bodymodel", func(r *Recipes) { change(r.BodyModel) }})
	}
	published := bodymodel.Published()
	add(265, "as published", func(r *bodymodel.Recipe) { *r = *published })
	add(267, "limbs are found in the scans", func(r *bodymodel.Recipe) { r.Skeleton = false })
	add(268, "one weight of the Laplacian", func(r *bodymodel.Recipe) { r.Alphas = nil })
	add(275, "rounds end at 1e-2 for 2e-2 of Q", func(r *bodymodel.Recipe) { r.Stall = 1e-2 })
	add(282, "joints that limbs hardly turn about are not held", func(r *bodymodel.Recipe) { r.JointTurn = 0 })
	add(279, "weights vary by steps", func(r *bodymodel.Recipe) { r.Weights = published.Weights })
	return all
}
