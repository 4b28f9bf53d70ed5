package blendbones

import (
	"cmp"
	"math"
	"slices"

	"skinlab/fit/linear"
	"skinlab/skinning"
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

// fewSamples are the u-weights to try: the middle of the simplex, and the points halfway from there to its corners.
func fewSamples(joints int) [][]float64 {
	middle := 1 / float64(joints)
	samples := [][]float64{slices.Repeat([]float64{middle}, joints)}
	for k := range joints {
		u := slices.Repeat([]float64{middle / 2}, joints)
		u[k] += 0.5
		samples = append(samples, u)
	}
	return samples
}

// overlap is a set of two to four joints that some vertices follow together.
type overlap struct {
	joints   []uint16
	vertices int // how many follow all of the joints
}

// mostTries bounds how many vertices candidates may have in reach, all together, as a multiple of the vertices.
// Characters have 17 to 142. A broken exporter may write weights in random order. Then each vertex is its own set of
// joints, and there are as many sets and candidates as vertices.
const mostTries = 160

// overlaps lists every set of two to four joints that some vertex follows, most vertices first.
func (s *solution) overlaps() (all []overlap) {
	index := make(map[[maxJoints]uint16]int)
	for i := range s.in.sets {
		joints := s.in.sets[i].joints
		for mask := 1; mask < 1<<len(joints); mask++ {
			var subset []uint16
			for k, j := range joints {
				if mask>>k&1 == 1 {
					subset = append(subset, j)
				}
			}
			if len(subset) < 2 || len(subset) > maxJoints {
				continue
			}
			var key [maxJoints]uint16 // no joint fills up a key, since joints of a subset rise
			copy(key[:], subset)
			at, ok := index[key]
			if !ok {
				at = len(all)
				index[key] = at
				all = append(all, overlap{joints: subset})
			}
			all[at].vertices += len(s.in.sets[i].vertices)
		}
	}
	slices.SortFunc(all, func(a, b overlap) int {
		return cmp.Or(cmp.Compare(b.vertices, a.vertices), slices.Compare(a.joints, b.joints))
	})
	return all
}

// candidates lists the overlaps with their samples. Past mostTries, overlaps of the fewest vertices are left out. Where
// swings have weights of their own, the swings of a candidate follow one of its joints, or the weights of its twists.
func (s *solution) candidates() (list []candidate) {
	tries := 0
	for _, o := range s.overlaps() {
		reach, samples := s.setsOf(&bone{span: o.joints}), s.recipe.Samples(len(o.joints))
		for _, i := range reach {
			tries += len(s.in.sets[i].vertices) * len(samples)
		}
		if tries > mostTries*len(s.in.rest) && len(list) > 0 {
			break
		}
		for _, u := range samples {
			if s.in.operator == skinning.COR {
				if _, ok := s.in.frames[0].CenterOfRotation(o.joints, u); !ok {
					continue // no triangle has two of the joints
				}
			}
			list = append(list, candidate{bone: &bone{joints: o.joints, u: u, span: o.joints}, sets: reach})
			for k := range o.joints {
				if s.in.second != nil {
					swings := make([]float64, len(u))
					swings[k] = 1
					list = append(list, candidate{bone: &bone{joints: o.joints, u: u, swings: swings, span: o.joints}, sets: reach})
				}
			}
		}
	}
	return list
}

// bestCandidate returns the candidate that lowers the error most when it is placed, or nil where none does. A gain is
// computed again only after weights or bones in its reach have changed, and only while its old value is above the best
// new one. That is lazy greedy selection: a gain hardly ever rises when the model improves, so a smaller old one would
// not win.
func (s *solution) bestCandidate(list []candidate) *candidate {
	floor := s.recipe.Skip * s.total() / float64(len(s.weights))
	var stale []*candidate
	var best *candidate
	for i := range list {
		c := &list[i]
		if c.checked == 0 {
			c.gain = math.Inf(1)
		}
		if c.checked == 0 || slices.ContainsFunc(c.sets, func(k int) bool { return s.choices[k].changed >= c.checked }) {
			stale = append(stale, c)
		} else if best == nil || c.gain > best.gain {
			best = c
		}
	}
	slices.SortStableFunc(stale, func(a, b *candidate) int { return cmp.Compare(b.gain, a.gain) })
	for len(stale) > 0 && !s.stop() && (best == nil || stale[0].gain > best.gain) {
		now := stale[:min(candidateBatch, len(stale))]
		stale = stale[len(now):]
		parallel.For(s.workers, len(now), func(worker, i int) {
			now[i].gain = s.gainOf(now[i], s.scratch[worker], floor)
			now[i].checked = s.clock + 1
		})
		for _, c := range now {
			if best == nil || c.gain > best.gain {
				best = c
			}
		}
	}
	if best == nil || !(best.gain > leastGain*s.total()) {
		return nil
	}
	return best
}

const (
	candidateBatch = 32   // candidates are tried at a time, between looks at the best
	leastGain      = 1e-9 // of the error: less is rounding
)

// gainOf computes how much the error falls over the vertices in reach when the bone is placed and their weights are
// solved again. It skips vertices whose error is below floor.
func (s *solution) gainOf(c *candidate, ws *workspace, floor float64) (gain float64) {
	if c.bone.motion == nil {
		s.in.pose(c.bone)
	}
	ws.trial.begin(s, c.bone)
	for _, i := range c.sets {
		for _, v := range s.in.sets[i].vertices {
			if e := s.weights[v].err; e > floor {
				ws.trial.product = s.in.crossWith(c.bone.motion, int(v))
				gain += e - s.recipe.Try(s, ws, int(v))
			}
		}
	}
	return gain
}

// trial is a candidate that is tried: its forms with itself, masters and blend bones, computed as they are asked for.
type trial struct {
	s       *solution
	bone    *bone
	id      int32 // the number that the candidate would get
	forms   []linear.Form
	known   []bool
	product float64 // of the vertex at hand with the candidate
}

func (t *trial) begin(s *solution, b *bone) {
	t.s, t.bone, t.id = s, b, int32(s.in.joints+len(s.bones))
	t.forms, t.known = linear.Resize(t.forms, int(t.id)+1), linear.Resize(t.known, int(t.id)+1)
	clear(t.known)
}

// with returns the form of the candidate and another bone, or itself.
func (t *trial) with(id int32) *linear.Form {
	if !t.known[id] {
		t.known[id] = true
		motion := t.bone.motion
		if id != t.id {
			motion = t.s.motion(int(id))
		}
		t.forms[id] = linear.FormOf(t.bone.motion, motion)
	}
	return &t.forms[id]
}

// withCandidate returns the error of a vertex over the bones that it follows and the candidate. A search over all bones
// in reach would give a slightly smaller error, at several times the cost.
func withCandidate(s *solution, ws *workspace, v int) float64 {
	w, at, t := &s.weights[v], &s.in.rest[v], &ws.trial
	c, n := &s.choices[s.in.set[v]], w.count+1
	// The candidate helps only where a little weight on it lowers the error: (Q·w)_c < wᵀ·Q·w.
	slope := s.in.square[v] - t.product
	for a := range w.count {
		slope += w.weight[a] * (t.with(w.bone[a]).At(at) - w.product[a])
	}
	if !(slope < w.err*(1-leastGain)) {
		return w.err
	}
	var place [maxJoints]int
	products := append(append(ws.y[:0], w.product[:w.count]...), t.product)
	for a := range n {
		if a < w.count {
			place[a] = c.place(w.bone[a])
		}
		for b := range a + 1 {
			var form *linear.Form
			switch {
			case a < w.count:
				form = c.forms[place[a]*len(c.ids)+place[b]]
			case b < w.count:
				form = t.with(w.bone[b])
			default:
				form = t.with(t.id)
			}
			q := form.At(at) - products[a] - products[b] + s.in.square[v]
			ws.q[a*n+b], ws.q[b*n+a] = q, q
		}
	}
	ws.y = products
	ws.x = append(append(ws.x[:0], w.weight[:w.count]...), 0)
	return min(w.err, ws.simplex.MinimizeSparse(ws.q[:n*n], n, maxJoints, ws.x))
}
