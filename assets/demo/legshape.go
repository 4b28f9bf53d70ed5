package demo

import (
	"fmt"
	"math"
	"runtime"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"

	"github.com/go-gl/mathgl/mgl64"
)

// Leg computes the true skin of demo:leg or demo:leg-smooth in any pose. The leg's example shapes are samples of it. It
// takes the place of the muscle system of HBR section 6.1. Muscles under the skin shorten and thicken as the joints
// turn, keep their volume, lift the skin along its normal and drag it along. Flesh takes part of each turn, by a share
// that rises smoothly over the joint, and over most of the thigh for its twist. Flesh keeps its distance from the
// joint, so that it does not collapse as it does in linear blending. The skin is a smooth function of the pose.
//
// A Leg is read-only and may be used by several goroutines.
type Leg struct {
	model    *skinning.Model
	hip      vec3 // metres
	joints   legJoints
	muscles  []muscle
	atRest   [][2]float64 // lengths of each muscle's path
	strength float64      // factor on the bulging of the muscles: 1 for a leg
	points   []legPoint   // one per vertex
}

// legPoint is a vertex relative to the hip at rest, with the turns that it takes part in and the muscles that it feels.
type legPoint struct {
	at, normal vec3
	shares     legShares
	pulls      []musclePull
}

type musclePull struct {
	muscle int
	share  float64
	along  vec3
}

// legSlide is the share of a muscle's motion that the skin over it follows.
const legSlide = 0.4

// stylized is the strength of the muscles of demo:leg-smooth (HBR section 6.4: "amplify the muscle deformation").
const stylized = 2

// LegOf returns the leg that computes the shapes of a built-in model; false where the model is not a leg.
func LegOf(m *skinning.Model) (*Leg, bool) {
	strength := map[string]float64{Prefix + "leg": 1, Prefix + "leg-smooth": stylized}[m.Name]
	if strength == 0 {
		return nil, false
	}
	return newLegShapes(m, strength), true
}

func newLegShapes(m *skinning.Model, strength float64) *Leg {
	at := func(j int) vec3 { return m.Skeleton.Joints[j].Position }
	l := &Leg{model: m, hip: at(legHip), muscles: legMuscles(), strength: strength,
		joints: legJoints{knee: at(legKnee).Sub(at(legHip)), ankle: at(legAnkle).Sub(at(legHip))}}
	still := l.joints.turns(LegPose{})
	for i := range l.muscles {
		l.atRest = append(l.atRest, l.muscles[i].lengths(&still))
	}
	for v, p := range m.Skin.Positions {
		q := legPoint{at: geom.Vec64(p).Sub(l.hip), normal: geom.Vec64(m.Skin.Normals[v])}
		q.shares = l.joints.fleshShares(q.at)
		for i := range l.muscles {
			const least = 1e-3 // of a few millimetres
			half := l.muscles[i].share * (l.atRest[i][0] + l.atRest[i][1]) / 2
			if share, along := l.muscles[i].reach(q.at, half); share > least {
				q.pulls = append(q.pulls, musclePull{i, share - least, along})
			}
		}
		l.points = append(l.points, q)
	}
	return l
}

// Shape writes the skin in a pose to dst, one position per vertex, metres, the pelvis at rest. It panics where dst has
// another length.
func (l *Leg) Shape(dst []mgl64.Vec3, p LegPose) {
	if len(dst) != len(l.points) {
		panic(fmt.Sprintf("demo: leg: %d positions for %d vertices", len(dst), len(l.points)))
	}
	t := l.joints.turns(p)
	lift, drag := make([]float64, len(l.muscles)), make([]float64, len(l.muscles))
	for i := range l.muscles {
		s := l.muscles[i].state(&t, &l.atRest[i])
		// The bone below does not give way, so the skin rises by the whole change of the diameter.
		lift[i] = l.strength * 2 * l.muscles[i].radius * (s.thickness() - 1)
		drag[i] = legSlide * s.slide
	}
	for v := range l.points {
		q := &l.points[v]
		at, height := q.at, 0.0
		for _, pull := range q.pulls {
			height += pull.share * lift[pull.muscle]
			at = at.Add(pull.along.Mul(pull.share * drag[pull.muscle]))
		}
		dst[v] = l.hip.Add(t.carry(at.Add(q.normal.Mul(height)), &q.shares))
	}
}

// SetPose poses a model's skeleton, the pelvis as it is.
func (l *Leg) SetPose(pose *skinning.Pose, p LegPose) {
	for j, q := range p.turns() {
		if j != legPelvis {
			pose.Local[jointNode(j)].Rotation = q
		}
	}
}

// PoseOf reads the leg's degrees of freedom from a pose of the model's skeleton, such as one of its clips.
func (l *Leg) PoseOf(pose *skinning.Pose) LegPose {
	var turns [4]geom.Quat
	for j := range turns {
		turns[j] = pose.Local[jointNode(j)].Rotation
	}
	return legPoseOf(turns)
}

// Shapes computes the skin in many poses, [pose][vertex], metres, on all processors. The 6,750 poses of [LegGrid] take
// 107 MB for demo:leg and 1.35 GB for demo:leg-smooth.
func (l *Leg) Shapes(poses []LegPose) [][]mgl64.Vec3 {
	shapes := make([][]mgl64.Vec3, len(poses))
	parallel.For(runtime.GOMAXPROCS(0), len(poses), func(_, i int) {
		shapes[i] = make([]mgl64.Vec3, len(l.points))
		l.Shape(shapes[i], poses[i])
	})
	return shapes
}

// legJoints is where knee and ankle are at rest, relative to the hip.
type legJoints struct{ knee, ankle vec3 }

// fleshShares returns the shares of a point of the skin at rest, relative to the hip. The hip's ramp runs along the
// groin, low on the inner side and at the buttock.
func (j *legJoints) fleshShares(p vec3) legShares {
	return legShares{
		swing: between(-p[1]+0.30*p[0]+0.25*p[2], -0.110, 0.150),
		twist: between(-p[1], -0.040, 0.360),
		knee:  between(j.knee[1]-p[1], -0.085, 0.085),
		ankle: between(j.ankle[1]-p[1]+0.50*(p[2]-j.ankle[2]), -0.060, 0.040),
	}
}

// legTurns is a pose as angles in radians. The zero value is the rest pose.
type legTurns struct {
	legJoints
	axis               vec3 // of the swing, a unit vector
	swing              float64
	twist, knee, ankle float64 // about y, x and x
}

func (j legJoints) turns(p LegPose) legTurns {
	t := legTurns{legJoints: j, twist: mgl64.DegToRad(p.Twist), knee: mgl64.DegToRad(p.Knee),
		ankle: mgl64.DegToRad(p.Ankle)}
	t.axis, t.swing = axisAngle(p.swing())
	return t
}

// carry moves a point, relative to the hip at rest, by its shares of the rotations, from the ankle's to the hip's
// swing.
func (t *legTurns) carry(p vec3, s *legShares) vec3 {
	p = aboutX(p, t.legJoints.ankle, s.ankle*t.ankle)
	p = aboutX(p, t.legJoints.knee, s.knee*t.knee)
	if a := s.twist * t.twist; a != 0 {
		sin, cos := math.Sincos(a)
		p[0], p[2] = cos*p[0]+sin*p[2], cos*p[2]-sin*p[0]
	}
	if a := s.swing * t.swing; a != 0 { // Rodrigues' formula
		sin, cos := math.Sincos(a)
		p = p.Mul(cos).Add(t.axis.Cross(p).Mul(sin)).Add(t.axis.Mul(t.axis.Dot(p) * (1 - cos)))
	}
	return p
}

// aboutX turns a point about the axis through centre along x.
func aboutX(p, centre vec3, angle float64) vec3 {
	if angle == 0 {
		return p
	}
	sin, cos := math.Sincos(angle)
	y, z := p[1]-centre[1], p[2]-centre[2]
	return vec3{p[0], centre[1] + cos*y - sin*z, centre[2] + sin*y + cos*z}
}
