package blendbones

import (
	"cmp"
	"math"
	"slices"

	"skinlab/skinning/parallel"
)

// candidate is a blend bone that may be placed next: a set of joints and one sample of its u-weights (ALNS section
// 4.1).
type candidate struct {
	bone    *bone
	sets    []int   // the vertex sets in reach, V(B) of section 4.4
	gain    float64 // how much the error falls if it is placed now
	checked int     // the clock when gain was computed; 0 for never
}

// samples are the u-weights to try, by number of joints: three per degree of freedom, spread evenly over the interior
// of the simplex.
var samples = map[int][][]float64{
	2: {{0.5, 0.5}, {0.25, 0.75}, {0.75, 0.25}},
	3: {{0.25, 0.25, 0.5}, {0.25, 0.5, 0.25}, {0.5, 0.25, 0.25}},
	4: {{0.25, 0.25, 0.25, 0.25}, {0.5, 1. / 6, 1. / 6, 1. / 6}, {1. / 6, 0.5, 1. / 6, 1. / 6},
		{1. / 6, 1. / 6, 0.5, 1. / 6}, {1. / 6, 1. / 6, 1. / 6, 0.5}},
}

// Candidates may have leastTries vertices in reach, all together. Larger models may have triesPerVertex for each
// vertex. Characters have 17 to 142 per vertex, small ones up to 260. A broken exporter may write weights in random
// order. Then each vertex is its own set of joints, and there are as many sets and candidates as vertices. Without the
// bound a fox of 1,728 vertices took 13 s and 1.6 GB (row 120).
const (
	leastTries     = 1 << 20
	triesPerVertex = 160
)

// overlap is a set of two to four joints that some vertices follow together.
type overlap struct {
	joints   []uint16
	vertices int   // how many follow all of the joints
	reach    []int // the vertex sets that follow one of them
}

// overlaps lists every set of two to four joints that some vertex follows, most vertices first.
func (s *solver) overlaps() []overlap {
	index := make(map[string]int)
	var all []overlap
	for i := range s.sets {
		joints := s.sets[i].joints
		for mask := 1; mask < 1<<len(joints); mask++ {
			var subset []uint16
			var key []byte
			for k, j := range joints {
				if mask>>k&1 == 1 {
					subset, key = append(subset, j), append(key, byte(j), byte(j>>8))
				}
			}
			if len(subset) < 2 || len(subset) > maxJoints {
				continue
			}
			at, ok := index[string(key)]
			if !ok {
				at = len(all)
				index[string(key)] = at
				all = append(all, overlap{joints: subset})
			}
			all[at].vertices += len(s.sets[i].vertices)
		}
	}
	slices.SortFunc(all, func(a, b overlap) int {
		return cmp.Or(cmp.Compare(b.vertices, a.vertices), slices.Compare(a.joints, b.joints))
	})
	return all
}

// collectCandidates lists every overlap with its samples, in a fixed order. Past the bound above, overlaps of the
// fewest vertices are left out.
func (s *solver) collectCandidates() {
	all, tries := s.overlaps(), 0
	for k := range all {
		o := &all[k]
		for i := range s.sets {
			if shareJoint(s.sets[i].joints, o.joints) {
				o.reach = append(o.reach, i)
				tries += len(s.sets[i].vertices) * len(samples[len(o.joints)])
			}
		}
		if tries > max(leastTries, triesPerVertex*len(s.rest)) && k > 0 {
			all = all[:k]
			break
		}
	}
	slices.SortFunc(all, func(a, b overlap) int { return slices.Compare(a.joints, b.joints) })
	for _, o := range all {
		tried := samples[len(o.joints)]
		if !s.with.quick {
			tried = gridOf(len(o.joints))
		}
		for _, u := range tried {
			s.gains = append(s.gains, candidate{bone: s.newBone(o.joints, u, nil, o.joints), sets: o.reach})
			if !s.twoSets {
				continue
			}
			for k := range o.joints {
				swings := make([]float64, len(u))
				swings[k] = 1
				s.gains = append(s.gains, candidate{bone: s.newBone(o.joints, u, swings, o.joints), sets: o.reach})
			}
		}
	}
}

// bestCandidate returns the candidate that lowers the error most when it is placed, or nil where none does. A gain is
// computed again only after weights or bones in its reach have changed, and only while its old value is above the best
// new one. That is lazy greedy selection: a gain hardly ever rises when the model improves, so a smaller old one would
// not win. Between is called between batches.
func (s *solver) bestCandidate(stop func() bool, between func()) *candidate {
	floor := 0.0
	if s.with.quick {
		floor = s.floor(coarse)
	}
	var stale []*candidate
	var best *candidate
	for i := range s.gains {
		c := &s.gains[i]
		switch {
		case c.checked == 0:
			c.gain = math.Inf(1)
			stale = append(stale, c)
		case slices.ContainsFunc(c.sets, func(k int) bool { return s.sets[k].changed >= c.checked }):
			stale = append(stale, c)
		case best == nil || c.gain > best.gain:
			best = c
		}
	}
	slices.SortStableFunc(stale, func(a, b *candidate) int { return cmp.Compare(b.gain, a.gain) })
	const batch = 32
	for ; len(stale) > 0 && !stop() && (best == nil || stale[0].gain > best.gain); between() {
		now := stale[:min(batch, len(stale))]
		stale = stale[len(now):]
		parallel.For(s.workers, len(now), func(worker, i int) {
			now[i].gain = s.gainOf(now[i], &s.scratch[worker], floor)
			now[i].checked = s.clock + 1
		})
		for _, c := range now {
			if best == nil || c.gain > best.gain {
				best = c
			}
		}
	}
	if best == nil || !(best.gain > 0) {
		return nil
	}
	return best
}

// gainOf computes how much the error falls over the vertices in reach when the bone is placed and their weights are
// solved again. It skips vertices whose error is below floor. Together they hold less than a twentieth of the error.
func (s *solver) gainOf(c *candidate, ws *workspace, floor float64) (gain float64) {
	if c.bone.matrices == nil {
		s.place(c.bone)
	}
	s.relate(&ws.trial, c.bone, s.bones)
	for _, i := range c.sets {
		set := &s.sets[i]
		for _, v := range set.vertices {
			w := &s.w[v]
			if w.err <= floor {
				continue
			}
			switch h := s.crossWith(c.bone.matrices, int(v)); {
			case !s.with.exact:
				gain += w.err - s.softWeights(ws, int(v), true, h).err
			case s.descends(&ws.trial, int(v), h):
				gain += w.err - s.tryVertex(ws, int(v), h)
			}
		}
	}
	return gain
}

// descends reports whether a little weight on r's bone c lowers the error of vertex v: (Q·w)_c < wᵀ·Q·w. Q is the
// matrix of the error, see [vertexStep.curvature], and h is the product of v with the bone.
func (s *solver) descends(r *relation, v int, h float64) bool {
	w, p := &s.w[v], &s.rest[v]
	slope := s.square[v] - w.cross - h
	for k := range w.count {
		slope += w.weight[k] * r.with(int(w.bone[k]), s.joints).At(p)
	}
	return slope < w.err*(1-1e-9)
}
