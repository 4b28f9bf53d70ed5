package skinning_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// axisRig is joints by place and parent; all carry weight but those that are named as free.
type axisRig struct {
	places  []mgl64.Vec3
	parents []int
	free    []int
}

func (r *axisRig) axes() []mgl64.Vec3 {
	carries := make([]bool, len(r.places))
	for j := range carries {
		carries[j] = true
	}
	for _, j := range r.free {
		carries[j] = false
	}
	return skinning.BoneAxes(r.places, r.parents, carries)
}

// The rules of the bone axis, one rig for each.
func TestBoneAxes(t *testing.T) {
	x, y, z, none := mgl64.Vec3{1, 0, 0}, mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, 1}, mgl64.Vec3{}
	near := x.Add(y).Normalize()
	for name, c := range map[string]struct {
		rig  axisRig
		axes []mgl64.Vec3
	}{
		"a chain: each to its child, the leaf as it came": {axisRig{places: []mgl64.Vec3{{}, {1, 0, 0}, {1, 2, 0}},
			parents: []int{-1, 0, 1}}, []mgl64.Vec3{x, y, y}},
		"a root has its first child's direction": {axisRig{places: []mgl64.Vec3{{}, {0, 3, 0}, {1, 0, 0}},
			parents: []int{-1, 0, 0}}, []mgl64.Vec3{y, y, x}},
		"the child that continues best, not the first": {axisRig{places: []mgl64.Vec3{{}, {1, 0, 0}, {1, 1, 0}, {2, 0.1, 0}},
			parents: []int{-1, 0, 1, 1}}, []mgl64.Vec3{x, mgl64.Vec3{1, 0.1, 0}.Normalize(), y, mgl64.Vec3{1, 0.1, 0}.Normalize()}},
		"mirrored children are averaged": {axisRig{places: []mgl64.Vec3{{}, {1, 0, 0}, {2, 0, 1}, {2, 0, -1}},
			parents: []int{-1, 0, 1, 1}}, []mgl64.Vec3{x, x, mgl64.Vec3{1, 0, 1}.Normalize(), mgl64.Vec3{1, 0, -1}.Normalize()}},
		"children that cancel leave the direction that leads there": {axisRig{places: []mgl64.Vec3{{}, {1, 0, 0}, {1, 0, 1},
			{1, 0, -1}}, parents: []int{-1, 0, 1, 1}}, []mgl64.Vec3{x, x, z, z.Mul(-1)}},
		"a child at the same place stands for its own": {axisRig{places: []mgl64.Vec3{{}, {1, 0, 0}, {1, 0, 1e-6}, {1, 1, 0}},
			parents: []int{-1, 0, 1, 2}}, []mgl64.Vec3{x, y, y, y}},
		"an ancestor at the same place has no direction": {axisRig{places: []mgl64.Vec3{{}, {}, {0, 0, 1}, {1, 0, 1}},
			parents: []int{-1, 0, 1, 2}}, []mgl64.Vec3{z, z, x, x}},
		"a joint of no weight is no next joint": {axisRig{places: []mgl64.Vec3{{}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}},
			parents: []int{-1, 0, 1, 1}, free: []int{2}}, []mgl64.Vec3{x, y, x, y}},
		"but one with weight below it is": {axisRig{places: []mgl64.Vec3{{}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {3, 0, 0}},
			parents: []int{-1, 0, 1, 1, 2}, free: []int{2}}, []mgl64.Vec3{x, x, x, y, x}},
		"a joint alone has no axis": {axisRig{places: []mgl64.Vec3{{1, 2, 3}}, parents: []int{-1}}, []mgl64.Vec3{none}},
		"no joint above another":    {axisRig{places: []mgl64.Vec3{{}, {1, 0, 0}}, parents: []int{-1, -1}}, []mgl64.Vec3{none, none}},
		"parents may stand behind": {axisRig{places: []mgl64.Vec3{{1, 1, 0}, {}, {2, 2, 0}}, parents: []int{1, -1, 0}},
			[]mgl64.Vec3{near, near, near}},
	} {
		got := c.rig.axes()
		for j, want := range c.axes {
			if d := got[j].Sub(want).Len(); !(d <= 2e-6) { // the place that counts as the same is 1e-6 off
				t.Errorf("%s: joint %d has axis %v, expected %v", name, j, got[j], want)
			}
		}
	}
}

// A mirrored rig has the mirrored axes, to rounding, though its joints stand in another order.
func TestBoneAxesMirror(t *testing.T) {
	for seed := range uint64(20) {
		r := newBranchingRig(seed)
		mirrored := axisRig{}
		for j := rigJoints - 1; j >= 0; j-- {
			at, parent := r.Skeleton.Joints[j].Position, r.parents[j]
			at[0] = -at[0]
			if parent >= 0 {
				parent = rigJoints - 1 - parent
			}
			mirrored.places, mirrored.parents = append(mirrored.places, at), append(mirrored.parents, parent)
		}
		got := mirrored.axes()
		for j, want := range r.axes {
			want[0] = -want[0]
			if r.parents[j] < 0 {
				continue // a root with several children has the first one's direction, and its twist cancels
			}
			if d := got[rigJoints-1-j].Sub(want).Len(); !(d <= 1e-15*10) || !(math.Abs(want.Len()-1) <= 1e-14) {
				t.Errorf("rig %d: joint %d has axis %v, mirrored %v", seed, j, want, got[rigJoints-1-j])
			}
		}
	}
}
