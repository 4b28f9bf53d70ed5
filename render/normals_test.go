package render

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// readRecomputed recomputes the normals of what the posed buffer holds in one way and reads them back. Only tests read
// back.
func readRecomputed(t testing.TB, r *Renderer, f *skinning.Frame, way skin.Way) []mgl32.Vec3 {
	t.Helper()
	g := r.modelOf(f)
	if err := r.poser.Recompute(g.Model, f, way, nil); err != nil {
		t.Fatal(err)
	}
	return normalsOf(readBuffer(t, g.Rings.Shaded.ID, 0, make([]skin.Vertex, g.Streams.All)))
}

func normalsOf(vertices []skin.Vertex) (normals []mgl32.Vec3) {
	for _, v := range vertices {
		normals = append(normals, v.Normal)
	}
	return normals
}

// flattened is the length of a ring's vector area, as a share of the products of its edges, below which its direction
// is noise in float32: each cross product is 1e-7 of them off, so that above it normals keep 1e-3 radians with room.
const flattened = 1e-3

// flat reports whether the area of the triangles round a vertex cancels or vanishes.
func flat(o *skinning.OneRings, triangles [][3]uint32, positions []mgl64.Vec3, v int) bool {
	var sum mgl64.Vec3
	edges := 0.0
	ring := o.Rings[v]
	for _, i := range o.Triangles[ring.First : ring.First+ring.Count] {
		a, b, c := positions[triangles[i][0]], positions[triangles[i][1]], positions[triangles[i][2]]
		sum = sum.Add(b.Sub(a).Cross(c.Sub(a)))
		edges += b.Sub(a).Len() * c.Sub(a).Len()
	}
	return sum.Len() < flattened*edges
}

// TestRecomputedMatchesCPU holds the pass against skinning.OneRings on the positions that the GPU posed: seams, hard
// edges, mirrored joints, models in centimetres, rigid meshes.
func TestRecomputedMatchesCPU(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, name := range []string{"demo:box", "demo:tube", "demo:arm", "demo:figure", "human_male.glb", "CesiumMan.glb",
		"Fox.glb", "RobotExpressive.glb", "hostile/negative_scale_joint.glb", "hostile/morph_and_skin.glb"} {
		t.Run(name, func(t *testing.T) {
			m := assetstest.Open(t, name)
			r := newTestRenderer(t)
			setModel(t, r, m)
			f := skinning.NewFrame(m, nil)
			meshes := []*skinning.Mesh{&m.Skin}
			for i := range m.Rigid {
				meshes = append(meshes, &m.Rigid[i])
			}
			checked, all := 0, 0
			for _, at := range posesOf(m)[:4] {
				m.SamplePose(at.pose, at.clip, at.seconds)
				f.SetPose(at.pose)
				posed := readPosed(t, r, f, skinning.LBS)
				got := readRecomputed(t, r, f, skin.InBufferFeedback)
				again := readRecomputed(t, r, f, r.poser.Best())
				for k, mesh := range meshes {
					first := r.model.Streams.First[k]
					var s skinning.Shape
					for _, p := range posed[first : first+len(mesh.Positions)] {
						s.Positions = append(s.Positions, geom.Vec64(p.Position))
						s.Normals = append(s.Normals, geom.Vec64(p.Normal))
					}
					rings := skinning.NewOneRings(mesh, m.Skeleton.Joints)
					want := rings.Normals(s, f.Mirrored())
					for v := range want {
						all++
						if flat(rings, mesh.Triangles, s.Positions, v) {
							continue
						}
						checked++
						for _, n := range []mgl32.Vec3{got[first+v], again[first+v]} {
							if a := angle(geom.Vec64(n), want[v]); !(a <= normalTolerance) {
								t.Fatalf("%v: mesh %d, vertex %d: normal %v is %.3g rad off %v, tolerance %g", at, k, v, n, a, want[v],
									normalTolerance)
							}
						}
					}
				}
			}
			if !(checked > all*9/10) {
				t.Errorf("only %d of %d normals have a direction to compare", checked, all)
			}
		})
	}
}

// TestRecomputedCrowd holds the normals of a crowd's instances against skinning.OneRings on the positions that the GPU
// posed, which the pass leaves as they are: rigid meshes, mirrored joints, and an enveloped skin.
func TestRecomputedCrowd(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, name := range []string{"demo:figure", "RobotExpressive.glb", "hostile/negative_scale_joint.glb", "enveloped arm"} {
		t.Run(name, func(t *testing.T) {
			r := newTestRenderer(t)
			var m *skinning.Model
			if name == "enveloped arm" {
				m = loadEnveloped(t)
			} else {
				m = assetstest.Open(t, name)
			}
			setModel(t, r, m)
			c, f := newTestCrowd(t, r, m, 2), skinning.NewFrame(m, nil)
			const instances = 5
			c.Pose(instances, 0, 0.4, 0)
			mirrored := false
			pose := m.NewPose()
			for i := range instances {
				m.SamplePose(pose, min(0, len(m.Clips)-1), c.Time(i))
				f.SetPose(pose)
				mirrored = mirrored || f.Mirrored()
			}
			meshes := []*skinning.Mesh{&m.Skin}
			for i := range m.Rigid {
				meshes = append(meshes, &m.Rigid[i])
			}
			everyWay(t, r, func(way skin.Way) {
				posed := readCrowd(t, r, c, f, skinning.LBS)
				got := readCrowdOf(t, r, &picture.Scene{Frame: f, Method: skinning.LBS, Crowd: c, Recomputed: true})
				checked, all, own := 0, 0, r.model.Streams.SkinVertices
				for i := range instances {
					for k, mesh := range meshes {
						first := i*own + r.model.Streams.First[k]
						if k > 0 {
							first = instances*own + i*(r.model.Streams.All-own) + r.model.Streams.First[k] - own
						}
						var s skinning.Shape
						for _, p := range got[first : first+len(mesh.Positions)] {
							s.Positions = append(s.Positions, geom.Vec64(p.Position))
						}
						for v, p := range posed[first : first+len(mesh.Positions)] {
							s.Normals = append(s.Normals, geom.Vec64(p.Normal))
							// In the shader the same sums may be rounded otherwise.
							if d := got[first+v].Position.Sub(p.Position).Len(); way != skin.InShader && d != 0 {
								t.Fatalf("%v: instance %d, mesh %d, vertex %d has moved by %g m", way, i, k, v, d)
							}
						}
						rings := skinning.NewOneRings(mesh, m.Skeleton.Joints)
						for v, want := range rings.Normals(s, mirrored) {
							all++
							if flat(rings, mesh.Triangles, s.Positions, v) {
								continue
							}
							checked++
							if a := angle(geom.Vec64(got[first+v].Normal), want); !(a <= normalTolerance) {
								t.Fatalf("%v: instance %d, mesh %d, vertex %d: normal %v is %.3g rad off %v, tolerance %g", way, i, k, v,
									got[first+v].Normal, a, want, normalTolerance)
							}
						}
					}
				}
				if !(checked > all*9/10) {
					t.Errorf("only %d of %d normals have a direction to compare", checked, all)
				}
			})
		})
	}
}

// A scene with normals from the surface is shaded with them on every way of skinning, and without them as before.
func TestRecomputedIsShaded(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:box")
	setModel(t, r, m)
	s := newTestScene(m, 1.7, 96, 96)
	s.Method, s.Surface = skinning.LBS, picture.SurfaceNormals
	before := pictureOf(t, r, s)
	s.Recomputed = true
	recomputed := pictureOf(t, r, s)
	// The collapsed middle, where transformed normals are those of no surface, covers a few per cent of the picture.
	if d := compareImages(before, recomputed); !(d.share > 0.01) {
		t.Errorf("recomputed normals change %v, expected more than 1 %% of the pixels", d)
	}
	everyWay(t, r, func(way skin.Way) {
		s.Recomputed = true
		if d := compareImages(recomputed, pictureOf(t, r, s)); !(d.mean <= 0.05) {
			t.Errorf("%v: recomputed: %v, expected a mean of 0.05 at most", way, d)
		}
		s.Recomputed = false
		if d := compareImages(before, pictureOf(t, r, s)); !(d.mean <= 0.05) {
			t.Errorf("%v: transformed, after recomputed: %v, expected a mean of 0.05 at most", way, d)
		}
	})
}

// A driver with small texture buffers refuses with a reason, and draws on without.
func TestRecomputedPastTheLimit(t *testing.T) {
	r := newTestRenderer(t)
	m := assetstest.Open(t, "demo:tube")
	setModel(t, r, m)
	r.poser.Texels = 100
	s := newTestScene(m, 0.5, 32, 32)
	s.Recomputed = true
	if _, err := r.Picture(s); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("has %d", r.poser.Texels)) {
		t.Errorf("error %v, expected one that names the limit", err)
	}
	s.Recomputed = false
	pictureOf(t, r, s)
}

// Lines stand on the vertices and point along the normals: the pixel at a tip beside the card is amber.
func TestNormalLines(t *testing.T) {
	r := newTestRenderer(t)
	m := newSkinCard(1)
	// towards +X, along the card, so that they are seen
	m.Skin.Normals = []mgl32.Vec3{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}
	setModel(t, r, m)
	s := &picture.Scene{Frame: skinning.NewFrame(m, nil), Surface: picture.SurfaceClay,
		Camera: picture.Camera{Distance: 6, FOV: 0.5}, Width: 64,
		Height: 64}
	at := func(p mgl32.Vec3) (amber bool) {
		c := clipPoint(&s.Camera, 1, p)
		px := pictureOf(t, r, s).NRGBAAt(int((c[0]+1)*32), int((1-c[1])*32))
		return int(px.R) > int(px.B)+40
	}
	beside, past := mgl32.Vec3{1.2, 1, 0}, mgl32.Vec3{1.45, 1, 0}
	if at(beside) {
		t.Error("without lines there is amber beside the card")
	}
	s.NormalLines = 0.3
	if !at(beside) || at(past) {
		t.Errorf("lines of 0.3 m: amber at 0.2 m %v and at 0.45 m %v, expected true and false", at(beside), at(past))
	}
}

// The rest pose shows where the posed model has left it, behind it it does not, and it is where the model was bound.
func TestGhost(t *testing.T) {
	r := newTestRenderer(t)
	m := newSkinCard(1)
	setModel(t, r, m)
	f := skinning.NewFrame(m, nil)
	pose := m.NewPose()
	pose.Local[0].Translation = mgl64.Vec3{1, 0, 0.5} // half aside, and in front of the rest pose
	f.SetPose(pose)
	s := &picture.Scene{Frame: f, Surface: picture.SurfaceClay, Camera: picture.Camera{Distance: 6, FOV: 0.5}, Width: 64,
		Height: 64}
	before := pictureOf(t, r, s)
	s.Ghost = true
	after := pictureOf(t, r, s)
	if a, b := before.NRGBAAt(16, 32), after.NRGBAAt(16, 32); !(b.B > a.B+2) {
		t.Errorf("the rest pose beside the model: %v after %v, expected brighter", b, a)
	}
	if a, b := before.NRGBAAt(44, 32), after.NRGBAAt(44, 32); !near(a, b, 1) {
		t.Errorf("the rest pose behind the model: %v after %v, expected no change", b, a)
	}
}

// BenchmarkRecompute times the pass alone, to the finish, so that on a software renderer too it is what a viewer waits
// for.
func BenchmarkRecompute(b *testing.B) {
	r := newTimedRenderer(b)
	m := assetstest.Open(b, "human_male.glb")
	setModel(b, r, m)
	f := skinning.NewFrame(m, nil)
	readPosed(b, r, f, skinning.LBS)
	for b.Loop() {
		if err := r.poser.Recompute(r.model.Model, f, r.poser.Best(), nil); err != nil {
			b.Fatal(err)
		}
		gl.Finish()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(m.Skin.Positions)), "ns/vertex")
}
