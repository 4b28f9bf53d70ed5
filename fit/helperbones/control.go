package helperbones

import (
	"context"
	"fmt"
	"runtime"

	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// ControlOptions say how to make controllers.
type ControlOptions struct {
	Recipe *Recipe // nil means [Ours]
	Degree int     // P, from 1 to [rig.MostDegree]
	// Lambda is λ of equation (11) as a share of the least λ at which a bone does not move against its parent: from 0,
	// least squares, to 1. NaN chooses it for each bone by cross validation.
	Lambda  float64
	Scale   bool // helper bones have a uniform scale
	Workers int  // 0 means all processors; the result does not depend on it
	// Progress is told the number of bones that have a controller and the rounds of refinement, with the state after
	// a round and nil before, on Control's goroutine; nil for none.
	Progress func(bones, round int, now *Controlled)
}

func (o *ControlOptions) validate(x *training.Examples) error {
	switch {
	case o.Degree < 1 || o.Degree > rig.MostDegree:
		return fmt.Errorf("%w: polynomials of degree %d, expected 1 to %d", training.ErrExamples, o.Degree, rig.MostDegree)
	case o.Lambda < 0 || o.Lambda > 1:
		return fmt.Errorf("%w: λ %g, expected a share from 0 to 1", training.ErrExamples, o.Lambda)
	case x.Model == nil || len(x.Model.Skeleton.Joints) != x.Primaries():
		return fmt.Errorf("%w: controllers need a skeleton of the %d joints", training.ErrExamples, x.Primaries())
	}
	if o.Recipe == nil {
		o.Recipe = Ours()
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Progress == nil {
		o.Progress = func(int, int, *Controlled) {}
	}
	return nil
}

// Controlled is controllers, and weights that go with them.
type Controlled struct {
	Rig     *rig.HelperBones   // the joint of helper bone h is D + h
	Weights [][]skinning.Share // per vertex, the largest first; Joint ≥ D means helper bone Joint−D
	RMS     float64            // metres, as [ssdr.Decomposition] has it
	Lambdas []float64          // per helper bone, as [ControlOptions] has it
	Reason  fit.Reason         // Converged, RoundLimit or Cancelled
}

// Control makes the controllers of a decomposition's helper bones (section 5). Then it refines controllers and weights,
// see refine.go. A done context ends it soon, with the controllers of all bones.
func Control(ctx context.Context, x *training.Examples, d *ssdr.Decomposition, opt ControlOptions) (*Controlled, error) {
	if err := opt.validate(x); err != nil {
		return nil, err
	}
	s, err := ssdr.NewSolver(x, ssdr.Options{Recipe: opt.Recipe.Decompose, Workers: opt.Workers, Start: d})
	if err != nil {
		return nil, err
	}
	c := &controlling{opt: &opt, x: x, solver: s, primaries: x.Primaries(), skeleton: &x.Model.Skeleton}
	c.inputs = inputsOf(c.skeleton, x.Palettes)
	for h, moments := range s.Moments() {
		c.bones = append(c.bones, c.newBone(ctx, h, &moments[c.primaries+h]))
		opt.Progress(h+1, 0, nil)
	}
	c.drive()
	reason := c.refine(ctx)
	s.TrimWeights()
	out := c.current()
	out.Reason = reason
	return out, nil
}

// controlling is a run of Control. The solver's helper bones move as the controllers say.
type controlling struct {
	opt       *ControlOptions
	x         *training.Examples
	solver    *ssdr.Solver
	primaries int // D
	skeleton  *skinning.Skeleton
	inputs    []input
	bones     []*bone
}

// drive moves the helper bones as their controllers say.
func (c *controlling) drive() {
	matrices := make([][]geom.Affine, len(c.bones))
	for h := range c.bones {
		for n := range c.x.Targets {
			matrices[h] = append(matrices[h], c.matrix(h, n))
		}
	}
	c.solver.Move(matrices)
}

// matrix returns a helper bone's matrix by its controller, relative to the middles.
func (c *controlling) matrix(h, n int) geom.Affine {
	b := c.bones[h]
	m := b.motion(n)
	return c.solver.Bones()[b.parent][n].Mul(b.local.matrix(&m))
}

// current returns the rig as it is now, with the inputs that it reads.
func (c *controlling) current() *Controlled {
	out := &Controlled{Rig: &rig.HelperBones{}, RMS: c.solver.RMS(), Weights: c.solver.Weights()}
	place := make(map[int]int) // of the inputs, in the rig
	for h, b := range c.bones {
		own := rig.HelperBone{Joint: c.primaries + h, Parent: b.parent, Place: b.local.place.Add(c.solver.Middle()),
			Constant: b.constant}
		for j, f := range b.features {
			if b.theta[j] == (rig.HelperMotion{}) {
				continue
			}
			at, ok := place[f.input]
			if !ok {
				at = len(out.Rig.Inputs)
				place[f.input] = at
				out.Rig.Inputs = append(out.Rig.Inputs, c.inputs[f.input].HelperInput)
			}
			own.Terms = append(own.Terms, rig.HelperTerm{Input: at, Powers: f.powers, Coefficients: b.theta[j]})
		}
		out.Rig.Bones, out.Lambdas = append(out.Rig.Bones, own), append(out.Lambdas, b.lambda)
	}
	return out
}

// variablesOf returns the variables of a rig's inputs in an example.
func variablesOf(x *training.Examples, r *rig.HelperBones, n int) [][3]float64 {
	out := make([][3]float64, len(r.Inputs))
	for i := range r.Inputs {
		in := &r.Inputs[i]
		out[i] = in.Variables(in.Turn(&x.Model.Skeleton, x.Palettes[n]).Log().Mul(2))
	}
	return out
}

// Motions returns the matrices [helper][example] that a rig gives its bones in the poses of examples, rest space to
// world.
func Motions(x *training.Examples, r *rig.HelperBones) [][]geom.Affine {
	out := make([][]geom.Affine, len(r.Bones))
	for n := range x.Targets {
		variables := variablesOf(x, r, n)
		for h := range r.Bones {
			b := &r.Bones[h]
			m := r.Motion(h, variables)
			l := m.Local(b.Place, rig.BindFrame(&x.Model.Skeleton.Joints[b.Parent]))
			out[h] = append(out[h], x.Palettes[n][b.Parent].Mul(l))
		}
	}
	return out
}
