package bodymodel

import (
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// crossBody is a body of nine limbs: a block in the middle, and four arms of two limbs each, 1 m long and 0.4 m thick,
// along ±x and ±z. Its surface is that of cubes of 0.1 m, a closed mesh. The weights of neighbouring limbs blend over
// 0.4 m. Poses are made by chance, of turns up to most radians, but for that of the first scan, the bind pose.
func crossBody(scans int, most float64, seed uint64) (*Body, *scans) {
	const half, block, arm = 2, 4, 10 // cubes: half the thickness, half the block, a limb
	b := &Body{Parents: []int{-1}, Joints: []mgl64.Vec3{{}}}
	for k := range 4 {
		for part := range 2 {
			parent := 0
			if part > 0 {
				parent = len(b.Parents) - 1
			}
			b.Parents = append(b.Parents, parent)
			b.Joints = append(b.Joints, crossDirection(k).Mul(0.1*float64(block+part*arm)))
		}
	}
	b.setAxes()
	solid := func(c [3]int) bool { // whether a cube is in the body
		x, y, z := max(c[0], -1-c[0]), max(c[1], -1-c[1]), max(c[2], -1-c[2])
		return y < half && (x < block+2*arm && z < half || z < block+2*arm && x < half)
	}
	vertices := map[[3]int]uint32{}
	var triangles [][3]uint32
	corner := func(p [3]int) uint32 {
		v, ok := vertices[p]
		if !ok {
			v = uint32(len(b.Vertices))
			vertices[p] = v
			b.Vertices = append(b.Vertices, mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}.Mul(0.1))
		}
		return v
	}
	const reach = block + 2*arm
	for x := -reach; x < reach; x++ {
		for z := -reach; z < reach; z++ {
			for y := -half; y < half; y++ {
				c := [3]int{x, y, z}
				for axis := range 3 {
					for side := range 2 {
						next := c
						next[axis] += 2*side - 1
						if !solid(c) || solid(next) {
							continue
						}
						u, v := (axis+1)%3, (axis+2)%3
						quad := [4][3]int{c, c, c, c}
						for k := range quad {
							quad[k][axis] += side
						}
						quad[1][u]++
						quad[2][u]++
						quad[2][v]++
						quad[3][v]++
						if side == 0 {
							quad[1], quad[3] = quad[3], quad[1]
						}
						a, d := corner(quad[0]), corner(quad[2])
						triangles = append(triangles, [3]uint32{a, corner(quad[1]), d}, [3]uint32{a, d, corner(quad[3])})
					}
				}
			}
		}
	}
	for _, p := range b.Vertices {
		b.Swing = append(b.Swing, crossWeights(p, 0.1*block, 0.1*arm))
		b.Twist = append(b.Twist, append([]skinning.Share(nil), b.Swing[len(b.Swing)-1]...))
	}
	rng := rand.New(rand.NewPCG(seed, 2))
	for i := range scans {
		pose := Pose{}
		for range b.Joints {
			q := geom.IdentityQuat()
			if i > 0 {
				q = geom.AxisAngle(mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}, most*rng.Float64())
			}
			pose.Turns = append(pose.Turns, q)
		}
		if i > 0 {
			pose.Place = mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		}
		b.Poses = append(b.Poses, pose)
	}
	return b, newScans(posedShapes(b), triangles)
}

// crossDirection is the direction of an arm.
func crossDirection(k int) mgl64.Vec3 {
	return []mgl64.Vec3{{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}}[k]
}

// crossWeights are those of a vertex: of the arm that it is farthest out on, or of the block.
func crossWeights(p mgl64.Vec3, block, arm float64) []skinning.Share {
	limb, out := 0, 0.0
	for k := range 4 {
		if x := p.Dot(crossDirection(k)); x > out {
			limb, out = 1+2*k, x
		}
	}
	blend := func(inner, outer int, at float64) []skinning.Share {
		t := min(max((out-at)/0.4+0.5, 0), 1)
		w := t * t * (3 - 2*t)
		return []skinning.Share{{Joint: uint16(outer), Weight: w}, {Joint: uint16(inner), Weight: 1 - w}}
	}
	switch {
	case limb == 0:
		return []skinning.Share{{Weight: 1}}
	case out < block+arm/2:
		return blend(0, limb, block)
	}
	return blend(limb, limb+1, block+arm)
}
