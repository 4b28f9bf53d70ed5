package helperbones

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// ControlOptions say how to make controllers.
type ControlOptions struct {
	Degree int // P, from 1 to [rig.MostDegree]
	// Lambda is λ of equation (11) as a share of the least λ at which a bone does not move against its parent: from 0,
	// least squares, to 1. NaN chooses it for each bone by cross validation.
	Lambda      float64
	Scale       bool // helper bones have a uniform scale
	AsPublished bool // ends where the paper ends: the Lasso's controllers, with the decomposition's weights
	Influences  int  // K, the most bones that a vertex follows; 0 means 4
	Workers     int  // 0 means all processors; the result does not depend on it
	// Progress is told each bone and each round of refinement, on Control's goroutine; nil for none.
	Progress func(ControlProgress)
}

// ControlProgress is the state of controllers after a bone or a round.
type ControlProgress struct {
	Bones   int                // that have a controller
	Round   int                // of the refinement, counted from 1; 0 before it
	RMS     float64            // metres; 0 before the refinement
	Current func() *Controlled // as it is now, until the callback returns; nil before the refinement
}

func (o *ControlOptions) validate(x *Examples) error {
	switch {
	case o.Degree < 1 || o.Degree > rig.MostDegree:
		return fmt.Errorf("%w: polynomials of degree %d, expected 1 to %d", ErrProblem, o.Degree, rig.MostDegree)
	case o.Lambda < 0 || o.Lambda > 1:
		return fmt.Errorf("%w: λ %g, expected a share from 0 to 1", ErrProblem, o.Lambda)
	case o.Influences < 0:
		return fmt.Errorf("%w: %d influences", ErrProblem, o.Influences)
	case x.Model == nil || len(x.Model.Skeleton.Joints) != x.Primaries():
		return fmt.Errorf("%w: controllers need a skeleton of the %d joints", ErrProblem, x.Primaries())
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return nil
}

// Controlled is controllers, and weights that go with them.
type Controlled struct {
	Rig     *rig.HelperBones   // the joint of helper bone h is D + h
	Weights [][]skinning.Share // per vertex, the largest first; Joint ≥ D means helper bone Joint−D
	RMS     float64            // metres, as [Decomposition] has it
	Lambdas []float64          // per helper bone, as [ControlOptions] has it
	Reason  Reason             // Converged, RoundLimit or Cancelled
}

// Control makes the controllers of a decomposition's helper bones (section 5). Then it refines controllers and weights,
// see refine.go. A done context ends it soon, with the controllers of all bones.
func Control(ctx context.Context, x *Examples, d *Decomposition, opt ControlOptions) (*Controlled, error) {
	if err := x.Validate(); err != nil {
		return nil, err
	}
	if err := opt.validate(x); err != nil {
		return nil, err
	}
	if err := d.validate(x); err != nil {
		return nil, err
	}
	c := &controlling{opt: &opt, skeleton: &x.Model.Skeleton,
		p: newProblem(x, &Options{Influences: opt.Influences, Workers: opt.Workers})}
	c.p.begin(d)
	c.inputs = inputsOf(c.skeleton, x.Palettes)
	moments := c.p.momentSums()
	for h := range moments {
		c.bones = append(c.bones, c.newBone(ctx, h, moments[h]))
		if opt.Progress != nil {
			opt.Progress(ControlProgress{Bones: h + 1})
		}
	}
	c.drive()
	reason := Converged
	if !opt.AsPublished && len(c.bones) > 0 {
		reason = c.refine(ctx)
	}
	out := c.current()
	out.Reason = reason
	return out, nil
}

// controlling is a run of Control. The problem's helper bones move as the controllers say.
type controlling struct {
	opt      *ControlOptions
	p        *problem
	skeleton *skinning.Skeleton
	inputs   []input
	bones    []*bone
}

// drive moves the helper bones as their controllers say.
func (c *controlling) drive() {
	p := c.p
	for h, b := range c.bones {
		for n := range p.bones[p.primaries+h] {
			m := b.motion(n)
			p.bones[p.primaries+h][n] = p.bones[b.parent][n].Mul(b.local.matrix(&m))
		}
	}
	p.sumBones(p.primaries)
	p.measure()
}

// current returns the rig as it is now, with the inputs that it reads.
func (c *controlling) current() *Controlled {
	p := c.p
	out := &Controlled{Rig: &rig.HelperBones{}, RMS: p.rms(), Weights: make([][]skinning.Share, len(p.x.Rest))}
	for v, k := range p.points.of {
		out.Weights[v] = slices.Clone(p.weights[k])
	}
	place := make(map[int]int) // of the inputs, in the rig
	for h, b := range c.bones {
		own := rig.HelperBone{Joint: p.primaries + h, Parent: b.parent, Place: b.local.place.Add(p.middle),
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
