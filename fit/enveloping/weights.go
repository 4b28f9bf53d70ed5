package enveloping

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/fit/simplex"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// mostInfluences bounds the non-zero weights of a vertex, of joints and of proxies (RTER section 7; James and Twigg
// 2005).
const mostInfluences = 4

// motions are the matrices of bones in every example, times the root of its weight: bone after bone, twelve numbers for
// each example.
type motions struct {
	numbers []float64
	pairs   int
}

// motionsOf reads a palette for each example.
func motionsOf(palettes [][]geom.Affine, roots []float64) *motions {
	m := &motions{pairs: len(palettes)}
	for b := range palettes[0] {
		for i, root := range roots {
			for _, v := range palettes[i][b] {
				m.numbers = append(m.numbers, root*v)
			}
		}
	}
	return m
}

// of returns the numbers of a bone.
func (m *motions) of(bone int) []float64 { return m.numbers[12*m.pairs*bone : 12*m.pairs*(bone+1)] }

// weigher finds the weights of vertices by least squares over the simplex: the non-negative least squares of James and
// Twigg with the sum kept exactly. It is one worker's scratch memory.
type weigher struct {
	simplex simplex.Solver
	x       *training.Examples
	bones   *motions
	roots   []float64
	rest    mgl64.Vec3 // of the vertex
	target  []float64  // three numbers for each example, times the root of its weight
	choice  []int      // bones
	errors  []float64  // of each of the choice alone, where choose has made it
	columns []float64  // how far each of the choice misses the targets, one after another
	gram    []float64  // their products
	w       []float64
}

// newWeighers returns one for each worker.
func newWeighers(x *training.Examples, palettes [][]geom.Affine, workers int) []weigher {
	out, roots := make([]weigher, max(workers, 1)), roots(x)
	bones := motionsOf(palettes, roots)
	for k := range out {
		out[k] = weigher{x: x, bones: bones, roots: roots}
	}
	return out
}

// read takes the rest position and the targets of a vertex.
func (w *weigher) read(v int) {
	w.rest, w.target = w.x.Rest[v], w.target[:0]
	for i, root := range w.roots {
		y := &w.x.Targets[i][v]
		w.target = append(w.target, root*y[0], root*y[1], root*y[2])
	}
}

// mostChoice bounds a choice, and with it memory and time on rigs of thousands of joints. Of more bones, those stay that
// have the least error when the vertex follows one of them alone. A bound of 256 takes more memory for a crowd of 484
// joints than its file may.
const mostChoice = 64

// among sets the choice to bones. Start are weights over some of them.
func (w *weigher) among(bones []int, start []skinning.Share) {
	w.choice, w.columns = append(w.choice[:0], bones...), w.columns[:0]
	if len(bones) > mostChoice {
		w.choose(bones)
		for _, s := range start {
			if !slices.Contains(w.choice, int(s.Joint)) {
				w.choice = append(w.choice, int(s.Joint))
			}
		}
	}
	p := &w.rest
	for _, b := range w.choice {
		rows := w.bones.of(b)
		for k, y := range w.target {
			m := rows[4*k : 4*k+4 : 4*k+4]
			w.columns = append(w.columns, m[0]*p[0]+m[1]*p[1]+m[2]*p[2]+m[3]-y)
		}
	}
}

// choose puts the bones of least error when used alone into the choice, mostChoice of them. The sum of a bone is given up
// as soon as it is too large: most bones are far away, and one example is enough for them.
func (w *weigher) choose(bones []int) {
	w.choice, w.errors = w.choice[:0], w.errors[:0]
	p := &w.rest
	for _, b := range bones {
		limit, sum, rows := math.Inf(1), 0.0, w.bones.of(b)
		if len(w.errors) == mostChoice {
			limit = w.errors[mostChoice-1]
		}
		for k := 0; k < len(w.target) && sum < limit; k++ {
			m := rows[4*k : 4*k+4 : 4*k+4]
			d := m[0]*p[0] + m[1]*p[1] + m[2]*p[2] + m[3] - w.target[k]
			sum += d * d
		}
		if at, _ := slices.BinarySearch(w.errors, sum); at < mostChoice {
			w.errors, w.choice = slices.Insert(w.errors, at, sum), slices.Insert(w.choice, at, b)
			w.errors, w.choice = w.errors[:min(len(w.errors), mostChoice)], w.choice[:min(len(w.choice), mostChoice)]
		}
	}
}

// nearest returns the one of the choice that predicts the vertex best alone. Among equals the first comes first.
func (w *weigher) nearest() (best int) {
	least, n := math.Inf(1), len(w.target)
	for a, b := range w.choice {
		if square := floats.Dot(w.columns[a*n:][:n], w.columns[a*n:][:n]); square < least {
			best, least = b, square
		}
	}
	return best
}

// solve returns the best at most four weights over the choice. It starts from some weights over the choice, or from
// none.
func (w *weigher) solve(start []skinning.Share) []skinning.Share {
	return w.overColumns(start, mostInfluences)
}

// overColumns returns the weights over the choice, not more than most, that make the weighted sum of the columns
// shortest. Few of the choice ever have a weight, and only their rows of products are made.
func (w *weigher) overColumns(start []skinning.Share, most int) []skinning.Share {
	m := len(w.choice)
	n := len(w.columns) / m
	column := func(a int) []float64 { return w.columns[a*n : (a+1)*n] }
	w.gram, w.w = linear.Resize(w.gram, m*m), linear.Resize(w.w, m)
	clear(w.w)
	for a := range m {
		w.gram[a*m+a] = floats.Dot(column(a), column(a))
	}
	w.simplex.Fill = func(a int) {
		for b := range m {
			w.gram[a*m+b] = floats.Dot(column(a), column(b))
		}
	}
	for _, s := range start {
		w.w[slices.Index(w.choice, int(s.Joint))] = s.Weight
	}
	w.simplex.MinimizeSparse(w.gram, m, most, w.w)
	return skinning.AppendShares(nil, w.choice, w.w)
}

// blend returns Σ w·M·p.
func blend(matrices []geom.Affine, weights []skinning.Share, p mgl64.Vec3) (out mgl64.Vec3) {
	for _, s := range weights {
		m, w := &matrices[s.Joint], s.Weight
		out[0] += w * (m[0]*p[0] + m[1]*p[1] + m[2]*p[2] + m[3])
		out[1] += w * (m[4]*p[0] + m[5]*p[1] + m[6]*p[2] + m[7])
		out[2] += w * (m[8]*p[0] + m[9]*p[1] + m[10]*p[2] + m[11])
	}
	return out
}

// posed returns the skin that a palette and weights make.
func posed(rest []mgl64.Vec3, palette []geom.Affine, weights [][]skinning.Share) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(rest))
	for v, p := range rest {
		out[v] = blend(palette, weights[v], p)
	}
	return out
}
