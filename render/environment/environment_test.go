package environment

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
)

// TestWhiteFurnace: in surroundings of radiance 1 every blur is 1 and every normal receives 1, to the rounding of sums
// of float32 and the solid angles of 1,536 texels.
func TestWhiteFurnace(t *testing.T) {
	l := New(64, func(mgl32.Vec3) mgl32.Vec3 { return mgl32.Vec3{1, 1, 1} }, mgl32.Vec3{})
	for k := range l.Levels {
		for face := range l.Levels[k].Faces {
			for i, c := range l.Levels[k].Faces[face] {
				if !(math.Abs(float64(c[1])-1) <= 1e-5) {
					t.Fatalf("level %d, face %d, texel %d: %v", k, face, i, c)
				}
			}
		}
	}
	for k, c := range l.Irradiance {
		want := 0.0
		if k == 0 {
			want = 1
		}
		if !(math.Abs(float64(c[0])-want) <= 5e-3) {
			t.Errorf("irradiance factor %d is %v, expected %g", k, c, want)
		}
	}
}

// TestIrradiance: light from one side, radiance max(0, d·x), reaches a surface that faces it with 2/3 (the integral of
// a squared cosine over the half sphere, over π), and one that faces away with none. Nine harmonics err by up to 0.05.
func TestIrradiance(t *testing.T) {
	l := New(64, func(d mgl32.Vec3) mgl32.Vec3 { x := max(d[0], 0); return mgl32.Vec3{x, x, x} }, mgl32.Vec3{})
	for _, c := range []struct {
		x, y, z float32
		want    float64
	}{{1, 0, 0, 2. / 3}, {-1, 0, 0, 0}, {0, 1, 0, 2 / (3 * math.Pi)}, {0, 0, -1, 2 / (3 * math.Pi)}} {
		if got := float64(l.Diffuse(mgl32.Vec3{c.x, c.y, c.z})[0]); !(math.Abs(got-c.want) <= 0.05) {
			t.Errorf("normal %g %g %g receives %g, expected %g", c.x, c.y, c.z, got, c.want)
		}
	}
}

// TestPlaces: every direction finds the texel that looks there.
func TestPlaces(t *testing.T) {
	c := newCube(8)
	c.each(func(face, i int, s, t2 float32) {
		f, s1, t1 := place(direction(face, s, t2).Mul(3))
		if f != face || mgl32.Abs(s-s1) > 1e-6 || mgl32.Abs(t2-t1) > 1e-6 {
			t.Errorf("face %d at %g %g is found on %d at %g %g", face, s, t2, f, s1, t1)
		}
	})
}

// TestBlur: the rougher, the less a lamp stands out, and no blur makes light.
func TestBlur(t *testing.T) {
	l, last := Studio(), float32(math.Inf(1))
	for k := range l.Levels {
		most, mean := float32(0), mgl32.Vec3{}
		for face := range l.Levels[k].Faces {
			for _, c := range l.Levels[k].Faces[face] {
				most, mean = max(most, c[1]), mean.Add(c)
			}
		}
		t.Logf("level %d: mean %v, most %g", k, mean.Mul(1/float32(6*l.Levels[k].Size*l.Levels[k].Size)), most)
		if most > last {
			t.Errorf("level %d: %g after %g", k, most, last)
		}
		last = most
	}
}

// TestTable: a smooth mirror reflects all, what rough ones lose is at most seven tenths, and none makes light: 64 samples
// err by 5 % along the horizon.
func TestTable(t *testing.T) {
	table := Table()
	for row := range TableSize {
		for column := range TableSize {
			sum := table[row*TableSize+column][0] + table[row*TableSize+column][1]
			if !(sum > 0.3 && sum <= 1.06) || row == 0 && column > 3 && !(sum > 0.98) {
				t.Errorf("roughness row %d, cosine column %d: %g", row, column, sum)
			}
		}
	}
}

// BenchmarkStudio is what the first picture waits for.
func BenchmarkStudio(b *testing.B) {
	for b.Loop() {
		New(64, studioRadiance, keyLight)
		Table()
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N), "ms")
}
