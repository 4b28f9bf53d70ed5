package export

import (
	"bytes"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/assets"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// TestEncode writes every built-in and every shared model and reads it again.
func TestEncode(t *testing.T) {
	if testing.Short() {
		t.Skip("short: one goroutine")
	}
	names := assets.BuiltIn()
	for _, pattern := range []string{"*.gl*", "conformance/*.glb", "examples/*.glb", "sequences/*.glb"} {
		paths, _ := filepath.Glob(filepath.Join(gltftest.ModelsFolder(), filepath.FromSlash(pattern)))
		names = append(names, paths...)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) { encodeAgain(t, name) })
	}
	// The shear of the beam's node 5 is a matrix, its influences need two sets, its clip has every path and
	// interpolation.
	t.Run("beam", func(t *testing.T) {
		m := decoded(t, "beam", gltftest.Beam().Glb())
		compareEncoded(t, m)
	})
}

func encodeAgain(t *testing.T, name string) {
	m, err := assets.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	compareEncoded(t, m)
}

func compareEncoded(t *testing.T, m *skinning.Model) {
	data := encoded(t, m)
	again := decoded(t, m.Name, data)
	gltftest.CheckModel(t, again)
	size := float32(m.Diagonal())
	exact := compareMesh(t, "skin", &m.Skin, &again.Skin, size)
	t.Logf("%d kB, %d vertices, %d of them bit by bit", len(data)>>10, len(m.Skin.Positions), exact)
	if len(again.Rigid) != len(m.Rigid) || len(again.Clips) != len(m.Clips) || len(again.Materials) != len(m.Materials) ||
		len(again.Textures) != len(m.Textures) || len(again.MorphSlots) != len(m.MorphSlots) {
		t.Fatalf("%d rigid meshes, %d clips, %d materials, %d textures, %d morph slots; expected %d, %d, %d, %d, %d",
			len(again.Rigid), len(again.Clips), len(again.Materials), len(again.Textures), len(again.MorphSlots),
			len(m.Rigid), len(m.Clips), len(m.Materials), len(m.Textures), len(m.MorphSlots))
	}
	for i := range m.Rigid {
		compareMesh(t, "rigid", &m.Rigid[i], &again.Rigid[i], 0)
	}
	for i := range m.Materials {
		a, b := m.Materials[i], again.Materials[i]
		if a.Texture >= 0 != (b.Texture >= 0) {
			t.Errorf("material %d has texture %d, expected %d", i, b.Texture, a.Texture)
		}
		for _, m := range []*skinning.Material{&a, &b} { // textures are numbered by first use
			m.Texture, m.Maps = 0, slices.Clone(m.Maps)
			for k := range m.Maps {
				m.Maps[k].Texture = 0
			}
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("material %d is %+v, expected %+v", i, b, a)
		}
	}
	for i := range m.MorphSlots {
		if m.MorphSlots[i] != again.MorphSlots[i] {
			t.Errorf("morph slot %d is %+v, expected %+v", i, again.MorphSlots[i], m.MorphSlots[i])
		}
	}
	for j := range m.Skeleton.Joints {
		a, b := &m.Skeleton.Joints[j], &again.Skeleton.Joints[j]
		if a.Name != b.Name || a.Node != b.Node || a.Parent != b.Parent {
			t.Errorf("joint %d is %+v, expected %+v", j, b, a)
		}
	}
	comparePoses(t, m, again)
}

// compareMesh compares all that must be equal bit by bit, and the positions, which move by the rounding of the first
// inverse bind matrix: 1e-6 of the size. It returns how many did not move.
func compareMesh(t *testing.T, what string, a, b *skinning.Mesh, size float32) (exact int) {
	t.Helper()
	if len(a.Positions) != len(b.Positions) || len(a.Triangles) != len(b.Triangles) || len(a.Parts) != len(b.Parts) {
		t.Fatalf("%s: %d vertices, %d triangles, %d parts; expected %d, %d, %d", what,
			len(b.Positions), len(b.Triangles), len(b.Parts), len(a.Positions), len(a.Triangles), len(a.Parts))
	}
	for v := range a.Positions {
		d := a.Positions[v].Sub(b.Positions[v]).Len()
		if d == 0 {
			exact++
		}
		if !(d <= 1e-6*size) || !(a.Normals[v].Sub(b.Normals[v]).Len() <= 1e-6) {
			t.Fatalf("%s: vertex %d at %v with normal %v, expected %v and %v", what, v, b.Positions[v], b.Normals[v],
				a.Positions[v], a.Normals[v])
		}
	}
	for i := range a.Triangles {
		if a.Triangles[i] != b.Triangles[i] {
			t.Fatalf("%s: triangle %d is %v, expected %v", what, i, b.Triangles[i], a.Triangles[i])
		}
	}
	compareWeights(t, what, &a.Influences, &b.Influences)
	if len(a.Inputs) != len(b.Inputs) {
		t.Fatalf("%s: %d inputs of methods, expected %d", what, len(b.Inputs), len(a.Inputs))
	}
	for i := range a.Inputs {
		x, y := &a.Inputs[i], b.Input(a.Inputs[i].Input)
		if y == nil || !slices.Equal(x.Values, y.Values) {
			t.Fatalf("%s: input %s is %v, expected %v", what, x.Name, y, x)
		}
		compareWeights(t, what+", input "+x.Name, &x.Weights, &y.Weights)
	}
	for v := range a.UVs {
		if b.UVs == nil || a.UVs[v] != b.UVs[v] {
			t.Fatalf("%s: texture coordinates of vertex %d differ", what, v)
		}
	}
	return exact
}

// compareWeights: joints are equal, and weights to 1e-7: normalising again may move the last bit.
func compareWeights(t *testing.T, what string, a, b *skinning.Influences) {
	t.Helper()
	for v := range a.Bindings {
		x, y := a.Of(nil, v), b.Of(nil, v)
		if len(x) != len(y) {
			t.Fatalf("%s: vertex %d has %v, expected %v", what, v, y, x)
		}
		for k := range x {
			if x[k].Joint != y[k].Joint || !(math.Abs(float64(x[k].Weight-y[k].Weight)) <= 1e-7) {
				t.Fatalf("%s: vertex %d has %v, expected %v", what, v, y, x)
			}
		}
	}
}

// comparePoses: every clip poses skin and morphs alike, to 2e-6 of the size: float32 inverse bind matrices twice.
func comparePoses(t *testing.T, a, b *skinning.Model) {
	t.Helper()
	for clip := -1; clip < min(len(a.Clips), 6); clip++ {
		for _, u := range []float64{0, 0.37, 1} {
			seconds := 0.0
			if clip >= 0 {
				seconds = u * a.Clips[clip].Seconds
			}
			poseA, paletteA := gltftest.Posed(a, clip, seconds)
			poseB, paletteB := gltftest.Posed(b, clip, seconds)
			for v := 0; v < len(a.Skin.Positions); v += 1 + len(a.Skin.Positions)/500 {
				d := gltftest.LinearBlend(a, poseA, paletteA, v).Sub(gltftest.LinearBlend(b, poseB, paletteB, v)).Len()
				if !(d <= 2e-6*a.Diagonal()) {
					t.Fatalf("clip %d at %g s: vertex %d is off by %g", clip, seconds, v, d)
				}
			}
			for i := range poseA.Local {
				if d := gltftest.Difference(poseA.Local[i].Affine(), poseB.Local[i].Affine()); !(d <= 1e-12) { // normalised again
					t.Fatalf("clip %d at %g s: node %d is at %v, expected %v", clip, seconds, i, poseB.Local[i], poseA.Local[i])
				}
			}
		}
	}
}

// TestEncodeRefuses: what glTF cannot say is an error that says so.
func TestEncodeRefuses(t *testing.T) {
	base := func() *skinning.Model {
		m, _, _ := source(t, "demo:arm")
		return m
	}
	for name, c := range map[string]struct {
		change func(*skinning.Model)
		want   string
	}{
		"two skins in a part": {func(m *skinning.Model) { m.Skeleton.Joints[len(m.Skeleton.Joints)-1].Skin = 1 },
			"of another skin"},
		"a target twice": {func(m *skinning.Model) {
			c := &m.Clips[0]
			c.Channels = append(c.Channels, c.Channels[0])
		}, "a second time"},
		"some of the targets": {func(m *skinning.Model) {
			m.MorphSlots = append(m.MorphSlots, skinning.MorphSlot{Target: len(m.MorphSlots)})
		}, "morph targets of node"},
	} {
		m := base()
		c.change(m)
		if _, err := Encode(m); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
	}
}

// TestEncodeKeepsPictures: pixels and samplers come back.
func TestEncodeKeepsPictures(t *testing.T) {
	m := decoded(t, "beam", gltftest.Beam().Glb())
	data := encoded(t, m)
	again := decoded(t, "beam", data)
	a, b := m.Textures[0], again.Textures[0]
	if a.WrapU != b.WrapU || a.WrapV != b.WrapV || a.Nearest != b.Nearest || !bytes.Equal(a.Image.Pix, b.Image.Pix) {
		t.Errorf("texture %+v, expected %+v", b, a)
	}
	if again.Skin.UVs[3] != m.Skin.UVs[3] || m.Skin.UVs[3] == (mgl32.Vec2{}) {
		t.Errorf("texture coordinates %v, expected %v", again.Skin.UVs[3], m.Skin.UVs[3])
	}
}
