package enveloping

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// armPatch returns a clustering of the first triangles of the arm, as a clip of few examples moves them.
func armPatch(t *testing.T, triangles int) *clustering {
	x := armExamples(t).pick(func(i int) bool { return i%6 == 0 }).withPriorPoses()
	use := make([]bool, len(x.Triangles))
	for k := range triangles {
		use[k] = true
	}
	return newClustering(x, use, triangles, 2)
}

// TestGroupError: the error that a group's sums tell is that of its vertices one by one, weighted, under its own
// transformation and under a neighbour's. Tolerance: the sums cancel from the square s, some 1e3 roundings of it.
func TestGroupError(t *testing.T) {
	c := armPatch(t, 300)
	c.joinTo(20, func() bool { return false })
	of, transforms := c.at(20)
	weights := c.x.weights()
	for a, id := range aliveGroups(c) {
		for _, n := range append(c.groups[id].neighbours, neighbour{group: id}) {
			b := 0
			for k, other := range aliveGroups(c) {
				if other == n.group {
					b = k
				}
			}
			want := 0.0
			for k, tri := range c.x.Triangles {
				for _, v := range tri {
					for i := range c.x.Pairs {
						if of[k] == int32(a) {
							d := transforms[b][i].Apply(c.x.Rest[v]).Sub(c.x.Pairs[i].Target[v])
							want += weights[i] * d.Dot(d)
						}
					}
				}
			}
			g, o := c.complete(id, c.scratch[0]), c.complete(n.group, c.scratch[1])
			if got := g.errorOf(o.sums); !(math.Abs(got-want) <= 1e-13*g.square) {
				t.Errorf("group %d under the transformation of %d: error %g, one by one %g", a, b, got, want)
			}
		}
	}
}

// aliveGroups lists the groups that have joined no other, in the order of at.
func aliveGroups(c *clustering) (alive []int32) {
	for k := range c.groups {
		if c.joins.place[k] >= 0 {
			alive = append(alive, int32(k))
		}
	}
	return alive
}

// TestCheapestFirst: every join is the cheapest of all groups that share an edge, found anew from the triangles.
func TestCheapestFirst(t *testing.T) {
	c := armPatch(t, 150)
	never := func() bool { return false }
	for c.left > 1 {
		of, _ := c.at(c.left)
		alive := aliveGroups(c)
		sharing := map[[2]int32]bool{}
		for k, a := range c.x.Triangles[:150] {
			for l, b := range c.x.Triangles[:150] {
				shared := 0
				for _, v := range a {
					for _, w := range b {
						if v == w {
							shared++
						}
					}
				}
				if of[k] != of[l] && shared == 2 {
					sharing[[2]int32{of[k], of[l]}] = true
				}
			}
		}
		least := math.Inf(1)
		for pair := range sharing {
			g, o := c.complete(alive[pair[0]], c.scratch[0]), c.complete(alive[pair[1]], c.scratch[1])
			least = math.Min(least, g.errorOf(o.sums))
		}
		costs := slices.Clone(c.joins.cost)
		c.joinTo(c.left-1, never)
		j := c.sequence[len(c.sequence)-1]
		if len(sharing) > 0 && costs[j.from] != least {
			t.Fatalf("%d groups left: joined at %g, the cheapest costs %g", c.left, costs[j.from], least)
		}
	}
}

// TestNearestOthers holds the nearest of the others against all distances, for points in space, on a grid with many
// equals, and in one place, and cancels.
func TestNearestOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 9))
	never := func() bool { return false }
	for name, at := range map[string]func() mgl64.Vec3{
		"space": func() mgl64.Vec3 { return mgl64.Vec3{rng.Float64(), 2 * rng.Float64(), rng.Float64()} },
		"grid":  func() mgl64.Vec3 { return mgl64.Vec3{float64(rng.IntN(9)), float64(rng.IntN(9)), 0} },
		"plane": func() mgl64.Vec3 { return mgl64.Vec3{0, rng.Float64(), 5 * rng.Float64()} },
	} {
		points := make([]mgl64.Vec3, 300)
		for k := range points {
			points[k] = at()
		}
		for k, got := range nearestOthers(points, never) {
			least := math.Inf(1)
			for other, p := range points {
				if other != k {
					least = math.Min(least, p.Sub(points[k]).LenSqr())
				}
			}
			if got == k || points[got].Sub(points[k]).LenSqr() != least {
				t.Fatalf("%s, point %d: %d at %g, the nearest is at %g", name, k, got, points[got].Sub(points[k]).LenSqr(), least)
			}
		}
	}
	if got := nearestOthers(make([]mgl64.Vec3, 50_000), never); len(got) != 50_000 || got[0] == 0 {
		t.Error("points in one place have no others")
	}
	if got := nearestOthers(make([]mgl64.Vec3, 5), func() bool { return true }); len(got) != 0 {
		t.Errorf("cancelled: %v", got)
	}
}
