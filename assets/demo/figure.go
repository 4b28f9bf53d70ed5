package demo

import (
	_ "embed" // the packed mesh
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

//go:generate go run -C ../../lab ./sculpt ../assets/demo/figure.bin

// figureData is the sculpted, meshed and weighted person. Package lab/sculpt/figure generates it.
//
//go:embed figure.bin
var figureData string

// newFigure makes the person of demo:figure: 1.75 m, one closed mesh, arms held away from the body at rest.
func newFigure() *skinning.Model {
	m := unpackModel("figure", figureData)
	m.Materials = matte("clay", 0.46, 0.315, 0.245)
	body := newBody(&m.Skeleton)
	m.Clips = []skinning.Clip{body.exercise(), body.jumpingJacks(), body.walk(), body.twist()}
	return m
}

// armPosture poses an arm, degrees. Swing and spread place the upper arm relative to the chest: it hangs down, is
// spread outwards, then swung forwards, so that swing 90 with spread 0 points forwards, with spread 90 outwards.
type armPosture struct {
	swing, spread float64
	roll          float64 // about the upper arm's axis, inwards
	elbow         float64 // bend
	pronate       float64 // turns the thumb inwards, halfway down the forearm
	wrist         float64 // bend towards the palm
	fist          float64 // bend of the fingers at both rows
}

// legPosture places a foot in the world; the leg follows by inverse kinematics.
type legPosture struct {
	foot  vec3    // offset from where the foot stands at rest, metres
	pitch float64 // degrees; positive raises the toes about the heel, negative the heel about the ball
	knee  float64 // degrees that the knee points outwards
}

// turn is a rotation of a joint of the trunk in degrees: bow forwards, turn to the left, lean to the left.
type turn struct{ bow, turn, lean float64 }

func (t turn) quat() geom.Quat {
	return about(0, 1, 0, t.turn).Mul(about(1, 0, 0, t.bow)).Mul(about(0, 0, 1, -t.lean))
}

// posture is a whole pose. Index 0 is the left side.
type posture struct {
	hips       vec3 // offset of the pelvis, metres
	pelvis     turn
	trunk      turn // spread evenly over waist, spine and chest
	neck, head turn
	arms       [2]armPosture
	legs       [2]legPosture
}

// about is the rotation by degrees about (x, y, z).
func about(x, y, z, degrees float64) geom.Quat {
	return geom.AxisAngle(vec3{x, y, z}, degrees*math.Pi/180)
}

// body turns postures into joint rotations.
type body struct {
	skeleton *skinning.Skeleton
	joint    map[string]int
}

func newBody(s *skinning.Skeleton) *body {
	b := &body{skeleton: s, joint: make(map[string]int, len(s.Joints))}
	for i := range s.Joints {
		b.joint[s.Joints[i].Name] = i
	}
	return b
}

func (b *body) at(name string) vec3 {
	j, ok := b.joint[name]
	if !ok {
		panic("demo: figure: no joint " + name)
	}
	return b.skeleton.Joints[j].Position
}

// atEase is a standing posture in which the arms hang nearly naturally. Other postures start from it.
func atEase() posture {
	var p posture
	for i := range p.arms {
		p.arms[i] = armPosture{swing: 2, spread: 14, elbow: 12, fist: 8}
	}
	p.hips = vec3{0, -0.004, 0}
	return p
}

var sides = [2]string{"left_", "right_"}

// rotations returns the local rotation of every joint in the posture.
func (b *body) rotations(p *posture) []geom.Quat {
	q := b.unturned()
	third := turn{p.trunk.bow / 3, p.trunk.turn / 3, p.trunk.lean / 3}.quat()
	q[b.joint["hips"]] = p.pelvis.quat()
	q[b.joint["waist"]], q[b.joint["spine"]], q[b.joint["chest"]] = third, third, third
	q[b.joint["neck"]], q[b.joint["head"]] = p.neck.quat(), p.head.quat()
	for side := range sides {
		b.arm(q, side, &p.arms[side])
		b.leg(q, side, p)
	}
	return q
}

// unturned is the rest pose: no joint is turned.
func (b *body) unturned() []geom.Quat {
	return slices.Repeat([]geom.Quat{geom.IdentityQuat()}, len(b.skeleton.Joints))
}

// arm sets the rotations of one arm. They are worked out for the left side and mirrored for the right.
func (b *body) arm(q []geom.Quat, side int, a *armPosture) {
	shoulder, elbow, wrist := b.at("left_upper_arm"), b.at("left_forearm"), b.at("left_hand")
	axis := wrist.Sub(shoulder).Normalize()
	face := vec3{0, 0, 1} // the side of the biceps and the thumb
	hinge := axis.Cross(face).Normalize()
	palm := hinge // the palm looks down and inwards

	direction := about(1, 0, 0, -a.swing).Mul(about(0, 0, 1, a.spread)).Rotate(vec3{0, -1, 0})
	upper := shortestTurn(axis, direction).Mul(about(axis[0], axis[1], axis[2], a.roll))
	// The collar bone takes part of what goes above the horizontal.
	lift := math.Max(0, math.Asin(direction[1])*180/math.Pi+25) * 0.28
	clavicle := about(0, 0, 1, lift)
	set := func(name string, r geom.Quat) {
		if side == 1 {
			r = geom.Quat{r[0], -r[1], -r[2], r[3]} // the mirror image in x = 0
		}
		q[b.joint[sides[side]+name]] = r
	}
	set("clavicle", clavicle)
	set("upper_arm", clavicle.Conjugate().Mul(upper))
	set("forearm", about(hinge[0], hinge[1], hinge[2], a.elbow))
	along := wrist.Sub(elbow)
	set("forearm_twist", about(along[0], along[1], along[2], a.pronate))
	flex := axis.Cross(palm) // bends the fingers into the palm
	set("hand", about(flex[0], flex[1], flex[2], a.wrist))
	set("fingers", about(flex[0], flex[1], flex[2], a.fist))
	set("fingertips", about(flex[0], flex[1], flex[2], a.fist))
	set("thumb", about(axis[0], axis[1], axis[2], a.fist*0.25))
}

// shortestTurn is the shortest rotation that takes unit vector u to unit vector v.
func shortestTurn(u, v vec3) geom.Quat {
	c := u.Cross(v)
	return geom.Quat{c[0], c[1], c[2], 1 + u.Dot(v)}.Normalize()
}

// leg sets the rotations of one leg by inverse kinematics of hip, knee and ankle. A foot out of reach is drawn in.
func (b *body) leg(q []geom.Quat, side int, p *posture) {
	name := sides[side]
	hip, knee, ankle := b.at(name+"thigh"), b.at(name+"shin"), b.at(name+"foot")
	pelvis := q[b.joint["hips"]]
	root := b.at("hips")
	from := root.Add(p.hips).Add(pelvis.Rotate(hip.Sub(root)))
	to, foot := b.ankle(side, &p.legs[side])

	outwards := p.legs[side].knee
	if side == 1 {
		outwards = -outwards
	}
	pole := about(0, 1, 0, p.pelvis.turn/2+outwards).Rotate(vec3{0, 0, 1})
	l1, l2 := knee.Sub(hip).Len(), ankle.Sub(knee).Len()
	reach := to.Sub(from)
	d := math.Min(reach.Len(), l1+l2-1e-4)
	along := reach.Normalize()
	cos := (l1*l1 + d*d - l2*l2) / (2 * l1 * d)
	bent := pole.Sub(along.Mul(pole.Dot(along))).Normalize()
	middle := from.Add(along.Mul(l1 * cos)).Add(bent.Mul(l1 * math.Sqrt(math.Max(0, 1-cos*cos))))
	end := from.Add(along.Mul(d))

	rest := ankle.Sub(hip)
	thigh := aim(rest, vec3{0, 0, 1}, middle.Sub(from), pole)
	shin := aim(rest, vec3{0, 0, 1}, end.Sub(middle), pole)
	q[b.joint[name+"thigh"]] = pelvis.Conjugate().Mul(thigh)
	q[b.joint[name+"shin"]] = thigh.Conjugate().Mul(shin)
	q[b.joint[name+"foot"]] = shin.Conjugate().Mul(foot)
	q[b.joint[name+"toes"]] = about(1, 0, 0, math.Min(0, p.legs[side].pitch))
}

// ankle returns where a posture puts an ankle, and the rotation of the foot.
func (b *body) ankle(side int, l *legPosture) (at vec3, foot geom.Quat) {
	rest, pivot := b.at(sides[side]+"foot"), b.at(sides[side]+"toes")
	if l.pitch > 0 {
		pivot = rest.Sub(vec3{0, 0, 0.045}) // the heel
	}
	pivot[1] = 0
	foot = about(1, 0, 0, -l.pitch)
	return pivot.Add(foot.Rotate(rest.Sub(pivot))).Add(l.foot), foot
}

// aim is the rotation that takes direction from to direction to. It also takes the part of face that is perpendicular
// to from to that of pole that is perpendicular to to.
func aim(from, face, to, pole vec3) geom.Quat {
	return geom.QuatFromMat3(triad(to, pole).Mul(triad(from, face).Transpose()))
}

// triad is the rotation matrix whose columns are axis, the part of face at right angles to it, and their cross product.
func triad(axis, face vec3) geom.Mat3 {
	a := axis.Normalize()
	f := face.Sub(a.Mul(face.Dot(a))).Normalize()
	s := a.Cross(f)
	return geom.Mat3{a[0], f[0], s[0], a[1], f[1], s[1], a[2], f[2], s[2]}
}
