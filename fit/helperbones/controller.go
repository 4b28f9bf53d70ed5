package helperbones

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/fit/ssdr"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// bone is a helper bone with its controller.
type bone struct {
	parent   int
	local    local            // its place is relative to [ssdr.Solver.Middle]
	metric   rig.HelperMotion // Σ w²·|motion|² over the points it moves, m², by a unit of each number; 0: not controlled
	features []feature
	x        [][]float64 // [example][feature]
	lambda   float64
	ridge    float64 // of the refinement, see [regression.chooseRidge]
	*controller
}

// controller is F_h of equation (10).
type controller struct {
	constant rig.HelperMotion
	theta    []rig.HelperMotion // one per feature
}

// motion returns the bone's motion in an example.
func (b *bone) motion(n int) rig.HelperMotion {
	m := b.constant
	for j, x := range b.x[n] {
		for k, t := range b.theta[j] {
			m[k] += t * x
		}
	}
	return m
}

// feature is a product of one input's variables: a row of X in equation (11).
type feature struct {
	input  int
	powers [3]uint8
}

// A feature is left out if its standard deviation in the examples is below the share hardlyMoves of the largest size
// that it can have within the range of its variables (row 253). An example is the product of two angles that the
// examples turn one at a time. The examples do not determine its coefficient, so that in a pose that turns both it
// would only add noise.
const hardlyMoves = 0.05

// featuresOf lists the powers of inputs that the examples determine, and their values.
func (c *controlling) featuresOf(inputs []int) (features []feature, x [][]float64) {
	for _, i := range inputs {
		for _, powers := range powersOf(len(c.inputs[i].Axes), c.opt.Degree) {
			if f := (feature{i, powers}); c.spread(f) > hardlyMoves*c.largest(f) {
				features = append(features, f)
			}
		}
	}
	x = make([][]float64, len(c.x.Targets))
	for n := range x {
		x[n] = make([]float64, len(features))
		for j, f := range features {
			x[n][j] = c.value(f, n)
		}
	}
	return features, x
}

// value returns a feature in an example.
func (c *controlling) value(f feature, n int) float64 {
	t := rig.HelperTerm{Powers: f.powers}
	return t.Product(c.inputs[f.input].values[n])
}

// spread returns the standard deviation of a feature in the examples.
func (c *controlling) spread(f feature) float64 {
	mean, square, total := 0.0, 0.0, c.x.TotalImportance()
	for n := range c.x.Targets {
		mean += c.x.ImportanceOf(n) * c.value(f, n) / total
	}
	for n := range c.x.Targets {
		d := c.value(f, n) - mean
		square += c.x.ImportanceOf(n) * d * d / total
	}
	return math.Sqrt(square)
}

// largest returns the largest size of a feature where every variable is within the range of the examples.
func (c *controlling) largest(f feature) float64 {
	in, most := &c.inputs[f.input], 1.0
	for k := range in.Axes {
		largest := 0.0
		for _, x := range in.values {
			largest = max(largest, math.Abs(x[k]))
		}
		most *= math.Pow(largest, float64(f.powers[k]))
	}
	return most
}

// A joint takes part in a bone's controller if it moves at least leastShare of the skin under the bone, measured by the
// weights of the bone and of the rig.
const leastShare = 0.05

// plenty is the least number of examples for each feature at which the features of all joints take part (rows 251, 252).
const plenty = 4

// inputsFor lists the inputs that may take part in the controller of helper bone h. With plenty of examples these are
// all. With few, joints that happen to turn together cannot be told apart, so only near joints take part: those whose
// weights reach the skin under the bone, and the parent, the grandparent and the children of the joint that reaches
// most of it.
func (c *controlling) inputsFor(h int) (inputs []int) {
	count := 0
	for i := range c.inputs {
		inputs = append(inputs, i)
		count += len(powersOf(len(c.inputs[i].Axes), c.opt.Degree))
	}
	if c.opt.AsPublished || plenty*count <= len(c.x.Targets) {
		return inputs
	}
	return jointsNear(c.skeleton.Joints, c.inputs, c.solver.Reach(h))
}

// jointsNear lists the inputs of joints that reach a bone's skin, and of the neighbours of the one that reaches most.
func jointsNear(joints []skinning.Joint, all []input, reached []float64) (inputs []int) {
	main := floats.MaxIdx(reached)
	near := []int{main}
	if parent := joints[main].Parent; parent >= 0 {
		near = append(near, parent, joints[parent].Parent)
	}
	total := floats.Sum(reached)
	for i := range all {
		j := all[i].Joint
		if reached[j] > leastShare*total || joints[j].Parent == main || slices.Contains(near, j) {
			inputs = append(inputs, i)
		}
	}
	return inputs
}

// placeOf returns the mean of the points under a helper bone, weighted by their squared weights. A rotation about this
// place moves the points least. It is relative to [ssdr.Solver.Middle], as the moment is.
func placeOf(m *linear.Moment) mgl64.Vec3 {
	if !(m[9] > ssdr.LeastMass) {
		return mgl64.Vec3{}
	}
	return m.Mean()
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

// degreeOf returns the sum of powers.
func degreeOf(powers [3]uint8) int { return int(powers[0]) + int(powers[1]) + int(powers[2]) }

// degreePenalty is the penalty of a monomial's coefficient in the Lasso, relative to that of degree 1. If an angle has
// only two values in the examples, x and x² explain them equally well. With equal penalties, noise would decide between
// them, and high powers have large errors on unseen poses.
func degreePenalty(degree int) float64 { return math.Pow(3, float64(degree-1)) }
