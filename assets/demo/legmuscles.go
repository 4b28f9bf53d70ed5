package demo

import "math"

// legShares are the shares, 0 to 1, with which a point of the leg follows each rotation: the hip's swing, the thigh's
// twist, the knee's bend and the ankle's. Bones have shares of 0 or 1, and flesh has shares in between.
type legShares struct{ swing, twist, knee, ankle float64 }

var (
	onPelvis  = legShares{}
	onFemur   = legShares{1, 1, 0, 0}
	onKneecap = legShares{1, 1, 0.5, 0}
	onTibia   = legShares{1, 1, 1, 0}
	onFoot    = legShares{1, 1, 1, 1}
)

// attachment is a point of a muscle's path that moves with bones: relative to the hip at rest, metres (outwards, up,
// forwards).
type attachment struct {
	at     vec3
	shares legShares
}

// muscle is a spindle between two tendons. Its path runs from its origin through the middle of its belly to its
// insertion. The tendons do not stretch, so that only the belly changes its length with the path. The belly keeps its
// volume: if its length is multiplied by s, its thickness is multiplied by 1/√s.
type muscle struct {
	name   string
	path   []attachment
	belly  int     // index of the middle of the belly in path
	radius float64 // of the belly at rest, metres
	share  float64 // of the path's length at rest that is belly
}

// legMuscles are the eleven muscles of HBR's leg. The paper does not name them, so these are muscles from an atlas of
// anatomy.
func legMuscles() []muscle {
	tendon := attachment{vec3{0, -0.480, 0.025}, onTibia} // below the kneecap
	kneecap := func(x float64) attachment { return attachment{vec3{x, -0.415, 0.040}, onKneecap} }
	ischium := func(x float64) attachment { return attachment{vec3{x, -0.045, -0.055}, onPelvis} }
	heel := attachment{vec3{0, -0.885, -0.072}, onFoot}
	return []muscle{
		{"gluteus maximus", []attachment{{vec3{-0.030, 0.055, -0.075}, onPelvis},
			{vec3{0.005, -0.025, -0.080}, legShares{0.3, 0.2, 0, 0}}, {vec3{0.050, -0.140, -0.020}, onFemur}}, 1, 0.034, 0.8},
		{"gluteus medius", []attachment{{vec3{0.035, 0.065, 0}, onPelvis},
			{vec3{0.055, 0.005, 0}, legShares{0.2, 0.2, 0, 0}}, {vec3{0.060, -0.080, -0.005}, onFemur}}, 1, 0.026, 1},
		{"rectus femoris", []attachment{{vec3{0.020, 0.040, 0.050}, onPelvis},
			{vec3{0.018, -0.020, 0.065}, legShares{0.5, 0.5, 0, 0}}, {vec3{0.008, -0.190, 0.065}, onFemur}, kneecap(0), tendon},
			2, 0.028, 0.6},
		{"vastus lateralis", []attachment{{vec3{0.045, -0.060, 0.010}, onFemur}, {vec3{0.052, -0.230, 0.028}, onFemur},
			kneecap(0.012), tendon}, 1, 0.028, 0.7},
		{"vastus medialis", []attachment{{vec3{-0.025, -0.160, 0.020}, onFemur}, {vec3{-0.032, -0.330, 0.024}, onFemur},
			kneecap(-0.012), tendon}, 1, 0.024, 0.65},
		{"biceps femoris", []attachment{ischium(0.012), {vec3{0.030, -0.230, -0.050}, onFemur},
			{vec3{0.038, -0.455, -0.030}, onTibia}}, 1, 0.026, 0.65},
		{"semitendinosus", []attachment{ischium(-0.012), {vec3{-0.028, -0.230, -0.052}, onFemur},
			{vec3{-0.036, -0.470, -0.015}, onTibia}}, 1, 0.026, 0.65},
		{"adductors", []attachment{{vec3{-0.060, 0.010, 0.020}, onPelvis},
			{vec3{-0.052, -0.100, 0}, legShares{0.7, 0.4, 0, 0}}, {vec3{-0.010, -0.260, -0.010}, onFemur}}, 1, 0.030, 0.7},
		{"gastrocnemius, inner head", []attachment{{vec3{-0.022, -0.395, -0.035}, onFemur},
			{vec3{-0.022, -0.535, -0.058}, onTibia}, heel}, 1, 0.024, 0.42},
		{"gastrocnemius, outer head", []attachment{{vec3{0.024, -0.395, -0.035}, onFemur},
			{vec3{0.024, -0.525, -0.055}, onTibia}, heel}, 1, 0.023, 0.40},
		{"tibialis anterior", []attachment{{vec3{0.024, -0.470, 0.004}, onTibia}, {vec3{0.022, -0.570, 0.002}, onTibia},
			{vec3{-0.002, -0.815, 0.015}, legShares{1, 1, 1, 0.5}}, {vec3{-0.022, -0.870, 0.055}, onFoot}}, 1, 0.017, 0.6},
	}
}

// muscleState is a muscle in a pose.
type muscleState struct {
	stretch float64 // s: length of the belly over that at rest
	slide   float64 // how far the belly has moved towards the insertion, metres
}

// maxStretch bounds |log s|: a belly has 0.61 to 1.65 of its length at rest. Beyond these, the muscle is slack or the
// tendon stretches.
const maxStretch = 0.5

// state measures the muscle in a pose. It is smooth in the pose.
func (m *muscle) state(t *legTurns, atRest *[2]float64) muscleState {
	now := m.lengths(t)
	belly := m.share * (atRest[0] + atRest[1])
	change := (now[0] - atRest[0] + now[1] - atRest[1]) / belly
	// 1 + change, kept above 0, with the same value and slope at 0.
	log := maxStretch * math.Tanh(change/maxStretch)
	return muscleState{stretch: math.Exp(log), slide: ((now[1] - atRest[1]) - (now[0] - atRest[0])) / 2}
}

// lengths returns the path's length before the middle of the belly and after it, metres.
func (m *muscle) lengths(t *legTurns) (parts [2]float64) {
	last := t.carry(m.path[0].at, &m.path[0].shares)
	for i := 1; i < len(m.path); i++ {
		p := t.carry(m.path[i].at, &m.path[i].shares)
		part := 0
		if i > m.belly {
			part = 1
		}
		parts[part] += p.Sub(last).Len()
		last = p
	}
	return parts
}

// thickness is the radius of the belly over that at rest: the volume π·r²·l stays.
func (s muscleState) thickness() float64 { return 1 / math.Sqrt(s.stretch) }

// reach returns how much of the muscle's change of thickness a point of the skin at rest shows, 0 to 1, and the
// direction of the muscle there, to the insertion. It fades to 0 at the ends of the belly and with the distance from
// the belly's axis. Half is half of the belly's length.
func (m *muscle) reach(p vec3, half float64) (share float64, along vec3) {
	from, to := m.path[m.belly-1].at, m.path[m.belly+1].at
	middle := m.path[m.belly].at
	// The axis: half of the belly on either side of its middle, along the path's directions there.
	back, on := from.Sub(middle).Normalize(), to.Sub(middle).Normalize()
	d := p.Sub(middle)
	along = on.Sub(back).Normalize()
	t := d.Dot(along) / half
	if t <= -1 || t >= 1 {
		return 0, along
	}
	way := on
	if t < 0 {
		way = back
	}
	nearest := middle.Add(way.Mul(math.Abs(t) * half))
	beside := max(0, p.Sub(nearest).Len()-m.radius) / (1.1 * m.radius)
	return (1 - t*t) * (1 - t*t) * math.Exp(-beside*beside/2), along
}
