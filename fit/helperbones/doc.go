// Package helperbones builds helper bone rigs from examples (HBR: Mukai, "Building Helper Bone Rigs from Examples",
// 2015).
//
// A model has D primary joints, which an animator moves. An example is a pose of the primary joints and the shape that
// the skin should have in it. Linear blending of the primary joints alone cannot make these shapes: elbows collapse and
// muscles do not bulge. So H helper bones are added, whose motions are functions of the primary joints' rotations.
//
// [Recipe] is the list of the steps, [Ours] and [Published] the two lists that there are. [ssdr.Decompose] (section 4)
// goes from examples to weights and motions of helper bones that are free in each example. [Control] (section 5)
// replaces the free motions by controllers, polynomials of the primary joints' own rotations, and returns a
// [rig.HelperBones]:
//
//   - inputs.go: the rotations that the examples turn, as variables; features.go: their products (equation 10).
//   - local.go: a motion relative to the parent (equation 9) as numbers.
//   - lasso.go, regression.go: equation (11), with λ by cross validation; parent.go: the parent (section 5.4).
//   - refine.go: beyond the paper, weights and controllers are solved in turn until they agree.
//
// The rest is what the fit offers beside: method.go, its row in the table of fits; levels.go, weights for fewer bones;
// suggest.go, the examples to make next; wanted.go, what examples ask of the controllers.
package helperbones
