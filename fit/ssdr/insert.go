package ssdr

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
	"skinlab/skinning/geom/procrustes"
	"skinlab/skinning/parallel"
)

const (
	// places is how many places are tried for a new bone, and placeReach the least distance between two of them, as a
	// share of the rest pose's diagonal.
	places     = 12
	placeReach = 0.05
	// leastShare is the share of a trial below which a vertex does not take part in its motion.
	leastShare = 0.02
	// leastVertices is the least number of vertices that a helper bone must influence to be kept (section 4.3).
	leastVertices = 4
)

// trial is a helper bone that might be inserted.
type trial struct {
	motion []geom.Affine
	share  []float64 // per point, what part of its weights it would give to the bone
	gain   float64   // the fall of the squared error with this bone
}

// ofLargestGain returns the new helper bone that lowers the error most. The paper inserts it at the vertex of largest
// error. But that may be one vertex in a fold, and the aim is the gain of all vertices. So bones are tried at the worst
// vertices that are apart from each other, and each is fitted to the vertices that gain by it.
func ofLargestGain(s *Solver, barred []bool, rounds int) (motion []geom.Affine, point int) {
	worst := s.worstPoints(barred, places)
	if len(worst) == 0 {
		return nil, 0
	}
	var all []*trial
	for _, patch := range s.patches(worst) {
		all = append(all, &trial{motion: s.rigid(patch)})
	}
	s.weigh(all)
	for range rounds {
		s.refit(all)
		s.weigh(all)
	}
	best := 0
	for i, t := range all {
		if t.gain > all[best].gain {
			best = i
		}
	}
	return all[best].motion, worst[best]
}

// worstPoints returns the points of largest error (equation 7) that are apart from each other and not barred, at most
// count. The error of each is more than rounding.
func (s *Solver) worstPoints(barred []bool, count int) (out []int) {
	open := make([]bool, len(s.rest))
	for k := range open {
		open[k] = s.errors[k] > s.rounding && !barred[k]
	}
	for len(out) < count {
		at := -1
		for k, e := range s.errors {
			if open[k] && (at < 0 || e > s.errors[at]) {
				at = k
			}
		}
		if at < 0 {
			break
		}
		out = append(out, at)
		for k := range open {
			open[k] = open[k] && s.rest[k].Sub(s.rest[at]).Len() > placeReach*s.size
		}
	}
	return out
}

// patches returns each of the points, followed by its neighbours over the edges of the triangles in ascending order.
func (s *Solver) patches(points []int) [][]int {
	out := make([][]int, len(points))
	for _, t := range s.x.Triangles {
		for c := range t {
			a, b := s.pointOf[t[c]], s.pointOf[t[(c+1)%3]]
			for _, edge := range [][2]int{{a, b}, {b, a}} {
				if i := slices.Index(points, edge[0]); i >= 0 && a != b {
					out[i] = append(out[i], edge[1])
				}
			}
		}
	}
	for i, k := range points {
		slices.Sort(out[i])
		out[i] = append([]int{k}, slices.Compact(out[i])...)
	}
	return out
}

// rigid returns the rigid motion of some points from rest to their targets in each example.
func (s *Solver) rigid(points []int) []geom.Affine {
	out := make([]geom.Affine, len(s.x.Targets))
	parallel.For(s.workers, len(out), func(_, n int) {
		out[n] = procrustes.Rigid(len(points), func(k int) (x, y mgl64.Vec3) {
			return s.rest[points[k]], s.target(n, points[k])
		})
	})
	return out
}

// weigh sets shares and gains. With m the place of a vertex, c where the new bone takes it and r = ỹ − m, a share α
// lowers Σ‖r‖² by 2α·Σ r·(c − m) − α²·Σ ‖c − m‖². All sums are products of forms and linear sums.
func (s *Solver) weigh(all []*trial) {
	motions := make([][]geom.Affine, len(all))
	for i, t := range all {
		motions[i] = t.motion
	}
	weighted := s.weighted(motions)
	lin := s.linearSums(weighted)
	forms := make([][]linear.Form, len(all)) // with the bones, and at last with itself
	parallel.For(s.workers, len(all), func(_, i int) {
		for _, bone := range append(slices.Clone(s.bones), motions[i]) {
			forms[i] = append(forms[i], linear.FormOf(weighted[i], bone))
		}
	})
	n := len(s.rest)
	square, target := make([]float64, n), make([]float64, n) // Σ m·m and Σ m·ỹ over the examples
	parallel.For(s.workers, n, func(_, k int) {
		for i, a := range s.weights[k] {
			target[k] += a.Weight * s.linear(int(a.Joint), k)
			square[k] += a.Weight * a.Weight * s.form(int(a.Joint), int(a.Joint)).At(&s.rest[k])
			for _, b := range s.weights[k][:i] {
				square[k] += 2 * a.Weight * b.Weight * s.form(int(a.Joint), int(b.Joint)).At(&s.rest[k])
			}
		}
	})
	parallel.For(s.workers, len(all), func(_, i int) {
		t := all[i]
		t.share, t.gain = make([]float64, n), 0
		for k := range n {
			own, mixed := forms[i][len(s.bones)].At(&s.rest[k]), 0.0
			for _, a := range s.weights[k] {
				mixed += a.Weight * forms[i][a.Joint].At(&s.rest[k])
			}
			slope, curve := lin[i][k]-target[k]-mixed+square[k], own-2*mixed+square[k]
			if slope > 0 && curve > 0 {
				a := math.Min(slope/curve, 1)
				t.share[k] = a
				t.gain += s.copies[k] * (2*a*slope - a*a*curve)
			}
		}
	})
}

// refit solves the motions for the shares by equation (6), for each bone as if it were the only new one.
func (s *Solver) refit(all []*trial) {
	parts, moments := make([][]part, len(all)), make([][]linear.Moment, len(all))
	parallel.For(s.workers, len(all), func(_, i int) {
		moments[i] = make([]linear.Moment, len(s.bones)+1)
		for k, a := range all[i].share {
			if a < leastShare {
				continue
			}
			parts[i] = append(parts[i], part{k, a * s.copies[k]})
			for _, w := range s.weights[k] {
				moments[i][w.Joint].Add(a*s.copies[k]*(1-a)*w.Weight, s.rest[k])
			}
			moments[i][len(s.bones)].Add(a*s.copies[k]*a, s.rest[k])
		}
	})
	sums := s.targetSums(parts)
	parallel.For(s.workers, len(all), func(_, i int) {
		for n := range all[i].motion {
			q := sums[i].at(n)
			for b := range s.bones {
				q.Subtract(&s.bones[b][n], &moments[i][b])
			}
			all[i].motion[n] = nearest(&q, &moments[i][len(s.bones)], all[i].motion[n], false)
		}
	})
}

// removeInsignificant removes helper bones that influence fewer than leastVertices vertices (section 4.3), solves the
// weights again where there were any, and returns their number. One bone stays at least.
func (s *Solver) removeInsignificant() (removed int) {
	for b := len(s.bones) - 1; b >= s.primaries && len(s.bones) > 1; b-- {
		influenced := 0.0
		for k, shares := range s.weights {
			if weightOf(shares, b) > 0 {
				influenced += s.copies[k]
			}
		}
		if influenced < leastVertices {
			s.removeHelper(b)
			removed++
		}
	}
	if removed > 0 {
		s.SolveWeights(true)
	}
	return removed
}
