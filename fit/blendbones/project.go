package blendbones

import (
	"skinlab/fit/linear"
	"skinlab/skinning/parallel"
)

// project subtracts from the curvature of a u-step the part that the weights can compensate: Σ_v KᵀG⁻¹K. G is the
// Gram matrix of the differences between the bones that v follows, and K holds their products with the columns of the
// u-step's Jacobian. This is the projection of variable projection, written as its Schur complement. The slope does not
// change, because the weights are optimal.
func (s *solution) project(m *linearized) {
	n, bones := len(m.u), s.in.joints+len(s.bones)
	beside := make([]bool, len(m.group)*bones) // which a vertex follows together with a bone of the group
	for _, v := range m.following {
		ids := s.weights[v].bone[:s.weights[v].count]
		for _, id := range ids {
			if g := m.placeOf(s, id); g >= 0 {
				for _, other := range ids {
					beside[g*bones+int(other)] = true
				}
			}
		}
	}
	forms := make([][]linear.Form, n) // of every unknown's derivative with those bones
	parallel.For(s.workers, n, func(_, a int) {
		forms[a] = make([]linear.Form, bones)
		for id := range bones {
			if beside[m.owner[a]*bones+id] {
				forms[a][id] = linear.FormOf(m.slopes[a], s.motion(id))
			}
		}
	})
	count := len(m.following)
	parts := make([][]float64, parallel.Chunks(count))
	parallel.For(s.workers, len(parts), func(_, c int) {
		parts[c] = make([]float64, n*n)
		lo, hi := parallel.Chunk(c, count)
		for _, v := range m.following[lo:hi] {
			s.projectVertex(m, forms, parts[c], int(v))
		}
	})
	for _, part := range parts {
		for i, x := range part {
			m.square[i] -= x
		}
	}
}

// projectVertex adds vertex v's KᵀG⁻¹K to a sum.
func (s *solution) projectVertex(m *linearized, forms [][]linear.Form, sum []float64, v int) {
	w, at, n := &s.weights[v], &s.in.rest[v], len(m.u)
	free := w.count - 1 // weights, since they sum to 1
	l := s.factorDifferences(v)
	if free < 1 || l == nil {
		return
	}
	var columns [maxJoints * maxJoints][maxJoints - 1]float64 // L⁻¹K
	var unknown [maxJoints * maxJoints]int
	count := 0
	for a := range w.count {
		g := m.placeOf(s, w.bone[a])
		if g < 0 {
			continue
		}
		for i := m.first[g]; i < m.first[g+1]; i++ {
			column, first := &columns[count], forms[i][w.bone[0]].At(at)
			for b := range free {
				column[b] = w.weight[a] * (forms[i][w.bone[b+1]].At(at) - first)
			}
			linear.Forward(l, free, column[:free])
			unknown[count] = i
			count++
		}
	}
	for a := range count {
		for b := range count {
			for c := range free {
				sum[unknown[a]*n+unknown[b]] += columns[a][c] * columns[b][c]
			}
		}
	}
}

// factorDifferences returns the factor, by [linear.Cholesky], of G_ab = Σ_f (C_a·v − C_0·v)·(C_b·v − C_0·v), over the
// bones that vertex v follows except the first. It is nil where these move alike.
func (s *solution) factorDifferences(v int) []float64 {
	w, p, c := &s.weights[v], &s.in.rest[v], &s.choices[s.in.set[v]]
	var gram [maxJoints][maxJoints]float64
	var place [maxJoints]int
	for a := range w.count {
		place[a] = c.place(w.bone[a])
		for b := range a + 1 {
			gram[a][b] = c.forms[place[a]*len(c.ids)+place[b]].At(p)
		}
	}
	m, trace := w.count-1, 0.0
	l := make([]float64, m*m)
	for a := range m {
		for b := range a + 1 {
			l[a*m+b] = gram[a+1][b+1] - gram[a+1][0] - gram[b+1][0] + gram[0][0]
		}
		trace += l[a*m+a]
	}
	for a := range m {
		l[a*m+a] += 1e-9 * trace // suppresses the directions along which the bones move alike
	}
	if !linear.Cholesky(l, m, 0) {
		return nil
	}
	return l
}
