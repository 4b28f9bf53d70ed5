package blendbones

import (
	"cmp"
	"math"
	"slices"

	"skinlab/fit/linear"
	"skinlab/skinning"
)

// Published returns Algorithm 1 of ALNS.
func Published() *Recipe {
	return &Recipe{
		Teacher: teacher,     // appendix A
		Samples: evenSamples, // section 4.1
		Try:     withAll,     // section 4.1
		Weights: softWeights, // section 4.2
		Bones:   moveSoftly,  // section 4.3
		Rounds:  200,         // Algorithm 1: until convergence. The paper does not say when that is. These two bounds are
		Enough:  1e-4,        // far beyond what changes the second digit of EE
	}
}

// teacher is the operator that a fit is trained on: DIB on dual quaternion linear blending, whose derivatives have a
// closed form (appendix A). Here that has DIB's scale phase.
func teacher(operator skinning.Method) skinning.Method {
	if operator == skinning.DIB {
		return skinning.SDQS
	}
	return operator
}

// evenSamples are three samples of u-weights for each of the n−1 degrees of freedom, spread evenly (section 4.1). They
// are the shares that one joint after the other takes of what is left, so that every sample lies inside of the simplex.
func evenSamples(n int) [][]float64 {
	if n == 1 {
		return [][]float64{{1}}
	}
	var all [][]float64
	for _, share := range []float64{0.5, 0.25, 0.75} {
		for _, rest := range evenSamples(n - 1) {
			u := []float64{share}
			for _, x := range rest {
				u = append(u, (1-share)*x)
			}
			all = append(all, u)
		}
	}
	return all
}

// softWeights is the w'-step of a vertex (section 4.2): the non-negative least squares of equation (5) over all bones
// that it may follow.
func softWeights(s *solution, ws *workspace, v int, _ bool) weights {
	y := s.system(ws, v)
	n, soft := len(y.ids), math.Max(y.square, math.SmallestNonzeroFloat64)
	ws.normal, ws.slopes = linear.Resize(ws.normal, n*n), linear.Resize(ws.slopes, n)
	for a := range n {
		ws.slopes[a] = y.h[a] + soft
		for b := range n {
			ws.normal[a*n+b] = y.forms[a*n+b].At(y.at) + soft
		}
	}
	return softly(ws, y.ids, soft)
}

// withAll tries a candidate with all bones in reach (section 4.1).
func withAll(s *solution, ws *workspace, v int) float64 {
	y, t := s.system(ws, v), &ws.trial
	placed, soft := len(y.ids), math.Max(y.square, math.SmallestNonzeroFloat64)
	n := placed + 1
	ws.normal, ws.slopes = linear.Resize(ws.normal, n*n), linear.Resize(ws.slopes, n)
	for a := range placed {
		ws.slopes[a] = y.h[a] + soft
		for b := range placed {
			ws.normal[a*n+b] = y.forms[a*placed+b].At(y.at) + soft
		}
		ws.normal[a*n+placed] = t.with(y.ids[a]).At(y.at) + soft
		ws.normal[placed*n+a] = ws.normal[a*n+placed]
	}
	ws.normal[n*n-1], ws.slopes[placed] = t.with(t.id).At(y.at)+soft, t.product+soft
	return softly(ws, append(slices.Clone(y.ids), t.id), soft).err
}

// softly solves equation (5), whose normal equations are the workspace's and whose row of the sum is soft. Of more than
// four weights it drops the smallest and solves again; then it normalises. The equation is multiplied by ‖b‖² here, and
// positions are measured from the middle of each frame. Soft is ‖b‖².
func softly(ws *workspace, ids []int32, soft float64) weights {
	n := len(ids)
	ws.x = linear.Resize(ws.x, n)
	ws.nnls.Minimize(ws.normal, n, ws.slopes, ws.x)
	var at []int
	for i, x := range ws.x {
		if x > 0 {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(i, j int) int { return cmp.Compare(ws.x[j], ws.x[i]) })
	if len(at) > maxJoints {
		at = at[:maxJoints]
		var normal, slopes, found []float64
		for _, i := range at {
			slopes = append(slopes, ws.slopes[i])
			for _, j := range at {
				normal = append(normal, ws.normal[i*n+j])
			}
		}
		found = make([]float64, len(at))
		ws.nnls.Minimize(normal, len(at), slopes, found)
		for a, i := range at {
			ws.x[i] = found[a]
		}
	}
	sum := 0.0
	for _, i := range at {
		sum += ws.x[i]
	}
	if !(sum > 0) { // every bone puts it on the other side of the middle: it follows the nearest one
		nearest := 0
		for i := range n {
			if ws.normal[i*n+i]-2*ws.slopes[i] < ws.normal[nearest*n+nearest]-2*ws.slopes[nearest] {
				nearest = i
			}
		}
		at, sum, ws.x[nearest] = []int{nearest}, 1, 1
	}
	out := weights{err: soft}
	for _, i := range at {
		x := ws.x[i] / sum
		if x > 0 {
			out.bone[out.count], out.weight[out.count], out.product[out.count] = ids[i], x, ws.slopes[i]-soft
			out.count++
		}
		out.err -= 2 * x * (ws.slopes[i] - soft)
		for _, j := range at {
			out.err += x * ws.x[j] / sum * (ws.normal[i*n+j] - soft)
		}
	}
	out.err = math.Max(out.err, 0)
	return out
}

// moveSoftly is the u-step (section 4.3): linear least squares over the group's u-weights, of which the last of each
// bone is redundant, by non-negative least squares with a soft sum for each bone.
func moveSoftly(s *solution, group []int, _ float64) {
	m := s.linearize(group)
	n := len(m.u)
	// Derivatives along independent u-weights become those of equation (6): ∂Φ/∂u_j − ∂Φ/∂u_n, and none along u_n.
	last := func(a int) int { return m.first[m.owner[a]+1] - 1 }
	square, slopes := make([]float64, n*n), make([]float64, n)
	for a := range n {
		for b := range n {
			square[a*n+b] = m.square[a*n+b] - m.square[last(a)*n+b] - m.square[a*n+last(b)] + m.square[last(a)*n+last(b)]
		}
	}
	// ‖J·ũ − b‖² with b = J·u − r. Square is JᵀJ, and along is Jᵀr.
	soft := 0.0
	for _, v := range m.following {
		soft += s.weights[v].err
	}
	for a := range n {
		along := m.linear[a] - m.linear[last(a)]
		for b := range n {
			slopes[a] += square[a*n+b] * m.u[b]
		}
		soft += m.u[a] * (slopes[a] - 2*along)
		slopes[a] -= along
	}
	for a := range n {
		slopes[a] += soft
		for b := range n {
			if m.owner[a] == m.owner[b] {
				square[a*n+b] += soft
			}
		}
	}
	s.scratch[0].nnls.Minimize(square, n, slopes, m.u)
	for g, k := range group {
		u, sum := m.u[m.first[g]:m.first[g+1]], 0.0
		for _, x := range u {
			sum += x
		}
		if sum > 0 {
			for i := range u {
				u[i] /= sum
			}
			s.bones[k].u = u
			s.in.pose(s.bones[k])
		}
	}
	s.relate(group)
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
