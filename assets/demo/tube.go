package demo

import (
	"math"

	"skinlab/skinning"
	"skinlab/skinning/geom"

	"github.com/go-gl/mathgl/mgl64"
)

// The elastic tube of ALNS (figures 6 and 7, table 3): 1,380 vertices, four bones in a row, and weights so wide that
// nearly every vertex feels all four: 3.86 influences a vertex. It is closed: 53 rings of 26 vertices and a point at
// each end.
const (
	tubeLength = 1.0
	tubeRadius = 0.085
	tubeFillet = 0.045 // radius of the rounded rims
	tubeRings  = 53
	tubeAround = 26
	tubeBones  = 4
	tubeHeight = 0.3 // of the axis above the ground: the tube stays clear of it in every clip
	// At the distance tubeWidth from its middle, a bone's weight has dropped to an eighth, and at tubeReach it is 0.
	// Four rings and the point at the far end, 105 vertices, are beyond the reach of each end bone. So 2·105 of the
	// 4·1,380 possible influences are missing, and a vertex has 3.848 on average.
	tubeWidth = 0.28
	tubeReach = 0.852
)

func newTube() *skinning.Model {
	m := &skinning.Model{Name: "demo:tube", Materials: matte("tube", 0.42, 0.065, 0.04), Clips: tubeClips()}
	bones := make([]bone, tubeBones)
	for b := range bones {
		x := tubeLength * (float64(b)/tubeBones - 0.5)
		bones[b] = bone{"bone" + string(rune('1'+b)), b - 1, vec3{x, tubeHeight, 0}}
	}
	m.Skeleton = newSkeleton("tube", bones)

	skin := &m.Skin
	add := func(profile, normal mgl64.Vec2, turn float64) {
		s, c := math.Sincos(turn)
		skin.Positions = append(skin.Positions,
			geom.Vec32(vec3{profile[0], tubeHeight + profile[1]*c, profile[1] * s}))
		skin.Normals = append(skin.Normals, geom.Vec32(vec3{normal[0], normal[1] * c, normal[1] * s}))
		skin.Append(tubeWeights(profile[0]), 0)
	}
	add(mgl64.Vec2{-tubeLength / 2, 0}, mgl64.Vec2{-1, 0}, 0)
	for r := range tubeRings {
		p, n := tubeProfile(float64(r+1) / (tubeRings + 1))
		for a := range tubeAround {
			add(p, n, 2*math.Pi*float64(a)/tubeAround)
		}
	}
	add(mgl64.Vec2{tubeLength / 2, 0}, mgl64.Vec2{1, 0}, 0)
	skin.Triangles = ringTriangles(tubeRings, tubeAround)
	skin.Parts = wholeMesh("tube", skin)
	return m
}

// tubeWeights gives bone b the weight 1/(1 + d²/width²)³ at distance d along the axis from its middle, less the value
// at its reach, beyond which it is zero. The long tail gives far bones noticeable weights; those of a normal curve
// would be negligible.
func tubeWeights(x float64) []skinning.Influence {
	pull := func(d float64) float64 {
		d /= tubeWidth
		return 1 / ((1 + d*d) * (1 + d*d) * (1 + d*d))
	}
	w := make([]skinning.Influence, tubeBones)
	for b := range w {
		middle := tubeLength * ((float64(b)+0.5)/tubeBones - 0.5)
		w[b] = skinning.Influence{Joint: uint16(b), Weight: float32(max(0, pull(x-middle)-pull(tubeReach)))}
	}
	return w
}

// tubeProfile returns the point (x, radius) and the normal of the tube's outline at fraction s of its length: half of
// the left face, the left rim, the side, and the same on the right.
func tubeProfile(s float64) (p, n mgl64.Vec2) {
	const (
		face = tubeRadius - tubeFillet
		rim  = math.Pi / 2 * tubeFillet
		side = tubeLength - 2*tubeFillet
	)
	t := s * 2 * (face + rim + side/2)
	right := s > 0.5
	if right {
		t = (1 - s) * 2 * (face + rim + side/2)
	}
	switch {
	case t < face:
		p, n = mgl64.Vec2{-tubeLength / 2, t}, mgl64.Vec2{-1, 0}
	case t < face+rim:
		sin, cos := math.Sincos((t - face) / tubeFillet)
		n = mgl64.Vec2{-cos, sin}
		p = mgl64.Vec2{-tubeLength/2 + tubeFillet, face}.Add(n.Mul(tubeFillet))
	default:
		p, n = mgl64.Vec2{-tubeLength/2 + tubeFillet + t - face - rim, tubeRadius}, mgl64.Vec2{0, 1}
	}
	if right {
		p[0], n[0] = -p[0], -n[0]
	}
	return p, n
}

// ringTriangles closes rings of vertices about the x axis, turning from +y to +z, with a point before the first ring
// and one after the last: outward counter-clockwise.
func ringTriangles(rings, around int) [][3]uint32 {
	var t [][3]uint32
	at := func(r, a int) uint32 { return uint32(1 + r*around + a%around) }
	last := uint32(1 + rings*around)
	for a := range around {
		t = append(t, [3]uint32{0, at(0, a+1), at(0, a)}, [3]uint32{last, at(rings-1, a), at(rings-1, a+1)})
		for r := 0; r+1 < rings; r++ {
			p, q, u, v := at(r, a), at(r, a+1), at(r+1, a), at(r+1, a+1)
			t = append(t, [3]uint32{p, q, v}, [3]uint32{p, v, u})
		}
	}
	return t
}

// tubeClips: train holds ALNS's six training frames, one a second from 0: in key k = 1 … 6 each of the three joints
// twists by 10k° about the tube's axis and then bends by 8k°, the first and third about y, the second about z. writhe
// is a loop of the same kind in which the bends travel along the tube and around it.
func tubeClips() []skinning.Clip {
	train := make([]skinning.Channel, 0, tubeBones-1)
	writhe := make([]skinning.Channel, 0, tubeBones-1)
	for j := 1; j < tubeBones; j++ {
		times := make([]float32, 6)
		keys := make([]geom.Quat, len(times))
		for k := range keys {
			times[k] = float32(k)
			turn := float64(k + 1)
			axis := vec3{0, float64(j % 2), float64((j + 1) % 2)}
			keys[k] = tubeJoint(axis, mgl64.DegToRad(8*turn), mgl64.DegToRad(10*turn))
		}
		train = append(train, rotationChannel(j, skinning.Linear, times, keys))

		times = make([]float32, 33)
		keys = make([]geom.Quat, len(times))
		for k := range keys {
			times[k] = float32(k) / 8
			phase := 2 * math.Pi * float64(k) / float64(len(keys)-1)
			s, c := math.Sincos(phase - float64(j-1)*math.Pi/3)
			bend := vec3{0, 46 * c, 30 + 14*s} // degrees about y and z: a little upwards on the whole
			twist := 80 * math.Sin(2*phase-float64(j-1)*math.Pi/4)
			keys[k] = tubeJoint(bend, mgl64.DegToRad(bend.Len()), mgl64.DegToRad(twist))
		}
		writhe = append(writhe, rotationChannel(j, skinning.Linear, times, keys))
	}
	return []skinning.Clip{newClip("writhe", writhe...), newClip("train", train...)}
}

// tubeJoint twists about the tube's axis and then bends about an axis across it; angles in radians.
func tubeJoint(bendAxis vec3, bend, twist float64) geom.Quat {
	return geom.AxisAngle(bendAxis, bend).Mul(geom.AxisAngle(vec3{1, 0, 0}, twist))
}
