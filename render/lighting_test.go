package render

import (
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/render/environment"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// withTangents returns a model whose vertices have tangents: some direction across their normals, of both signs.
func withTangents(m *skinning.Model) *skinning.Model {
	out := *m
	add := func(mesh *skinning.Mesh) {
		mesh.Tangents = nil
		for v, n := range mesh.Normals {
			mesh.Tangents = append(mesh.Tangents, geom.Vec32(geom.Perpendicular(geom.Vec64(n))).Vec4(float32(1-2*(v&1))))
		}
	}
	add(&out.Skin)
	out.Rigid = append([]skinning.Mesh(nil), m.Rigid...)
	for i := range out.Rigid {
		add(&out.Rigid[i])
	}
	return &out
}

// TestTangentsMatchCPU: every method poses tangents as the linear part of its float64 reference does, with the sign of
// a mirror image where it mirrors; rigid meshes follow their nodes. The tolerance is that of normals.
func TestTangentsMatchCPU(t *testing.T) {
	for _, name := range []string{"demo:box", "demo:arm", "RobotExpressive.glb", "hostile/negative_scale_joint.glb",
		"hostile/two_weight_sets.glb"} {
		t.Run(name, func(t *testing.T) {
			m := withTangents(assetstest.Open(t, name))
			r := newTestRenderer(t)
			setModel(t, r, m)
			f := skinning.NewFrame(m, nil)
			poses := posesOf(m)
			checked := 0
			check := func(at string, mapping geom.Mat3, rest, got mgl32.Vec4) {
				size := 0.0
				for _, x := range mapping {
					size = max(size, x, -x)
				}
				want := skinning.MapTangent(mapping, rest)
				stretch := mapping.Apply(geom.Vec64(rest.Vec3())).Len()
				det := mapping.Det() / (size * size * size)
				if want.Vec3() == (mgl32.Vec3{}) || stretch < collapsed*size || max(det, -det) < collapsed {
					return // no direction, or no side
				}
				checked++
				if a := angle(geom.Vec64(got.Vec3()), geom.Vec64(want.Vec3())); !(a <= normalTolerance) || got[3] != want[3] {
					t.Errorf("%s: tangent %v is %.3g rad off %v", at, got, a, want)
				}
			}
			for _, at := range poses[:min(len(poses), 3)] {
				m.SamplePose(at.pose, at.clip, at.seconds)
				f.SetPose(at.pose)
				for k := range f.Morphs {
					f.Morphs[k] = 0 // they move the normals from which the bitangent is made
				}
				for _, method := range skinning.Methods() {
					g := r.modelOf(f)
					readPosed(t, r, f, method)
					if err := r.poser.PoseTangents(g.Model, g.Of(m), method, nil); err != nil {
						t.Fatal(err)
					}
					got := readBuffer(t, g.Streams.PosedTangents.ID, 0, make([]mgl32.Vec4, g.Streams.All))
					for v := range m.Skin.Positions {
						check(at.String()+", "+method.String(), f.BlendVertex(method, v).Linear(), m.Skin.Tangents[v], got[v])
					}
					for i := range m.Rigid {
						first, node := g.Streams.First[i+1], m.Rigid[i].Parts[0].Node
						for v, rest := range m.Rigid[i].Tangents {
							check("rigid", f.Globals[node].Linear(), rest, got[first+v])
						}
					}
					if t.Failed() {
						return
					}
				}
			}
			if checked == 0 {
				t.Error("no tangent was checked")
			}
		})
	}
}

// TestTangentsFollowMorphs: a target that turns tangents by 45° about their normals does so before the method moves
// them, whether its deltas are in a texture or the CPU adds them.
func TestTangentsFollowMorphs(t *testing.T) {
	m := withTangents(assetstest.Open(t, "hostile/morph_and_skin.glb"))
	m.Skin.Morphs = slices.Clone(m.Skin.Morphs)
	target := &m.Skin.Morphs[0]
	for v := range target.Positions {
		n, rest := m.Skin.Normals[target.FirstVertex+v], m.Skin.Tangents[target.FirstVertex+v].Vec3()
		target.Tangents = append(target.Tangents, n.Cross(rest))
	}
	for _, onCPU := range []bool{false, true} {
		r := newTestRenderer(t)
		if onCPU {
			r.poser.Texels = 0
		}
		setModel(t, r, m)
		f := skinning.NewFrame(m, nil)
		pose := m.NewPose()
		for _, weight := range []float64{1, 0, 0.5} {
			m.SamplePose(pose, 0, 0.4*m.Clips[0].Seconds)
			clear(pose.Morphs)
			pose.Morphs[target.Slot] = weight
			f.SetPose(pose)
			g := r.modelOf(f)
			readPosed(t, r, f, skinning.DQS)
			if err := r.poser.PoseTangents(g.Model, g.Of(m), skinning.DQS, nil); err != nil {
				t.Fatal(err)
			}
			got := readBuffer(t, g.Streams.PosedTangents.ID, 0, make([]mgl32.Vec4, g.Streams.All))
			for v, delta := range target.Tangents {
				v += target.FirstVertex
				rest := m.Skin.Tangents[v].Add(delta.Mul(float32(weight)).Vec4(0))
				want := skinning.MapTangent(f.BlendVertex(skinning.DQS, v).Linear(), rest)
				if a := angle(geom.Vec64(got[v].Vec3()), geom.Vec64(want.Vec3())); !(a <= normalTolerance) {
					t.Fatalf("by the CPU %v, weight %g, vertex %d: %.3g rad off", onCPU, weight, v, a)
				}
			}
		}
	}
}

// TestFloorHasTheLight: the floor is dark in the dark and red in red surroundings; clay keeps its own studio.
func TestFloorHasTheLight(t *testing.T) {
	r := newTestRenderer(t)
	m := newCard(skinning.Material{BaseColor: [4]float32{1, 1, 1, 1}, Texture: -1}, grey(0), grey(0))
	setModel(t, r, m)
	floor := func(light mgl32.Vec3, surface picture.Surface) color.NRGBA {
		return pictureOf(t, r, &picture.Scene{Frame: skinning.NewFrame(m, nil), Grid: true, Width: 64, Height: 64,
			Environment: environment.Uniform(light, mgl32.Vec3{}), Surface: surface,
			Camera: picture.Camera{Target: mgl32.Vec3{0, -1, 0}, Distance: 9, FOV: 0.5, Pitch: 1.4}}).NRGBAAt(20, 50)
	}
	dark, red := floor(mgl32.Vec3{}, picture.SurfaceMaterial), floor(mgl32.Vec3{2, 0, 0}, picture.SurfaceMaterial)
	if dark.R > 20 || red.R < 60 || red.G > 20 {
		t.Errorf("the floor is %v in the dark, %v in red", dark, red)
	}
	if a, b := floor(mgl32.Vec3{}, picture.SurfaceClay), floor(mgl32.Vec3{2, 0, 0}, picture.SurfaceClay); a != b || a.R < 60 {
		t.Errorf("under clay the floor is %v and %v", a, b)
	}
}

// TestTurnedAwayFacets: a facet that is nearly turned away from the key light, with normals that see it, has its light,
// but not where something farther off keeps it away: a neck has no bright facets in the shadow of its head.
func TestTurnedAwayFacets(t *testing.T) {
	r := newTestRenderer(t)
	key := mgl32.Vec3{-0.50, 0.92, 0.62}.Normalize()
	square := func(middle, across mgl32.Vec3, half float32, normal mgl32.Vec3) skinning.Mesh {
		a := across.Mul(half)
		b := across.Cross(normal).Normalize().Mul(half)
		m := newCard(skinning.Material{}, grey(0), grey(0)).Rigid[0]
		m.Positions = []mgl32.Vec3{middle.Sub(a).Sub(b), middle.Add(a).Sub(b), middle.Add(a).Add(b), middle.Sub(a).Add(b)}
		m.Normals = []mgl32.Vec3{key, key, key, key}
		return m
	}
	m := newCard(skinning.Material{BaseColor: [4]float32{0.5, 0.5, 0.5, 1}, Roughness: 1, Texture: -1, DoubleSided: true},
		grey(0), grey(0))
	z := mgl32.Vec3{0, 0, 1}
	facet := square(mgl32.Vec3{}, z, 0.5, mgl32.Vec3{0.9, 0.52, 0})
	other := square(key.Mul(2), z.Sub(key.Mul(key.Dot(z))).Normalize(), 0.6, key)
	var seen [2]uint8
	for i, meshes := range [][]skinning.Mesh{{facet}, {facet, other}} {
		m := *m
		m.Rigid = meshes
		setModel(t, r, &m)
		img := pictureOf(t, r, &picture.Scene{Frame: skinning.NewFrame(&m, nil), Transparent: true, Width: 64, Height: 64,
			Environment: environment.Uniform(mgl32.Vec3{}, mgl32.Vec3{1, 1, 1}),
			Camera:      picture.Camera{Yaw: math.Pi / 2, Distance: 6, FOV: 0.5}})
		seen[i] = img.NRGBAAt(32, 32).G
	}
	if seen[0] < 150 || seen[1] > 40 {
		t.Errorf("alone the facet is %d of 255, in a shadow %d", seen[0], seen[1])
	}
}

// lit returns the middle of the left and the right half of a card in surroundings.
func lit(t *testing.T, r *Renderer, m *skinning.Model, around *environment.Light) (left, right color.NRGBA) {
	t.Helper()
	setModel(t, r, m)
	img := pictureOf(t, r, &picture.Scene{Frame: skinning.NewFrame(m, nil), Environment: around,
		Camera: picture.Camera{Distance: 6, FOV: 0.5}, Width: 64, Height: 64})
	return img.NRGBAAt(22, 32), img.NRGBAAt(42, 32)
}

func grey(v uint8) color.NRGBA { return color.NRGBA{v, v, v, 255} }

// TestMaterialsInWhite: nothing that is white can be seen in surroundings of one radiance, metal or not and whatever its
// roughness: 0.5 is 188. The table of 32 texels and its split leave 4 steps of 255.
func TestMaterialsInWhite(t *testing.T) {
	r := newTestRenderer(t)
	half := environment.Uniform(mgl32.Vec3{0.5, 0.5, 0.5}, mgl32.Vec3{})
	for _, c := range []skinning.Material{{Roughness: 1}, {Metallic: 1, Roughness: 0}, {Metallic: 1, Roughness: 0.5},
		{Metallic: 1, Roughness: 1}} {
		c.BaseColor, c.Texture = [4]float32{1, 1, 1, 1}, -1
		if left, _ := lit(t, r, newCard(c, grey(0), grey(0)), half); !near(left, grey(188), 4) {
			t.Errorf("metallic %g, roughness %g: %v, expected 188", c.Metallic, c.Roughness, left)
		}
	}
}

// TestReflections: a card that faces the eye mirrors what is behind the eye in the colour of its metal; gloss that is
// no metal reflects 4 % of it; a rough one less of it. Emission needs no light, and occlusion shuts out the
// surroundings' but not the emitted.
func TestReflections(t *testing.T) {
	r := newTestRenderer(t)
	behind := environment.New(32, func(d mgl32.Vec3) mgl32.Vec3 {
		if d[2] > 0.9 {
			return mgl32.Vec3{0.5, 0, 0}
		}
		return mgl32.Vec3{}
	}, mgl32.Vec3{})
	metal := skinning.Material{BaseColor: [4]float32{1, 0.5, 1, 1}, Texture: -1, Metallic: 1}
	if left, _ := lit(t, r, newCard(metal, grey(0), grey(0)), behind); !near(left, color.NRGBA{188, 0, 0, 255}, 6) {
		t.Errorf("a mirror shows %v, expected half of red", left)
	}
	metal.Roughness = 1
	if left, _ := lit(t, r, newCard(metal, grey(0), grey(0)), behind); left.R > 150 || left.R < 20 {
		t.Errorf("a rough metal shows %v", left)
	}
	gloss := skinning.Matte("", 0, 0, 0)
	gloss.Roughness = 0
	if left, _ := lit(t, r, newCard(gloss, grey(0), grey(0)), behind); left.R < 30 || left.R > 46 { // 2 % are 38
		t.Errorf("black gloss shows %v, expected a fiftieth of red", left)
	}
	dark := environment.Uniform(mgl32.Vec3{}, mgl32.Vec3{})
	glow := skinning.Material{BaseColor: [4]float32{1, 1, 1, 1}, Texture: -1, Emissive: [3]float32{0.5, 0, 0.5}}
	if left, _ := lit(t, r, newCard(glow, grey(0), grey(0)), dark); !near(left, color.NRGBA{188, 0, 188, 255}, 1) {
		t.Errorf("emission in the dark shows %v", left)
	}
	glow.Maps = []skinning.Map{{Kind: skinning.OcclusionMap, Strength: 1}, {Kind: skinning.EmissiveMap, Strength: 1}}
	left, right := lit(t, r, newCard(glow, grey(0), grey(255)), environment.Uniform(mgl32.Vec3{1, 1, 1}, mgl32.Vec3{}))
	if !near(left, grey(0), 1) || right.R < 230 || right.B < 230 {
		t.Errorf("shut and dark: %v, open and glowing: %v", left, right)
	}
}

// TestVertexColorsAndSecondCoordinates: COLOR_0 is multiplied in, alpha included, and a map takes the coordinates that
// it names.
func TestVertexColorsAndSecondCoordinates(t *testing.T) {
	r := newTestRenderer(t)
	m := newCard(skinning.Material{BaseColor: [4]float32{1, 1, 1, 1}, Texture: -1, Unlit: true}, grey(0), grey(0))
	for range 4 {
		m.Rigid[0].Colors = append(m.Rigid[0].Colors, skinning.Color{32768, 0, 65535, 65535})
	}
	if left, _ := lit(t, r, m, nil); !near(left, color.NRGBA{188, 0, 255, 255}, 1) {
		t.Errorf("vertex colours show %v", left)
	}
	m = newCard(skinning.Material{BaseColor: [4]float32{0, 0, 0, 1}, Texture: -1, Emissive: [3]float32{1, 1, 1},
		Maps: []skinning.Map{{Kind: skinning.EmissiveMap, Second: true, Strength: 1}}}, grey(0), grey(100))
	for _, uv := range m.Rigid[0].UVs {
		m.Rigid[0].SecondUVs = append(m.Rigid[0].SecondUVs, mgl32.Vec2{1 - uv[0], uv[1]})
	}
	left, right := lit(t, r, m, environment.Uniform(mgl32.Vec3{}, mgl32.Vec3{}))
	if !near(left, grey(100), 2) || !near(right, grey(0), 2) {
		t.Errorf("the second coordinates mirror the picture: %v and %v", left, right)
	}
}

// TestNormalMaps: a map that leans to growing u turns the surface to where the tangent points, with tangents of the
// mesh and with those of its texture coordinates alike; a turned tangent turns the lean, and the scale flattens it.
func TestNormalMaps(t *testing.T) {
	r := newTestRenderer(t)
	fromRight := environment.New(32, func(d mgl32.Vec3) mgl32.Vec3 {
		x := max(d[0], 0)
		return mgl32.Vec3{x, x, x}
	}, mgl32.Vec3{})
	toRight, toLeft := color.NRGBA{217, 128, 217, 255}, color.NRGBA{38, 128, 217, 255} // 45° from the normal
	show := func(scale float32, tangent mgl32.Vec4) (left, right color.NRGBA) {
		m := newCard(skinning.Material{BaseColor: [4]float32{1, 1, 1, 1}, Texture: -1, Roughness: 1,
			Maps: []skinning.Map{{Kind: skinning.NormalMap, Strength: scale}}}, toRight, toLeft)
		m.Textures[0].Linear = true
		if tangent != (mgl32.Vec4{}) {
			m.Rigid[0].Tangents = []mgl32.Vec4{tangent, tangent, tangent, tangent}
		}
		return lit(t, r, m, fromRight)
	}
	bright, dark := show(1, mgl32.Vec4{})
	if int(bright.R)-int(dark.R) < 60 {
		t.Errorf("leaning to the light %v, away from it %v", bright, dark)
	}
	if left, right := show(1, mgl32.Vec4{1, 0, 0, 1}); !near(left, bright, 3) || !near(right, dark, 3) {
		t.Errorf("with tangents %v and %v, without %v and %v", left, right, bright, dark)
	}
	if left, right := show(1, mgl32.Vec4{-1, 0, 0, 1}); !near(left, dark, 3) || !near(right, bright, 3) {
		t.Errorf("with turned tangents %v and %v, expected %v and %v", left, right, dark, bright)
	}
	if left, right := show(0, mgl32.Vec4{}); !near(left, right, 2) {
		t.Errorf("a scale of 0 shows %v and %v", left, right)
	}
}

// TestBlendedOrder: the farther of two transparent cards is drawn first, whichever comes first in the file and from
// whichever side.
func TestBlendedOrder(t *testing.T) {
	r := newTestRenderer(t)
	for _, yaw := range []float32{0, 3.14159265} {
		var seen [2]*image.NRGBA
		for order := range seen {
			m := newCard(skinning.Material{BaseColor: [4]float32{1, 0, 0, 0.5}, Texture: -1, Unlit: true, Blend: true,
				DoubleSided: true}, grey(0), grey(0))
			blue := m.Materials[0]
			blue.BaseColor = [4]float32{0, 0, 1, 0.5}
			m.Materials = append(m.Materials, blue)
			second := m.Rigid[0]
			second.Parts = []skinning.Part{{VertexCount: 4, TriangleCount: 2, Material: 1, Node: 1}}
			m.Rigid = append(m.Rigid, second)
			m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: -1, Rest: geom.IdentityTransform()})
			m.Skeleton.Order = []int{0, 1}
			m.Skeleton.Nodes[0].Rest.Translation = mgl64.Vec3{0, 0, 0.5}
			if order == 1 {
				m.Rigid[0], m.Rigid[1] = m.Rigid[1], m.Rigid[0]
			}
			setModel(t, r, m)
			seen[order] = pictureOf(t, r, &picture.Scene{Frame: skinning.NewFrame(m, nil),
				Camera: picture.Camera{Yaw: yaw, Distance: 6, FOV: 0.5}, Width: 64, Height: 64})
		}
		a, b := seen[0].NRGBAAt(32, 32), seen[1].NRGBAAt(32, 32)
		if front := yaw == 0; !near(a, b, 1) || (a.R > a.B) != front {
			t.Errorf("yaw %g: %v and %v in the other order of the file", yaw, a, b)
		}
	}
}

// TestNormalMapsEveryWay: a bent tube with a normal map and tangents is the same picture wherever it is posed, but for
// samples at edges; flat it is another one.
func TestNormalMapsEveryWay(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := withTangents(assetstest.Open(t, "demo:tube"))
	card := newCard(skinning.Material{}, color.NRGBA{200, 90, 200, 255}, color.NRGBA{60, 160, 200, 255})
	card.Textures[0].Linear = true
	m.Textures = card.Textures
	for v := range m.Skin.Positions {
		m.Skin.UVs = append(m.Skin.UVs, mgl32.Vec2{float32(v%7) / 7, 0.5})
	}
	m.Materials = append([]skinning.Material(nil), m.Materials...)
	m.Materials[0].Maps = []skinning.Map{{Kind: skinning.NormalMap, Strength: 1}}
	r := newTestRenderer(t)
	setModel(t, r, m)
	s := newTestScene(m, 1, 96, 96)
	for _, method := range skinning.Methods() {
		s.Method = method
		var first *image.NRGBA
		everyWay(t, r, func(way skin.Way) {
			img := pictureOf(t, r, s)
			if first == nil {
				first = img
			}
			if d := compareImages(first, img); !(d.mean <= 0.05 && d.share <= 0.002) {
				t.Errorf("%v, %v: %v from the first way", method, way, d)
			}
		})
	}
	bumped := pictureOf(t, r, s)
	m.Materials[0].Maps = nil
	setModel(t, r, m)
	if d := compareImages(bumped, pictureOf(t, r, s)); d.mean < 0.5 {
		t.Errorf("the map changes the picture by %v", d)
	}
}
