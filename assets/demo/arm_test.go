package demo

import (
	"math"
	"strings"
	"testing"

	"skinlab/skinning"
	"skinlab/skinning/metrics"

	"github.com/go-gl/mathgl/mgl64"
)

func TestArm(t *testing.T) {
	m := made(t, "arm", "flex", "twist", "flex-twist", "poses_only", "examples")
	if n := len(m.Skin.Positions); n < 5000 || n > 6000 {
		t.Errorf("%d vertices, expected 5,000 to 6,000", n)
	}
	// An adult's arm with some shoulder: 2.5 to 5 litres, 0.7 to 0.85 m.
	if v := metrics.Volume(metrics.SkinBody(m), restShape(m)); !(v > 2.5e-3 && v < 5e-3) {
		t.Errorf("volume %g m³", v)
	}
	lo, hi := m.RestBounds()
	if l := hi[0] - lo[0]; !(l > 0.7 && l < 0.85) {
		t.Errorf("length %g m", l)
	}
	var names []string
	for _, j := range m.Skeleton.Joints {
		names = append(names, j.Name)
	}
	if got := strings.Join(names[:5], " "); got != "shoulder upper_arm forearm forearm_twist hand" || len(names) != 20 {
		t.Errorf("joints %q", names)
	}
	if _, most := m.Skin.Stats(); most > 4 {
		t.Errorf("up to %d influences", most)
	}
}

// TestArmClips holds the turns of elbow and forearm at the top of each clip, and that all three are loops.
func TestArmClips(t *testing.T) {
	m := must(t, "arm")
	rig := newArmRig(&m.Skeleton)
	for _, want := range []struct {
		clip         string
		at           float64 // seconds
		elbow, twist float64 // degrees
	}{{"flex", 2, 135, 0}, {"twist", 2, 0, 170}, {"twist", 4.5, 0, -90}, {"flex-twist", 3, 120, 0},
		{"flex-twist", 1.5, 60, 80}} {
		_, bend := twistAndSwing(relativeTurn(t, m, want.clip, want.at, rig.forearm))
		twist, _ := twistAndSwing(relativeTurn(t, m, want.clip, want.at, rig.twist))
		if !near(bend[2], want.elbow) || !near(twist, want.twist) {
			t.Errorf("%s at %g s: elbow %g, twist %g; expected %g and %g degrees", want.clip, want.at, bend[2], twist,
				want.elbow, want.twist)
		}
	}
	for c := range 3 {
		first, last := posed(m, c, 0), posed(m, c, m.Clips[c].Seconds)
		for v := range first {
			if d := first[v].Sub(last[v]).Len(); !(d <= 1e-6) { // metres; rounded quaternions
				t.Fatalf("clip %q: vertex %d is %g m from where it started", m.Clips[c].Name, v, d)
			}
		}
	}
}

// girth is the mean distance from the forearm's axis, in metres, of the vertices at which the twist is half blended.
func girth(m *skinning.Model, clip int, seconds float64) float64 {
	pose := m.NewPose()
	m.SamplePose(pose, clip, seconds)
	p := palette(m, pose)
	rig := newArmRig(&m.Skeleton)
	at := p[rig.forearm].Apply(m.Skeleton.Joints[rig.twist].Position)
	axis := p[rig.forearm].Linear().Apply(mgl64.Vec3{1, 0, 0})
	sum, n := 0.0, 0
	for v, q := range posed(m, clip, seconds) {
		b := m.Skin.Bindings[v]
		if between := int(b.Joints[0]) + int(b.Joints[1]); between == rig.forearm+rig.twist && b.Weights[1] > 0.45 {
			d := q.Sub(at)
			sum += d.Sub(axis.Mul(d.Dot(axis))).Len()
			n++
		}
	}
	return sum / float64(n)
}

// TestArmShowsTheCandyWrapper: turned by 170 degrees, half of one matrix and half of the other keep |cos 85°| = 9 % of
// the girth.
func TestArmShowsTheCandyWrapper(t *testing.T) {
	m := must(t, "arm")
	rest, twisted := girth(m, 1, 0), girth(m, 1, 2)
	if !(rest > 0.025 && rest < 0.045) {
		t.Errorf("the forearm is %g m from its axis to its skin", rest)
	}
	if !(twisted < 0.15*rest) { // the band of weights around one half keeps a little more
		t.Errorf("twisted, the forearm keeps %g of its girth", twisted/rest)
	}
}

// TestArmExamples holds the form of the examples: one target each, key i at i seconds, STEP, pose i, weight 1 for
// target i alone; the same poses without targets in poses_only.
func TestArmExamples(t *testing.T) {
	m := must(t, "arm")
	rig := newArmRig(&m.Skeleton)
	n := len(exampleElbows) * len(exampleTwists)
	if n < 12 || n > 20 || len(m.MorphSlots) != n || len(m.Skin.Morphs) != n {
		t.Fatalf("%d examples, %d slots, %d targets", n, len(m.MorphSlots), len(m.Skin.Morphs))
	}
	examples, err := m.ClipIndex("examples")
	if err != nil {
		t.Fatal(err)
	}
	poses, err := m.ClipIndex("poses_only")
	if err != nil {
		t.Fatal(err)
	}
	if keys := m.Clips[examples].KeyTimes(); len(keys) != n || keys[n-1] != float64(n-1) {
		t.Errorf("keys at %v s", keys)
	}
	pose, plain := m.NewPose(), m.NewPose()
	for i := range n {
		for _, late := range []float64{0, 0.7} { // a step lasts until the next
			s := float64(i) + late
			m.SamplePose(pose, examples, s)
			m.SamplePose(plain, poses, s)
			for k, w := range pose.Morphs {
				if (k == i) != (w == 1) || k != i && w != 0 || plain.Morphs[k] != 0 {
					t.Fatalf("example %d at %g s: target %d has weight %g, %g in poses_only", i, s, k, w, plain.Morphs[k])
				}
			}
			for k := range pose.Local {
				if pose.Local[k] != plain.Local[k] {
					t.Fatalf("example %d: node %d differs in poses_only", i, k)
				}
			}
			elbow, twist := exampleElbows[i/len(exampleTwists)], exampleTwists[i%len(exampleTwists)]
			_, bend := twistAndSwing(relativeTurn(t, m, "examples", s, rig.forearm))
			turned, _ := twistAndSwing(relativeTurn(t, m, "examples", s, rig.twist))
			if !near(bend[2], elbow) || !near(turned, twist) {
				t.Errorf("example %d at %g s: elbow %g, twist %g; expected %g and %g", i, s, bend[2], turned, elbow, twist)
			}
		}
		if d := m.Skin.Morphs[i]; d.Slot != i || d.FirstVertex != 0 || len(d.Positions) != len(m.Skin.Positions) ||
			len(d.Normals) != len(d.Positions) {
			t.Errorf("target %d: slot %d, from vertex %d, %d positions, %d normals", i, d.Slot, d.FirstVertex, len(d.Positions),
				len(d.Normals))
		}
	}
}

// TestArmExamplesBulge measures what the examples are there for: the biceps rises as the elbow bends, the twisted
// forearm keeps its girth, the neutral example is the rest shape, and fingers and shoulder stay as they are.
func TestArmExamplesBulge(t *testing.T) {
	m := must(t, "arm")
	index := func(elbow, twist float64) int {
		for i, e := range exampleElbows {
			for k, w := range exampleTwists {
				if e == elbow && w == twist {
					return i*len(exampleTwists) + k
				}
			}
		}
		t.Fatalf("no example with elbow %g, twist %g", elbow, twist)
		return 0
	}
	examples, poses := 4, 3 // as TestArm lists them
	for v, d := range m.Skin.Morphs[index(0, 0)].Positions {
		if !(d.Len() <= 1e-6) { // metres; rounding
			t.Fatalf("the neutral example moves vertex %d by %g m", v, d.Len())
		}
	}
	// The top of the upper arm, which lies still in all examples.
	top := func(clip int, example float64) float64 {
		high := 0.0
		for v, p := range posed(m, clip, example) {
			if x := float64(m.Skin.Positions[v][0]) - m.Skeleton.Joints[0].Position[0]; x > 0.16 && x < 0.22 {
				high = math.Max(high, p[1])
			}
		}
		return high
	}
	bent := float64(index(130, 0))
	if rise := top(examples, bent) - top(poses, bent); !(rise > 0.008 && rise < 0.025) {
		t.Errorf("the biceps rises by %g m, expected 8 to 25 mm", rise)
	}
	if out, in := top(examples, float64(index(130, 80))), top(examples, bent); !(out > in+0.001) {
		t.Errorf("turned out, the flexed biceps stands at %g m, not above %g", out, in)
	}
	for _, twist := range []float64{-80, 80} {
		i := float64(index(90, twist))
		rest, linear, target := girth(m, poses, float64(index(0, 0))), girth(m, poses, i), girth(m, examples, i)
		// cos 40° = 0.77 is what linear blending leaves; muscles may add a little to the target.
		if !(linear < 0.8*rest) || !(target > 0.97*rest && target < 1.08*rest) {
			t.Errorf("twist %g: girth %g at rest, %g by linear blending, %g in the example", twist, rest, linear, target)
		}
	}
	rig := newArmRig(&m.Skeleton)
	for i := range m.Skin.Morphs {
		for v, d := range m.Skin.Morphs[i].Positions {
			pivot := int(m.Skin.Bindings[v].Joints[0])
			if !(d.Len() < 0.05) || (pivot >= rig.hand || pivot < rig.upperArm) && !(d.Len() <= 5e-4) {
				t.Fatalf("target %d moves vertex %d of %s by %g m", i, v, m.Skeleton.Joints[pivot].Name, d.Len())
			}
		}
	}
}
