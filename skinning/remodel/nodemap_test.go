package remodel_test

import (
	"testing"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/remodel"
)

func TestOnto(t *testing.T) {
	named := func(names ...string) *skinning.Model {
		m := &skinning.Model{}
		for i, n := range names {
			m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Name: n, Parent: i - 1, Rest: geom.IdentityTransform()})
		}
		return m
	}
	from, to := named("root", "arm", "hand"), named("scene", "root", "hand", "arm")
	to.MorphSlots = []skinning.MorphSlot{{Node: 0}, {Node: 3}, {Node: 3}}
	c := skinning.Clip{Name: "wave", Seconds: 2, Channels: []skinning.Channel{
		{Node: 1, Path: skinning.PathRotation, Width: 4}, {Node: 2, Path: skinning.PathTranslation, Width: 3},
		{Node: 1, Path: skinning.PathWeights, Width: 2}}}
	got, err := remodel.Onto(&c, from, to)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{3, 2, 3} {
		if got.Channels[i].Node != want {
			t.Errorf("channel %d moves node %d, want %d", i, got.Channels[i].Node, want)
		}
	}
	if got.Channels[2].FirstSlot != 1 || c.Channels[0].Node != 1 || got.Seconds != 2 {
		t.Errorf("got %+v of %+v", got, c)
	}
	if _, err := remodel.Onto(&c, from, named("root", "hand")); err == nil {
		t.Error("a lacking node is no error")
	}
	to.MorphSlots = to.MorphSlots[:2]
	if _, err := remodel.Onto(&c, from, to); err == nil {
		t.Error("a lacking morph weight is no error")
	}
}
