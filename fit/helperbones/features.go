package helperbones

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// feature is a product of one input's variables: a row of X in equation (11).
type feature struct {
	input  int
	powers [3]uint8
	values []float64 // one for each example
	spread float64   // the standard deviation in the examples
}

// roundingShare is the least share of [Recipe.Still]. What varies by less is rounding of a file's float32 rotations, as
// the product of two angles is where examples turn them one at a time: its coefficient would have 15 digits.
const roundingShare = 1e-5

// featuresOf lists the powers of inputs that the examples determine.
func (c *controlling) featuresOf(inputs []int) (features []feature) {
	for _, i := range inputs {
		for _, powers := range powersOf(len(c.inputs[i].Axes), c.opt.Degree) {
			f := feature{input: i, powers: powers}
			t, largest := rig.HelperTerm{Powers: powers}, [3]float64{}
			for _, x := range c.inputs[i].values {
				f.values = append(f.values, t.Product(x))
				for k := range x {
					largest[k] = max(largest[k], math.Abs(x[k]))
				}
			}
			f.spread = c.deviation(f.values)
			if f.spread > max(c.opt.Recipe.Still, roundingShare)*t.Product(largest) {
				features = append(features, f)
			}
		}
	}
	return features
}

// deviation returns the standard deviation of a number over the examples.
func (c *controlling) deviation(values []float64) float64 {
	mean, square, total := 0.0, 0.0, c.x.TotalWeight()
	for n, v := range values {
		mean += c.x.Weight(n) * v / total
	}
	for n, v := range values {
		square += c.x.Weight(n) * (v - mean) * (v - mean) / total
	}
	return math.Sqrt(square)
}

// powersOf lists the monomials of n variables of degree 1 to degree, in order of degree: the x_d of HBR equation 10. Of
// three variables and degree 2 they are x, y, z, x², xy, xz, y², yz, z².
func powersOf(n, degree int) (all [][3]uint8) {
	if n < 1 || n > 3 || degree < 1 {
		panic(fmt.Sprintf("helperbones: powersOf: %d variables, degree %d", n, degree))
	}
	for d := 1; d <= degree; d++ {
		for x := d; x >= 0; x-- {
			for y := d - x; y >= 0; y-- {
				z := d - x - y
				if n < 3 && z > 0 || n < 2 && y > 0 {
					continue
				}
				all = append(all, [3]uint8{uint8(x), uint8(y), uint8(z)})
			}
		}
	}
	return all
}

// nearShare is the share of the skin under a bone that a joint moves, by the weights of the bone and of the rig, from
// which on it counts as near.
const nearShare = 0.05

// jointsNear lists the inputs of joints near a bone, and of the parent, the grandparent and the children of the joint
// that moves most of its skin. Joints that happen to turn together cannot be told apart by few examples, and far ones
// would be chosen by chance.
func jointsNear(joints []skinning.Joint, turned []input, reached []float64) (inputs []int) {
	main, total := floats.MaxIdx(reached), floats.Sum(reached)
	parent, grandparent := joints[main].Parent, -1
	if parent >= 0 {
		grandparent = joints[parent].Parent
	}
	for i := range turned {
		j := turned[i].Joint
		if reached[j] > nearShare*total || joints[j].Parent == main || j == main || j == parent || j == grandparent {
			inputs = append(inputs, i)
		}
	}
	return inputs
}

// mostParents is the number of joints that are tried as a bone's parent.
const mostParents = 3

// joined lists the joints that move most of the skin under a bone.
func joined(reached []float64) (joints []int) {
	joints = indices(len(reached))
	slices.SortStableFunc(joints, func(a, b int) int { return cmp.Compare(reached[b], reached[a]) })
	joints = joints[:min(mostParents, len(joints))]
	return slices.DeleteFunc(joints, func(j int) bool { return !(reached[j] >= nearShare*reached[joints[0]]) })
}

// indices are the numbers from 0 to n − 1.
func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
