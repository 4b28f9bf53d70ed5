// Package deltamush is Delta Mush (Mancewicz, Derksen, Rijpkema and Wilson, "Delta Mush: Smoothing Deformations While
// Preserving Detail", DigiPro 2014): a deformer that artists have in Maya, 3ds Max, Houdini and Blender (Corrective
// Smooth) and that engines do not have. It smooths the skin that linear blending poses, and puts back the detail that
// smoothing takes away.
//
// Delta Mush is no blend of joints, so that it is no method of the table in package skinning. It is a reference:
// methods are measured against its shapes, and fits learn them.
//
// One step of smoothing moves each point p_i towards the mean of its neighbours along edges,
//
//	p_i <- p_i + s (1/|N_i| Σ_{j in N_i} p_j − p_i),
//
// with the step s. S is a number of these steps. S is linear in the positions, one coordinate does not know of the
// others, and it depends on the mesh alone. At rest, with positions p, the detail of point i is d_i = p_i − S(p)_i. In
// a pose whose linear shape is q, Delta Mush puts the point at
//
//	S(q)_i + R_i d_i,
//
// where R_i is the rotation that takes the local frame of the smoothed rest shape to that of the smoothed posed shape.
// The frame of the paper is a normal and a tangent. R_i here is the rotation that fits best, by least squares, how the
// edges and the normal at the point turn: it needs no texture coordinates, and every neighbour counts alike.
package deltamush

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/geom/procrustes"
	"skinlab/skinning/parallel"
)

// Name is what commands and reports call Delta Mush.
const Name = "delta-mush"

// Options are those of Maya's deltaMush node with the same names and defaults.
type Options struct {
	Iterations int     // of smoothing, Maya's smoothingIterations
	Step       float64 // s, from 0 to 1, Maya's smoothingStep
	// PinBorders keeps the points of open edges where linear blending poses them, Maya's pinBorderVertices.
	PinBorders bool
}

// Default is the options that Maya has for a new node.
func Default() Options { return Options{Iterations: 10, Step: 0.5, PinBorders: true} }

// mostIterations is a bound of the time of one shape: a second for 10,000 vertices.
const mostIterations = 1000

// ErrOptions reports options that are out of range.
var ErrOptions = errors.New("delta mush")

// Check reports the first option that is out of range.
func (o Options) Check() error {
	switch {
	case o.Iterations < 0 || o.Iterations > mostIterations:
		return fmt.Errorf("%w: %d iterations, expected 0 to %d", ErrOptions, o.Iterations, mostIterations)
	case !(o.Step >= 0 && o.Step <= 1):
		return fmt.Errorf("%w: a step of %v, expected 0 to 1", ErrOptions, o.Step)
	}
	return nil
}

// Deformer is Delta Mush over the skin of a model, and of models that have its vertices, triangles and bindings. It is
// read-only: several goroutines may use it at once.
type Deformer struct {
	Options
	point []int // of each vertex: the copies of a vertex along seams and hard edges are one point
	first []int // the first vertex of each point
	start []int // ring[start[i]:start[i+1]] are the neighbours of point i
	ring  []int
	faces [][3]int // triangles of points
	// border marks the points at open edges, those of one triangle.
	border []bool
	rest   shape // without morph targets
}

// shape is a rest shape as Delta Mush reads it.
type shape struct {
	smooth  []mgl64.Vec3 // of each point, metres
	normals []mgl64.Vec3 // of the smooth shape, of the length of its edges
	detail  []mgl64.Vec3 // of each vertex
}

// New makes a deformer of a model's skin, with options that [Options.Check] has accepted.
func New(m *skinning.Model, o Options) *Deformer {
	d := &Deformer{Options: o}
	d.weld(m)
	d.connect(m.Skin.Triangles)
	d.rest = d.restShape(geom.Vecs64(m.Skin.Positions))
	return d
}

// String names the deformer.
func (d *Deformer) String() string { return Name }

// weld finds the points: copies of a vertex lie at one place at rest, and follow joints of one node most. So two
// characters that touch stay two.
func (d *Deformer) weld(m *skinning.Model) {
	type place struct {
		at   mgl32.Vec3
		node int
	}
	points := make(map[place]int, len(m.Skin.Positions))
	d.point = make([]int, len(m.Skin.Positions))
	for v, at := range m.Skin.Positions {
		for c := range at {
			at[c] += 0 // −0 and 0 are one place
		}
		p := place{at: at, node: m.Skeleton.Joints[m.Skin.Bindings[v].Joints[0]].Node} // strongest first
		k, ok := points[p]
		if !ok {
			k = len(d.first)
			points[p], d.first = k, append(d.first, v)
		}
		d.point[v] = k
	}
}

// connect lists the neighbours of each point, and the points at open edges.
func (d *Deformer) connect(triangles [][3]uint32) {
	type edge [2]int
	edges := make([]edge, 0, 6*len(triangles))
	for _, t := range triangles {
		f := [3]int{d.point[t[0]], d.point[t[1]], d.point[t[2]]}
		if f[0] == f[1] || f[1] == f[2] || f[2] == f[0] {
			continue
		}
		d.faces = append(d.faces, f)
		for k := range f {
			a, b := f[k], f[(k+1)%3]
			edges = append(edges, edge{a, b}, edge{b, a})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int { return slices.Compare(a[:], b[:]) })
	d.start, d.border = make([]int, len(d.first)+1), make([]bool, len(d.first))
	for k := 0; k < len(edges); {
		n := k + 1 // an edge is there once for each of its triangles
		for n < len(edges) && edges[n] == edges[k] {
			n++
		}
		from, to := edges[k][0], edges[k][1]
		if n == k+1 {
			d.border[from] = true
		}
		d.ring = append(d.ring, to)
		d.start[from+1]++
		k = n
	}
	for i := range d.first {
		d.start[i+1] += d.start[i]
	}
}

// neighbours returns the points that edges lead to from a point.
func (d *Deformer) neighbours(i int) []int { return d.ring[d.start[i]:d.start[i+1]] }

// Smooth returns S(p): the positions of the points after the iterations, for one position per point, metres.
func (d *Deformer) Smooth(points []mgl64.Vec3) []mgl64.Vec3 {
	from, to := slices.Clone(points), slices.Clone(points)
	for range d.Iterations {
		parallel.Runs(len(from), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				near := d.neighbours(i)
				if len(near) == 0 || d.PinBorders && d.border[i] {
					continue
				}
				var sum mgl64.Vec3
				for _, j := range near {
					sum = sum.Add(from[j])
				}
				to[i] = from[i].Add(sum.Mul(1 / float64(len(near))).Sub(from[i]).Mul(d.Step))
			}
		})
		from, to = to, from
	}
	return from
}

// restShape returns what a rest shape, one position per vertex, gives Delta Mush.
func (d *Deformer) restShape(positions []mgl64.Vec3) shape {
	s := shape{smooth: d.Smooth(d.points(positions)), detail: make([]mgl64.Vec3, len(positions))}
	s.normals = d.normals(s.smooth)
	for v, p := range positions {
		s.detail[v] = p.Sub(s.smooth[d.point[v]])
	}
	return s
}

// points returns the position of each point, that of its first vertex.
func (d *Deformer) points(positions []mgl64.Vec3) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(d.first))
	for i, v := range d.first {
		out[i] = positions[v]
	}
	return out
}

// normals returns the normal of each point, weighted by the areas of its triangles. Its length is the root of the sum
// of the squared lengths of the point's edges, so that it counts as much as all of these.
func (d *Deformer) normals(points []mgl64.Vec3) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(points))
	for _, f := range d.faces {
		area := points[f[1]].Sub(points[f[0]]).Cross(points[f[2]].Sub(points[f[0]]))
		for _, i := range f {
			out[i] = out[i].Add(area)
		}
	}
	for i := range out {
		edges := 0.0
		for _, j := range d.neighbours(i) {
			e := points[j].Sub(points[i])
			edges += e.Dot(e)
		}
		out[i] = geom.UnitOr(out[i], mgl64.Vec3{}).Mul(math.Sqrt(edges))
	}
	return out
}

// Positions returns the shape of a posed model, one position per vertex, metres. Morph targets move the rest shape
// first: their detail is kept as that of the skin is.
func (d *Deformer) Positions(f *skinning.Frame) []mgl64.Vec3 {
	rest := &d.rest
	if slices.ContainsFunc(f.Morphs, func(w float64) bool { return w != 0 }) && len(f.Model.Skin.Morphs) > 0 {
		morphed := d.restShape(f.Model.Skin.RestPositions(f.Morphs))
		rest = &morphed
	}
	out := f.Positions(skinning.LBS)
	smooth := d.Smooth(d.points(out))
	normals := d.normals(smooth)
	side := 1.0
	if f.Mirrored() {
		side = -1
	}
	turns := make([]geom.Mat3, len(smooth))
	parallel.Runs(len(smooth), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			turns[i] = d.turn(i, rest, smooth, normals, side)
		}
	})
	for v, i := range d.point {
		out[v] = smooth[i].Add(turns[i].Apply(rest.detail[v]).Mul(side))
	}
	return out
}

// turn returns R_i: the rotation R of the least Σ_j ‖(y_j − y_i) − R (x_j − x_i)‖² + ‖n − R m‖², for the smooth rest
// points x with the normal m, and the smooth posed points y with n. In a pose that mirrors, side is −1: The edges of
// −y are a rotation of those of x then, and n is the normal of −y, whose triangles turn the other way round.
func (d *Deformer) turn(i int, rest *shape, smooth, normals []mgl64.Vec3, side float64) geom.Mat3 {
	var m geom.Mat3
	add := func(to, from mgl64.Vec3) {
		for r := range to {
			for c := range from {
				m[3*r+c] += to[r] * from[c]
			}
		}
	}
	for _, j := range d.neighbours(i) {
		add(smooth[j].Sub(smooth[i]).Mul(side), rest.smooth[j].Sub(rest.smooth[i]))
	}
	add(normals[i], rest.normals[i])
	if m.Det() > 0 { // the best rotation is that of the polar decomposition, which is fast
		c := geom.NewAffine(m, mgl64.Vec3{})
		geom.PolarRotation(&m, &c)
		return m
	}
	return procrustes.Rotation(m).Mat3()
}
