package render

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/assetstest"
	"skinlab/render/picture"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// TestTrianglesAgainstNormals: a skin of which every third triangle winds against its normals looks like one that winds
// the right way, in every surface. Values that are interpolated from another corner are rounded otherwise, which at the
// silhouette changes the side that a pixel sees: a value in a thousand may differ by more than three of 255. Hidden
// triangles change a tenth of them.
func TestTrianglesAgainstNormals(t *testing.T) {
	r := newTestRenderer(t)
	good := assetstest.Open(t, "demo:tube")
	bad := *good
	bad.Skin.Triangles = slices.Clone(good.Skin.Triangles)
	for i := range bad.Skin.Triangles {
		if c := &bad.Skin.Triangles[i]; i%3 == 0 {
			c[1], c[2] = c[2], c[1]
		}
	}
	for _, surface := range []picture.Surface{picture.SurfaceMaterial, picture.SurfaceClay, picture.SurfaceNormals} {
		a, b := newTestScene(good, 1, 128, 128), newTestScene(&bad, 1, 128, 128)
		a.Surface, b.Surface = surface, surface
		setModel(t, r, good)
		want := pictureOf(t, r, a)
		setModel(t, r, &bad)
		got := pictureOf(t, r, b)
		off := 0
		for i := range want.Pix {
			d := int(want.Pix[i]) - int(got.Pix[i])
			d = max(d, -d)
			if d > 3 {
				off++
			}
		}
		if off > len(want.Pix)/1000 {
			t.Errorf("surface %v: %d of %d values differ", surface, off, len(want.Pix))
		}
	}
}

// astrayBall returns a coarse, double-sided ball whose normals are turned about z by an angle away from its triangles'.
// Reversed, its triangles wind inwards.
func astrayBall(turn float32, reversed bool) *skinning.Model {
	const across, down = 24, 14
	var ball skinning.Mesh
	for i := range down + 1 {
		for j := range across + 1 {
			polar, around := math.Pi*float64(i)/down, 2*math.Pi*float64(j)/across
			n := mgl32.Vec3{float32(math.Sin(polar) * math.Sin(around)), float32(math.Cos(polar)),
				float32(math.Sin(polar) * math.Cos(around))}
			ball.Positions = append(ball.Positions, n)
			ball.Normals = append(ball.Normals, mgl32.Rotate3DZ(turn).Mul3x1(n))
			if at := uint32(i*(across+1) + j); i < down && j < across {
				ball.Triangles = append(ball.Triangles, [3]uint32{at, at + across + 1, at + 1},
					[3]uint32{at + 1, at + across + 1, at + across + 2})
			}
		}
	}
	if reversed {
		for i := range ball.Triangles {
			slices.Reverse(ball.Triangles[i][:])
		}
	}
	ball.Parts = []skinning.Part{{VertexCount: len(ball.Positions), TriangleCount: len(ball.Triangles)}}
	return &skinning.Model{Name: "ball", Rigid: []skinning.Mesh{ball},
		Skeleton: skinning.Skeleton{Nodes: []skinning.Node{{Parent: -1, Rest: geom.IdentityTransform()}},
			Order: []int{0}},
		Materials: []skinning.Material{{BaseColor: [4]float32{0.5, 0.45, 0.4, 1}, Texture: -1, DoubleSided: true}}}
}

// TestNormalsAgainstTriangles: a character whose normals disagree with its triangles has no stripes, neither of normals
// that are turned round pixel by pixel nor of its own shadow. Between neighbouring pixels inside of the ball the
// picture changes by 10 of 255 at most; stripes are steps of 40 and more. Its triangles' winding changes nothing.
func TestNormalsAgainstTriangles(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := newTestRenderer(t)
	for name, turn := range map[string]float32{"normals-astray": 0.9, "normals-against": 1.8} {
		m := astrayBall(turn, true)
		setModel(t, r, m)
		s := newTestScene(m, 0, goldenSize, goldenSize)
		got := pictureOf(t, r, s)
		compareGolden(t, name, got, r.Info().Software)
		const middle, radius = goldenSize / 2, goldenSize * 0.3
		most := 0
		for y := range goldenSize {
			for x := range goldenSize {
				if math.Hypot(float64(x-middle), float64(y-middle)) < radius {
					step := int(got.NRGBAAt(x, y).G) - int(got.NRGBAAt(x+1, y).G)
					most = max(most, step, -step)
				}
			}
		}
		if most > 10 {
			t.Errorf("%s: neighbouring pixels differ by %d of 255", name, most)
		}
		outwards := astrayBall(turn, false)
		setModel(t, r, outwards)
		s = newTestScene(outwards, 0, goldenSize, goldenSize)
		if d := compareImages(got, pictureOf(t, r, s)); !(d.share <= 0.001) {
			t.Errorf("%s, the other winding: %v; tolerance 0.1 %% of pixels", name, d)
		}
	}
}
