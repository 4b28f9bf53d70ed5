package bodymodel

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

const (
	// solved is the residual at which the equations of vertices count as solved. The error is then below 1e-5 of the
	// moves.
	solved = 1e-6
	// mostIterations bounds the iterations of conjugate gradients. Each of them lowers Q. At α = 100 the condition
	// number of the metric is at most 401, for which 200 suffice.
	mostIterations = 1000
	// verticesRidge is relative to the mean of the diagonal. Directions that no scan determines, because the blended
	// matrices are singular in all scans, do not move.
	verticesRidge = 1e-10
)

// leastSquaresVertices moves the bind shape to where Q is least for the weights and poses as they are (section 4,
// least squares). Vertex v moves by A_iv·x in scan i, with A_iv the linear part of its map there. With M the metric
// and d_i the offsets from the body to scan i, the moves x solve H·x = g, where
//
//	H_vu = M_vu·Σ_i A_ivᵀ·A_iu,  g_v = Σ_i A_ivᵀ·(M·d_i)_v.
//
// H is as sparse as M. Conjugate gradients with the diagonal blocks as preconditioner solve it; a Cholesky
// factorization of the human's 13,380 vertices fills to 128 MB. Where ctx is cancelled the moves are shorter. Where a
// number is not finite it returns an error, and moves nothing.
func leastSquaresVertices(ctx context.Context, f *solver) error {
	e := f.newVertexEquations()
	if err := e.condition(); err != nil {
		return err
	}
	moves := e.solve(ctx)
	for v := range f.body.Vertices {
		f.body.Vertices[v] = f.body.Vertices[v].Add(mgl64.Vec3(moves[3*v:][:3]))
	}
	f.update()
	return nil
}

// vertexEquations are the equations of [leastSquaresVertices].
type vertexEquations struct {
	metric  *metric
	workers int
	blocks  []geom.Mat3      // H, of each entry of the metric
	inverse []geom.Symmetric // of each diagonal block
	right   []float64        // g
}

func (f *solver) newVertexEquations() *vertexEquations {
	b, m, n, scans := f.body, f.metric, len(f.body.Vertices), len(f.palettes)
	e := &vertexEquations{metric: m, workers: f.workers, blocks: make([]geom.Mat3, len(m.column)),
		inverse: make([]geom.Symmetric, n), right: make([]float64, 3*n)}
	maps := make([]geom.Mat3, n*scans)
	e.each(func(v int) {
		for i, p := range f.palettes {
			at := p.Map(b.Swing[v], b.Twist[v])
			maps[v*scans+i] = at.Linear()
		}
	})
	e.each(func(v int) {
		own := maps[v*scans:][:scans]
		var right mgl64.Vec3
		for i := range own {
			right = right.Add(own[i].Transpose().Apply(m.at(v, f.off[i])))
		}
		copy(e.right[3*v:], right[:])
		for k := m.start[v]; k < m.start[v+1]; k++ {
			u := int(m.column[k])
			if u < v {
				continue
			}
			block := &e.blocks[k]
			for i := range own {
				x, y := &own[i], &maps[u*scans+i]
				for r := range 3 {
					for c := range 3 {
						block[3*r+c] += x[r]*y[c] + x[3+r]*y[3+c] + x[6+r]*y[6+c]
					}
				}
			}
			for c := range block {
				block[c] *= m.value[k]
			}
		}
	})
	e.each(func(v int) { // H left of the diagonal
		for k := m.start[v]; k < m.start[v+1] && int(m.column[k]) < v; k++ {
			e.blocks[k] = e.blocks[m.find(int(m.column[k]), v)].Transpose()
		}
	})
	return e
}

// each calls do for all vertices.
func (e *vertexEquations) each(do func(v int)) {
	n := len(e.inverse)
	parallel.For(e.workers, parallel.Chunks(n), func(_, c int) {
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			do(v)
		}
	})
}

// condition adds the ridge to the diagonal, and inverts its blocks. It returns an error where a number is not finite.
func (e *vertexEquations) condition() error {
	n := len(e.inverse)
	sum := 0.0
	for v := range n {
		d, g := &e.blocks[e.metric.find(v, v)], e.right[3*v:]
		trace := d[0] + d[4] + d[8]
		if !geom.IsFinite(trace, g[0], g[1], g[2]) {
			return fmt.Errorf("bodymodel: the equations of vertex %d are not finite", v)
		}
		sum += trace
	}
	ridge := verticesRidge * sum / float64(3*n)
	e.each(func(v int) {
		d := &e.blocks[e.metric.find(v, v)]
		for c := 0; c < 9; c += 4 {
			d[c] += ridge
		}
		block := geom.Symmetric{d[0], d[4], d[8], d[1], d[2], d[5]}
		inverse, det := block.Cofactor()
		if !(det > 0) { // without any scan, or rounding
			inverse, det = geom.Symmetric{1, 1, 1}, 1
		}
		for c := range inverse {
			inverse[c] /= det
		}
		e.inverse[v] = inverse
	})
	return nil
}

// solve returns the moves, three numbers for each vertex. Where ctx is cancelled it returns the moves so far.
func (e *vertexEquations) solve(ctx context.Context) []float64 {
	times := func(out, in []float64) { e.each(func(v int) { e.row(out[3*v:][:3], v, in) }) }
	precondition := func(out, in []float64) {
		e.each(func(v int) {
			z := e.inverse[v].Apply(mgl64.Vec3(in[3*v:][:3]))
			copy(out[3*v:], z[:])
		})
	}
	return linear.ConjugateGradients(ctx, e.right, times, precondition, solved, mostIterations)
}

// row sets out to the rows of vertex v of H·p.
func (e *vertexEquations) row(out []float64, v int, p []float64) {
	var sum mgl64.Vec3
	for k := e.metric.start[v]; k < e.metric.start[v+1]; k++ {
		b, x := &e.blocks[k], p[3*e.metric.column[k]:][:3]
		sum[0] += b[0]*x[0] + b[1]*x[1] + b[2]*x[2]
		sum[1] += b[3]*x[0] + b[4]*x[1] + b[5]*x[2]
		sum[2] += b[6]*x[0] + b[7]*x[1] + b[8]*x[2]
	}
	copy(out, sum[:])
}

// find returns where row v has column u, which it must have.
func (m *metric) find(v, u int) int {
	at, found := slices.BinarySearch(m.column[m.start[v]:m.start[v+1]], int32(u))
	if !found {
		panic(fmt.Sprintf("bodymodel: the metric's row %d has no column %d", v, u))
	}
	return m.start[v] + at
}
