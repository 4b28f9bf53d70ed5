package transfer

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/parallel"
)

const (
	// commonPoints bounds the vertices of the sequence that are followed; they are spread evenly over its area.
	// CommonFrames bounds the frames in which correspondences are refined. Refining needs about 2 MB for a frame.
	commonPoints = 4096
	commonFrames = 32
	// A correspondence is an outlier if its distance exceeds outlier times the median distance. If all points had
	// errors of the same variance in every coordinate and frame, not one in a million would exceed it. One whose
	// distance is below the share neverOutlier of the body's diagonal never is. Where a body meets its own clip, half
	// of the distances are rounding. Limbs that are a millimetre away would then be left out, and followed in no
	// frame: demo:figure ended 76 mm away.
	outlier      = 3
	neverOutlier = 1e-3
)

// common is the correspondences of a sequence of one topology: one point of the body for each of some vertices of the
// sequence, the same in all frames.
type common struct {
	vertices []int
	areas    []float64
	points   []point
	weights  []float64 // sum 1; 0 for outliers, and for those without a point
	found    []bool    // has a point
	squares  []float64 // of each point, the mean squared distance from its vertex over frames, m²
	rms      float64   // of the distances that count, over vertices and frames, metres
	never    float64   // a smaller distance is no outlier, metres
	around   [][]int32 // of each triangle of the body: those that share a place with it
}

// neighbours lists for every triangle those that have a corner at the place of one of its corners.
func (m *mesh) neighbours(positions []mgl64.Vec3) [][]int32 {
	place := places(positions)
	at := make([][]int32, len(positions))
	for i, t := range m.triangles {
		for _, v := range t {
			at[place[v]] = append(at[place[v]], int32(i))
		}
	}
	around := make([][]int32, len(m.triangles))
	for i, t := range m.triangles {
		for _, v := range t {
			around[i] = append(around[i], at[place[v]]...)
		}
		slices.Sort(around[i])
		around[i] = slices.Compact(around[i])
	}
	return around
}

// newCommon matches vertices of a frame with the points of the posed body that are nearest to them.
func (t *transfer) newCommon(s *poser, b *beginning) *common {
	frame := t.sequence.frame(b.frame)
	areas := vertexAreas(frame.Positions, frame.Triangles)
	c := &common{vertices: sample(areas, commonPoints), around: t.rig.mesh.neighbours(t.rig.body.Vertices),
		never: neverOutlier * t.size}
	c.areas = pick(areas, c.vertices)
	normals := vertexNormals(frame.Positions, frame.Triangles)
	f := s.pose(&b.pose)
	n := len(c.vertices)
	c.points, c.found, c.weights, c.squares = make([]point, n), make([]bool, n), make([]float64, n), make([]float64, n)
	for i, v := range c.vertices {
		c.points[i], _, c.found[i] = f.tree.nearest(frame.Positions[v], normals[v], agree, math.Inf(1))
	}
	c.measure([][]mgl64.Vec3{frame.Positions}, [][]mgl64.Vec3{f.shape}, t.rig.mesh.triangles)
	c.judge(t.rig.mesh)
	return c
}

// multiFrameSurface is the body as it is posed in F frames, seen as one surface in 3F dimensions. A vertex that is
// followed through these frames is a point of the same space. Its nearest point on the surface is the point of the
// body with the least sum of squared distances to it over the frames.
type multiFrameSurface struct {
	triangles [][3]uint32
	shapes    [][]mgl64.Vec3
	vertex    []mgl64.Vec3 // the followed vertex: its position in each frame
}

// nearest returns the point of a triangle that is nearest to the vertex, and its squared distance.
func (s *multiFrameSurface) nearest(triangle int32) (q point, distance float64) {
	c := s.triangles[triangle]
	var pb, pc, bb, bc, cc, pp float64
	for k, shape := range s.shapes {
		a := shape[c[0]]
		b, d, p := shape[c[1]].Sub(a), shape[c[2]].Sub(a), s.vertex[k].Sub(a)
		pb, pc, bb, bc, cc, pp = pb+p.Dot(b), pc+p.Dot(d), bb+b.Dot(b), bc+b.Dot(d), cc+d.Dot(d), pp+p.Dot(p)
	}
	w := weightsOfProducts(pb, pc, bb, bc, cc)
	u, v := w[1], w[2]
	return point{triangle, w}, max(pp-2*(u*pb+v*pc)+u*u*bb+2*u*v*bc+v*v*cc, 0)
}

// walk goes from triangle to neighbouring triangle as long as one is nearer to the vertex.
func (s *multiFrameSurface) walk(from int32, around [][]int32) (best point, distance float64) {
	best, distance = s.nearest(from)
	seen := map[int32]bool{from: true}
	for moved := true; moved; {
		moved = false
		for _, next := range around[best.triangle] {
			if seen[next] {
				continue
			}
			seen[next] = true
			if q, d := s.nearest(next); d < distance {
				best, distance, moved = q, d, true
				break
			}
		}
	}
	return best, distance
}

// refine moves every correspondence to the point of the body that is nearest to its vertex over the given frames
// together. Shapes are those of the body in these frames.
func (c *common) refine(frames []int, shapes [][]mgl64.Vec3, t *transfer) {
	meshes := t.positions(frames)
	parallel.For(t.workers, parallel.Chunks(len(c.points)), func(_, chunk int) {
		lo, hi := parallel.Chunk(chunk, len(c.points))
		s := multiFrameSurface{triangles: t.rig.mesh.triangles, shapes: shapes, vertex: make([]mgl64.Vec3, len(frames))}
		for i := lo; i < hi; i++ {
			if !c.found[i] {
				continue
			}
			for k, mesh := range meshes {
				s.vertex[k] = mesh[c.vertices[i]]
			}
			c.points[i], _ = s.walk(c.points[i].triangle, c.around)
		}
	})
	c.measure(meshes, shapes, t.rig.mesh.triangles)
}

// positions returns those of some frames.
func (t *transfer) positions(frames []int) [][]mgl64.Vec3 {
	all := make([][]mgl64.Vec3, len(frames))
	parallel.For(t.workers, len(frames), func(_, i int) { all[i] = t.sequence.frame(frames[i]).Positions })
	return all
}

// measure measures the correspondences between meshes and shapes of the body with these triangles, frame by frame.
func (c *common) measure(meshes, shapes [][]mgl64.Vec3, triangles [][3]uint32) {
	for i := range c.points {
		c.squares[i] = 0
		if !c.found[i] {
			continue
		}
		for k, mesh := range meshes {
			d := c.points[i].of(shapes[k], triangles).Sub(mesh[c.vertices[i]])
			c.squares[i] += d.Dot(d) / float64(len(meshes))
		}
	}
}

// cost returns the mean squared distance of the correspondences that count, m².
func (c *common) cost() (sum float64) {
	for i, w := range c.weights {
		sum += w * c.squares[i]
	}
	return sum
}

// judge gives weights to the correspondences that are not outliers.
func (c *common) judge(m *mesh) {
	var all []float64
	for i, found := range c.found {
		if found {
			all = append(all, c.squares[i])
		}
	}
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	most := max(outlier*outlier*all[len(all)/2], c.never*c.never)
	for i := range c.points {
		c.weights[i] = 0
		if c.found[i] && c.squares[i] <= most && !m.onBorder(&c.points[i]) {
			c.weights[i] = c.areas[i]
		}
	}
	c.weights = shareOut(c.weights)
	c.rms = math.Sqrt(c.cost())
}

// kept returns how many correspondences count.
func (c *common) kept() (n int) {
	for _, w := range c.weights {
		if w > 0 {
			n++
		}
	}
	return n
}

// pulls returns the correspondences of a frame.
func (c *common) pulls(frame *Frame) (pulls []pull) {
	for i, w := range c.weights {
		if w > 0 {
			pulls = append(pulls, pull{at: c.points[i], to: frame.Positions[c.vertices[i]], slide: 1, weight: w})
		}
	}
	return pulls
}
