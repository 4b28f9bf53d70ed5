package bodymodel

import (
	"math"
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// tubeBody is a tube along x of so many limbs, 1 m long each, of radius 0.2, with smooth weights over neighbouring
// limbs, the same in both sets, and poses made by chance whose turns are up to most radians. Scans are the posed tube.
func tubeBody(limbs, scans int, most float64, seed uint64) (*Body, *scans) {
	const round, rings = 12, 8 // vertices round the tube, rings a limb
	rng := rand.New(rand.NewPCG(seed, 1))
	b := &Body{}
	for j := range limbs {
		b.Parents = append(b.Parents, j-1)
		b.Joints = append(b.Joints, mgl64.Vec3{float64(j), 0, 0})
	}
	b.setAxes()
	var triangles [][3]uint32
	for r := range limbs*rings + 1 {
		x := float64(r) / rings
		for k := range round {
			s, c := math.Sincos(2 * math.Pi * float64(k) / round)
			b.Vertices = append(b.Vertices, mgl64.Vec3{x, 0.2 * c, 0.2 * s})
			j := min(int(x+0.5), limbs-1) // the joint that is nearest, but for the last limb's end
			shares := []skinning.Share{{Joint: uint16(j), Weight: 1}}
			if t := (x-float64(j))/0.6 + 0.5; j > 0 && t < 1 {
				w := t * t * (3 - 2*t)
				shares = []skinning.Share{{Joint: uint16(j), Weight: w}, {Joint: uint16(j - 1), Weight: 1 - w}}
				if t <= 0 {
					shares = []skinning.Share{{Joint: uint16(j - 1), Weight: 1}}
				}
			}
			b.Swing = append(b.Swing, shares)
			b.Twist = append(b.Twist, append([]skinning.Share(nil), shares...))
			if r > 0 {
				a0, a1 := uint32((r-1)*round+k), uint32((r-1)*round+(k+1)%round)
				b0, b1 := a0+round, a1+round
				triangles = append(triangles, [3]uint32{a0, b0, a1}, [3]uint32{a1, b0, b1})
			}
		}
	}
	for i := range scans {
		pose := Pose{Place: b.Joints[0]}
		for range limbs {
			q := geom.IdentityQuat()
			if i > 0 { // the first scan is the bind pose
				q = randomTurn(rng, most)
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

// branchedBody is a random body of nine limbs in a tree of branches, with vertices that have up to four influences
// anywhere in the tree, other ones in each set, random triangles, and poses of turns up to most radians.
func branchedBody(vertices, scans int, most float64, seed uint64) (*Body, *scans) {
	rng := rand.New(rand.NewPCG(seed, 7))
	vector := func() mgl64.Vec3 { return mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()} }
	b := &Body{Parents: []int{-1, 0, 1, 1, 0, 4, 5, 5, 3}}
	for _, p := range b.Parents {
		at := vector()
		if p >= 0 {
			at = at.Add(b.Joints[p])
		}
		b.Joints = append(b.Joints, at)
	}
	b.setAxes()
	shares := func() (s []skinning.Share) {
		limbs, sum := rng.Perm(len(b.Joints))[:1+rng.IntN(4)], 0.0
		for _, j := range limbs {
			w := 0.1 + rng.Float64()
			s, sum = append(s, skinning.Share{Joint: uint16(j), Weight: w}), sum+w
		}
		for k := range s {
			s[k].Weight /= sum
		}
		return s
	}
	var triangles [][3]uint32
	for range vertices {
		b.Vertices = append(b.Vertices, vector().Mul(2))
		b.Swing, b.Twist = append(b.Swing, shares()), append(b.Twist, shares())
		n := uint32(vertices - 1) // the last has no ring
		triangles = append(triangles, [3]uint32{rng.Uint32N(n), rng.Uint32N(n), rng.Uint32N(n)})
	}
	for range scans {
		pose := Pose{Place: vector()}
		for range b.Joints {
			pose.Turns = append(pose.Turns, randomTurn(rng, most))
		}
		b.Poses = append(b.Poses, pose)
	}
	return b, newScans(posedShapes(b), triangles)
}

// randomTurn is a turn about an axis made by chance, of up to most radians.
func randomTurn(rng *rand.Rand, most float64) geom.Quat {
	axis := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
	return geom.AxisAngle(axis, most*rng.Float64())
}

// posedShapes returns the body in all of its poses.
func posedShapes(b *Body) (shapes [][]mgl64.Vec3) {
	p := b.NewPalette()
	for i := range b.Poses {
		b.SetPalette(p, &b.Poses[i])
		shape := make([]mgl64.Vec3, len(b.Vertices))
		for v := range shape {
			m := p.Map(b.Swing[v], b.Twist[v])
			shape[v] = m.Apply(b.Vertices[v])
		}
		shapes = append(shapes, shape)
	}
	return shapes
}
