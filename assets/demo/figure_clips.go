package demo

import (
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// exercise is the range of motion in twelve key poses, of which the last is the first again.
func (b *body) exercise() skinning.Clip {
	const beat = 1.25 // seconds from pose to pose
	poses := exercisePostures()
	times := make([]float32, len(poses))
	keys := make([][]geom.Quat, len(poses))
	support := make([][2]float64, len(poses))
	for i := range poses {
		times[i] = float32(beat * float64(i))
		keys[i] = b.rotations(&poses[i].posture)
		if poses[i].rest {
			keys[i] = b.unturned()
		}
		support[i] = poses[i].support
	}
	channels := append(rotationChannels(skinning.Linear, times, keys), b.groundedHips(times, keys, support))
	return newClip("exercise", channels...)
}

// supported is a posture and how much of the weight each foot bears.
type supported struct {
	posture
	support [2]float64
	rest    bool // the rest pose itself
}

func exercisePostures() []supported {
	even := [2]float64{0.5, 0.5}
	pose := func(edit func(p *posture)) supported {
		p := atEase()
		edit(&p)
		return supported{posture: p, support: even}
	}
	arms := func(p *posture, a armPosture) { p.arms = [2]armPosture{a, a} }

	forwards := pose(func(p *posture) {
		arms(p, armPosture{swing: 88, spread: 4, elbow: 4, wrist: -10})
		p.head = turn{bow: -10}
		p.trunk = turn{bow: -4}
	})
	up := pose(func(p *posture) {
		arms(p, armPosture{spread: 168, elbow: 8, pronate: -60})
		p.trunk = turn{bow: -14}
		p.neck, p.head = turn{bow: -12}, turn{bow: -14}
	})
	sideways := pose(func(p *posture) {
		arms(p, armPosture{spread: 88, elbow: 3, pronate: -20})
		p.trunk = turn{turn: 48}
		p.neck, p.head = turn{turn: 22}, turn{turn: 18}
	})
	across := pose(func(p *posture) {
		p.arms[0] = armPosture{swing: 78, spread: -26, elbow: 48, fist: 10}
		p.arms[1] = armPosture{swing: 94, spread: -26, elbow: 48, fist: 10}
		p.trunk = turn{bow: 8, turn: -48}
		p.neck, p.head = turn{turn: -18}, turn{turn: -14}
	})
	elbows := pose(func(p *posture) {
		p.arms[0] = armPosture{swing: 12, spread: 16, elbow: 128, pronate: -80, fist: 70}
		p.arms[1] = armPosture{swing: 12, spread: 16, elbow: 128, pronate: 80, fist: 70}
	})
	squat := pose(func(p *posture) {
		arms(p, armPosture{swing: 118, spread: 6, elbow: 8})
		p.hips = vec3{0, -0.38, -0.15}
		p.pelvis, p.trunk = turn{bow: 30}, turn{bow: 6}
		p.neck, p.head = turn{bow: -14}, turn{bow: -10}
		p.legs[0].knee, p.legs[1].knee = 16, 16
	})
	kneeUp := func(side int) supported {
		s := pose(func(p *posture) {
			lean := 1.0 // to the side of the leg that stands
			if side == 0 {
				lean = -1
			}
			p.hips = vec3{lean * 0.085, -0.012, 0}
			p.pelvis, p.trunk = turn{bow: -8, lean: lean * -4}, turn{bow: 10, turn: lean * 12, lean: lean * 4}
			p.legs[side] = legPosture{foot: vec3{lean * 0.05, 0.40, 0.22}, pitch: -25}
			p.arms[side] = armPosture{swing: -30, spread: 12, elbow: 70, fist: 50}
			p.arms[1-side] = armPosture{swing: 48, spread: 8, elbow: 95, fist: 50}
		})
		s.support = [2]float64{1, 0}
		if side == 0 {
			s.support = [2]float64{0, 1}
		}
		return s
	}
	bend := func(side int) supported {
		return pose(func(p *posture) {
			lean := 1.0
			if side == 1 {
				lean = -1
			}
			p.hips = vec3{-lean * 0.045, -0.008, 0}
			p.pelvis, p.trunk = turn{lean: lean * 4}, turn{lean: lean * 42}
			p.neck, p.head = turn{lean: lean * 14}, turn{lean: lean * 10}
			p.arms[side] = armPosture{spread: 50, elbow: 8, fist: 8}
			p.arms[1-side] = armPosture{spread: 160, elbow: 26, pronate: -50}
		})
	}
	rest := supported{posture: atEase(), support: even, rest: true}
	return []supported{rest, forwards, up, sideways, across, elbows, squat, kneeUp(0), bend(0), bend(1), kneeUp(1), rest}
}

// twist turns forearms, upper arms, trunk and neck one after the other up to 150 and 170 degrees about their own axes:
// the candy wrapper of linear skinning.
func (b *body) twist() skinning.Clip {
	type stage struct{ forearm, upper, trunk, neck float64 }
	stages := []stage{
		{}, {forearm: 90}, {forearm: 170}, {forearm: 170}, {forearm: 85, upper: 75}, {upper: 150}, {upper: 150},
		{upper: 75, trunk: 75}, {trunk: 150}, {trunk: 150}, {trunk: 75, neck: 60}, {neck: 120}, {neck: 120}, {neck: 60}, {},
	}
	times := make([]float32, len(stages))
	keys := make([][]geom.Quat, len(stages))
	for i, s := range stages {
		times[i] = 0.7 * float32(i)
		q := b.unturned()
		for side, name := range sides {
			sign := float64(1 - 2*side)
			axis := b.at(name + "hand").Sub(b.at(name + "upper_arm"))
			q[b.joint[name+"forearm_twist"]] = about(axis[0], axis[1], axis[2], sign*s.forearm)
			q[b.joint[name+"upper_arm"]] = about(axis[0], axis[1], axis[2], sign*s.upper)
		}
		// The joints of the trunk share its turn, half of it below the ribs.
		for joint, share := range map[string]float64{"waist": 0.5, "spine": 0.3, "chest": 0.2} {
			q[b.joint[joint]] = about(0, 1, 0, share*s.trunk)
		}
		spine := b.at("head").Sub(b.at("neck"))
		q[b.joint["neck"]] = about(spine[0], spine[1], spine[2], s.neck)
		keys[i] = q
	}
	return newClip("twist", rotationChannels(skinning.Linear, times, keys)...)
}
