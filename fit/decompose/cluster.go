package decompose

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/geom/procrustes"
	"skinlab/skinning/parallel"
)

// rounds is the number of rounds after each split, in which vertices choose their clusters, and clusters their motions.
// With 1 and with 10 the final error of bone_sequence is the same, except for differences between local minima.
const rounds = 3

// clusters are vertices grouped by rigid motion: each vertex belongs to the bone whose motion predicts its path best.
type clusters struct {
	x       *training.Examples
	paths   [][]float64     // by vertex, x y z in each frame, metres
	rings   [][]int         // by vertex, itself and its neighbours
	locked  int             // the first bones are locked joints, whose motions stay
	motions [][]geom.Affine // [bone][frame], rest space to world
	errors  [][]float64     // [bone][vertex]: Σ over frames of the squared distance, square metres
	of      []int           // the bone of each vertex
	workers int
}

// cluster finds at most bones clusters of vertices in addition to those of the locked joints. It alternates splits of
// the worst cluster and Lloyd's algorithm. It stops earlier if the squared error of every vertex, summed over frames,
// is at most least, in square metres. The result has weights of 0 and 1. Tell receives the number of bones that each
// split is to make. A done context ends it with its error and [fit.ErrNoModel]: rigid clusters are
// no skin yet.
func cluster(ctx context.Context, x *training.Examples, bones, workers int, least float64,
	tell func(bones int)) (*ssdr.Decomposition, error) {
	c := &clusters{x: x, of: make([]int, len(x.Rest)), workers: workers, rings: rings(x)}
	c.paths = make([][]float64, len(x.Rest))
	parallel.For(workers, len(x.Rest), func(_, v int) {
		path := make([]float64, 0, 3*len(x.Targets))
		for _, shape := range x.Targets {
			path = append(path, shape[v][:]...)
		}
		c.paths[v] = path
	})
	for c.locked < x.Primaries() && ctx.Err() == nil {
		joint := make([]geom.Affine, len(x.Targets))
		for f := range joint {
			joint[f] = x.Palettes[f][c.locked]
		}
		c.motions, c.errors = append(c.motions, joint), append(c.errors, make([]float64, len(x.Rest)))
		c.measure(c.locked)
		c.locked++
	}
	if c.locked == 0 { // without locked joints there is at least one cluster
		all := make([]int, len(x.Rest))
		for v := range all {
			all[v] = v
		}
		c.add(all)
	}
	c.choose()
	seeds := make([]bool, len(x.Rest))
	for len(c.motions) < c.locked+bones && ctx.Err() == nil {
		tell(len(c.motions) - c.locked + 1)
		seed := c.farthest(seeds, least)
		if seed < 0 {
			break
		}
		seeds[seed] = true
		if !c.split(c.rings[seed]) {
			c.split([]int{seed}) // its neighbours move with the others
		}
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%w: %w", fit.ErrNoModel, ctx.Err())
	}
	out := &ssdr.Decomposition{Motions: c.motions[c.locked:], Weights: make([][]skinning.Share, len(x.Rest))}
	for v, b := range c.of {
		out.Weights[v] = []skinning.Share{{Joint: uint16(b), Weight: 1}}
	}
	return out, nil
}

// split adds a bone that begins as some vertices move, and reports whether it keeps any.
func (c *clusters) split(vertices []int) bool {
	before := len(c.motions)
	c.add(vertices)
	for range rounds {
		if !c.choose() {
			break
		}
	}
	c.dropEmpty()
	return len(c.motions) > before
}

// add adds a bone that moves as some vertices do.
func (c *clusters) add(vertices []int) {
	c.motions = append(c.motions, make([]geom.Affine, len(c.x.Targets)))
	c.errors = append(c.errors, make([]float64, len(c.x.Rest)))
	c.follow(len(c.motions)-1, vertices)
}

// follow gives a bone the rigid motion of some vertices, and measures it.
func (c *clusters) follow(bone int, vertices []int) {
	motion := c.motions[bone]
	parallel.For(c.workers, len(motion), func(_, f int) { motion[f] = c.rigid(vertices, f) })
	c.measure(bone)
}

// measure measures a bone's motion on all vertices.
func (c *clusters) measure(bone int) {
	errors := c.errors[bone]
	rows := make([][4]float64, 0, 3*len(c.x.Targets)) // of all frames' matrices, as paths have their coordinates
	for _, m := range c.motions[bone] {
		rows = append(rows, [4]float64(m[:4]), [4]float64(m[4:8]), [4]float64(m[8:]))
	}
	parallel.For(c.workers, parallel.Chunks(len(errors)), func(_, chunk int) {
		lo, hi := parallel.Chunk(chunk, len(errors))
		for v := lo; v < hi; v++ {
			sum, rest, path := 0.0, c.x.Rest[v], c.paths[v][:len(rows)]
			for i := range rows {
				row := &rows[i]
				d := row[0]*rest[0] + row[1]*rest[1] + row[2]*rest[2] + row[3] - path[i]
				sum += d * d
			}
			errors[v] = sum
		}
	})
}

// rigid returns the rigid motion that takes some vertices nearest to their places in a frame.
func (c *clusters) rigid(vertices []int, frame int) geom.Affine {
	return procrustes.Rigid(len(vertices), func(k int) (x, y mgl64.Vec3) {
		return c.x.Rest[vertices[k]], c.x.Targets[frame][vertices[k]]
	})
}

// farthest returns the vertex with the largest error, of the bone with the largest sum of errors. Vertices that were
// seeds before are left out. It returns −1 if no other vertex has an error above least.
func (c *clusters) farthest(before []bool, least float64) int {
	sums := make([]float64, len(c.motions))
	worst := make([]int, len(c.motions))
	for b := range worst {
		worst[b] = -1
	}
	for v, b := range c.of {
		e := c.errors[b][v]
		sums[b] += e
		if !before[v] && e > least && (worst[b] < 0 || e > c.errors[b][worst[b]]) {
			worst[b] = v
		}
	}
	seed, most := -1, 0.0
	for b, v := range worst {
		if v >= 0 && sums[b] > most {
			seed, most = v, sums[b]
		}
	}
	return seed
}

// choose lets every vertex choose its bone, and bones whose vertices have changed their motions. It reports whether any
// has.
func (c *clusters) choose() (changed bool) {
	moved := make([]bool, len(c.motions))
	members := make([][]int, len(c.motions))
	for v, was := range c.of {
		best := was
		for b := range c.motions {
			if c.errors[b][v] < c.errors[best][v] {
				best = b
			}
		}
		if best != was {
			moved[best], moved[was], changed = true, true, true
		}
		c.of[v] = best
		members[best] = append(members[best], v)
	}
	for b := range moved {
		if b >= c.locked && moved[b] && len(members[b]) > 0 {
			c.follow(b, members[b])
		}
	}
	return changed
}

// dropEmpty takes out the bones that no vertex has chosen.
func (c *clusters) dropEmpty() {
	used := make([]bool, len(c.motions))
	for b := range c.locked {
		used[b] = true
	}
	for _, b := range c.of {
		used[b] = true
	}
	to, n := make([]int, len(used)), 0
	for b := range used {
		to[b] = n
		if used[b] {
			c.motions[n], c.errors[n] = c.motions[b], c.errors[b]
			n++
		}
	}
	c.motions, c.errors = c.motions[:n], c.errors[:n]
	for v := range c.of {
		c.of[v] = to[c.of[v]]
	}
}

// rings returns for every vertex itself and its neighbours, also over seams: vertices at one place at rest are one.
func rings(x *training.Examples) [][]int {
	first := make(map[mgl64.Vec3]int, len(x.Rest))
	point := make([]int, len(x.Rest))
	for v, p := range x.Rest {
		if _, ok := first[p]; !ok {
			first[p] = v
		}
		point[v] = first[p]
	}
	out := make([][]int, len(x.Rest))
	for v := range out {
		out[v] = []int{v}
	}
	for _, t := range x.Triangles {
		for k := range t {
			a, b := point[t[k]], point[t[(k+1)%3]]
			out[a], out[b] = append(out[a], b), append(out[b], a)
		}
	}
	for v, p := range point {
		if v == p {
			slices.Sort(out[v])
			out[v] = slices.Compact(out[v])
		} else {
			out[v] = out[p]
		}
	}
	return out
}
