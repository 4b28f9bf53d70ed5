package bodymodel

import (
	"context"

	"github.com/go-gl/mathgl/mgl64"
)

const (
	// solved is the residual to which vertices are solved for: they are then within 1e-7 of their move of the solution.
	solved = 1e-8
	// verticesRidge is for vertices whose blended matrices are singular in all scans, see [equations.condition].
	verticesRidge = 1e-10
)

// vertices moves the bind shape to where Q is least for the weights and poses as they are (section 4, least squares):
// vertex v moves by A_iv·x in scan i, with A_iv the linear part of its map there. What no scan determines does not move.
// Where ctx is cancelled it moves less far. Where a number is not finite it returns an error, and moves nothing.
func (f *solver) vertices(ctx context.Context) error {
	b := f.body
	counts := make([]int, len(b.Vertices))
	for v := range counts {
		counts[v] = 3
	}
	e := f.newEquations(counts, func(v int, columns [][]float64) {
		for i, p := range f.palettes {
			m := p.Map(b.Swing[v], b.Twist[v])
			putLinear(columns, i, m.Linear())
		}
	})
	if err := e.condition(verticesRidge); err != nil {
		return err
	}
	moves := e.solve(ctx, solved)
	for v := range b.Vertices {
		b.Vertices[v] = b.Vertices[v].Add(mgl64.Vec3(moves[3*v:]))
	}
	f.update()
	return nil
}
