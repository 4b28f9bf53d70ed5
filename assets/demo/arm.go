package demo

import (
	_ "embed" // the packed mesh
	"math"
	"slices"

	"skinlab/internal/packed"
	"skinlab/skinning"
	"skinlab/skinning/geom"

	"github.com/go-gl/mathgl/mgl64"
)

//go:generate go run -C ../../lab ./sculpt ../assets/demo/arm.bin

//go:embed arm.bin
var armData string // mesh, rig and weights, sculpted by lab/sculpt/arm

// newArm is a right arm with shoulder, elbow, forearm twist and hand, and example shapes. At rest it points along +x,
// biceps up, back of the hand towards +z, the forearm half-way between palm up and palm down.
func newArm() *skinning.Model {
	m := unpackModel("arm", armData)
	m.Materials = matte("skin", 0.36, 0.175, 0.115)
	rig := newArmRig(&m.Skeleton)
	m.Clips = rig.clips()
	addArmExamples(m, rig)
	return m
}

// unpackModel turns an embedded model into one with mesh and skeleton, without material and clips. It panics on bad
// data: the data is ours.
func unpackModel(name, data string) *skinning.Model {
	p, err := packed.Decode([]byte(data))
	if err != nil {
		panic("demo: " + name + ": " + err.Error())
	}
	bones := make([]bone, len(p.Joints))
	for i, j := range p.Joints {
		bones[i] = bone{j.Name, j.Parent, j.At}
	}
	m := &skinning.Model{Name: "demo:" + name, Skeleton: newSkeleton(name, bones)}
	m.Skin = skinning.Mesh{Positions: p.Positions, Normals: p.Normals, Triangles: p.Triangles, Influences: p.Weights}
	m.Skin.Parts = wholeMesh(name, &m.Skin)
	return m
}

// armRig finds the arm's joints by name and turns them. Angles are in degrees.
type armRig struct {
	joints                         int // their number
	upperArm, forearm, twist, hand int
	digits                         [5][3]int // thumb to little finger, root to tip
	thumbAxis                      vec3
}

func newArmRig(s *skinning.Skeleton) *armRig {
	joint := func(name string) int {
		for j := range s.Joints {
			if s.Joints[j].Name == name {
				return j
			}
		}
		panic("demo: the arm has no joint " + name)
	}
	r := &armRig{joints: len(s.Joints), upperArm: joint("upper_arm"), forearm: joint("forearm"), twist: joint("forearm_twist"),
		hand: joint("hand")}
	for i, d := range []string{"thumb", "index", "middle", "ring", "little"} {
		for k := range r.digits[i] {
			r.digits[i][k] = joint(d + string(rune('1'+k)))
		}
	}
	along := s.Joints[r.digits[0][1]].Position.Sub(s.Joints[r.digits[0][0]].Position)
	r.thumbAxis = along.Cross(vec3{0.2, -0.6, -0.75}).Normalize() // closing, the tip goes across the palm
	return r
}

// armPose is a posture of the arm in degrees: elbow flexion, supination of the forearm (thumb outwards; negative is
// pronation), lift of the upper arm, bend of the wrist towards the thumb side, and how far the fist is closed, 0 to 1.
type armPose struct {
	elbow, twist, lift, wrist, fist float64
}

// turns returns the rotation of every joint in a posture.
func (r *armRig) turns(p armPose) []geom.Quat {
	turn := func(axis vec3, degrees float64) geom.Quat {
		return geom.AxisAngle(axis, mgl64.DegToRad(degrees))
	}
	x, y, z := vec3{1, 0, 0}, vec3{0, 1, 0}, vec3{0, 0, 1}
	t := slices.Repeat([]geom.Quat{geom.IdentityQuat()}, r.joints)
	t[r.upperArm], t[r.forearm], t[r.twist], t[r.hand] = turn(z, p.lift), turn(z, p.elbow), turn(x, p.twist), turn(z, p.wrist)
	closed := [2][3]float64{{12, 24, 26}, {62, 78, 46}} // of thumb and fingers
	for i, d := range r.digits {
		axis, angles := y, closed[1]
		if i == 0 {
			axis, angles = r.thumbAxis, closed[0]
		}
		for k, j := range d {
			t[j] = turn(axis, p.fist*angles[k])
		}
	}
	return t
}

// channels keys all joints that turn in any of the postures.
func (r *armRig) channels(mode skinning.Interpolation, times []float32, poses []armPose) []skinning.Channel {
	keys := make([][]geom.Quat, len(poses))
	for i, p := range poses {
		keys[i] = r.turns(p)
	}
	return rotationChannels(mode, times, keys)
}

// clips returns the clips of the arm; all are loops. flex bends the elbow to 135 degrees and makes a fist. twist turns
// the forearm out to 170 degrees, twice the range of an arm, to show the candy wrapper, and back past the middle to
// −90. flex-twist does both within the range of the examples.
func (r *armRig) clips() []skinning.Clip {
	const rate = 12 // keys a second
	clip := func(name string, seconds int, at func(phase float64) armPose) skinning.Clip {
		n := seconds*rate + 1
		times, poses := make([]float32, n), make([]armPose, n)
		for k := range poses {
			times[k] = float32(k) / rate
			poses[k] = at(float64(k) / float64(n-1))
		}
		return newClip(name, r.channels(skinning.Linear, times, poses)...)
	}
	return []skinning.Clip{
		clip("flex", 4, func(u float64) armPose {
			s := between(u, 0.05, 0.45) - between(u, 0.60, 0.95)
			return armPose{elbow: 135 * s, lift: 8 * s, wrist: -6 * s, fist: 0.12 + 0.75*s}
		}),
		clip("twist", 6, func(u float64) armPose {
			out, back, home := between(u, 0.04, 0.30), between(u, 0.40, 0.74), between(u, 0.80, 0.97)
			return armPose{twist: 170*out - 260*back + 90*home, fist: 0.1}
		}),
		clip("flex-twist", 6, func(u float64) armPose {
			s, c := math.Sincos(2 * math.Pi * u)
			return armPose{elbow: 60 * (1 - c), twist: 80 * s * (1 - 0.25*c*c), lift: 4 * (1 - c), fist: 0.12 + 0.25*(1-c)}
		}),
	}
}

// between rises from 0 at a to 1 at b with level ends.
func between(u, a, b float64) float64 {
	v := max(0, min(1, (u-a)/(b-a)))
	return v * v * (3 - 2*v)
}
