package bench

import (
	"context"
	"math"
	"reflect"
	"testing"
	"time"

	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/rig"
	"skinlab/skinning/simd"
)

// TestMesh holds a benchmark mesh to what its documentation says: 70 joints, four influences with weight each, unit
// normals, the same at every call; poses that turn joints far and scale them, so that no method has it easy.
func TestMesh(t *testing.T) {
	const vertices = 3000
	m := Mesh(vertices, MeshTurn)
	if err := m.Skin.Validate(len(m.Skeleton.Joints)); err != nil {
		t.Fatal(err)
	}
	if len(m.Skin.Positions) != vertices || len(m.Skin.Bindings) != vertices || len(m.Skeleton.Joints) != 70 ||
		m.Skin.ExtraStart != nil {
		t.Fatalf("%d positions, %d bindings, %d joints", len(m.Skin.Positions), len(m.Skin.Bindings), len(m.Skeleton.Joints))
	}
	used := map[uint16]bool{}
	for v, b := range m.Skin.Bindings {
		if !(b.Weights[3] > 0) {
			t.Fatalf("vertex %d has weights %v", v, b.Weights)
		}
		used[b.Joints[0]] = true
		if l := m.Skin.Normals[v].Len(); !(math.Abs(float64(l)-1) < 1e-6) { // float32 rounding of a unit vector
			t.Fatalf("normal %d has length %g", v, l)
		}
	}
	if len(used) != 70 {
		t.Errorf("%d joints are anyone's pivot", len(used))
	}
	if again := Mesh(vertices, MeshTurn); !reflect.DeepEqual(again, m) {
		t.Error("the next call gives another mesh")
	}
	_, frames := Poses(m, 0)
	for i, f := range frames {
		turned, scaled := 0, 0
		for j := range f.Rigid() {
			if math.Abs(f.Rigid()[j].Real[3]) < math.Cos(math.Pi/12) { // by more than 30 degrees from rest
				turned++
			}
			s := &f.Scale()[j]
			if math.Abs(s[0]-1)+math.Abs(s[5]-1)+math.Abs(s[10]-1) > 0.01 {
				scaled++
			}
			if i > 0 && f.Rigid()[j].Real == frames[i-1].Rigid()[j].Real {
				t.Fatalf("joint %d is the same in poses %d and %d", j, i-1, i)
			}
		}
		if turned < 35 || scaled < 35 { // half of them
			t.Errorf("pose %d turns %d joints and scales %d", i, turned, scaled)
		}
	}
}

// TestMeshBones: the bones are samples of the operator that validate, every vertex follows one, and CPU times them.
func TestMeshBones(t *testing.T) {
	m := Mesh(1000, MeshTurn)
	for _, bones := range []int{1, 10, 100} {
		b, err := MeshBones(m, skinning.DQS, bones)
		if err != nil {
			t.Fatal(err)
		}
		blend := skinning.RigOf[*rig.BlendBones](b)
		if err := b.Skin.Validate(70 + bones); err != nil || len(blend.Bones) != bones || blend.Operator != skinning.DQS {
			t.Fatalf("%v, %+v", err, blend)
		}
		for v, x := range b.Skin.Bindings {
			added := 0
			for _, j := range x.Joints {
				if j >= 70 {
					added++
				}
			}
			if added != 1 || !(x.Weights[3] > 0) {
				t.Fatalf("vertex %d: joints %v, weights %v", v, x.Joints, x.Weights)
			}
		}
		rows, err := CPU(context.Background(), m,
			Options{Subjects: []compare.Subject{{Name: "blend-bones", Model: b}}, Levels: simd.Levels()[:1], Threads: []int{2},
				Repeats: 3, Round: time.Millisecond})
		if err != nil || len(rows) != 1 || !(rows[0].RatioToLBS > 0) || rows[0].BytesPerVertex != 72 {
			t.Fatalf("%v, %+v", err, rows)
		}
	}
	if _, err := MeshBones(m, skinning.DQS, 0); err == nil {
		t.Error("no bones are accepted")
	}
}

func TestCount(t *testing.T) {
	for n, text := range map[int]string{0: "0", 999: "999", 3000: "3k", 3001: "3001", 30_000: "30k", 1_000_000: "1M",
		1_500_000: "1500k"} {
		if got := Count(n); got != text {
			t.Errorf("%d is %q, expected %q", n, got, text)
		}
	}
}

// TestCopy: every byte arrives, for any number of threads and any size, in blocks or at once.
func TestCopy(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 7} {
		for _, bytes := range []int{2, 9, 1000, 3 << 20} {
			c := newCopier(bytes)
			for _, block := range []int{7, copyBlock, len(c.from)} {
				if block == 7 && bytes > 1000 {
					continue
				}
				clear(c.to)
				if seconds := c.once(bytes, threads, block, 2); !(seconds >= 0) {
					t.Errorf("%g seconds", seconds)
				}
				for i, x := range c.to[:bytes/2] {
					if x != c.from[i] {
						t.Fatalf("%d threads, %d bytes by %d: byte %d is %d, expected %d", threads, bytes, block, i, x, c.from[i])
					}
				}
			}
			if rate := c.rate(bytes, threads, time.Millisecond); bytes > 1000 && !(rate > 1e6 && rate < 1e13) { // 1 MB/s to 10 TB/s
				t.Errorf("%d threads, %d bytes: %g bytes per second", threads, bytes, rate)
			}
		}
	}
}

// Poses that turn joints by up to half a turn put motions of many vertices into two hemispheres, which those of
// MeshTurn do to none: joints as near as a vertex's are then up to three turns apart, or half a turn.
func TestMeshTurn(t *testing.T) {
	for _, c := range []struct{ turn, least, most float64 }{{MeshTurn, 0, 0}, {180, 0.1, 1}} {
		m := Mesh(1000, c.turn)
		_, frames := Poses(m, 0)
		far := 0
		for _, f := range frames {
			for _, b := range m.Skin.Bindings {
				if inTwoHemispheres(f, &m.Skeleton, &b) {
					far++
				}
			}
		}
		if share := float64(far) / float64(len(frames)*len(m.Skin.Bindings)); share < c.least || share > c.most {
			t.Errorf("turns of %g degrees: %g of the vertices have motions in two hemispheres, expected %g to %g", c.turn, share,
				c.least, c.most)
		}
	}
}

// inTwoHemispheres tells whether no choice of signs by joint that has every joint beside its parent fits the vertex.
func inTwoHemispheres(f *skinning.Frame, s *skinning.Skeleton, b *skinning.Binding) bool {
	sign := func(j uint16) float64 {
		product := 1.0
		for p := int(j); s.Joints[p].Parent >= 0; p = s.Joints[p].Parent {
			product *= math.Copysign(1, f.Rigid()[p].Real.Dot(f.Rigid()[s.Joints[p].Parent].Real))
		}
		return product
	}
	for _, j := range b.Joints[1:] {
		if sign(j)*sign(b.Joints[0])*f.Rigid()[j].Real.Dot(f.Rigid()[b.Joints[0]].Real) < 0 {
			return true
		}
	}
	return false
}
