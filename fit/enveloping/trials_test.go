package enveloping

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/demo"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/stress"
)

// trial is a set of the table: what is learnt, and what it is held against.
type trial struct {
	name    string
	proxies int
	seen    func(t testing.TB) *Examples
	unseen  func(t testing.TB) *Examples // nil for leave-one-out
	folds   int                          // of leave-one-out; 0 for as many as examples
}

// anyModel opens a built-in model or a file.
func anyModel(t testing.TB, name string) *skinning.Model {
	if strings.HasPrefix(name, "demo:") {
		m, err := demo.New(name)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	return openModel(t, name)
}

// taught makes n examples of a method at even times of a clip, "" for the range of motion; bulge adds displacements
// that no method makes.
func taught(model, clip string, n int, method skinning.Method, bulge float64) func(t testing.TB) *Examples {
	return func(t testing.TB) *Examples {
		m := anyModel(t, model)
		if strings.HasPrefix(clip, "stress:") {
			m = stress.Append(m)
		}
		x := setOf(t, m, clip, n, method)
		if bulge > 0 {
			addBulges(m, x, bulge)
		}
		return x
	}
}

// addBulges moves the surface as muscles do: along the normal in the middle of the parent's bone on one side, by 1 −
// cos of the joint's angle, and around the joint by the sine of its twist.
func addBulges(m *skinning.Model, x *Examples, size float64) {
	normals := m.Skin.Normals
	for i := range x.Pairs {
		q := rotations(x.Pairs[i].Matrices)
		target := make([]mgl64.Vec3, len(x.Rest))
		copy(target, x.Pairs[i].Target)
		for j, p := range x.Parent {
			if p < 0 || x.Parent[p] < 0 {
				continue
			}
			a, b := m.Skeleton.Joints[p].Position, m.Skeleton.Joints[j].Position
			along := b.Sub(a)
			l := along.Len()
			if l < 0.02*x.diagonal() {
				continue
			}
			turn := q[p].Conjugate().Mul(q[j])
			theta := skinning.RotationVector(turn)
			bend := (1 - math.Cos(theta.Len())) / 2
			twist := math.Sin(theta.Dot(along.Mul(1/l)) / 2)
			side := along.Cross(mgl64.Vec3{along[1], along[2], -along[0]}).Normalize()
			for v, rest := range x.Rest {
				d := rest.Sub(a.Add(b).Mul(0.5))
				wp, wj := 0.0, 0.0
				for _, s := range x.Rigged[v] {
					switch int(s.Joint) {
					case p:
						wp += s.Weight
					case j:
						wj += s.Weight
					}
				}
				n := geom.Vec64(normals[v])
				g := wp * math.Exp(-d.Dot(d)/(0.12*l*l)) * math.Max(0, n.Dot(side))
				move := n.Mul(size * l * g * bend)
				move = move.Add(along.Mul(1 / l).Cross(rest.Sub(b)).Mul(size * 4 * wp * wj * twist))
				target[v] = target[v].Add(q[p].Rotate(move))
			}
		}
		x.Pairs[i].Target = target
	}
}

// sequence pairs every step-th frame of the mesh sequence with its rig.
func sequence(first, step int) func(t testing.TB) *Examples {
	return func(t testing.TB) *Examples {
		m := openModel(t, "sequences/bone_rig.glb")
		text, err := os.ReadFile(filepath.Join(modelsFolder, "sequences/bone_sequence.json"))
		if err != nil {
			t.Fatal(err)
		}
		var info struct {
			Vertices, Frames int
			Fps              float64
		}
		if err := json.Unmarshal(text, &info); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(filepath.Join(modelsFolder, "sequences/bone_sequence.f32"))
		if err != nil {
			t.Fatal(err)
		}
		var times []float64
		var targets [][]mgl64.Vec3
		for i := first; i < info.Frames; i += step {
			shape := make([]mgl64.Vec3, info.Vertices)
			for v := range shape {
				for c := range 3 {
					shape[v][c] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data[4*(3*(i*info.Vertices+v)+c):])))
				}
			}
			times, targets = append(times, float64(i)/info.Fps), append(targets, shape)
		}
		x, err := FromSet(m, &training.Set{Clip: 0, Times: times, Targets: targets})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// shapes are a model's own at the keys of a clip.
func shapes(model, clip string) func(t testing.TB) *Examples {
	return func(t testing.TB) *Examples {
		m := anyModel(t, model)
		c, err := m.ClipIndex(clip)
		if err != nil {
			t.Fatal(err)
		}
		x, err := FromSet(m, &training.Set{Teacher: skinning.LBS, Clip: c, Times: m.Clips[c].KeyTimes()})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
}

// trials are the sets.
func trials() []trial {
	const (
		dqs, dib, sbs = skinning.DQS, skinning.DIB, skinning.SBS
	)
	own := func(model string) func(t testing.TB) *Examples { return shapes(model, training.ExampleClip) }
	return []trial{
		{"demo:arm", 30, own("demo:arm"), nil, 7},
		{"arm_examples", 30, own("examples/arm_examples.glb"), nil, 8},
		{"human targets", 80, humanExamples, nil, 3},
		{"demo:bar", 25, own("demo:bar"), shapes("demo:bar", "unseen"), 0},
		{"hand dqs rom", 30, taught("GenericHand.glb", "", 12, dqs, 0), nil, 0},
		{"hand dib rom", 30, taught("GenericHand.glb", "", 12, dib, 0), nil, 0},
		{"hand dqs stress:bend", 30, taught("GenericHand.glb", "stress: bend", 12, dqs, 0), nil, 0},
		{"hand dqs bulges 24", 30, taught("GenericHand.glb", "", 24, dqs, 0.4), nil, 8},
		{"fox dib survey", 40, taught("Fox.glb", "Survey", 12, dib, 0), taught("Fox.glb", "Run", 15, dib, 0), 0},
		{"fox dib walk", 40, taught("Fox.glb", "Walk", 12, dib, 0), nil, 0},
		{"fox dqs run", 40, taught("Fox.glb", "Run", 12, dqs, 0), nil, 0},
		{"fox run bulges", 40, taught("Fox.glb", "Run", 12, dqs, 0.4), nil, 0},
		{"fox run 2", 40, taught("Fox.glb", "Run", 2, dqs, 0), taught("Fox.glb", "Walk", 15, dqs, 0), 0},
		{"fox walk 3", 40, taught("Fox.glb", "Walk", 3, dqs, 0.4), taught("Fox.glb", "Run", 15, dqs, 0.4), 0},
		{"figure twist to walk", 80, taught("demo:figure", "twist", 12, dqs, 0), taught("demo:figure", "walk", 15, dqs, 0),
			0},
		{"figure walk to twist", 80, taught("demo:figure", "walk", 12, dqs, 0), taught("demo:figure", "twist", 15, dqs, 0),
			0},
		{"figure exercise to twist", 80, taught("demo:figure", "exercise", 12, dqs, 0),
			taught("demo:figure", "twist", 15, dqs, 0), 0},
		{"figure exercise to walk", 80, taught("demo:figure", "exercise", 12, dqs, 0),
			taught("demo:figure", "walk", 15, dqs, 0), 0},
		{"cesium dqs", 40, taught("CesiumMan.glb", "0", 12, dqs, 0), nil, 0},
		{"cesium sbs bulges 5", 40, taught("CesiumMan.glb", "0", 5, sbs, 0.4), nil, 0},
		{"cesium dib bulges 2", 40, taught("CesiumMan.glb", "0", 2, dib, 0.4), taught("CesiumMan.glb", "0", 15, dib, 0.4), 0},
		{"simple dqs", 20, taught("RiggedSimple.glb", "0", 8, dqs, 0), nil, 0},
		{"simple dqs rom", 20, taught("RiggedSimple.glb", "", 12, dqs, 0.4), nil, 0},
		{"simpleskin", 5, taught("SimpleSkin.gltf", "0", 8, dqs, 0), nil, 0},
		{"knight walk dqs to jump", 40, taught("Knight.glb", "Walking_A", 12, dqs, 0),
			taught("Knight.glb", "Jump_Full_Long", 15, dqs, 0), 0},
		{"knight chop sbs bulges", 40, taught("Knight.glb", "1H_Melee_Attack_Chop", 12, sbs, 0.4), nil, 6},
		{"knight run 3 to walk", 40, taught("Knight.glb", "Running_A", 3, dqs, 0.4),
			taught("Knight.glb", "Walking_A", 12, dqs, 0.4), 0},
		{"knight dodge 5 dib", 40, taught("Knight.glb", "Dodge_Left", 5, dib, 0.4), nil, 0},
		{"robot dance dqs", 40, taught("RobotExpressive.glb", "Dance", 12, dqs, 0), nil, 6},
		{"robot walk bulges to run", 40, taught("RobotExpressive.glb", "Walking", 12, dib, 0.4),
			taught("RobotExpressive.glb", "Running", 12, dib, 0.4), 0},
		{"human walk to dance", 80, taught("human_male.glb", "walk", 12, dqs, 0),
			taught("human_male.glb", "dance", 15, dqs, 0), 0},
		{"human dance bulges 12", 60, taught("human_male.glb", "dance", 12, sbs, 0.3),
			taught("human_male.glb", "jumping_jacks", 12, sbs, 0.3), 0},
		{"human jacks 2", 40, taught("human_male.glb", "jumping_jacks", 2, dqs, 0.3),
			taught("human_male.glb", "jumping_jacks", 9, dqs, 0.3), 0},
		{"sequence 16", 30, sequence(0, 25), sequence(11, 25), 0},
		{"sequence 5", 30, sequence(0, 80), sequence(33, 25), 0},
		{"tube rom dib bulges", 20, taught("demo:tube", "", 10, dib, 0.4), nil, 5},
		{"box rom", 15, taught("demo:box", "", 8, dqs, 0), nil, 4},
	}
}

// TestTrials prints a table of the errors of trained SSD, PSD and the fit over many sets, on the examples and on
// others: what is chosen by a regular expression, SKINLAB_SETS=. for all, which takes some ten minutes; SKINLAB_FOLDS=4
// leaves out every fourth example instead of one. On its examples a fit must be better than trained SSD; where it is
// not on others, the row has an exclamation mark. Roughness is of the others.
func TestTrials(t *testing.T) {
	choose := os.Getenv("SKINLAB_SETS")
	if choose == "" {
		t.Skip("SKINLAB_SETS is not set")
	}
	re := regexp.MustCompile(choose)
	for _, c := range trials() {
		if !re.MatchString(c.name) {
			continue
		}
		x := c.seen(t)
		start := time.Now()
		r, err := Fit(context.Background(), x, Options{Proxies: c.proxies})
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		free := 0
		for v := range r.Model.Weights {
			if !r.Model.Fixed(v) {
				free++
			}
		}
		var g Generalization
		var rough [2]float64
		var driver skinning.EnvelopeDriver
		if c.unseen != nil {
			u := c.unseen(t)
			p, err := NewPSD(context.Background(), x, r.Trained, 2)
			if err != nil {
				t.Fatal(err)
			}
			g = Generalization{r.Trained.Measure(u), p.Measure(u), r.Model.Measure(u), 0}
			rough = [2]float64{
				roughness(u, func(i int) []mgl64.Vec3 { return r.Trained.Pose(x.Rest, u.Pairs[i].Matrices) }),
				roughness(u, func(i int) []mgl64.Vec3 { return r.Model.Pose(&driver, x.Rest, u.Pairs[i].Matrices) }),
			}
		} else {
			g, rough = leaveFolds(t, x, c)
		}
		mark := ""
		if !(g.Fit.EE < g.SSD.EE) {
			mark = " !"
		}
		t.Logf("%-25s %2d examples, %2d proxies, %5d of %5d vertices free, %4.1f s; training: SSD %6.2f, fit %6.2f; others: SSD %6.2f, PSD %6.2f, fit %6.2f%s; "+
			"roughness: SSD %5.2f, fit %5.2f",
			c.name, len(x.Pairs), r.Model.Proxies(), free, len(x.Rest), took.Seconds(), r.SSD.EE, r.Fit.EE,
			g.SSD.EE, g.PSD.EE, g.Fit.EE, mark, rough[0], rough[1])
		if !(r.Fit.EE < r.SSD.EE) {
			t.Errorf("%s: training EE %g %%, of trained SSD %g %%", c.name, r.Fit.EE, r.SSD.EE)
		}
	}
}

// leaveFolds is LeaveOneOut with fewer folds, every folds-th example left out.
func leaveFolds(t testing.TB, x *Examples, c trial) (g Generalization, rough [2]float64) {
	n := len(x.Pairs)
	folds := c.folds
	if most, err := strconv.Atoi(os.Getenv("SKINLAB_FOLDS")); err == nil {
		folds = min(n, most)
	}
	if folds == 0 {
		folds = n
	}
	all := make([]*prediction, n)
	var driver skinning.EnvelopeDriver
	for k := range folds {
		rest := x.pick(func(i int) bool { return i%folds != k })
		r, err := Fit(context.Background(), rest, Options{Proxies: c.proxies})
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewPSD(context.Background(), rest, r.Trained, 2)
		if err != nil {
			t.Fatal(err)
		}
		for i := k; i < n; i += folds {
			pose := x.Pairs[i].Matrices
			all[i] = &prediction{ssd: r.Trained.Pose(x.Rest, pose), psd: p.Pose(x.Rest, pose),
				fit: r.Model.Pose(&driver, x.Rest, pose)}
		}
	}
	return *generalization(x, all, 2), [2]float64{
		roughness(x, func(i int) []mgl64.Vec3 { return all[i].ssd }),
		roughness(x, func(i int) []mgl64.Vec3 { return all[i].fit }),
	}
}

// roughness is how far the error of a vertex differs from the mean of its neighbours', root mean square in thousandths
// of the size: what is off together looks right, what is off each for itself looks dented.
func roughness(whole *Examples, posed func(i int) []mgl64.Vec3) float64 {
	x, of := whole.welded()
	neighbours := neighboursOf(x.Triangles, len(x.Rest))
	sum, count := 0.0, 0.0
	off := make([]mgl64.Vec3, len(x.Rest))
	for i := range x.Pairs {
		for v, p := range posed(i) {
			off[of[v]] = p.Sub(x.Pairs[i].Target[of[v]])
		}
		for v, near := range neighbours {
			if len(near) == 0 {
				continue
			}
			var mean mgl64.Vec3
			for _, u := range near {
				mean = mean.Add(off[u].Mul(1 / float64(len(near))))
			}
			d := off[v].Sub(mean)
			sum, count = sum+d.Dot(d), count+1
		}
	}
	return 1000 * math.Sqrt(sum/count) / x.diagonal()
}
