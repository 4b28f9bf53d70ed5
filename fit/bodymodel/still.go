package bodymodel

import (
	"context"
	"math"
	"slices"

	"skinlab/skinning"
)

// stillTurn is the turn of a limb against its parent, in radians, up to which the limb is still in a scan. Bulging
// muscles turn the best rigid fit of a limb a little: the 17 joints of the built-in arm that its scans do not turn stay
// below stillTurn.
const stillTurn = 0.1

// mergeStill finds the limbs that are still against their parents in all scans, and makes each a part of its parent.
// The scans tell nothing of what such a limb is for. A fit would use it as one bone more for whatever is left over, and
// tear the skin once a clip turns it. [subject.spread] gives each joint its part of the limb again.
func (u *subject) mergeStill(ctx context.Context, workers int) error {
	all := u.skeleton
	if err := holds(len(u.scans.Shapes), len(all.Joints)); err != nil {
		return err
	}
	u.rig = Start(ctx, u.scans, all, startOptions{Workers: workers}).linear()
	posed, e := fitPoses(ctx, u.rig, u.scans, workers)
	u.rigErrors = e
	u.rigLargest = newSolver(u.scans, posed, 0, 0).largest()
	s := &skeleton{Vertices: all.Vertices}
	var limbs []int
	into := make([]int, len(all.Parents))
	for l, parent := range all.Parents {
		turns := parent < 0 || all.Loose[l]
		for i := range posed.Poses {
			turns = turns || 2*math.Acos(min(math.Abs(posed.Poses[i].Turns[l][3]), 1)) > stillTurn
		}
		if !turns {
			into[l] = into[parent]
			continue
		}
		into[l] = len(limbs)
		if parent >= 0 {
			parent = into[parent]
		}
		limbs, s.Parents = append(limbs, u.limbs[l]), append(s.Parents, parent)
		s.Loose, s.Joints = append(s.Loose, all.Loose[l]), append(s.Joints, all.Joints[l])
	}
	u.parts, u.limbOf = make([][]skinning.Share, len(all.Weights)), map[int]int{}
	for l, j := range u.limbs {
		u.limbOf[j] = into[l]
	}
	for v, shares := range all.Weights {
		weights := make([]float64, len(limbs))
		for _, w := range shares {
			weights[into[w.Joint]] += w.Weight
			u.parts[v] = append(u.parts[v], skinning.Share{Joint: uint16(u.limbs[w.Joint]), Weight: w.Weight})
		}
		var merged []skinning.Share
		for l, w := range weights {
			if w > 0 {
				merged = append(merged, skinning.Share{Joint: uint16(l), Weight: w})
			}
		}
		sortShares(merged)
		s.Weights = append(s.Weights, merged)
	}
	u.skeleton, u.limbs = s, limbs
	return nil
}

// takeAxes gives the limbs the bone axes that the written model has: there joints that are still count as children.
func (u *subject) takeAxes(b *Body, m *skinning.Model) {
	axes, _ := m.BoneAxes()
	limb := map[int]int{} // of a node
	for l, j := range u.limbs {
		limb[u.m.Skeleton.Joints[j].Node] = l
	}
	for j := range axes {
		if l, ok := limb[m.Skeleton.Joints[j].Node]; ok {
			b.Axes[l] = axes[j]
		}
	}
}

// spread turns weights of limbs, one list for each point, into weights of the subject's joints. A limb of several
// joints is divided as the vertex was among them before the fit; one that the vertex did not follow moves it by its
// first joint. A vertex keeps [mostInfluences] joints, and all of its limbs: the weights of others go to the strongest
// joints of their limbs.
func (u *subject) spread(weights [][]skinning.Share) [][]skinning.Share {
	out := make([][]skinning.Share, len(weights))
	for v, shares := range weights {
		var all []skinning.Share
		for _, w := range shares {
			sum := 0.0
			for _, part := range u.parts[v] {
				if u.limbOf[int(part.Joint)] == int(w.Joint) {
					sum += part.Weight
				}
			}
			if sum == 0 {
				all = append(all, skinning.Share{Joint: uint16(u.limbs[w.Joint]), Weight: w.Weight})
				continue
			}
			for _, part := range u.parts[v] {
				if u.limbOf[int(part.Joint)] == int(w.Joint) {
					all = append(all, skinning.Share{Joint: part.Joint, Weight: w.Weight * part.Weight / sum})
				}
			}
		}
		sortShares(all)
		for n := len(all) - 1; len(all) > mostInfluences; n-- {
			same := func(s skinning.Share) bool { return u.limbOf[int(s.Joint)] == u.limbOf[int(all[n].Joint)] }
			if k := slices.IndexFunc(all[:n], same); k >= 0 {
				all[k].Weight += all[n].Weight
				all = slices.Delete(all, n, n+1)
			}
		}
		out[v] = all
	}
	return out
}
