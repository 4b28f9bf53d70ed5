package bodymodel

import (
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// steps takes a step so many times.
func steps(t *testing.T, f *solver, n int, step Step) {
	t.Helper()
	for range n {
		if err := step(context.Background(), f); err != nil {
			t.Fatal(err)
		}
	}
}

// misplace moves the joints of a body but the root's by about so many metres in each direction, and turns its limbs by
// up to so many radians.
func misplace(b *Body, shift, turn float64, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 4))
	for k := 1; k < len(b.Joints); k++ {
		d := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		b.Joints[k] = b.Joints[k].Add(d.Mul(shift))
	}
	b.setAxes()
	for i := range b.Poses {
		for k, q := range b.Poses[i].Turns {
			b.Poses[i].Turns[k] = randomTurn(rng, turn).Mul(q)
		}
	}
}

// jointErrors are the distances of a body's joints from others, metres.
func jointErrors(b *Body, from []mgl64.Vec3) (out []float64) {
	for k := range from {
		out = append(out, b.Joints[k].Sub(from[k]).Len())
	}
	return out
}

// Bodies of limbs 1 m long whose joints are 87 mm off and whose limbs are turned by up to 0.15 radians are found again
// from their own scans, to 1e-6 m (RMS) and the joints to 1 % of a limb. Q falls with every step.
func TestJointsRecovered(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	tube3, tubeScans3 := tubeBody(3, 12, 1.5, 3)
	tube6, tubeScans6 := tubeBody(6, 12, 1.5, 3)
	branched, branchedScans := branchedBody(60, 8, 1, 3)
	linear, linearScans := tubeBody(4, 8, 1.5, 3)
	linear.Linear = true
	linear.setAxes()
	linearScans.Shapes = posedShapes(linear)
	for _, c := range []struct {
		name  string
		body  *Body
		scans *scans
	}{{"3 limbs", tube3, tubeScans3}, {"6 limbs", tube6, tubeScans6}, {"branched", branched, branchedScans},
		{"linear", linear, linearScans}} {
		if testing.Short() && c.name != "3 limbs" {
			continue
		}
		for _, alpha := range []float64{0, 100} {
			truth := slices.Clone(c.body.Joints)
			misplace(c.body, 0.05, 0.15, 1)
			f := newSolver(c.scans, c.body, alpha, 2)
			before := f.errors()
			for range 3 {
				steps(t, f, 1, gaussNewtonJoints)
				if e := f.errors(); !(e.Q < before.Q) {
					t.Errorf("%s, α = %g: Q rose from %g to %g m²", c.name, alpha, before.Q, e.Q)
				}
			}
			for range 5 {
				steps(t, f, 20, gaussNewtonJoints)
			}
			if e := f.errors(); !(e.RMS < 1e-6) {
				t.Errorf("%s, α = %g: RMS %g m", c.name, alpha, e.RMS)
			}
			for k, e := range jointErrors(c.body, truth) {
				if !(e < 0.01) {
					t.Errorf("%s, α = %g: joint %d is %g m off", c.name, alpha, k, e)
				}
			}
			e := f.errors()
			f.update()
			if e != f.errors() {
				t.Errorf("%s, α = %g: errors are %v, and %v of the body itself", c.name, alpha, e, f.errors())
			}
			copy(c.body.Joints, truth)
		}
	}
}

// Poses alone are found to 1e-9 m, and joints and axes stay.
func TestPosesRecovered(t *testing.T) {
	for _, linear := range []bool{false, true} {
		b, _ := tubeBody(5, 8, 2, 3)
		b.Linear = linear
		b.setAxes()
		_, s := tubeBody(5, 8, 2, 3)
		s.Shapes = posedShapes(b)
		misplace(b, 0, 0.3, 1)
		joints, axes := slices.Clone(b.Joints), slices.Clone(b.Axes)
		f := newSolver(s, b, 100, 2)
		steps(t, f, 20, gaussNewtonPoses)
		if e := f.errors(); !(e.RMS < 1e-9) {
			t.Errorf("linear %t: RMS %g m", linear, e.RMS)
		}
		if !reflect.DeepEqual(joints, b.Joints) || !reflect.DeepEqual(axes, b.Axes) {
			t.Errorf("linear %t: joints moved", linear)
		}
	}
}

// A body of one limb has no joint to move.
func TestJointsOfOneLimb(t *testing.T) {
	b, s := tubeBody(1, 3, 1, 3)
	misplace(b, 0, 0.1, 1)
	f := newSolver(s, b, 1, 2)
	steps(t, f, 20, gaussNewtonJoints)
	if e := f.errors(); !(e.RMS < 1e-9) {
		t.Errorf("RMS %g m", e.RMS)
	}
}

// Poses are as exact where the matrix is summed over half of the rows only: the tube has 2,412 vertices.
func TestPosesOfEverySecondRow(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	b, s := tubeBody(25, 3, 1, 3)
	misplace(b, 0, 0.1, 1)
	f := newSolver(s, b, 100, 2)
	if n := newRows(b, s, 100).stride; n != 2 {
		t.Fatalf("stride %d, expected 2", n)
	}
	steps(t, f, 30, gaussNewtonPoses)
	if e := f.errors(); !(e.RMS < 1e-9) {
		t.Errorf("RMS %g m", e.RMS)
	}
}

// The number of workers changes no bit.
func TestJointsOfAnyNumberOfWorkers(t *testing.T) {
	var first *Body
	for _, workers := range []int{1, 3} {
		b, s := branchedBody(50, 7, 1, 5)
		misplace(b, 0.05, 0.2, 1)
		f := newSolver(s, b, 10, workers)
		steps(t, f, 3, gaussNewtonJoints)
		steps(t, f, 2, gaussNewtonPoses)
		if first == nil {
			first = b
		} else if !reflect.DeepEqual(first, b) {
			t.Errorf("%d workers find another body than 1", workers)
		}
	}
}

// Noise of 2 mm moves no joint that nothing shows: of a limb that never turns against its parent, and of one without
// vertices, whose poses stay as well. A limb of vertices along its axis, whose twist nothing shows, has finite poses.
// 5 cm are a quarter of the tube's radius; without the recipe's JointTurn the first goes 0.6 m away.
func TestJointsWithoutEvidence(t *testing.T) {
	b, s := tubeBody(5, 10, 1.5, 3)
	const fixed, thin, empty = 2, 4, 5
	b.Parents = append(b.Parents, 3)
	b.Joints = append(b.Joints, mgl64.Vec3{3, 0.5, 0})
	rng := rand.New(rand.NewPCG(1, 9))
	for i := range b.Poses {
		b.Poses[i].Turns[fixed] = geom.IdentityQuat()
		b.Poses[i].Turns = append(b.Poses[i].Turns, randomTurn(rng, 1))
	}
	for v, at := range b.Vertices {
		if at[0] > 4.3 {
			b.Vertices[v][1], b.Vertices[v][2] = 0, 0
			b.Swing[v] = []skinning.Share{{Joint: thin, Weight: 1}}
			b.Twist[v] = b.Swing[v]
		} else if at[0] > 3.6 {
			b.Swing[v] = []skinning.Share{{Joint: 3, Weight: 1}}
			b.Twist[v] = b.Swing[v]
		}
	}
	b.setAxes()
	s.Shapes = posedShapes(b)
	for _, shape := range s.Shapes {
		for v := range shape {
			d := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			shape[v] = shape[v].Add(d.Mul(0.002))
		}
	}
	for _, alpha := range []float64{0, 100} {
		joints := slices.Clone(b.Joints)
		var turns []mgl64.Vec3
		for i := range b.Poses {
			turns = append(turns, mgl64.Vec3(b.Poses[i].Turns[empty][:3]))
		}
		f := newSolver(s, b, alpha, 2)
		f.jointTurn = Ours().JointTurn
		for range 3 {
			steps(t, f, 10, gaussNewtonJoints)
		}
		if e := f.errors(); !(e.RMS < 0.004) {
			t.Errorf("α = %g: RMS %g m", alpha, e.RMS)
		}
		for k, e := range jointErrors(b, joints) {
			if !(e < 0.05) {
				t.Errorf("α = %g: joint %d moved by %g m", alpha, k, e)
			}
		}
		for i := range b.Poses {
			if d := mgl64.Vec3(b.Poses[i].Turns[empty][:3]).Sub(turns[i]).Len(); !(d < 1e-9) {
				t.Errorf("α = %g: the limb without vertices turned by %g in scan %d", alpha, d, i)
			}
		}
	}
}

// Cancelled, joints keeps a body that is no worse, with its palettes and differences.
func TestJointsCancelled(t *testing.T) {
	b, s := tubeBody(4, 6, 1.5, 3)
	misplace(b, 0.05, 0.15, 1)
	f := newSolver(s, b, 100, 2)
	before := f.errors()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, step := range []Step{gaussNewtonPoses, gaussNewtonJoints} {
		if err := step(ctx, f); err != nil {
			t.Fatal(err)
		}
		if e := f.errors(); e != before {
			t.Errorf("errors %v, before %v", e, before)
		}
	}
}
