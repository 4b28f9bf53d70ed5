package measure

import (
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/internal/assetstest"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// TestPick shoots along −Z at posed vertices that face that way. A triangle is met whose corner nearest to the ray's
// point is the vertex that was aimed at, or, where something else is in front, one that is nearer to the eye.
func TestPick(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	f := posed(m, 0, 0.5)
	l := NewLive(func() {})
	defer l.Close()
	pick := func(r Ray) Picked {
		l.Pick(r)
		for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if p, ok := l.Picked(); ok {
				return p
			}
		}
		t.Fatalf("no answer within %v", patience)
		panic("unreachable")
	}
	l.Ask(&Request{Own: f, Fitted: f, Reference: skinning.DQS, Want: everything(), Joint: -1, Vertex: -1})
	for _, method := range []skinning.Method{skinning.LBS, skinning.SBS} {
		shape := f.Reference(method)
		hits := 0
		for v := 0; v < len(shape.Positions); v += 97 {
			p := shape.Positions[v]
			if shape.Normals[v][2] < 0.5 {
				continue
			}
			got := pick(Ray{Origin: mgl32.Vec3{float32(p[0]), float32(p[1]), 10}, Direction: mgl32.Vec3{0, 0, -3},
				Row: OfPane(state.Pane{Method: method})})
			if got.Vertex == v {
				hits++
				if want := int(m.Skin.Bindings[v].Joints[0]); got.Joint != want {
					t.Errorf("vertex %d: moved most by joint %d, expected %d", v, got.Joint, want)
				}
				continue
			}
			if got.Vertex < 0 {
				t.Errorf("%v: nothing met at vertex %d", method, v)
			} else if q := shape.Positions[got.Vertex]; !(q[2] > p[2]-1e-3) && q.Sub(p).Len() > 1e-6 {
				t.Errorf("%v: aimed at vertex %d at %v, met %d at %v behind it", method, v, p, got.Vertex, q)
			}
		}
		if hits < 20 {
			t.Errorf("%v: %d vertices met, expected 20 at least", method, hits)
		}
	}
	aim := Ray{Origin: mgl32.Vec3{0, 1.2, 10}, Direction: mgl32.Vec3{0, 0, -1}}
	if got := pick(aim); got.Vertex < 0 || got.Own != m {
		t.Errorf("picked %+v in the middle of the figure, expected a vertex of this very model", got)
	}
	// A click on a second file that another one has taken the place of since: its vertices are not the first file's.
	tube := posed(assetstest.Open(t, "demo:tube"), 0, 0)
	l.Ask(&Request{Own: f, Beside: tube, Reference: skinning.DQS, Want: everything(), Joint: -1, Vertex: -1})
	p := tube.Positions(skinning.LBS)[0]
	toward := Ray{Origin: mgl32.Vec3{float32(p[0]), float32(p[1]), 10}, Direction: mgl32.Vec3{0, 0, -1},
		Row: OfPane(state.Pane{Method: skinning.LBS, Beside: true})}
	if got := pick(toward); got != (Picked{Vertex: -1, Joint: -1}) {
		t.Errorf("picked %+v of a file with another skin", got)
	}
	l.Ask(&Request{Own: f, Fitted: f, Reference: skinning.DQS, Want: everything(), Joint: -1, Vertex: -1})
	away := Ray{Origin: mgl32.Vec3{50, 50, 50}, Direction: mgl32.Vec3{1, 0, 0}}
	if got := pick(away); got != (Picked{Vertex: -1, Joint: -1}) {
		t.Errorf("picked %+v in thin air", got)
	}
	if got := pick(Ray{Row: OfPane(state.Pane{Method: state.Fitted, Beside: true})}); got != (Picked{Vertex: -1, Joint: -1}) {
		t.Errorf("picked %+v of a file that is not there", got)
	}

	// A shield that hangs on a node hides what is behind it, and nothing else.
	shielded := *m
	shielded.Rigid = []skinning.Mesh{{
		Positions: []mgl32.Vec3{{-9, -9, 0}, {9, -9, 0}, {0, 18, 0}}, Triangles: [][3]uint32{{0, 1, 2}},
		Parts: []skinning.Part{{Node: 0, VertexCount: 3, TriangleCount: 1}},
	}}
	for z, hidden := range map[float64]bool{5: true, -5: false} {
		behind := posed(&shielded, 0, 0.5)
		behind.Globals[0] = geom.NewAffine(geom.Identity3(), [3]float64{0, 0, z})
		l.Ask(&Request{Own: behind, Reference: skinning.DQS, Want: everything(), Joint: -1, Vertex: -1})
		if got := pick(aim); (got.Vertex < 0) != hidden {
			t.Errorf("shield at z = %g: picked %+v, hidden should be %v", z, got, hidden)
		}
		without := aim
		without.Hidden = make([]bool, shielded.PartCount())
		without.Hidden[len(m.Skin.Parts)] = true
		if got := pick(without); got.Vertex < 0 {
			t.Errorf("shield at z = %g that is not drawn: picked %+v, expected the figure behind it", z, got)
		}
		for i := range m.Skin.Parts {
			without.Hidden[i] = true
		}
		if got := pick(without); got.Vertex >= 0 {
			t.Errorf("picked %+v of a skin that is not drawn", got)
		}
	}
}
