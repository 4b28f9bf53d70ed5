package blendbones

import (
	"slices"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// TestLineage: a vertex may follow the joints above its own and those up to two steps below it, the nearest first.
func TestLineage(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	joints, near := m.Skeleton.Joints, newNeighbours(&m.Skeleton)
	stepsAbove := func(a, j int) int { // −1 where a is not above j
		steps := 0
		for ; j != a; j = joints[j].Parent {
			if j < 0 {
				return -1
			}
			steps++
		}
		return steps
	}
	for j := range joints {
		got := lineage(near, []uint16{uint16(j)})
		for k := range joints {
			below := stepsAbove(j, k)
			want := stepsAbove(k, j) > 0 || below == 1 || below == 2
			if has := slices.Contains(got, uint16(k)); has != want {
				t.Errorf("joint %d may follow joint %d: %v", j, k, has)
			}
		}
		for i := 1; i < len(got); i++ {
			steps := func(k uint16) int { return max(stepsAbove(int(k), j), stepsAbove(j, int(k))) }
			if steps(got[i]) < steps(got[i-1]) {
				t.Errorf("joint %d: %v, not the nearest first", j, got)
			}
		}
	}
	if got := lineage(near, nil); len(got) > 0 {
		t.Errorf("no joints have the lineage %v", got)
	}
}

// TestLineageOfTwoSkins: no vertex may follow two joints that are equal in all poses, since a bone would get both. A
// second skin binds every other joint as the first does, and the rest a metre away: their neighbours are joints of the
// first.
func TestLineageOfTwoSkins(t *testing.T) {
	m := *problemOf(t, "demo:tube", "train", 2, skinning.DQS).Model
	joints, n := slices.Clone(m.Skeleton.Joints), len(m.Skeleton.Joints)
	for j := range n {
		other := joints[j]
		other.Skin++
		if other.Parent >= 0 {
			other.Parent += n
		}
		if j%2 == 1 {
			other.FromRest[3]++
		}
		joints = append(joints, other)
	}
	m.Skeleton.Joints = joints
	near := newNeighbours(&m.Skeleton)
	for j := 1; j < n; j++ {
		j := j + n*(j%2) // the first of equal joints, as in a problem
		own := []uint16{0, uint16(j)}
		all := append(own, lineage(near, own)...)
		for i, a := range all {
			for _, b := range all[:i] {
				if joints[a].Node == joints[b].Node && joints[a].MovesLike(&joints[b], 0) {
					t.Errorf("vertices of joints 0 and %d may follow %v, of which %d and %d are equal", j, all, b, a)
				}
			}
		}
	}
	for _, j := range []int{1, n + 1} {
		if got, want := near.of([]uint16{uint16(j)}), []uint16{0, 2}; !slices.Equal(got, want) {
			t.Errorf("joint %d has the neighbours %v, expected %v", j, got, want)
		}
	}
}
