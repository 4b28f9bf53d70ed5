package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// A benchmark mesh has the joints of a character with fingers and the influences that engines allow. Its poses turn
// every joint about a random axis, and scale it by up to a tenth along each axis.
const (
	meshJoints     = 70
	meshInfluences = 4
	meshStretch    = 0.1
)

// MeshTurn is the default angle, in degrees, by which poses turn the joints of a mesh. Up to here the motions of a
// vertex are all in one hemisphere, as for most characters. At 180 degrees nearly every group of vertices has motions
// in two hemispheres, and is posed with the table of signs.
const MeshTurn = 60.0

// Mesh returns a benchmark mesh of a number of vertices, the same at every call. Each vertex has four influences above
// 0: a joint and those nearest to it in the tree. Vertices are in random order, so that each reads other joints than
// the one before it, which is the worst case for caches. Normals are unit, and there are no triangles. The only clip
// holds the poses of [Poses], which turn joints by up to turn degrees.
func Mesh(vertices int, turn float64) *skinning.Model {
	rng := rand.New(rand.NewPCG(1, uint64(vertices)))
	m := &skinning.Model{Name: "mesh " + Count(vertices)}
	meshSkeleton(m, rng)
	near := nearest(&m.Skeleton, meshInfluences)
	m.Skin.Positions = make([]mgl32.Vec3, vertices)
	m.Skin.Normals = make([]mgl32.Vec3, vertices)
	m.Skin.Bindings = make([]skinning.Binding, 0, vertices)
	raw := make([]skinning.Influence, 0, meshInfluences)
	for v := range vertices {
		home := rng.IntN(meshJoints)
		n := direction(rng)
		m.Skin.Positions[v] = geom.Vec32(m.Skeleton.Joints[home].Position.Add(n.Mul(0.05 + 0.05*rng.Float64())))
		m.Skin.Normals[v] = geom.Vec32(n)
		raw = raw[:0]
		for _, j := range near[home] {
			raw = append(raw, skinning.Influence{Joint: uint16(j), Weight: 0.1 + rng.Float32()})
		}
		m.Skin.Append(raw, 0)
	}
	m.Clips = []skinning.Clip{meshClip(rng, turn)}
	return m
}

// Count writes a number of vertices as people do: 3k, 30k, 1M.
func Count(n int) string {
	switch {
	case n > 0 && n%1_000_000 == 0:
		return fmt.Sprintf("%dM", n/1_000_000)
	case n > 0 && n%1000 == 0:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}

// meshSkeleton makes a tree in which every joint has two children, bones of 15 cm.
func meshSkeleton(m *skinning.Model, rng *rand.Rand) {
	s := &m.Skeleton
	for j := range meshJoints {
		n := skinning.Node{Parent: (j+1)/2 - 1, Rest: geom.IdentityTransform()}
		n.Rest.Translation = direction(rng).Mul(0.15)
		s.Nodes = append(s.Nodes, n)
		s.Order = append(s.Order, j) // parents come first as it is
	}
	globals := make([]geom.Affine, meshJoints)
	s.Globals(globals, m.NewPose())
	for j := range meshJoints {
		at := globals[j].Translation() // at rest no joint is turned
		s.Joints = append(s.Joints, skinning.Joint{Name: fmt.Sprintf("joint-%d", j), Node: j, Parent: s.Nodes[j].Parent,
			FromRest: geom.NewAffine(geom.Identity3(), at.Mul(-1)), Position: at})
	}
}

// nearest returns, for each joint, the count joints that are the fewest steps away in the tree, itself included.
func nearest(s *skinning.Skeleton, count int) [][]int {
	next := make([][]int, len(s.Joints))
	for j := range s.Joints {
		if p := s.Joints[j].Parent; p >= 0 {
			next[j], next[p] = append(next[j], p), append(next[p], j)
		}
	}
	out := make([][]int, len(s.Joints))
	for j := range out {
		seen := map[int]bool{j: true}
		found := []int{j}
		for at := 0; at < len(found) && len(found) < count; at++ {
			for _, k := range next[found[at]] {
				if !seen[k] && len(found) < count {
					seen[k] = true
					found = append(found, k)
				}
			}
		}
		out[j] = found
	}
	return out
}

// meshClip makes a clip with one key a second, a pose at each.
func meshClip(rng *rand.Rand, degrees float64) skinning.Clip {
	c := skinning.Clip{Name: "poses", Seconds: posesPerModel}
	times := make([]float32, posesPerModel)
	for i := range times {
		times[i] = float32(i)
	}
	for j := range meshJoints {
		turn := skinning.Channel{Node: j, Path: skinning.PathRotation, Width: 4, Times: times}
		scale := skinning.Channel{Node: j, Path: skinning.PathScale, Width: 3, Times: times}
		for range times {
			for _, x := range geom.AxisAngle(direction(rng), mgl64.DegToRad(degrees)*(2*rng.Float64()-1)) {
				turn.Values = append(turn.Values, float32(x))
			}
			for range 3 {
				scale.Values = append(scale.Values, 1+meshStretch*(2*rng.Float32()-1))
			}
		}
		c.Channels = append(c.Channels, turn, scale)
	}
	return c
}

// direction returns a uniformly distributed unit vector.
func direction(rng *rand.Rand) mgl64.Vec3 {
	for {
		d := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		if l := d.Len(); l > 1e-3 {
			return d.Mul(1 / l)
		}
	}
}
