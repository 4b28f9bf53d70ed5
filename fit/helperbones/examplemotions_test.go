package helperbones

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// TestExampleMotions: examples that a rig itself has made ask of its bones what the rig does. With another rig, a bone that
// goes where it is wanted brings its vertices nearer than its controller does.
func TestExampleMotions(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := assetstest.Open(t, "demo:arm")
	plain := *m
	plain.Skin.Morphs = nil
	for _, scaled := range []bool{false, true} {
		helped := gltftest.Helped(t, &plain, 4, scaled)
		x := examplesOf(&plain, helped)
		r := gltftest.HelpersOf(helped)
		wanted := ExampleMotionsOf(x, helped)
		for n := range x.Targets {
			for k := range r.Bones {
				want := r.Motion(k, wanted.Variables[n])
				for c, got := range wanted.Motions[n][k] {
					if !(math.Abs(got-want[c]) <= 1e-6) { // metres and radians: weights are float32
						t.Fatalf("example %d, bone %d: number %d is %g, expected %g", n, k, c, got, want[c])
					}
				}
			}
		}
		checkNearest(t, x, halved(t, helped), scaled)
	}
}

// examplesOf makes examples of the shapes of a model with helper bones.
func examplesOf(plain, helped *skinning.Model) *training.Examples {
	var frames []*skinning.Frame
	var targets [][]mgl64.Vec3
	for clip := range plain.Clips[:3] {
		for _, share := range []float64{0, 0.3, 0.7} {
			f, g := skinning.NewFrame(plain, nil), skinning.NewFrame(helped, nil)
			pose, long := plain.NewPose(), helped.NewPose()
			plain.SamplePose(pose, clip, share*plain.Clips[clip].Seconds)
			helped.SamplePose(long, clip, share*plain.Clips[clip].Seconds)
			f.SetPose(pose)
			g.SetPose(long)
			frames = append(frames, f)
			targets = append(targets, blended(g))
		}
	}
	return training.NewExamples(plain, frames, targets)
}

// blended poses a frame's skin by linear blending.
func blended(f *skinning.Frame) (out []mgl64.Vec3) {
	m := f.Model
	for v, p := range m.Skin.Positions {
		var at mgl64.Vec3
		for _, i := range m.Skin.Of(nil, v) {
			at = at.Add(f.Matrices[i.Joint].Apply(geom.Vec64(p)).Mul(float64(i.Weight)))
		}
		out = append(out, at)
	}
	return out
}

// halved is a model whose helper bones move half as far.
func halved(t *testing.T, m *skinning.Model) *skinning.Model {
	t.Helper()
	out, helpers := *m, *gltftest.HelpersOf(m)
	helpers.Bones = slices.Clone(helpers.Bones)
	for k := range helpers.Bones {
		b := &helpers.Bones[k]
		b.Terms = slices.Clone(b.Terms)
		for i := range b.Terms {
			for c := range b.Terms[i].Coefficients {
				b.Terms[i].Coefficients[c] /= 2
			}
		}
	}
	if err := out.SetRig(&helpers); err != nil {
		t.Fatal(err)
	}
	return &out
}

// checkNearest: a wanted motion misses the examples by less than the controller's, and than motions beside it.
func checkNearest(t *testing.T, x *training.Examples, m *skinning.Model, scaled bool) {
	t.Helper()
	r, wanted := gltftest.HelpersOf(m), ExampleMotionsOf(x, m)
	squares := func(n, bone int, motion rig.HelperMotion) (sum float64) {
		palette := make([]geom.Affine, len(m.Skeleton.Joints))
		copy(palette, x.Palettes[n])
		for k := range r.Bones {
			b, own := &r.Bones[k], r.Motion(k, wanted.Variables[n])
			if k == bone {
				own = motion
			}
			palette[b.Joint] = palette[b.Parent].Mul(own.Local(b.Place, rig.BindFrame(&m.Skeleton.Joints[b.Parent])))
		}
		for v := range x.Rest {
			var at mgl64.Vec3
			for _, i := range m.Skin.Of(nil, v) {
				at = at.Add(palette[i.Joint].Apply(x.Rest[v]).Mul(float64(i.Weight)))
			}
			sum += at.Sub(x.Targets[n][v]).LenSqr()
		}
		return sum
	}
	total, ours := 0.0, 0.0
	for n := range x.Targets {
		for k := range r.Bones {
			best := wanted.Motions[n][k]
			least, own := squares(n, k, best), squares(n, k, r.Motion(k, wanted.Variables[n]))
			total, ours = total+own, ours+least
			if !(least <= own*(1+1e-6)) { // rounding, where no joint turns and the controller is right
				t.Errorf("example %d, bone %d: the wanted motion misses by %g m², the controller's by %g", n, k, least, own)
			}
			for c := range best {
				for _, by := range []float64{-1e-4, 1e-4} {
					near := best
					near[c] += by
					if (c < 6 || scaled) && !(least <= squares(n, k, near)) {
						t.Errorf("example %d, bone %d: number %d off by %g misses by less", n, k, c, by)
					}
				}
			}
		}
	}
	if !(ours < 0.9*total) {
		t.Errorf("wanted motions miss by %g m² in all, controllers by %g", ours, total)
	}
}
