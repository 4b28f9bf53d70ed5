package ssdr

import (
	"cmp"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
)

// trimWeights drops the weights that mean nothing to the motions as they are. Weights must have been solved for these.
func (p *problem) trimWeights() {
	parallel.For(p.workers, len(p.weights), func(_, k int) { p.weights[k] = p.meaningful(k) })
	p.measure()
}

// meaningful returns the weights of a point without the smallest, as many as may go while its error rises by no more
// than positions of two kernels differ, and its hold by no more than rounding. Weights like these follow the noise of
// positions: five rigid shells in a file of six decimals had 3.79 a vertex, nearly all below 1e-6.
func (p *problem) meaningful(k int) []skinning.Share {
	w := p.weights[k]
	unseen := metrics.KernelRounding * p.size
	most, mostHeld := p.errorOf(k, w)+unseen*unseen*p.x.TotalImportance(), p.holdOf(k, w)+p.rounding
	for len(w) > 1 {
		least := slices.MinFunc(w, func(a, b skinning.Share) int { return cmp.Compare(a.Weight, b.Weight) })
		fewer, sum := slices.Clone(w), 0.0
		fewer = slices.DeleteFunc(fewer, func(s skinning.Share) bool { return s.Joint == least.Joint })
		for _, s := range fewer {
			sum += s.Weight
		}
		for i := range fewer {
			fewer[i].Weight /= sum
		}
		if !(p.errorOf(k, fewer) <= most && p.holdOf(k, fewer) <= mostHeld) {
			break
		}
		w = fewer
	}
	return w
}

// removeIdle removes helper bones that no point follows, and returns their number.
func (p *problem) removeIdle() (removed int) {
	for b := len(p.bones) - 1; b >= p.primaries && len(p.bones) > 1; b-- {
		follows := func(s skinning.Share) bool { return int(s.Joint) == b }
		if !slices.ContainsFunc(p.weights, func(w []skinning.Share) bool { return slices.ContainsFunc(w, follows) }) {
			p.removeHelper(b)
			removed++
		}
	}
	return removed
}
