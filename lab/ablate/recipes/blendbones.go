package recipes

import "skinlab/fit/blendbones"

func blendBones() (all []Row) {
	add := func(number int, name string, change func(r *blendbones.Recipe)) {
		all = append(all, Row{number, name, "blendbones", func(r *Recipes) { change(r.BlendBones) }})
	}
	published := blendbones.Published()
	add(161, "as published", func(r *blendbones.Recipe) { *r = *published })
	add(74, "no prior poses", func(r *blendbones.Recipe) { r.PriorPoses = 0 })
	add(77, "prior poses: 6 for 12", func(r *blendbones.Recipe) { r.PriorPoses = 6 })
	add(78, "prior poses: 24 for 12", func(r *blendbones.Recipe) { r.PriorPoses = 24 })
	add(75, "prior poses' weight: 0.005 for 0.01", func(r *blendbones.Recipe) { r.PriorWeight = 0.005 })
	add(76, "prior poses' weight: 0.02 for 0.01", func(r *blendbones.Recipe) { r.PriorWeight = 0.02 })
	add(167, "prior poses' weight of a range of motion: 0.01 for 1", func(r *blendbones.Recipe) { r.MadePriorWeight = 0.01 })
	add(87, "no wider reach for masters", func(r *blendbones.Recipe) { r.Masters = nil })
	add(158, "all samples of candidates, on all vertices", func(r *blendbones.Recipe) {
		r.Samples, r.Skip = published.Samples, 0
	})
	add(157, "soft sums, the smallest weights dropped", func(r *blendbones.Recipe) {
		r.Try, r.Weights = published.Try, published.Weights
	})
	add(159, "weights and bones alternate", func(r *blendbones.Recipe) { r.Bones = published.Bones })
	add(103, "rounds of a new bone: 1 for 3", func(r *blendbones.Recipe) { r.Rounds = 1 })
	add(104, "rounds of a new bone: 6 for 3", func(r *blendbones.Recipe) { r.Rounds = 6 })
	add(160, "bones move only with a new one", func(r *blendbones.Recipe) { r.Settle = 0 })
	add(92, "bones take no further joint", func(r *blendbones.Recipe) { r.Settle = 1 })
	add(97, "influences are not taken out", func(r *blendbones.Recipe) { r.Thin = 0 })
	return all
}
