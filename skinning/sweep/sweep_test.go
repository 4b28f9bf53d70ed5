package sweep

import (
	"context"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/compare"
	"skinlab/skinning/deltamush"
	"skinlab/skinning/geom"
)

// Workers share the centres of rotation of a model, which are made once.
func TestCentersAreMadeOnce(t *testing.T) {
	m, made := skinningtest.Prism(), 0
	find := skinning.RotationCenter.Make
	defer func() { skinning.RotationCenter.Make = find }()
	skinning.RotationCenter.Make = func(m *skinning.Mesh, report func(float64)) []float32 {
		made++
		return find(m, report)
	}
	opt := Options{Joint: 1, Angles: Even(-1, 1, 9), Reference: skinning.COR, Subjects: compare.Direct(skinning.Methods()...),
		Workers: 4, Centers: skinning.NewFrame(m, nil).Centers}
	for range 2 {
		run(t, m, opt)
		if made != 1 {
			t.Fatalf("centres were made %d times", made)
		}
	}
	opt.Centers = nil
	if run(t, m, opt); made != 2 {
		t.Errorf("a sweep of its own made centres %d times, want once", made-1)
	}
}

func run(t *testing.T, m *skinning.Model, opt Options) []Curve {
	t.Helper()
	curves, err := Run(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return curves
}

// Under a twist by θ linear blending scales the cross-section at weight w by |1 − w + w·e^{iθ}|², so that 1 − (1 − cos
// θ)/3 of the prism's volume is left; dual quaternions turn every section rigidly. Between the 40 rings the facets'
// diagonals, which all run one way, cut corners when twisted to one side that they fill to the other: the mean of both
// sides is held to a thousandth of the volume for the first, whose edges are straight, and to four hundredths for the
// second, whose edges cut corners too.
func TestTwistOfAPrism(t *testing.T) {
	opt := Options{Joint: 1, Axis: Twist, Angles: Even(-math.Pi, math.Pi, 25), Reference: skinning.DQS,
		Subjects: compare.Direct(skinning.LBS, skinning.DQS)}
	curves := run(t, skinningtest.Prism(), opt)
	lbs, dqs := curves[0], curves[1]
	for i, a := range opt.Angles {
		want := 1 - (1-math.Cos(a))/3
		k := len(opt.Angles) - 1 - i
		for name, got := range map[string]float64{"whole": (lbs.Volume[i] + lbs.Volume[k]) / 2,
			"local": (lbs.LocalVolume[i] + lbs.LocalVolume[k]) / 2} {
			if d := math.Abs(got - want); !(d <= 0.001) {
				t.Errorf("at %.2f linear blending keeps %.4f of the %s volume, want %.4f", a, got, name, want)
			}
		}
		if got := dqs.LocalVolume[i]; !(math.Abs(got-1) <= 0.04) {
			t.Errorf("at %.2f dual quaternions keep %.4f of the volume", a, got)
		}
		if dqs.RMS[i] != 0 || dqs.Max[i] != 0 || dqs.EE[i] != 0 {
			t.Errorf("at %.2f the reference differs from itself by %g", a, dqs.Max[i])
		}
		// A mirrored twist does the same: to 1e-5 of the size, float32 rounding.
		if d := math.Abs(lbs.RMS[i] - lbs.RMS[k]); !(d <= 1e-5) {
			t.Errorf("the RMS at %.2f and %.2f differs by %g", a, -a, d)
		}
	}
	if opt.Angles[12] != 0 || lbs.EE[12] != 0 || !(lbs.RMS[12] <= 1e-6) || !(math.Abs(lbs.LocalVolume[12]-1) <= 1e-6) { // float32
		t.Errorf("at rest: EE %g, RMS %g, volume %g", lbs.EE[12], lbs.RMS[12], lbs.LocalVolume[12])
	}
	// The largest distance is at 180 degrees, of the middle's corners, √2 from the axis, which linear blending puts
	// onto it. The size of the prism is √(4 + 4 + 4).
	if want := math.Sqrt2 / math.Sqrt(12); !(math.Abs(lbs.Max[24]-want) <= 1e-5) {
		t.Errorf("the largest distance is %g, want %g", lbs.Max[24], want)
	}
}

// Delta Mush is a reference and a subject: it is 0 from itself, and without iterations linear blending, to float32.
func TestDeltaMush(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	mush, none := deltamush.New(m, deltamush.Default()), deltamush.New(m, deltamush.Options{})
	curves := run(t, m, Options{Joint: 2, Axis: Bend, Angles: Even(-1, 1, 5), Reference: mush, Subjects: []compare.Subject{
		{Deform: mush.Positions}, {Deform: none.Positions}, {Method: skinning.LBS}}})
	for i := range curves[0].RMS {
		if curves[0].Max[i] != 0 || !(math.Abs(curves[1].RMS[i]-curves[2].RMS[i]) <= 1e-6) {
			t.Errorf("angle %d: %g from itself; without iterations %g, linear blending %g", i, curves[0].Max[i], curves[1].RMS[i],
				curves[2].RMS[i])
		}
	}
	if !(curves[2].RMS[0] > 1e-4) {
		t.Errorf("linear blending is %g from Delta Mush: the sweep shows nothing", curves[2].RMS[0])
	}
}

// The candy wrapper of the built-in tube: the volume around the joint collapses, and the whole hides most of it.
func TestTwistOfTheTube(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	curves := run(t, m, Options{Joint: 2, Axis: Twist, Angles: Even(-math.Pi, math.Pi, 73), Reference: skinning.DQS,
		Subjects: compare.Direct(skinning.Methods()...)})
	lbs, dqs := curves[0], curves[1]
	if !(lbs.LocalVolume[0] < 0.8 && lbs.LocalVolume[0] < lbs.Volume[0] && dqs.LocalVolume[0] > 0.95) {
		t.Errorf("at −180 degrees linear blending keeps %.3f of the volume around the joint, %.3f of the whole; dual "+
			"quaternions %.3f", lbs.LocalVolume[0], lbs.Volume[0], dqs.LocalVolume[0])
	}
	for _, c := range curves {
		if !(math.Abs(c.LocalVolume[36]-1) <= 1e-5 && math.Abs(c.Volume[36]-1) <= 1e-5 && c.Max[36] <= 1e-6) { // float32
			t.Errorf("%s at rest: volume %g, around the joint %g, largest distance %g", c.Name, c.Volume[36], c.LocalVolume[36],
				c.Max[36])
		}
	}
	if !(lbs.EE[0] > 20 && lbs.RMS[0] > 1e-3 && lbs.Max[0] > lbs.RMS[0]) {
		t.Errorf("linear blending at −180 degrees: EE %g, RMS %g, largest %g", lbs.EE[0], lbs.RMS[0], lbs.Max[0])
	}
}

// One pose of a sweep is one pose: what package compare measures of it, in float64 and over a clip that holds the pose
// alone. Tolerances: 1e-6 of the size for float32 positions, 0.01 percent of EE for the same.
func TestAgreesWithCompare(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	joint, err := anatomy.JointIndex(&m.Skeleton, "forearm")
	if err != nil {
		joint = 3
	}
	for _, axis := range axes() {
		const angle = 1.3
		node := m.Skeleton.Joints[joint].Node
		q := m.Skeleton.Nodes[node].Rest.Rotation.Mul(geom.AxisAngle(anatomy.JointAxes(m, joint)[axis], angle))
		posed := *m
		posed.Clips = []skinning.Clip{{Name: "pose", Seconds: 1,
			Channels: []skinning.Channel{{Node: node, Path: skinning.PathRotation, Width: 4,
				Times: []float32{0}, Values: []float32{float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3])}}}}}
		subjects := compare.Direct(skinning.Methods()...)
		rows, err := compare.Run(context.Background(), &posed,
			compare.Options{Reference: skinning.DQS, Subjects: subjects, Frames: 1, ShortestPath: true})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range run(t, m, Options{Joint: joint, Axis: axis, Angles: []float64{angle}, Reference: skinning.DQS,
			Subjects: subjects}) {
			if r := rows[i]; !(math.Abs(c.RMS[0]-r.RMS) <= 1e-6 && math.Abs(c.Max[0]-r.Max) <= 1e-6 &&
				math.Abs(c.Volume[0]-r.VolumeRatioMin) <= 1e-5) {
				t.Errorf("%v, %s: RMS %g, largest %g, volume %g; compare says %+v", axis, c.Name, c.RMS[0], c.Max[0], c.Volume[0],
					r)
			}
			if r := rows[i]; r.RMS > 1e-5 /* well above rounding */ &&
				!(math.Abs(float64(c.EE[0]-r.EE)) <= 0.01+0.001*float64(r.EE)) {
				t.Errorf("%v, %s: EE %g, compare says %g", axis, c.Name, c.EE[0], float64(r.EE))
			}
		}
	}
}

// A subject that is a copy of the model is the model.
func TestSubjectWithItsOwnModel(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	again := assetstest.Open(t, "demo:arm")
	subjects := append(compare.Direct(skinning.LBS), compare.Subject{Name: "lbs", Method: skinning.LBS, Model: again})
	opt := Options{Joint: 3, Axis: Bend, Angles: Even(-1, 2, 7), Reference: skinning.SBS, Subjects: subjects}
	curves := run(t, m, opt)
	if !reflect.DeepEqual(curves[0], curves[1]) {
		t.Errorf("the model's own curve\n%+v\nits copy's\n%+v", curves[0], curves[1])
	}
	opt.Workers = 1
	one := run(t, m, opt)
	opt.Workers = 5
	if five := run(t, m, opt); !reflect.DeepEqual(one, five) {
		t.Error("the number of workers changes the result")
	}
}

// Twist-swing skinning takes twists as dual quaternions do and bends as linear blending does, at every angle: the
// curves are one within 1e-6 of the size, the rounding of float32 positions. The other way round they are apart.
func TestTwistSwingSweeps(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	for axis, like := range map[Axis]skinning.Method{Twist: skinning.DQS, Bend: skinning.LBS} {
		opt := Options{Joint: 1, Axis: axis, Angles: Even(-math.Pi, math.Pi, 25), Reference: skinning.TwistSwing,
			Subjects: compare.Direct(skinning.LBS, skinning.DQS)}
		for k, c := range run(t, m, opt) {
			if most := slices.Max(c.Max); opt.Subjects[k].Method == like && !(most <= 1e-6) ||
				opt.Subjects[k].Method != like && !(most > 1e-2) {
				t.Errorf("axis %v: %s is off by up to %.3g of the size", axis, c.Name, most)
			}
		}
	}
}

// The spine of the figure, bent by half a turn, folds to one side or the other: the angles up to 10 degrees before that
// are half turns, and the volume of what blends rotations changes there.
func TestHalfTurns(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	joint, err := anatomy.JointIndex(&m.Skeleton, "spine")
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Joint: joint, Axis: Bend, Angles: Even(-math.Pi, math.Pi, 73), Reference: skinning.DQS,
		Subjects: compare.Direct(skinning.DQS)}
	turns, farthest := HalfTurns(m, opt)
	if !slices.Equal(turns, []int{0, 1, 71, 72}) || !(farthest.Degrees > 179) {
		t.Errorf("half turns %v, the farthest %+v", turns, farthest)
	}
	if v := run(t, m, opt)[0].LocalVolume; !(math.Abs(v[72]-v[1]) > 0.3) && !(math.Abs(v[71]-v[0]) > 0.3) {
		t.Errorf("the volumes at the ends are %.3f and %.3f", v[:2], v[71:])
	}
	opt.Angles = Even(0, 2.9, 30)
	if turns, _ := HalfTurns(m, opt); turns != nil {
		t.Errorf("below 170 degrees: %v", turns)
	}
}

func TestRefuses(t *testing.T) {
	ok := Options{Joint: 1, Angles: []float64{0, 1}, Subjects: compare.Direct(skinning.LBS)}
	other := skinningtest.Prism()
	other.Skin.Positions = other.Skin.Positions[1:]
	for says, change := range map[string]func(*Options){
		"joint 2":   func(o *Options) { o.Joint = 2 },
		"joint -1":  func(o *Options) { o.Joint = -1 },
		"Axis(3)":   func(o *Options) { o.Axis = 3 },
		"no angles": func(o *Options) { o.Angles = nil },
		"NaN":       func(o *Options) { o.Angles = []float64{0, math.NaN()} },
		"vertices":  func(o *Options) { o.Subjects = []compare.Subject{{Name: "other", Model: other}} },
	} {
		opt := ok
		change(&opt)
		if _, err := Run(context.Background(), skinningtest.Prism(), opt); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
	if _, err := Run(context.Background(), &skinning.Model{Name: "empty"}, ok); err == nil ||
		!strings.Contains(err.Error(), "no skinned mesh") {
		t.Errorf("without a skin: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if curves, err := Run(ctx, skinningtest.Prism(), ok); err == nil || curves != nil {
		t.Error("a cancelled sweep returns curves")
	}
	if _, err := ParseAxis("roll"); err == nil {
		t.Error("roll is an axis")
	}
	for _, a := range axes() {
		if got, err := ParseAxis(a.String()); err != nil || got != a {
			t.Errorf("%v is read as %v, %v", a, got, err)
		}
	}
}

// 73 angles of five methods on a character of 13,380 vertices.
func BenchmarkSweep(b *testing.B) {
	m := assetstest.Open(b, "human_male.glb")
	opt := Options{Joint: 10, Angles: Even(-math.Pi, math.Pi, 73), Reference: skinning.DQS,
		Subjects: compare.Direct(skinning.Methods()...)}
	for b.Loop() {
		if _, err := Run(context.Background(), m, opt); err != nil {
			b.Fatal(err)
		}
	}
}
