package blendbones

import (
	"skinlab/fit/linear"
	"skinlab/skinning/parallel"
)

// projection is what the elimination of the weights needs beside the sums of the u-step: the moments of every
// derivative ∂Φ/∂u_a with all bones that a vertex follows together with the bone of a.
type projection struct {
	*quadraticModel
	position []int           // by blend bone: in the group, −1 for none
	master   [][]linear.Form // [unknown][joint]; those that no vertex follows together with the bone are zero
	bone     [][]linear.Form // [unknown][blend bone]; likewise
}

// project subtracts from m's square the part of the curvature that the weights can compensate: Σ_v KᵀG⁻¹K. G is the
// Gram matrix of the differences between the bones that v follows, and K holds their products with the columns of the
// u-step's Jacobian. This is the projection of variable projection, written as its Schur complement. The slope does not
// change, because the weights are optimal.
func (s *solver) project(m *quadraticModel, group []int, vertices []int32) {
	n := len(m.owner)
	p := &projection{quadraticModel: m, position: s.positions(group), master: make([][]linear.Form, n),
		bone: make([][]linear.Form, n)}
	beside := s.followedBeside(group, p.position, vertices)
	parallel.For(s.workers, n, func(_, a int) {
		p.master[a], p.bone[a] = make([]linear.Form, s.joints), make([]linear.Form, len(s.bones))
		for id, has := range beside[m.owner[a]] {
			if !has {
				continue
			}
			if k := id - s.joints; k >= 0 {
				p.bone[a][k] = linear.FormOf(m.derivatives[a], s.bones[k].matrices)
			} else {
				p.master[a][id] = linear.FormOf(m.derivatives[a], s.masters[id])
			}
		}
	})
	count := len(vertices)
	parts := make([][]float64, parallel.Chunks(count))
	parallel.For(s.workers, len(parts), func(worker, c int) {
		parts[c] = make([]float64, n*n)
		lo, hi := parallel.Chunk(c, count)
		for _, v := range vertices[lo:hi] {
			s.projectVertex(p, parts[c], int(v))
		}
	})
	for _, part := range parts {
		for i, x := range part {
			m.square[i] -= x
		}
	}
	for a := range n {
		for c := range a {
			m.square[c*n+a] = m.square[a*n+c]
		}
	}
}

// positions returns the index of each blend bone in the group, −1 for none.
func (s *solver) positions(group []int) []int {
	position := make([]int, len(s.bones))
	for k := range position {
		position[k] = -1
	}
	for g, k := range group {
		position[k] = g
	}
	return position
}

// followedBeside returns, for each bone of a group, the masters and blend bones that a vertex follows together with it.
func (s *solver) followedBeside(group, position []int, vertices []int32) [][]bool {
	beside := make([][]bool, len(group))
	for g := range beside {
		beside[g] = make([]bool, s.joints+len(s.bones))
	}
	for _, v := range vertices {
		w := &s.w[v]
		for _, id := range w.bone[:w.count] {
			k := int(id) - s.joints
			if k < 0 || position[k] < 0 {
				continue
			}
			for _, other := range w.bone[:w.count] {
				beside[position[k]][other] = true
			}
		}
	}
	return beside
}

// projectVertex adds vertex v's KᵀG⁻¹K to the lower triangle of part.
func (s *solver) projectVertex(p *projection, part []float64, v int) {
	w, at := &s.w[v], &s.rest[v]
	m := w.count - 1
	if m < 1 {
		return
	}
	l, ok := s.factorDifferences(v)
	if !ok {
		return
	}
	var columns [maxJoints * maxJoints][maxJoints - 1]float64 // L⁻¹K
	var unknown [maxJoints * maxJoints]int
	count := 0
	for a := range w.count {
		k := int(w.bone[a]) - s.joints
		if k < 0 || p.position[k] < 0 {
			continue
		}
		for i := p.first[p.position[k]]; i < p.first[p.position[k]+1]; i++ {
			first := p.with(i, int(w.bone[0]), s.joints).At(at)
			column := &columns[count]
			for b := range m {
				column[b] = w.weight[a] * (p.with(i, int(w.bone[b+1]), s.joints).At(at) - first)
			}
			linear.Forward(l[:m*m], m, column[:m])
			unknown[count] = i
			count++
		}
	}
	n := len(p.owner)
	for a := range count {
		for b := range count {
			if unknown[b] > unknown[a] {
				continue
			}
			x := 0.0
			for c := range m {
				x += columns[a][c] * columns[b][c]
			}
			part[unknown[a]*n+unknown[b]] += x
		}
	}
}

// with returns the moments of derivative a with a master joint or blend bone.
func (p *projection) with(a, id, joints int) *linear.Form {
	if id < joints {
		return &p.master[a][id]
	}
	return &p.bone[a][id-joints]
}

// factorDifferences returns the factor, by [linear.Cholesky], of G_ab = Σ_f (C_a·v − C_0·v)·(C_b·v − C_0·v), over the
// bones that vertex v follows except the first.
func (s *solver) factorDifferences(v int) (l [(maxJoints - 1) * (maxJoints - 1)]float64, ok bool) {
	set, w, p := &s.sets[s.set[v]], &s.w[v], &s.rest[v]
	n, size := w.count, len(set.ids)
	var gram [maxJoints][maxJoints]float64
	var at [maxJoints]int
	for a := range n {
		at[a] = set.position(w.bone[a])
		for b := range a + 1 {
			gram[a][b] = set.pairs[at[a]*size+at[b]].At(p)
		}
	}
	// The ridge suppresses the directions along which the bones move alike.
	ridge := 0.0
	for a := 1; a < n; a++ {
		ridge += 1e-9 * (gram[a][a] - 2*gram[a][0] + gram[0][0])
	}
	m := n - 1
	for a := range m {
		for b := range a + 1 {
			l[a*m+b] = gram[a+1][b+1] - gram[a+1][0] - gram[b+1][0] + gram[0][0]
		}
		l[a*m+a] += ridge
	}
	return l, linear.Cholesky(l[:m*m], m, 0)
}
