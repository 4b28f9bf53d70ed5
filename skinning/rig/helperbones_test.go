package rig

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"regexp"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

func helpersOf(m *skinning.Model) *HelperBones { return skinning.RigOf[*HelperBones](m) }

// randomAxes returns one to three orthonormal axes.
func randomAxes(r *rand.Rand, count int) []mgl64.Vec3 {
	turn := geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, math.Pi*r.Float64()).Mat3()
	var axes []mgl64.Vec3
	for k := range count {
		axes = append(axes, mgl64.Vec3(turn[3*k:]))
	}
	return axes
}

// randomHelpers gives a model helper bones with controllers of some degree over the first joints, the root among them.
func randomHelpers(t testing.TB, m *skinning.Model, bones, inputs, degree int, seed uint64) *skinning.Model {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 31))
	var helpers HelperBones
	for j := range inputs {
		in := NewHelperInput(&m.Skeleton, j)
		count := 1 + r.IntN(3)
		in.Axes = randomAxes(r, count)
		in.Least, in.Most = in.Least[:count], in.Most[:count]
		for k := range count {
			in.Least[k], in.Most[k] = -0.5-r.Float64(), 0.5+r.Float64()
		}
		in.Center = geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, 2*r.Float64())
		helpers.Inputs = append(helpers.Inputs, in)
	}
	for range bones {
		b := HelperBone{Parent: r.IntN(len(m.Skeleton.Joints)),
			Place: mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, Constant: randomMotion(r)}
		for i := range helpers.Inputs {
			axes := len(helpers.Inputs[i].Axes)
			for _, powers := range allPowers(axes, degree) {
				if r.IntN(2) == 0 {
					b.Terms = append(b.Terms, HelperTerm{Input: i, Powers: powers, Coefficients: randomMotion(r)})
				}
			}
		}
		helpers.Bones = append(helpers.Bones, b)
	}
	out, err := WithHelperBones(m, helpers, m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// allPowers lists the products of so many variables up to a degree.
func allPowers(axes, degree int) (out [][3]uint8) {
	for code := 1; code < 64; code++ {
		p := [3]uint8{uint8(code & 3), uint8(code >> 2 & 3), uint8(code >> 4)}
		if int(p[0]+p[1]+p[2]) <= degree && (axes > 1 || p[1] == 0) && (axes > 2 || p[2] == 0) {
			out = append(out, p)
		}
	}
	return out
}

func randomMotion(r *rand.Rand) (m HelperMotion) {
	for k := range m {
		m[k] = 0.1 * r.NormFloat64()
	}
	return m
}

// TestHelperBonesRoundTrip: what a file keeps of a rig gives the same rig, to the bit.
func TestHelperBonesRoundTrip(t *testing.T) {
	m := randomHelpers(t, skinningtest.RandomModel(10, 8, 2, 1), 5, 4, 3, 2)
	text, err := json.Marshal(helpersOf(m).Encode(m))
	if err != nil {
		t.Fatal(err)
	}
	back, err := readHelperBones(text, len(m.Skeleton.Joints))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back, helpersOf(m)) {
		t.Errorf("read back: %+v, expected %+v", back, helpersOf(m))
	}
}

// TestHelperBonesAtBind: with all joints at their bind pose every bone has its constant motion, and one of no motion
// moves as its parent in any pose.
func TestHelperBonesAtBind(t *testing.T) {
	m := randomHelpers(t, skinningtest.RandomModel(10, 8, 2, 1), 5, 4, 3, 2)
	r := helpersOf(m)
	f := skinning.NewFrame(m, nil)
	for k := range r.Bones {
		b := &r.Bones[k]
		want := b.Constant.Local(b.Place, BindFrame(&m.Skeleton.Joints[b.Parent]))
		got := f.Matrices[b.Joint]
		if d := skinningtest.MaxDiff(got[:], want[:]); !(d <= 1e-13) { // metres: rounding
			t.Errorf("bone %d is off by %g at the bind pose", k, d)
		}
	}
	still := HelperBones{Bones: []HelperBone{{Parent: 3, Place: mgl64.Vec3{1, 2, 3}}}}
	m, err := WithHelperBones(skinningtest.RandomModel(10, 8, 2, 1), still, m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*skinning.Frame{skinningtest.RandomFrame(m, 3), skinningtest.ScaledFrame(m, 3)} {
		if d := skinningtest.MaxDiff(f.Matrices[8][:], f.Matrices[3][:]); !(d <= 1e-14) { // metres: rounding
			t.Errorf("a bone without a motion is %g from its parent", d)
		}
	}
}

// TestHelperBonesDigits: a model's rig has numbers of seven digits, all of which a file has, and the rig that was given
// keeps its own.
func TestHelperBonesDigits(t *testing.T) {
	m := skinningtest.RandomModel(10, 4, 2, 1)
	in := NewHelperInput(&m.Skeleton, 2)
	in.Axes, in.Least[0] = randomAxes(rand.New(rand.NewPCG(1, 2)), 3), -1./3
	motion := HelperMotion{1. / 3, -2. / 3e6, 1e6 / 7, 0, 12, 1e-12 / 3, -0.5}
	given := HelperBones{[]HelperInput{in}, []HelperBone{{Parent: 1, Place: mgl64.Vec3{1. / 3, 200. / 3, 0},
		Constant: motion, Terms: []HelperTerm{{Powers: [3]uint8{1}, Coefficients: motion}}}}}
	m, err := WithHelperBones(m, given, m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	if got := given.Bones[0]; got.Terms[0].Coefficients != motion || got.Constant != motion || in.Least[0] != -1./3 {
		t.Errorf("the given rig became %+v", given)
	}
	b := &helpersOf(m).Bones[0]
	want := HelperMotion{0.3333333, -6.666667e-07, 142857.1, 0, 12, 3.333333e-13, -0.5}
	if b.Constant != want || b.Terms[0].Coefficients != want || b.Place != (mgl64.Vec3{0.3333333, 66.66667, 0}) {
		t.Errorf("rounded: %+v, expected %v", b, want)
	}
	text, err := json.Marshal(helpersOf(m).Encode(m))
	if err != nil {
		t.Fatal(err)
	}
	if long := regexp.MustCompile(`[1-9][0-9.]{8,}`).Find(text); long != nil {
		t.Errorf("a file has the number %s", long)
	}
}
