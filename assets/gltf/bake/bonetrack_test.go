package bake

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/gltftest"
	"skinlab/skinning/geom"
)

// wave is a smooth function of time with its own frequency and phase.
func wave(random *rand.Rand) func(float64) float64 {
	f, p := 0.3+random.Float64(), 2*math.Pi*random.Float64()
	return func(t float64) float64 { return math.Sin(f*t + p) }
}

// TestBoneTrack: along smooth paths of matrices, with scales that cross, coincide for a while, or turn negative, the
// keys give the matrices back to rounding (1e-8: equal scales are told apart at 1e-9), and half way between two keys a
// player shows the matrix half way, to what the path bends there.
func TestBoneTrack(t *testing.T) {
	const step = 0.01
	paths := map[string]func(r *rand.Rand) func(float64) geom.Affine{
		"scales that cross": func(r *rand.Rand) func(float64) geom.Affine {
			a, b, c, axis, angle := wave(r), wave(r), wave(r), wave(r), wave(r)
			return func(t float64) geom.Affine {
				q := geom.AxisAngle(mgl64.Vec3{1, axis(t), 0.5}, 2*angle(t)).Mat3()
				p := geom.AxisAngle(mgl64.Vec3{axis(t), 0.3, 1}, a(t)).Mat3()
				s := geom.Mat3{1.5 + a(t), 0, 0, 0, 1.5 + b(t), 0, 0, 0, 1.5 + c(t)}
				return geom.NewAffine(q.Mul(s).Mul(p), mgl64.Vec3{a(t), b(t), c(t)})
			}
		},
		"equal scales": func(r *rand.Rand) func(float64) geom.Affine {
			a, axis := wave(r), wave(r)
			return func(t float64) geom.Affine {
				q := geom.AxisAngle(mgl64.Vec3{1, axis(t), 0.5}, 3*a(t)).Mat3()
				s := 1 + math.Pow(math.Max(0, a(t)), 2) // equal for half of the time
				return geom.NewAffine(q.Mul(geom.Mat3{1, 0, 0, 0, 1, 0, 0, 0, s}), mgl64.Vec3{})
			}
		},
		"one turn after another": func(r *rand.Rand) func(float64) geom.Affine {
			w := 1 + r.Float64()
			return func(t float64) geom.Affine { // U and V turn on and on
				q := geom.AxisAngle(mgl64.Vec3{1, 2, 0.5}, 2*w*t).Mat3()
				p := geom.AxisAngle(mgl64.Vec3{0, 0.3, 1}, w*t).Mat3()
				return geom.NewAffine(q.Mul(geom.Mat3{2, 0, 0, 0, 1, 0, 0, 0, 0.5}).Mul(p), mgl64.Vec3{})
			}
		},
		"a reflection": func(r *rand.Rand) func(float64) geom.Affine {
			a := wave(r)
			return func(t float64) geom.Affine {
				q := geom.AxisAngle(mgl64.Vec3{1, 2, 0.5}, a(t)).Mat3()
				return geom.NewAffine(q.Mul(geom.Mat3{-1, 0.3, 0, 0.3, 2 + a(t), 0, 0, 0, 3}), mgl64.Vec3{})
			}
		},
		"through no volume": func(r *rand.Rand) func(float64) geom.Affine {
			a, b, c := wave(r), wave(r), wave(r)
			return func(t float64) geom.Affine {
				q := geom.AxisAngle(mgl64.Vec3{1, 2, 0.5}, 2*a(t)).Mat3()
				p := geom.AxisAngle(mgl64.Vec3{c(t), 0.3, 1}, a(t)).Mat3()
				s := geom.Mat3{3 + a(t), 0, 0, 0, 1.5 + 0.3*b(t), 0, 0, 0, c(t)}
				return geom.NewAffine(q.Mul(s).Mul(p), mgl64.Vec3{})
			}
		},
	}
	for name, path := range paths {
		for seed := range uint64(20) {
			m := path(rand.New(rand.NewPCG(seed, 1)))
			track := newBoneTrack(true)
			last, _ := track.next(m(0))
			for i := 1; i < 2000; i++ {
				key, shear := track.next(m(float64(i) * step))
				if shear {
					t.Errorf("%s %d: key %d of a nested track has shear left", name, seed, i)
				}
				if d := gltftest.Difference(key.affine(), m(float64(i)*step)); !(d <= 1e-8) {
					t.Fatalf("%s %d: key %d is off by %g", name, seed, i, d)
				}
				if key.Outer.Dot(last.Outer) < 0 || key.Inner.Dot(last.Inner) < 0 {
					t.Fatalf("%s %d: key %d is in the other hemisphere", name, seed, i)
				}
				middle := between(&last, &key, 0.5)
				// The paths' second derivatives are below 80: (0.01)²/8 · 80 = 1e-3.
				if d := gltftest.Difference(middle.affine(), m((float64(i)-0.5)*step)); !(d <= 1e-3) {
					t.Fatalf("%s %d: between keys %d and %d off by %g", name, seed, i-1, i, d)
				}
				last = key
			}
		}
	}
}

// TestBoneTrackTellsShear: a rotation with scales along its own axes needs one node, others two.
func TestBoneTrackTellsShear(t *testing.T) {
	turn := geom.AxisAngle(mgl64.Vec3{1, 2, 3}, 1.1).Mat3()
	for _, c := range []struct {
		name string
		m    geom.Mat3
		want bool
	}{
		{"rotation", turn, false},
		{"scaled axes", turn.Mul(geom.Mat3{3, 0, 0, 0, 1e-3, 0, 0, 0, 0.5}), false},
		{"mirror", turn.Mul(geom.Mat3{-3, 0, 0, 0, -1, 0, 0, 0, -0.5}), false},
		{"rounding", turn.Mul(geom.Mat3{1, 1e-7, 0, 1e-7, 1, 0, 0, 0, 1}), false},
		{"shear", turn.Mul(geom.Mat3{1, 1e-3, 0, 0, 1, 0, 0, 0, 1}), true},
		{"scale before rotation", geom.Mat3{3, 0, 0, 0, 1, 0, 0, 0, 0.5}.Mul(turn), true},
	} {
		track := newBoneTrack(false)
		if _, shear := track.next(geom.NewAffine(c.m, mgl64.Vec3{})); shear != c.want {
			t.Errorf("%s: shear %v, expected %v", c.name, shear, c.want)
		}
		track = newBoneTrack(true)
		key, _ := track.next(geom.NewAffine(c.m, mgl64.Vec3{}))
		if d := gltftest.Difference(key.affine(), geom.NewAffine(c.m, mgl64.Vec3{})); !(d <= 1e-8) {
			t.Errorf("%s: two nodes are off by %g", c.name, d)
		}
	}
}

// TestRoundedIsFinite: a key past float32's largest number is that number, which JSON can hold.
func TestRoundedIsFinite(t *testing.T) {
	k := Key{Translation: mgl64.Vec3{1e300, -1e300, 0.1}, Scale: mgl64.Vec3{1e39, 1, -1e39}}.rounded()
	const most = math.MaxFloat32
	want := Key{Translation: mgl64.Vec3{most, -most, float64(float32(0.1))}, Scale: mgl64.Vec3{most, 1, -most}}
	if k != want {
		t.Errorf("%v, expected %v", k, want)
	}
}
