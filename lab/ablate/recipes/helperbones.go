package recipes

import "skinlab/fit/helperbones"

func helperBones() (all []Row) {
	add := func(number int, name string, change func(r *helperbones.Recipe)) {
		all = append(all, Row{number, name, "helperbones", func(r *Recipes) { change(r.HelperBones) }})
	}
	published := helperbones.Published()
	add(231, "as published", func(r *helperbones.Recipe) { *r = *published })
	add(233, "bones are inserted at the worst vertex", func(r *helperbones.Recipe) {
		r.Decompose.NewBone, r.Decompose.Starts = published.Decompose.NewBone, []int{0}
	})
	add(234, "rounds after an insertion: 1 for 8", func(r *helperbones.Recipe) { r.Decompose.RoundsBetween = 1 })
	add(235, "rounds have no momentum", func(r *helperbones.Recipe) { r.Decompose.Momentum = 0 })
	add(236, "all rounds solve weights thoroughly", func(r *helperbones.Recipe) { r.Decompose.Thorough = 1 })
	add(240, "starts: 1 for 3", func(r *helperbones.Recipe) { r.Decompose.Starts = []int{2} })
	add(232, "bones are inserted on all vertices and examples, once", func(r *helperbones.Recipe) { r.Decompose.Starts = nil })
	add(244, "weights are not held to the rig's", func(r *helperbones.Recipe) { r.Decompose.Hold = 0 })
	add(287, "no prior poses", func(r *helperbones.Recipe) { r.PriorPoses = 0 })
	add(249, "weights and controllers are not solved again", func(r *helperbones.Recipe) { r.Refine = 0 })
	add(251, "all joints take part in a controller", func(r *helperbones.Recipe) { r.Inputs = published.Inputs })
	add(253, "features that hardly move take part", func(r *helperbones.Recipe) { r.Still = 0 })
	add(254, "all joints are tried as parents", func(r *helperbones.Recipe) { r.Parents = published.Parents })
	add(258, "motions are about the parent's place", func(r *helperbones.Recipe) { r.Place = published.Place })
	return all
}
