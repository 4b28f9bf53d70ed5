package bodymodel

import (
	"context"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

const (
	// surfaceRidge is the ridge of [equations.condition]. If limbs move a vertex nearly alike, their weights are
	// undetermined, and without a ridge steps are far too long and end at weights of 0. On the arm at α = 100, Q after
	// two steps is 2.15 with 1e-9, 2.10 with 1e-6, 2.09 with 1e-4 and 2.12 with 1e-3.
	surfaceRidge = 1e-6
	// nearly is the residual at which the equations of a surface step count as solved. With 1e-3, the human at α = 100
	// has Q of 11.409, 11.059 and 10.948 after three steps of 2.2 s each. With 1e-2, it has 11.419, 11.056 and 10.942
	// after three steps of 1.6 s.
	nearly = 1e-2
	// leastStep is the shortest part of a step that is tried. On real scans the whole step nearly always lowers Q, and
	// otherwise half of it does.
	leastStep = 1. / 16
)

// surface improves both sets of weights and the vertices at once, by a Gauss-Newton step with the limbs that each
// vertex follows. It is not in the paper, which solves weights and vertices in turn and one vertex at a time. But at α
// = 100 the Laplacian hardly lets a vertex move without its neighbours. Starting with the arm's rig and its poses, Q
// after rounds of weights and vertices is 2.40, 2.35 and 2.31, after 13 rounds 2.14, and after 120 rounds 2.081. After
// rounds of weights and surface it is 2.15, 2.10, 2.083 and 2.081, whatever α was before.
//
// The unknowns of a vertex are its place and, of each set, all weights but the largest, which is 1 minus the others. A
// weight that a step brings below 0 becomes 0, so that a vertex can lose a limb. Only [solver.weights] adds limbs to a
// vertex. If Q rises, or if the sum of Q and the tie does not fall, half of the step is tried. It returns an error as
// [solver.vertices] does.
func (f *solver) surface(ctx context.Context) error {
	b := f.body
	counts := make([]int, len(b.Vertices))
	for v := range counts {
		counts[v] = len(b.Swing[v]) - 1 + 3
		if !b.Linear { // whose twists move nothing
			counts[v] += len(b.Twist[v]) - 1
		}
	}
	e := f.newEquations(counts, f.fillSurface)
	if f.hold() > 0 {
		e.each(func(v int) { f.tieWeights(e, v) })
	}
	if err := e.condition(surfaceRidge); err != nil {
		return err
	}
	moves := e.solve(ctx, nearly)
	before, q, tied := *b, f.errors().Q, f.tied()
	for part := 1.; part >= leastStep; part /= 2 {
		b.Swing, b.Twist = make([][]skinning.Share, len(counts)), slices.Clone(before.Twist)
		b.Vertices = make([]mgl64.Vec3, len(counts))
		e.each(func(v int) {
			own, swings := moves[e.first[v]:e.first[v+1]], len(before.Swing[v])-1
			b.Swing[v] = movedShares(before.Swing[v], own[:swings], part)
			if !b.Linear {
				b.Twist[v] = movedShares(before.Twist[v], own[swings:], part)
			}
			b.Vertices[v] = before.Vertices[v].Add(mgl64.Vec3(own[len(own)-3:]).Mul(part))
		})
		f.update()
		if now := f.errors().Q; now <= q && now+f.tied() < q+tied {
			return nil
		}
	}
	b.Swing, b.Twist, b.Vertices = before.Swing, before.Twist, before.Vertices
	f.update()
	return nil
}

// fillSurface sets the columns of a vertex: weights of the swings, weights of the twists, place.
func (f *solver) fillSurface(v int, columns [][]float64) {
	swing, twist, at := f.body.Swing[v], f.body.Twist[v], f.body.Vertices[v]
	for i, p := range f.palettes {
		column := columns
		blend, sum := p.swing(swing), p.twist(twist)
		turn := sum.Affine()
		turned := turn.Apply(at)
		if len(swing) > 1 {
			from := p.Swings[swing[0].Joint].Apply(turned)
			for _, s := range swing[1:] {
				putVector(column[0], i, p.Swings[s.Joint].Apply(turned).Sub(from))
				column = column[1:]
			}
		}
		if len(twist) > 1 && !f.body.Linear {
			rate := newTwistRate(&sum, at, &blend)
			from := rate.by(&p.Twists[twist[0].Joint])
			for _, s := range twist[1:] {
				putVector(column[0], i, rate.by(&p.Twists[s.Joint]).Sub(from))
				column = column[1:]
			}
		}
		putLinear(column, i, blend.Linear().Mul(turn.Linear()))
	}
}

// movedShares returns weights of which all but the first, the largest, have moved by a part of moves. Those that are then
// not above 0 are left out, and the others have sum 1.
func movedShares(shares []skinning.Share, moves []float64, part float64) []skinning.Share {
	out := slices.Clone(shares)
	for k := range shares[1:] {
		out[0].Weight -= part * moves[k]
		out[k+1].Weight += part * moves[k]
	}
	out = slices.DeleteFunc(out, func(s skinning.Share) bool { return !(s.Weight > 0) })
	sum := 0.0
	for _, s := range out {
		sum += s.Weight
	}
	for k := range out {
		out[k].Weight /= sum
	}
	sortShares(out)
	return out
}

const (
	// solved is the residual at which the equations of vertices count as solved. The error is then below 1e-7 of the
	// moves.
	solved = 1e-8
	// verticesRidge is for vertices whose blended matrices are singular in all scans, see [equations.condition].
	verticesRidge = 1e-10
)

// vertices moves the bind shape to where Q is least for the weights and poses as they are (section 4, least squares):
// vertex v moves by A_iv·x in scan i, with A_iv the linear part of its map there. Directions that no scan determines do
// not move. Where ctx is cancelled the moves are shorter. Where a number is not finite it returns an error, and moves
// nothing.
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
