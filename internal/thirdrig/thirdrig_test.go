package thirdrig_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/internal/thirdrig"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// turned returns a model with half turns and poses of it that turn every joint by up to three radians.
func turned(t *testing.T) (*skinning.Model, []*skinning.Pose) {
	t.Helper()
	plain := assetstest.Open(t, "demo:figure")
	m, err := thirdrig.With(plain, 5)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	poses := make([]*skinning.Pose, 8)
	for i := range poses {
		poses[i] = m.NewPose()
		for n := range plain.Skeleton.Nodes {
			axis := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			poses[i].Local[n].Rotation = geom.AxisAngle(axis, 3*r.Float64())
		}
	}
	return m, poses
}

func thirdOf(m *skinning.Model) *thirdrig.Rig { return skinning.RigOf[*thirdrig.Rig](m) }

// TestDriven: a frame drives the joints of a rig that package skinning does not know, in all forms of their matrices
// and without an allocation, but for a baked frame.
func TestDriven(t *testing.T) {
	m, poses := turned(t)
	rig, f, copied := thirdOf(m), skinning.NewFrame(m, nil), skinning.NewFrame(m, nil)
	if len(rig.Copies) != 5 {
		t.Fatalf("%d half turns, expected 5", len(rig.Copies))
	}
	for i, p := range poses {
		f.SetPose(p)
		for k, c := range rig.Copies {
			at := m.Skeleton.Joints[c.Master].Position
			got, want := f.Matrices[c.Joint], thirdrig.HalfTurn(&f.Matrices[c.Master], at)
			if got != want || f.Float32(0).Matrices[c.Joint] != want.Float32() {
				t.Errorf("pose %d: half turn %d is %v, expected %v", i, k, got, want)
			}
			turn, _ := geom.PolarDecompose(f.Matrices[c.Master].Linear())
			half := want.Linear()
			if off := apart(half.Mul(half), turn); !(off <= 1e-12) { // rounding of rotations
				t.Errorf("pose %d: half turn %d twice is off by %g", i, k, off)
			}
		}
		copied.Copy(f)
		if !slices.Equal(copied.Matrices, f.Matrices) {
			t.Errorf("pose %d: a copy of the frame has other matrices", i)
		}
	}
	if n := testing.AllocsPerRun(10, func() { f.SetPose(poses[1]) }); n != 0 {
		t.Errorf("%g allocations, expected none", n)
	}
	f.Baked = true
	f.SetPose(poses[0])
	for k, c := range rig.Copies { // roots that no pose moves
		if got := f.Matrices[c.Joint]; !(apart(got.Linear(), geom.Identity3()) <= 1e-12) {
			t.Errorf("half turn %d is driven in a baked frame: %v", k, got)
		}
	}
}

// apart returns the largest difference of an entry.
func apart(a, b geom.Mat3) (most float64) {
	for k := range a {
		most = math.Max(most, math.Abs(a[k]-b[k]))
	}
	return most
}

// TestListed: the rig's joints are among those that are added and driven, each under its master.
func TestListed(t *testing.T) {
	m, _ := turned(t)
	added, driven := m.Added(), m.DrivenJoints()
	for k, c := range thirdOf(m).Copies {
		a := added[k]
		if a.Joint != c.Joint || !slices.Equal(a.Masters, []uint16{uint16(c.Master)}) || a.Weights[0] != 1 ||
			!driven[c.Joint] {
			t.Errorf("half turn %d is listed as %+v", k, a)
		}
	}
	if s := m.Skeleton; s.Joints[len(s.Joints)-1].Name != "half-turn-4" {
		t.Errorf("the last joint is named %q", s.Joints[len(s.Joints)-1].Name)
	}
}

// TestMapped: a rig between other joints is the same rig.
func TestMapped(t *testing.T) {
	m, _ := turned(t)
	n := len(m.Skeleton.Joints)
	back := func(joint int) int { return n - 1 - joint }
	rig := thirdOf(m)
	there := rig.Remap(back)
	if there.Joints()[1] != back(rig.Copies[1].Joint) || there.Reads()[1] != back(rig.Copies[1].Master) {
		t.Errorf("mapped: %+v", there)
	}
	if again := there.Remap(back); !slices.Equal(again.(*thirdrig.Rig).Copies, rig.Copies) {
		t.Errorf("mapped twice: %+v, expected %+v", again, rig)
	}
}

// TestBesideOthers: rigs of several kinds drive one model, each what it would alone, and none before one whose joints
// it reads. A rig that reads what the GPU would solve for has the CPU solve.
func TestBesideOthers(t *testing.T) {
	m, poses := turned(t)
	bones := []rig.BlendBone{{Masters: []uint16{1, 2}, Weights: []float64{0.5, 0.5}}}
	both, err := rig.WithBlendBones(m, skinning.DQS, bones, m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	if len(both.Rigs) != 2 || len(m.Rigs) != 1 || both.Rigs[0] != m.Rigs[0] {
		t.Fatalf("rigs %v of a model with %v", both.Rigs, m.Rigs)
	}
	alone, f := skinning.NewFrame(m, nil), skinning.NewFrame(both, nil)
	pose := both.NewPose()
	copy(pose.Local, poses[3].Local)
	alone.SetPose(poses[3])
	f.SetPose(pose)
	if !slices.Equal(f.Matrices[:len(alone.Matrices)], alone.Matrices) {
		t.Error("half turns are driven in another way beside blend bones")
	}
	joint := both.Rigs[1].Joints()[0]
	if err := both.SetRig(&thirdrig.Rig{Copies: []thirdrig.Copy{{Joint: joint, Master: 0}}}); err == nil {
		t.Error("a joint is driven by two rigs: expected an error")
	}
	b := &skinning.RigOf[*rig.BlendBones](both).Bones[0]
	got, want := f.Matrices[b.Joint], f.Evaluate(skinning.DQS, b.Masters, b.Weights)
	if !(apart(got.Linear(), want.Linear()) <= 1e-12) {
		t.Errorf("the blend bone is %v, expected %v", got, want)
	}

	bones[0].Masters[1] = uint16(thirdOf(m).Copies[0].Joint)
	if both, err = rig.WithBlendBones(m, skinning.DQS, bones, m.Skin.Influences); err != nil {
		t.Fatal(err)
	}
	if err := both.SetRig(m.Rigs[0]); err != nil {
		t.Fatal(err)
	}
	if both.Rigs[0] != m.Rigs[0] {
		t.Errorf("rigs %v: the first reads joints of the second", both.Rigs)
	}

	one := rig.Enveloping{Masters: []int{0}, Parents: []int{-1}, Middle: make([]mgl64.Vec3, 1),
		Keys: []rig.GradientKey{{Terms: []rig.RotationTerm{{W: geom.IdentityQuat()}}, Second: -1}},
		C1:   make([]float64, 12), C2: make([]float64, 16)}
	proxied, err := rig.WithEnveloping(m, one, make([]mgl64.Vec3, 1), m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	if len(proxied.Rigs) != 2 || proxied.Rigs[0] != m.Rigs[0] {
		t.Fatalf("rigs %v", proxied.Rigs)
	}
	proxy := proxied.SolvedRig().Joints()[0]
	reading := *proxied
	reading.Skeleton.Joints = append(slices.Clone(proxied.Skeleton.Joints), proxied.Skeleton.Joints[proxy])
	last := len(reading.Skeleton.Joints) - 1
	if err := reading.SetRig(&thirdrig.Rig{Copies: []thirdrig.Copy{{Joint: last, Master: proxy}}}); err != nil {
		t.Fatal(err)
	}
	if rig := reading.SolvedRig(); rig != nil {
		t.Errorf("%v may be left to others, but another rig reads its joints", rig)
	}
}
