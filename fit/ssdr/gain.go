package ssdr

import (
	"math"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

const (
	// seedReach is the least distance between two seeds, as a share of the rest pose's diagonal.
	seedReach = 0.05
	// mostSeeds is how many places are tried for a new bone (rows 242, 243).
	mostSeeds = 12
	// leastTrialShare is the share of a trial below which a vertex does not take part in its motion.
	leastTrialShare = 0.02
)

// trial is a helper bone that might be inserted.
type trial struct {
	seed   int
	motion []geom.Affine
	share  []float64 // per point, what part of its weights it would give to the bone
	gain   float64   // the fall of the squared error with this bone
}

// bestTrial returns the new helper bone that lowers the error most. The paper inserts it at the vertex of largest
// error. But that may be one vertex in a fold, and the aim is the gain of all vertices. So bones are tried at the worst
// vertices that are apart from each other, and each is fitted to the vertices that gain by it.
//
// The motion and the shares of a trial are solved in turn, for a number of rounds, before trials are compared. With 0
// rounds the first bone of the human leaves 3.56 mm, since it moves one hand; with 2 rounds it leaves 1.94 mm. Barred
// points are not tried. Where no point is left to try, the trial is nil.
func (p *problem) bestTrial(barred []bool, rounds int) *trial {
	var all []*trial
	for _, patch := range p.points.patches(p.x.Triangles, p.seeds(barred)) {
		all = append(all, &trial{seed: patch[0], motion: p.rigid(patch)})
	}
	if len(all) == 0 {
		return nil
	}
	p.weigh(all)
	for range rounds {
		p.refit(all)
		p.weigh(all)
	}
	best := all[0]
	for _, t := range all {
		if t.gain > best.gain {
			best = t
		}
	}
	return best
}

// seeds returns the worst points that are apart from each other and not barred.
func (p *problem) seeds(barred []bool) (out []int) {
	open := make([]bool, len(p.rest))
	for k := range open {
		open[k] = p.errors[k] > p.rounding && !barred[k]
	}
	reach := seedReach * p.size
	for len(out) < mostSeeds {
		at := -1
		for k, e := range p.errors {
			if open[k] && (at < 0 || e > p.errors[at]) {
				at = k
			}
		}
		if at < 0 {
			break
		}
		out = append(out, at)
		for k := range open {
			open[k] = open[k] && p.rest[k].Sub(p.rest[at]).Len() > reach
		}
	}
	return out
}

// weigh sets shares and gains. With m the place of a vertex, c where the new bone takes it and r = ỹ − m, a share α
// lowers Σ‖r‖² by 2α·Σ r·(c − m) − α²·Σ ‖c − m‖². All sums are products of forms and linear sums.
func (p *problem) weigh(all []*trial) {
	motions := make([][]geom.Affine, len(all))
	for i, t := range all {
		motions[i] = t.motion
	}
	weighted := p.weighted(motions)
	lin := p.linearSums(weighted)
	forms := make([][]linear.Form, len(all)) // with the bones, and at last with itself
	parallel.For(p.workers, len(all), func(_, i int) {
		for _, bone := range p.bones {
			forms[i] = append(forms[i], linear.FormOf(weighted[i], bone))
		}
		forms[i] = append(forms[i], linear.FormOf(weighted[i], motions[i]))
	})
	n := len(p.rest)
	gains := make([][]float64, parallel.Chunks(n))
	for _, t := range all {
		t.share, t.gain = make([]float64, n), 0
	}
	parallel.For(p.workers, len(gains), func(_, c int) {
		gains[c] = make([]float64, len(all))
		lo, hi := parallel.Chunk(c, n)
		for k := lo; k < hi; k++ {
			square, target := p.blended(k)
			for i, t := range all {
				own, mixed := forms[i][len(p.bones)].At(&p.rest[k]), 0.0
				for _, a := range p.weights[k] {
					mixed += a.Weight * forms[i][a.Joint].At(&p.rest[k])
				}
				slope, curve := lin[i][k]-target-mixed+square, own-2*mixed+square
				if slope > 0 && curve > 0 {
					a := math.Min(slope/curve, 1)
					t.share[k] = a
					gains[c][i] += p.points.copies[k] * (2*a*slope - a*a*curve)
				}
			}
		}
	})
	for _, g := range gains {
		for i, t := range all {
			t.gain += g[i]
		}
	}
}

// blended returns Σ m·m and Σ m·ỹ over the examples, of the place m of a point.
func (p *problem) blended(k int) (square, target float64) {
	for i, a := range p.weights[k] {
		target += a.Weight * p.l(int(a.Joint), k)
		square += a.Weight * a.Weight * p.form(int(a.Joint), int(a.Joint)).At(&p.rest[k])
		for _, b := range p.weights[k][:i] {
			square += 2 * a.Weight * b.Weight * p.form(int(a.Joint), int(b.Joint)).At(&p.rest[k])
		}
	}
	return square, target
}

// refit solves the motions for the shares by equation (6), for each bone as if it were the only new one.
func (p *problem) refit(all []*trial) {
	parts, moments := make([][]part, len(all)), make([][]linear.Moment, len(all))
	parallel.For(p.workers, len(all), func(_, i int) {
		moments[i] = make([]linear.Moment, len(p.bones)+1)
		for k, a := range all[i].share {
			if a < leastTrialShare {
				continue
			}
			m, v := a*p.points.copies[k], &p.rest[k]
			parts[i] = append(parts[i], part{k, [4]float64{m * v[0], m * v[1], m * v[2], m}})
			for _, s := range p.weights[k] {
				moments[i][s.Joint].Add(m*(1-a)*s.Weight, *v)
			}
			moments[i][len(p.bones)].Add(m*a, *v)
		}
	})
	sums := p.targetSums(parts)
	parallel.For(p.workers, len(all), func(_, i int) {
		for n := range all[i].motion {
			q := sums[i].at(n)
			for b := range p.bones {
				q.Subtract(&p.bones[b][n], &moments[i][b])
			}
			all[i].motion[n] = nearest(&q, &moments[i][len(p.bones)], all[i].motion[n], false)
		}
	})
}
