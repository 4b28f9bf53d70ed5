// Package figure is the sculpture behind demo:figure: the implicit surface of a person, its rig and its weights. A
// person of 1.75 m and 7.6 heads stands with the arms held 45 degrees away from the body, metres, +Y up, facing +Z.
// Sizes follow those of average adults (circumferences from anthropometric surveys; proportions checked against
// MakeHuman's base mesh, CC0).
//
// Everything is modelled for the left side, x > 0, and mirrored.
package figure

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/lab/sculpt/implicit"
)

type vec = mgl64.Vec3

// The joints' rest positions on the left side and in the middle, metres.
var (
	atHips     = vec{0, 0.945, 0.005}
	atWaist    = vec{0, 1.045, 0.0}
	atSpine    = vec{0, 1.155, -0.005}
	atChest    = vec{0, 1.265, -0.012}
	atNeck     = vec{0, 1.465, -0.018}
	atHead     = vec{0, 1.565, 0.012}
	atClavicle = vec{0.025, 1.418, 0.02}
	atShoulder = vec{0.182, 1.414, -0.012}
	atHip      = vec{0.090, 0.915, 0.005}
	atAnkle    = vec{0.128, 0.078, -0.022}
)

const (
	upperArm = 0.285 // shoulder to elbow
	foreArm  = 0.252 // elbow to wrist
	thigh    = 0.425 // hip to knee, along the leg
)

// upright is the world's frame: T points up, x to the left side, z forwards.
func upright() implicit.Frame {
	return implicit.Frame{Axis: vec{0, 1, 0}, Side: vec{1, 0, 0}, Face: vec{0, 0, 1}}
}

// armFrame runs from the shoulder along the straight arm: T points to the hand, x up and outwards, z forwards.
func armFrame() implicit.Frame {
	s := math.Sqrt(0.5)
	return implicit.Frame{Origin: atShoulder, Axis: vec{s, -s, 0}, Side: vec{s, s, 0}, Face: vec{0, 0, 1}}
}

// legFrame runs from the hip down to the ankle: T points down, x outwards, z forwards.
func legFrame() implicit.Frame {
	axis := atAnkle.Sub(atHip).Normalize()
	side := vec{1, 0, 0}
	side = side.Sub(axis.Mul(side.Dot(axis))).Normalize()
	face := vec{0, 0, 1}
	face = face.Sub(axis.Mul(face.Dot(axis)))
	face = face.Sub(side.Mul(face.Dot(side))).Normalize()
	return implicit.Frame{Origin: atHip, Axis: axis, Side: side, Face: face}
}

// handFrame starts at the wrist: T points along the fingers, x to the thumb's side, z out of the back of the hand.
func handFrame() implicit.Frame {
	a := armFrame()
	return implicit.Frame{Origin: a.At(0, upperArm+foreArm, 0.010), Axis: a.Axis, Side: a.Face, Face: a.Side}
}

// footFrame starts on the ground below the ankle: T points to the toes, turned out by 8 degrees, x outwards, z up.
func footFrame() implicit.Frame {
	sin, cos := math.Sincos(8 * math.Pi / 180)
	return implicit.Frame{Origin: vec{atAnkle[0], 0, atAnkle[2]}, Axis: vec{sin, 0, cos}, Side: vec{cos, 0, -sin},
		Face: vec{0, 1, 0}}
}

// round is a loft section of left-right symmetry about x = 0.
func round(t, z, wide, front, back, power float64) implicit.Section {
	return implicit.Section{T: t, Z: z, Left: wide, Right: wide, Front: front, Back: back, Power: power}
}

// blob is an ellipsoid turned by degrees about x, y and z.
func blob(centre, half, turn vec) implicit.Shape {
	return implicit.Ellipsoid(centre, half, implicit.Turn(turn[0], turn[1], turn[2]))
}
