package blendbones

import "math"

// The steps of Algorithm 1 as the paper has them, where a fit without [departures] takes others.

// gridOf returns samples of u-weights as published: three for each of the n−1 degrees of freedom, spread evenly. These
// are the shares that one joint after the other takes of what is left, so that every sample lies inside of the simplex.
func gridOf(n int) [][]float64 {
	if n == 1 {
		return [][]float64{{1}}
	}
	var all [][]float64
	for _, share := range []float64{0.5, 0.25, 0.75} {
		for _, rest := range gridOf(n - 1) {
			u := []float64{share}
			for _, x := range rest {
				u = append(u, (1-share)*x)
			}
			all = append(all, u)
		}
	}
	return all
}

// softWeights is the w'-step of vertex v as published (ALNS section 4.2): the non-negative least squares of equation
// (5) over all bones that it may follow. Of more than four weights it drops the
// smallest and solves again; then it normalises. If trial is set, the vertex may follow the candidate of ws.trial too,
// whose product with it is h.
//
// Equation (5) is multiplied by ‖b‖² here, and positions are measured from the middle of each frame.
func (s *solver) softWeights(ws *workspace, v int, trial bool, h float64) weights {
	set, p := &s.sets[s.set[v]], &s.rest[v]
	placed := len(set.ids)
	n, kept := placed, []product(nil)
	if trial {
		n++ // goroutines share the stored products, so they are read only
	} else {
		kept = s.keep(set, v)
	}
	id := func(i int) int32 {
		if i < placed {
			return set.ids[i]
		}
		return int32(s.joints + len(s.bones))
	}
	soft := math.Max(s.square[v], math.SmallestNonzeroFloat64)
	ws.normal, ws.slopes, ws.found = grow(ws.normal, n*n), grow(ws.slopes, n), grow(ws.found, n)
	for a := range n {
		product := h
		switch k := a - len(set.near); {
		case a == placed:
		case k >= 0 && !trial:
			product = s.renew(&kept[k], s.bones[int(id(a))-s.joints], v)
		default:
			product = s.productWith(set, v, a)
		}
		ws.slopes[a] = product + soft
		for b := range a + 1 {
			var g float64
			switch {
			case a < placed:
				g = set.pairs[a*placed+b].At(p)
			case b < placed:
				g = ws.trial.with(int(id(b)), s.joints).At(p)
			default:
				g = ws.trial.own.At(p)
			}
			ws.normal[a*n+b], ws.normal[b*n+a] = g+soft, g+soft
		}
	}
	ws.nnls.Minimize(ws.normal, n, ws.slopes, ws.found)
	var at [maxJoints]int
	count := 0
	for i, x := range ws.found {
		if x > 0 {
			k := min(count, maxJoints)
			for ; k > 0 && ws.found[at[k-1]] < x; k-- {
				if k < maxJoints {
					at[k] = at[k-1]
				}
			}
			if k < maxJoints {
				at[k] = i
			}
			count++
		}
	}
	m := min(count, maxJoints)
	if count > maxJoints {
		var normal [maxJoints * maxJoints]float64
		var slopes, found [maxJoints]float64
		for a := range m {
			slopes[a] = ws.slopes[at[a]]
			for b := range m {
				normal[a*m+b] = ws.normal[at[a]*n+at[b]]
			}
		}
		ws.nnls.Minimize(normal[:], m, slopes[:], found[:])
		for a := range m {
			ws.found[at[a]] = found[a]
		}
	}
	sum := 0.0
	for _, i := range at[:m] {
		sum += ws.found[i]
	}
	if !(sum > 0) { // every bone puts it on the other side of the middle: it follows the nearest one
		at[0], m, sum = 0, 1, 1
		for i := range n {
			if ws.normal[i*n+i]-2*ws.slopes[i] < ws.normal[at[0]*n+at[0]]-2*ws.slopes[at[0]] {
				at[0] = i
			}
		}
		ws.found[at[0]] = 1
	}
	out := weights{}
	for _, i := range at[:m] {
		if x := ws.found[i] / sum; x > 0 {
			out.bone[out.count], out.weight[out.count] = id(i), x
			out.cross += x * (ws.slopes[i] - soft)
			out.count++
			for _, j := range at[:m] {
				out.err += x * ws.found[j] / sum * (ws.normal[i*n+j] - soft)
			}
		}
	}
	out.err = math.Max(out.err-2*out.cross+s.square[v], 0)
	return out
}

// alternateSoftly is the repeat-until loop of Algorithm 1 as published.
func (r *run) alternateSoftly(group, fresh []int) {
	r.solveWeights(r.reach(fresh), none, true)
	for range publishedRounds {
		if !(r.roundSoftly(group) >= publishedShare) {
			return
		}
	}
}

// roundSoftly is one round of that loop: a u-step and a w'-step. It returns the share of the squared error that they take
// off. Where they do not lower the error together, they are taken back, and the share is 0.
func (r *run) roundSoftly(group []int) float64 {
	before, saved := r.total(), r.save()
	r.stepSoftly(group)
	r.solveWeights(r.reach(group), none, true)
	r.report()
	after := r.total()
	if r.stopped() || !(after < before) {
		r.restore(saved)
		return 0
	}
	return 1 - after/before
}

// The paper does not say when its rounds have converged. These bounds are far beyond what changes the second digit of
// EE.
const (
	publishedRounds = 200
	publishedShare  = 1e-4 // of the squared error, by which a round lowers it at least
)

// stepSoftly is the u-step as published (ALNS section 4.3): linear least squares over the group's u-weights, of which
// the last of each bone is redundant, by non-negative least squares with a soft sum for each bone.
func (s *solver) stepSoftly(group []int) {
	vertices := s.following(group, s.everyVertex())
	m := s.model(group, vertices)
	n := len(m.linear)
	var u []float64
	for _, k := range group {
		u = append(u, s.bones[k].u...)
	}
	// Derivatives along independent u-weights become those of equation (6): ∂Φ/∂u_j − ∂Φ/∂u_n, and none along u_n.
	last := make([]int, n)
	for a := range n {
		last[a] = m.first[m.owner[a]+1] - 1
	}
	square, linear := make([]float64, n*n), make([]float64, n)
	for a, i := range last {
		linear[a] = m.linear[a] - m.linear[i]
		for b, j := range last {
			square[a*n+b] = m.square[a*n+b] - m.square[i*n+b] - m.square[a*n+j] + m.square[i*n+j]
		}
	}
	// ‖J·ũ − b‖² with b = J·u − r. Square is JᵀJ, and linear is Jᵀr.
	slopes, soft := make([]float64, n), 0.0
	for _, v := range vertices {
		soft += s.w[v].err
	}
	for a := range n {
		for b := range n {
			slopes[a] += square[a*n+b] * u[b]
		}
		soft += u[a] * (slopes[a] - 2*linear[a])
		slopes[a] -= linear[a]
	}
	for g := range group {
		for a := m.first[g]; a < m.first[g+1]; a++ {
			slopes[a] += soft
			for b := m.first[g]; b < m.first[g+1]; b++ {
				square[a*n+b] += soft
			}
		}
	}
	found := make([]float64, n)
	s.scratch[0].nnls.Minimize(square, n, slopes, found)
	for g, k := range group {
		sum := 0.0
		for _, x := range found[m.first[g]:m.first[g+1]] {
			sum += x
		}
		if sum > 0 {
			for i := range s.bones[k].u {
				s.bones[k].u[i] = found[m.first[g]+i] / sum
			}
			s.replace(s.bones[k])
		}
	}
	s.relateAll(group)
}

// differs is what the fit as published still does its own way: [fit.Method.Differs].
var differs = []string{
	"Equal joints of several skins are one joint. The paper has one skin.",
	"Section 4.1: the error of a candidate is computed anew only where weights or bones in its reach have changed and its " +
		"last gain is above the best new one.",
	"Section 4.1: where bone sets overlap so often that there are too many candidates, the sets of the fewest vertices are " +
		"left out.",
	"Section 4.1: where no candidate lowers the error, no bone is added.",
	"Section 4.2, equation 5: positions are measured from the middle of each frame, and so is ‖b‖ in the scale c.",
	"Section 4.2: a vertex whose weights would all be 0 follows the one bone that is nearest.",
	"Section 4.3: the soft rows of the sums of u weigh as much as the error of the vertices that follow the bones, " +
		"and the u-weights are then normalised.",
	"Algorithm 1: a round that does not lower the error is taken back, and rounds end where one takes off less than a ten " +
		"thousandth of the squared error, or after 200. The paper does not say when they have converged.",
	"Appendix A: fits to DIB are taught by SDQS, whose derivatives have a closed form.",
}
