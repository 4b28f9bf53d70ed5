package anatomy

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// grid finds points near a place in constant time.
type grid struct {
	points []mgl64.Vec3
	cell   float64
	cells  map[[3]int][]int
}

func newGrid(points []mgl64.Vec3, radius float64) *grid {
	g := &grid{points, math.Max(radius, 1e-300), make(map[[3]int][]int, len(points))}
	for i, p := range points {
		k := g.key(p)
		g.cells[k] = append(g.cells[k], i)
	}
	return g
}

func (g *grid) key(p mgl64.Vec3) (k [3]int) {
	for c := range p {
		k[c] = int(math.Floor(math.Max(-1e15, math.Min(1e15, p[c]/g.cell))))
	}
	return k
}

// each calls f with the points within the radius of p, in a fixed order, until it returns false.
func (g *grid) each(p mgl64.Vec3, f func(i int) bool) {
	at := g.key(p)
	for x := -1; x <= 1; x++ {
		for y := -1; y <= 1; y++ {
			for z := -1; z <= 1; z++ {
				for _, i := range g.cells[[3]int{at[0] + x, at[1] + y, at[2] + z}] {
					if g.points[i].Sub(p).Len() <= g.cell && !f(i) {
						return
					}
				}
			}
		}
	}
}
