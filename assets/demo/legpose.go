package demo

import (
	"math"

	"skinlab/skinning"
	"skinlab/skinning/geom"

	"github.com/go-gl/mathgl/mgl64"
)

// The joints of demo:leg. The pelvis holds the leg and never turns.
const (
	legPelvis = iota
	legHip
	legKnee
	legAnkle
)

// LegPose is a pose of demo:leg by its five degrees of freedom, degrees; all are 0 at rest. The hip swings along the
// shortest way, by the rotation vector of Flexion and Abduction, after the thigh has turned by Twist.
type LegPose struct {
	Flexion   float64 // of the hip, forwards
	Abduction float64 // of the hip, outwards
	Twist     float64 // of the thigh about its axis, toes outwards
	Knee      float64 // bend
	Ankle     float64 // toes downwards
}

// freedom is the range of a degree of freedom in degrees, and how many levels of it the grid has.
type freedom struct {
	least, most float64
	levels      int
}

// legFreedoms are in the order of LegPose. The hip and the ankle have a level every 20 degrees, as in HBR section 6.1;
// the knee has one every 30 degrees, as the paper's five levels would end at 80 degrees.
//
// HBR counts 6·6·9·5·5 levels, which are 8,100, and 6,750 examples. The grid has the paper's number of examples:
// 6·5·9·5·5 = 6,750.
var legFreedoms = [5]freedom{{-20, 80, 6}, {-20, 60, 5}, {-80, 80, 9}, {0, 120, 5}, {-40, 40, 5}}

// at returns the angle at a share of the range.
func (f *freedom) at(share float64) float64 { return f.least + share*(f.most-f.least) }

func newLegPose(angles [5]float64) LegPose {
	return LegPose{angles[0], angles[1], angles[2], angles[3], angles[4]}
}

// LegGrid returns the 6,750 poses of HBR section 6.1, the ankle running fastest.
func LegGrid() []LegPose {
	n := 1
	for _, f := range legFreedoms {
		n *= f.levels
	}
	poses := make([]LegPose, n)
	for i := range poses {
		var angles [5]float64
		rest := i
		for c := len(angles) - 1; c >= 0; c-- {
			f := &legFreedoms[c]
			angles[c] = f.at(float64(rest%f.levels) / float64(f.levels-1))
			rest /= f.levels
		}
		poses[i] = newLegPose(angles)
	}
	return poses
}

// LegSpread returns poses first to first+n−1 of an endless sequence that fills the range of motion evenly: the rest
// pose, and then the additive recurrence of the generalised golden ratio (Roberts 2018, "The Unreasonable Effectiveness
// of Quasirandom Sequences"). The examples of demo:leg are its first 200.
func LegSpread(first, n int) []LegPose {
	const ratio = 1.1347241384015194 // root of x⁶ = x + 1, for five dimensions
	poses := make([]LegPose, n)
	for k := range poses {
		i := first + k
		if i == 0 {
			continue // at rest
		}
		var angles [5]float64
		step := 1.0
		for c := range angles {
			step /= ratio
			_, share := math.Modf(0.5 + float64(i)*step)
			angles[c] = legFreedoms[c].at(share)
		}
		poses[k] = newLegPose(angles)
	}
	return poses
}

// swing returns the rotation vector by which the hip swings the thigh, radians. It has no part along y.
func (p LegPose) swing() vec3 {
	return vec3{-mgl64.DegToRad(p.Flexion), 0, mgl64.DegToRad(p.Abduction)}
}

// turns returns the rotations of hip, knee and ankle against their parents, by joint.
func (p LegPose) turns() [4]geom.Quat {
	x, y := vec3{1, 0, 0}, vec3{0, 1, 0}
	swing, angle := axisAngle(p.swing())
	return [4]geom.Quat{
		legPelvis: geom.IdentityQuat(),
		legHip:    geom.AxisAngle(swing, angle).Mul(geom.AxisAngle(y, mgl64.DegToRad(p.Twist))),
		legKnee:   geom.AxisAngle(x, mgl64.DegToRad(p.Knee)),
		legAnkle:  geom.AxisAngle(x, mgl64.DegToRad(p.Ankle)),
	}
}

// axisAngle splits a rotation vector. The axis of no rotation is x.
func axisAngle(v vec3) (axis vec3, angle float64) {
	angle = v.Len()
	if angle < 1e-12 {
		return vec3{1, 0, 0}, 0
	}
	return v.Mul(1 / angle), angle
}

// legPoseOf is the inverse of [LegPose.turns]: it splits the hip's rotation into twist and swing, and takes from knee
// and ankle the turn about x.
func legPoseOf(turns [4]geom.Quat) LegPose {
	about := func(q geom.Quat, c int) float64 { // the angle of the twist about axis c, within ±180 degrees
		a := 2 * math.Atan2(q[c], q[3])
		return math.Remainder(a, 2*math.Pi)
	}
	twist := about(turns[legHip], 1)
	swing := turns[legHip].Mul(geom.AxisAngle(vec3{0, 1, 0}, -twist))
	if swing[3] < 0 {
		swing = swing.Scale(-1)
	}
	v := swing.Log().Mul(2)
	return LegPose{Flexion: -mgl64.RadToDeg(v[0]), Abduction: mgl64.RadToDeg(v[2]), Twist: mgl64.RadToDeg(twist),
		Knee: mgl64.RadToDeg(about(turns[legKnee], 0)), Ankle: mgl64.RadToDeg(about(turns[legAnkle], 0))}
}

// legChannels keys hip, knee and ankle.
func legChannels(mode skinning.Interpolation, times []float32, poses []LegPose) []skinning.Channel {
	keys := make([][]geom.Quat, len(poses))
	for i, p := range poses {
		turns := p.turns()
		keys[i] = turns[:]
	}
	return rotationChannels(mode, times, keys)
}
