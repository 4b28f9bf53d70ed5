package blendbones

import (
	"context"
	"errors"

	"skinlab/skinning/remodel"
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
	for _, pair := range remodel.JointPairs(&p.Model.Skeleton) {
		joints := []uint16{uint16(min(pair.Joint, pair.Parent)), uint16(max(pair.Joint, pair.Parent))}
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
