package posing

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

// TestReach drags hands and feet to random places, from poses of clips: the end comes within 1e-5 of the model's
// size, which is a fiftieth of a millimetre on a person, or, out of reach, as near as the lengths of the bones allow.
// It keeps its orientation, the bones keep their lengths, nothing above the limb moves, and the middle stays on its
// side.
func TestReach(t *testing.T) {
	for _, c := range []struct {
		model string
		ends  []string
	}{
		{"demo:figure", []string{"left_hand", "right_foot", "left_toes"}},
		{"human_male.glb", []string{"hand_r", "foot_l"}},
		{"Fox.glb", []string{"b_LeftHand_011", "b_RightFoot02_022"}},
		{"Knight.glb", []string{"wrist.l", "foot.r"}},
	} {
		m := assetstest.Open(t, c.model)
		for _, end := range c.ends {
			t.Run(c.model+" "+end, func(t *testing.T) { reach(t, m, end) })
		}
	}
}

func reach(t *testing.T, m *skinning.Model, name string) {
	j, err := anatomy.JointIndex(&m.Skeleton, name)
	if err != nil {
		t.Fatal(err)
	}
	l, err := anatomy.NewMirror(m).LimbOf(&m.Skeleton, j)
	if err != nil {
		t.Fatal(err)
	}
	size, rng := m.Diagonal(), rand.New(rand.NewPCG(4, 2))
	s := NewSubject(m, nil)
	reached, short := 0, 0
	for k := range 60 {
		clip := k%(len(m.Clips)+1) - 1
		seconds := 0.0
		if clip >= 0 {
			seconds = m.Clips[clip].Seconds
		}
		s.Set(Instant{Clip: clip, Time: rng.Float64() * seconds, OK: true})
		r := NewReach(&s, &l)
		before := append([]geom.Affine(nil), s.Frame.Globals...)
		place := r.Place()
		away := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Mul(0.5 * r.longest)
		if k%5 == 0 {
			away = away.Mul(20) // out of reach
		}
		if k == 7 {
			away = r.at[0].Sub(place) // folded
		}
		place = place.Add(away)
		turned := r.To(place)
		for i, node := range r.Nodes {
			s.Pose.Local[node].Rotation = turned[i]
		}
		s.Frame.SetPose(s.Pose)
		s.At.OK = false
		at := func(i int) mgl64.Vec3 { return s.Frame.Globals[r.Nodes[i]].Translation() }
		distance := place.Sub(r.at[0]).Len()
		want := 0.0
		switch {
		case distance > r.longest:
			want = distance - r.longest
			short++
		case distance < r.least:
			want = r.least - distance
		default:
			reached++
		}
		if off := at(2).Sub(place).Len(); !(math.Abs(off-want) <= 1e-5*size) {
			t.Fatalf("pose %d: the end is %g m from its place, expected %g", k, off, want)
		}
		if d := at(0).Sub(r.at[0]).Len(); !(d <= 1e-9*size) {
			t.Errorf("the root moved by %g m", d)
		}
		if d := math.Abs(at(1).Sub(at(0)).Len()-r.upper) + math.Abs(at(2).Sub(at(1)).Len()-r.lower); !(d <= 1e-6*size) { // scales of files are uneven in float32
			t.Errorf("the bones' lengths changed by %g m", d)
		}
		for i := range 9 { // the end's orientation
			if d := math.Abs(s.Frame.Globals[r.Nodes[2]].Linear()[i] - before[r.Nodes[2]].Linear()[i]); !(d <= 1e-5) {
				t.Fatalf("the end's matrix changed by %g", d)
			}
		}
		// The middle comes out along the pole, turned with the line from root to end.
		u := at(2).Sub(at(0))
		if u.Len() > 1e-3*r.longest {
			u = u.Normalize()
			out := at(1).Sub(at(0))
			out = out.Sub(u.Mul(u.Dot(out)))
			if p := r.swing(u).Rotate(r.pole); !(out.Dot(p) >= out.Len()-1e-6*r.longest) {
				t.Errorf("pose %d: the limb bends to %v, expected along %v", k, out, p)
			}
		}
	}
	if reached < 10 || short < 5 {
		t.Errorf("%d places reached, %d out of reach: the test sees too little", reached, short)
	}
}

// TestReachOfNothing: a limb that is told to be where it is stays in its pose: to 1e-7 in its quaternions.
func TestReachOfNothing(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	r := anatomy.NewMirror(m)
	j, err := anatomy.JointIndex(&m.Skeleton, "left_hand")
	if err != nil {
		t.Fatal(err)
	}
	l, err := r.LimbOf(&m.Skeleton, j)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSubject(m, nil)
	s.Set(Instant{Clip: 0, Time: 0.7, OK: true})
	reach := NewReach(&s, &l)
	for i, q := range reach.To(reach.Place()) {
		if d := 1 - math.Abs(q.Dot(s.Pose.Local[reach.Nodes[i]].Rotation.Normalize())); !(d <= 1e-14) {
			t.Errorf("node %d turned: %v from %v", i, q, s.Pose.Local[reach.Nodes[i]].Rotation)
		}
	}
}
