package blendbones

import (
	"context"
	"errors"
)

// HalfWay is the baseline of ALNS figure 7, after Mohr and Gleicher 2003. Every joint with a parent gets one extra
// joint, rotated halfway between the two, and weights are found by the solver of [Solve]. The halfway transform is the
// equal blend of two dual quaternions, which is their slerp. MaxBones and Target of the options are not used.
func HalfWay(ctx context.Context, p *Problem, opt Options) (*Result, error) {
	if err := errors.Join(opt.validate(p), p.Validate()); err != nil {
		return nil, err
	}
	r := newRun(ctx, p, opt)
	r.record()
	for j := range p.Model.Skeleton.Joints {
		parent := p.Model.Skeleton.Joints[j].Parent
		if parent < 0 {
			continue
		}
		joints := []uint16{uint16(min(j, parent)), uint16(max(j, parent))}
		if b := r.newBone(joints, []float64{0.5, 0.5}, nil, joints); len(b.reach) > 0 {
			if err := p.roomFor(len(r.bones) + 1); err != nil {
				return nil, err
			}
			r.append(b)
		}
	}
	r.listBones() // once for all bones, since it is slow
	r.opt.MaxBones = len(r.bones)
	r.solveWeights(r.reach(r.all()), 0, true)
	r.record()
	return r.result(BoneLimit), nil
}
