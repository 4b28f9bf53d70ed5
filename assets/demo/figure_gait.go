package demo

import (
	"math"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// motion keys a posture that is a function of the phase, 0 to 1, at n even intervals.
func (b *body) motion(name string, seconds float64, n int, at func(phase float64) posture) skinning.Clip {
	times := make([]float32, n+1)
	keys := make([][]geom.Quat, n+1)
	hips := skinning.Channel{
		Node: jointNode(b.joint["hips"]), Path: skinning.PathTranslation, Interpolation: skinning.Linear, Width: 3,
		Times: times,
	}
	for i := range times {
		phase := float64(i) / float64(n)
		times[i] = float32(seconds * phase)
		p := at(phase)
		keys[i] = b.rotations(&p)
		h := b.at("hips").Add(p.hips)
		hips.Values = append(hips.Values, float32(h[0]), float32(h[1]), float32(h[2]))
	}
	return newClip(name, append(rotationChannels(skinning.Linear, times, keys), hips)...)
}

// walk is one cycle of two steps in place, as on a treadmill: 1 m in 1.1 s. Each foot strikes with the heel, rolls over
// the sole, leaves with the toes and swings through; the pelvis turns with the leading leg, drops on the swinging side
// and moves over the standing foot; the chest and the arms turn against it.
func (b *body) walk() skinning.Clip {
	return b.motion("walk", 1.1, 32, func(phase float64) posture {
		p := atEase()
		wave := func(shift float64) float64 { return math.Cos(2 * math.Pi * (phase - shift)) }
		// The left heel strikes at phase 0, the right one at 0.5.
		for side := range p.legs {
			p.legs[side] = footfall(phase + 0.5*float64(side))
			p.legs[side].foot[0] = []float64{-0.045, 0.045}[side] // feet closer together than in the rest pose
			p.legs[side].knee = 3
		}
		p.hips = vec3{0.018 * wave(0.30), -0.015 - 0.010*math.Cos(4*math.Pi*(phase-0.02)), 0}
		p.pelvis = turn{bow: 3, turn: -7 * wave(0), lean: -3.5 * wave(0.27)}
		p.trunk = turn{bow: 2, turn: 14 * wave(0), lean: 4 * wave(0.27)}
		p.neck = turn{bow: -2, turn: -4 * wave(0), lean: -0.5 * wave(0.27)}
		p.head = turn{bow: -2, turn: -3 * wave(0)}
		for side := range p.arms {
			forward := -wave(0.02) // opposite to the leg
			if side == 1 {
				forward = -forward
			}
			p.arms[side] = armPosture{swing: 4 + 24*forward, spread: 12, roll: -4, elbow: 22 + 13*forward, pronate: 28, fist: 18}
		}
		return p
	})
}

// footfall returns the posture of a foot at a phase of its own cycle, which begins as the heel strikes.
func footfall(phase float64) (l legPosture) {
	const (
		cycle  = 1.0 // metres
		stance = 0.62
		front  = 0.285 // metres ahead of rest as the heel strikes
		back   = front - cycle*stance
	)
	phase -= math.Floor(phase)
	l.pitch = along(phase, []float64{0, 0.08, 0.36, 0.50, stance, 0.74, 0.88, 1},
		[]float64{20, 0, 0, -14, -46, -26, 8, 20})
	l.foot[2] = front - cycle*phase
	if phase > stance {
		u := (phase - stance) / (1 - stance)
		// A cubic that leaves and meets the ground at the ground's speed.
		slope := -cycle * (1 - stance)
		l.foot[2] = hermite(back, front, slope, slope, u)
		l.foot[1] = 0.035 * math.Sin(math.Pi*u) * math.Sin(math.Pi*u)
	}
	return l
}

// jumpingJacks is two jumps from standing with the arms down to a straddle with the hands above the head, and back.
func (b *body) jumpingJacks() skinning.Clip {
	return b.motion("jumping-jacks", 2.2, 64, func(phase float64) posture {
		p := atEase()
		t := 2*phase - math.Floor(2*phase)                                                            // of one jump out and in
		open := 0.5 - 0.5*math.Cos(2*math.Pi*t)                                                       // 0 together, 1 apart
		air := along(2*t-math.Floor(2*t), []float64{0, 0.22, 0.5, 0.78, 1}, []float64{0, 0, 1, 0, 0}) // off the ground halfway
		crouch := 0.030 * (1 - air)
		hop := 0.075 * air
		for side := range p.legs {
			sign := 1 - 2*float64(side)
			p.legs[side] = legPosture{foot: vec3{sign * (-0.045 + 0.27*open), hop, 0}, pitch: -8 - 24*air,
				knee: 4 + 10*open}
			p.arms[side] = armPosture{swing: 6, spread: 10 + 158*open, elbow: 14 + 8*(1-open), pronate: -70 * open, fist: 6}
		}
		p.hips = vec3{0, hop - crouch - 0.040*open + 0.010, -0.008}
		p.pelvis = turn{bow: 5 * (1 - air)}
		p.trunk = turn{bow: 5*(1-air) - 5*open}
		p.head = turn{bow: -6 + 2*air}
		return p
	})
}

// along interpolates values at rising positions with a smooth, limited cubic (Fritsch and Carlson 1980).
func along(x float64, at, values []float64) float64 {
	i := 0
	for i+2 < len(at) && at[i+1] < x {
		i++
	}
	slope := func(k int) float64 {
		if k == 0 || k == len(at)-1 {
			return 0
		}
		l := (values[k] - values[k-1]) / (at[k] - at[k-1])
		r := (values[k+1] - values[k]) / (at[k+1] - at[k])
		if l*r <= 0 {
			return 0
		}
		return 2 * l * r / (l + r)
	}
	h := at[i+1] - at[i]
	return hermite(values[i], values[i+1], h*slope(i), h*slope(i+1), (x-at[i])/h)
}

// hermite is the cubic from a to b with end slopes ma and mb, at u in [0, 1].
func hermite(a, b, ma, mb, u float64) float64 {
	u2, u3 := u*u, u*u*u
	return (2*u3-3*u2+1)*a + (u3-2*u2+u)*ma + (3*u2-2*u3)*b + (u3-u2)*mb
}
