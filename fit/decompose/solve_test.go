package decompose

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/shapefile"
	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/internal/gltftest"
	"skinlab/skinning/geom"
)

// mesh makes a sequence without a skeleton.
func mesh(rest []mgl64.Vec3, triangles [][3]uint32, frames int) *training.Examples {
	return &training.Examples{Rest: rest, Triangles: triangles, Palettes: make([][]geom.Affine, frames)}
}

// tube is a cylinder along x with so many rings of 16 vertices, from −2 to 2, radius 0.5.
func tube(rings int) (rest []mgl64.Vec3, triangles [][3]uint32) {
	const around = 16
	for i := range rings {
		for k := range around {
			sin, cos := math.Sincos(2 * math.Pi * float64(k) / around)
			rest = append(rest, mgl64.Vec3{-2 + 4*float64(i)/float64(rings-1), 0.5 * cos, 0.5 * sin})
			if next := (k + 1) % around; i > 0 {
				a, b, c, d := uint32((i-1)*around+k), uint32((i-1)*around+next), uint32(i*around+k), uint32(i*around+next)
				triangles = append(triangles, [3]uint32{a, b, c}, [3]uint32{b, d, c})
			}
		}
	}
	return rest, triangles
}

// bentTube is a tube of 40 rings that bends along an arc by up to 120 degrees and twists by up to 90, in 36 frames.
func bentTube() *training.Examples {
	rest, triangles := tube(40)
	x := mesh(rest, triangles, 36)
	for f := range x.Palettes {
		t := float64(f) / 35
		bend, twist := t*2*math.Pi/3, math.Pi/2*math.Sin(2*math.Pi*t)
		shape := make([]mgl64.Vec3, len(rest))
		for v, p := range rest {
			u := (p[0] + 2) / 4
			sin, cos := math.Sincos(twist * u)
			y, z := cos*p[1]-sin*p[2], sin*p[1]+cos*p[2]
			angle := bend * u
			along := mgl64.Vec3{4 * u, 0, 0}
			if bend > 0 {
				along = mgl64.Vec3{math.Sin(angle), 1 - math.Cos(angle), 0}.Mul(4 / bend)
			}
			shape[v] = along.Add(mgl64.Vec3{-math.Sin(angle), math.Cos(angle), 0}.Mul(y)).Add(mgl64.Vec3{0, 0, z})
		}
		x.Targets = append(x.Targets, shape)
	}
	return x
}

// parts is three boxes of 24 vertices that turn and travel apart, each as one rigid part, and their motions.
func parts(frames int) (x *training.Examples, motions [][]geom.Affine) {
	r := rand.New(rand.NewPCG(3, 5))
	var rest []mgl64.Vec3
	var triangles [][3]uint32
	for part := range 3 {
		first := uint32(len(rest))
		for range 24 {
			rest = append(rest, mgl64.Vec3{3 * float64(part), 0, 0}.Add(mgl64.Vec3{r.Float64(), r.Float64(), r.Float64()}))
		}
		for k := range uint32(22) {
			triangles = append(triangles, [3]uint32{first + k, first + k + 1, first + k + 2})
		}
		var motion []geom.Affine
		for range frames {
			axis := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
			motion = append(motion, geom.NewAffine(geom.AxisAngle(axis, 3*r.Float64()).Mat3(),
				mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}))
		}
		motions = append(motions, motion)
	}
	x = mesh(rest, triangles, frames)
	for f := range frames {
		shape := make([]mgl64.Vec3, len(rest))
		for v, p := range rest {
			shape[v] = motions[v/24][f].Apply(p)
		}
		x.Targets = append(x.Targets, shape)
	}
	return x, motions
}

func solve(t testing.TB, x *training.Examples, diagonal float64, opt ssdr.Options) *Solution {
	t.Helper()
	s, err := Solve(context.Background(), x, diagonal, opt)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRigidParts: three rigid parts become three bones with weights of 1, and their motions are the known ones to 1e-9
// of a length: sums of 24 points of size 10 in float64. Asked for more, the fit says that three show everything.
func TestRigidParts(t *testing.T) {
	x, motions := parts(7)
	for _, asked := range []int{3, 5} {
		s := solve(t, x, 7, ssdr.Options{Recipe: Recipe(defaultRounds), Bones: asked})
		if len(s.Motions) != 3 || strings.HasPrefix(s.Fewer, "3 bones show every frame") != (asked > 3) {
			t.Fatalf("%d bones of %d: %q", len(s.Motions), asked, s.Fewer)
		}
		for v, shares := range s.Weights {
			if len(shares) != 1 || shares[0].Weight != 1 || shares[0].Joint != s.Weights[v/24*24][0].Joint {
				t.Fatalf("vertex %d follows %v", v, shares)
			}
		}
		for part, motion := range motions {
			own := s.Motions[s.Weights[24*part][0].Joint]
			for f := range motion {
				for k := range motion[f] {
					if !(math.Abs(own[f][k]-motion[f][k]) <= 1e-9) {
						t.Fatalf("part %d, frame %d: %v, expected %v", part, f, own[f], motion[f])
					}
				}
			}
		}
	}
}

// TestRigidPartsOfAFile: positions of six decimals, as text files have them, are no reason for a second influence.
func TestRigidPartsOfAFile(t *testing.T) {
	x, _ := parts(7)
	for _, shape := range append(x.Targets, x.Rest) {
		for v := range shape {
			for c := range shape[v] {
				shape[v][c] = math.Round(1e6*shape[v][c]) / 1e6
			}
		}
	}
	checkRigid(t, solve(t, x, 8, ssdr.Options{Recipe: Recipe(defaultRounds), Bones: 3}))
}

// TestReportedShells: five shells in files of six decimals.
func TestReportedShells(t *testing.T) {
	dir := filepath.Join(gltftest.SharedModels(t), "reports")
	files, err := shapefile.Folder(filepath.Join(dir, "shells5"))
	if err != nil {
		t.Fatal(err)
	}
	rest, err := shapefile.Read(filepath.Join(dir, "shells5.obj"))
	if err != nil {
		t.Fatal(err)
	}
	x := mesh(rest.Positions, rest.Triangles(), len(files))
	for _, file := range files {
		shape, err := shapefile.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		x.Targets = append(x.Targets, shape.Positions)
	}
	checkRigid(t, solve(t, x, 3.6, ssdr.Options{Recipe: Recipe(defaultRounds), Bones: 5}))
}

// checkRigid checks that each vertex follows one bone.
func checkRigid(t *testing.T, s *Solution) {
	t.Helper()
	for v, shares := range s.Weights {
		if len(shares) != 1 || shares[0].Weight != 1 {
			t.Fatalf("vertex %d follows %v", v, shares)
		}
	}
	if !(s.RMS <= 1e-6) { // metres: rounding leaves 5e-7, trimmed weights as much
		t.Errorf("RMS %g m", s.RMS)
	}
}

// TestTube: every number of bones that is asked for is given, the error never rises, and it falls with the number. The
// tube has no rigid part.
func TestTube(t *testing.T) {
	x := bentTube()
	last := math.Inf(1)
	for _, bones := range []int{1, 4, 8} {
		s := solve(t, x, 4.2, ssdr.Options{Recipe: Recipe(30), Bones: bones})
		t.Logf("%d bones: %.3e after %d rounds", bones, s.RMS, len(s.History)-1)
		if len(s.Motions) != bones || s.Fewer != "" {
			t.Errorf("%d bones of %d: %q", len(s.Motions), bones, s.Fewer)
		}
		if !(s.RMS < last) {
			t.Errorf("%d bones: RMS %g, fewer have %g", bones, s.RMS, last)
		}
		if own := x.RMS(s.Weights, s.Motions); !(math.Abs(own-s.RMS) <= 1e-6*own) {
			t.Errorf("%d bones: RMS %g, the solver says %g", bones, own, s.RMS)
		}
		last = s.RMS
		for i, step := range s.History[1:] {
			if !(step.RMS <= s.History[i].RMS*(1+1e-12)) {
				t.Errorf("%d bones: the error rises from %g to %g in round %d", bones, s.History[i].RMS, step.RMS, i+1)
			}
		}
		for v, shares := range s.Weights {
			sum := 0.0
			for _, w := range shares {
				sum += w.Weight
			}
			if len(shares) > 4 || !(math.Abs(sum-1) <= 1e-9) {
				t.Fatalf("vertex %d has %d weights of sum %g", v, len(shares), sum)
			}
		}
	}
}

// TestWorkers: the number of workers does not change a bit.
func TestWorkers(t *testing.T) {
	x := bentTube()
	one := solve(t, x, 4.2, ssdr.Options{Recipe: Recipe(5), Bones: 6, Workers: 1})
	for _, workers := range []int{2, 5} {
		s := solve(t, x, 4.2, ssdr.Options{Recipe: Recipe(5), Bones: 6, Workers: workers})
		if !reflect.DeepEqual(s.Weights, one.Weights) || !reflect.DeepEqual(s.Motions, one.Motions) {
			t.Errorf("%d workers give other bones", workers)
		}
	}
}

// TestFewVertices: a mesh of three vertices has room for one bone, since a bone moves four vertices at least, and
// says so.
func TestFewVertices(t *testing.T) {
	x := mesh([]mgl64.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, [][3]uint32{{0, 1, 2}}, 2)
	x.Targets = [][]mgl64.Vec3{{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}}, {{0, 0, 5}, {1, 0, 0}, {0, 3, 1}}}
	if s := solve(t, x, 1.4, ssdr.Options{Recipe: Recipe(defaultRounds), Bones: 8}); len(s.Motions) != 1 || s.Fewer == "" {
		t.Errorf("%d bones: %q", len(s.Motions), s.Fewer)
	}
}

// TestHostile: a sequence of one frame is solved, one with a number that is none or of another size is refused by the
// element.
func TestHostile(t *testing.T) {
	x := bentTube()
	x.Targets, x.Palettes = x.Targets[20:21], x.Palettes[:1]
	if s := solve(t, x, 4.2, ssdr.Options{Recipe: Recipe(defaultRounds), Bones: 4}); len(s.Motions) != 4 || !(s.RMS < 0.1) {
		t.Errorf("one frame: %d bones, RMS %g", len(s.Motions), s.RMS)
	}
	for want, spoil := range map[string]func(x *training.Examples){
		"example 3, vertex 17": func(x *training.Examples) { x.Targets[3][17][1] = math.NaN() },
		"example 5":            func(x *training.Examples) { x.Targets[5] = x.Targets[5][:100] },
		"vertex 9":             func(x *training.Examples) { x.Rest[9][0] = math.Inf(1) },
	} {
		x := bentTube()
		spoil(x)
		_, err := Solve(context.Background(), x, 4.2, ssdr.Options{Recipe: Recipe(defaultRounds), Bones: 4})
		if !errors.Is(err, training.ErrExamples) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %q", err, want)
		}
	}
}

// TestCancelled: a cancelled decomposition is one that can be used, with the bones that it has. While bones are
// clusters there is none, and each split is told before it is made.
func TestCancelled(t *testing.T) {
	x := bentTube()
	ctx, cancel := context.WithCancel(context.Background())
	s, err := Solve(ctx, x, 4.2, ssdr.Options{Recipe: Recipe(defaultRounds), Bones: 6,
		Progress: func(step ssdr.Step, s *ssdr.Solver) {
			if s != nil && step.Round == 2 {
				cancel()
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if s.Reason != fit.Cancelled || len(s.Motions) != 6 || !(x.RMS(s.Weights, s.Motions) < 0.1) ||
		len(s.History) != 3 {
		t.Errorf("%v with %d bones and an error of %g after %d steps", s.Reason, len(s.Motions), s.RMS, len(s.History))
	}
	ctx, cancel = context.WithCancel(context.Background())
	var told []int
	_, err = Solve(ctx, x, 4.2, ssdr.Options{Recipe: Recipe(defaultRounds), Bones: 20,
		Progress: func(step ssdr.Step, s *ssdr.Solver) {
			told = append(told, step.Bones)
			if step.Bones == 4 {
				cancel()
			}
		}})
	if !errors.Is(err, fit.ErrNoModel) || !errors.Is(err, context.Canceled) ||
		!slices.Equal(told, []int{2, 3, 4}) { // no split after the one that was told
		t.Errorf("cancelled among the clusters: %v after splits %d", err, told)
	}
	// The bones that are inserted come after those of clusters, which stay where these are cancelled.
	ctx, cancel = context.WithCancel(context.Background())
	rounds := 0
	s, err = Solve(ctx, x, 4.2, ssdr.Options{Recipe: Recipe(defaultRounds), Bones: 6,
		Progress: func(step ssdr.Step, s *ssdr.Solver) {
			if rounds = max(rounds, step.Round); rounds > 0 && step.Bones < 6 {
				cancel()
			}
		}})
	if err != nil || s.Reason != fit.Cancelled || len(s.Motions) != 6 {
		t.Errorf("cancelled among the bones that are inserted: %+v, %v", s, err)
	}
}
