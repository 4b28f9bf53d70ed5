package transfer

import (
	"context"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel"
)

const (
	// agree is the least cosine between the normals of two points that may be matched: an angle of 60 degrees.
	agree = 0.5
	// matchPoints is the number of points of each surface that are matched with the other surface.
	matchPoints = 1000
	// slide is the weight of the squared distance along the surface, relative to that along the normal, while points
	// are matched again in each step. A match determines the distance to the surface, but hardly the position along it.
	slide = 0.1
)

// schedule controls a fit to nearest points. Reach and stiffness fall by equal factors from step to step. They are
// fractions of the body's diagonal and of its square.
type schedule struct {
	steps                     int
	firstReach, lastReach     float64
	firstStiffness, stiffness float64
}

var (
	// firstFrame begins stiff and with a long reach, because each limb of the starting pose may be off by 30 degrees.
	firstFrame = schedule{16, 0.1, 0.01, 1e-3, 1e-6}
	// nextFrame begins with the pose of the frame before.
	nextFrame = schedule{8, 0.05, 0.01, 1e-5, 1e-6}
)

// target is a frame of the sequence prepared for the fit of a pose.
type target struct {
	frame   *Frame
	mesh    *mesh
	tree    *tree
	normals []mgl64.Vec3 // of the vertices
	chosen  []int        // vertices that stand for the surface
	weights []float64    // of these, by area: sum 1
}

func newTarget(f *Frame, points int) *target {
	t := &target{frame: f, mesh: newMesh(f.Positions, f.Triangles), tree: newTree(f.Positions, f.Triangles),
		normals: vertexNormals(f.Positions, f.Triangles)}
	areas := vertexAreas(f.Positions, f.Triangles)
	t.chosen = sample(areas, points)
	t.weights = shareOut(pick(areas, t.chosen))
	return t
}

// surface is the body's surface in a poser's pose, prepared for matching.
type surface struct {
	tree    *tree
	shape   []mgl64.Vec3
	chosen  []int // vertices that stand for it
	weights []float64
	points  []point // the chosen vertices as points
}

// pose poses the poser's surface.
func (s *poser) pose(pose *bodymodel.Pose) *surface {
	if s.surface == nil {
		areas := vertexAreas(s.body.Vertices, s.mesh.triangles)
		f := &surface{tree: newTree(s.body.Vertices, s.mesh.triangles), shape: make([]mgl64.Vec3, len(areas)),
			chosen: sample(areas, matchPoints)}
		f.weights = shareOut(pick(areas, f.chosen))
		of := make([]point, len(areas))
		for i, t := range s.mesh.triangles {
			for k, v := range t {
				of[v] = point{triangle: int32(i)}
				of[v].weights[k] = 1
			}
		}
		f.points = pick(of, f.chosen)
		s.surface = f
	}
	s.set(pose)
	s.shape(s.surface.shape)
	s.surface.tree.pose(s.surface.shape)
	return s.surface
}

// match finds, for points of both surfaces, the nearest point of the other surface whose normal agrees, within the
// squared distance most. Nearest points on the border of a hole are left out, because the true one may be in the hole.
func (s *poser) match(t *target, pose *bodymodel.Pose, most float64, pulls []pull) []pull {
	f := s.pose(pose)
	for i, v := range t.chosen {
		p := t.frame.Positions[v]
		if q, _, ok := f.tree.nearest(p, t.normals[v], agree, most); ok && !s.mesh.onBorder(&q) {
			pulls = append(pulls, pull{at: q, to: p, normal: f.tree.normals[q.triangle], slide: slide,
				weight: t.weights[i] / 2})
		}
	}
	for i, v := range f.chosen {
		normal := f.tree.normals[f.points[i].triangle]
		if q, _, ok := t.tree.nearest(f.shape[v], normal, agree, most); ok && !t.mesh.onBorder(&q) {
			pulls = append(pulls, pull{at: f.points[i], to: q.of(t.tree.positions, t.tree.triangles),
				normal: t.tree.normals[q.triangle], slide: slide, weight: f.weights[i] / 2})
		}
	}
	return pulls
}

// approach fits a pose to a frame by nearest points, and returns the mean squared distance between the surfaces, m²:
// points without a match count for twice the last reach.
func (s *poser) approach(ctx context.Context, t *target, pose *bodymodel.Pose, plan schedule) (cost float64) {
	size := diagonal(s.body.Vertices)
	prior := clonePose(pose)
	var pulls []pull
	for k := range plan.steps {
		if ctx.Err() != nil {
			return math.Inf(1)
		}
		u := float64(k) / float64(plan.steps-1)
		a := aim{reach: size * falling(plan.firstReach, plan.lastReach, u), prior: &prior,
			stiffness: size * size * falling(plan.firstStiffness, plan.stiffness, u)}
		pulls = s.match(t, pose, 4*a.reach*a.reach, pulls[:0])
		a.pulls = pulls
		s.solve(&a, pose, 2)
	}
	reach := 2 * size * plan.lastReach
	pulls = s.match(t, pose, reach*reach, pulls[:0])
	matched := 0.0
	for i := range pulls {
		p := &pulls[i]
		d := s.place(&p.at).Sub(p.to)
		cost += p.weight * d.Dot(d)
		matched += p.weight
	}
	return cost + max(1-matched, 0)*reach*reach
}

// falling goes from a to b as u goes from 0 to 1, by equal factors.
func falling(a, b, u float64) float64 { return a * math.Pow(b/a, u) }
