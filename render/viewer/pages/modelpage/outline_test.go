package modelpage

import (
	"slices"
	"testing"

	"skinlab/render/ui"
	"skinlab/skinning"
)

// tree is a model of a root with a joint, which carries a rigid mesh, and two meshes of one node; and a camera beside.
func tree() *skinning.Model {
	m := &skinning.Model{}
	for _, n := range []struct {
		name   string
		parent int
	}{{"camera", -1}, {"root", -1}, {"hips", 1}, {"", 2}, {"body", 1}} {
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Name: n.name, Parent: n.parent})
	}
	m.Skeleton.Joints = []skinning.Joint{{Node: 2}, {Node: 3}}
	m.Materials = []skinning.Material{{Name: "skin"}, {}}
	m.Skin.Parts = []skinning.Part{{Name: "Body", Node: 4}, {Name: "Body", Node: 4, Primitive: 1, Material: 1}}
	m.Rigid = []skinning.Mesh{{Parts: []skinning.Part{{Name: "Belt", Node: 2, Material: -1}}}}
	return m
}

func (o *outline) labels() (list []string) {
	o.list()
	for _, i := range o.rows {
		list = append(list, o.entries[i].label)
	}
	return list
}

// TestOutline: the tree has every node and part, joints folded; an eye hides what is below it, and half of it shows.
func TestOutline(t *testing.T) {
	o := outline{filter: ui.NewFilter()}
	defer o.filter.Delete()
	o.set(tree())
	if got, want := o.labels(), []string{"camera", "root", "hips", "body", "Body, primitive 1", "Body, primitive 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	clear(o.folded)
	o.listed = false
	all := []string{"camera", "root", "hips", "Belt", "Node 4", "body", "Body, primitive 1", "Body, primitive 2"}
	if got := o.labels(); !slices.Equal(got, all) {
		t.Errorf("unfolded %q, expected %q", got, all)
	}
	var notes []string
	var eyes []bool
	for _, e := range o.entries {
		notes, eyes = append(notes, e.note), append(eyes, e.eyes)
	}
	if want := []string{"", "", "", "no material", "", "", "skin", "Material 2"}; !slices.Equal(notes, want) {
		t.Errorf("notes %q, expected %q", notes, want)
	}
	if want := []bool{false, true, true, true, false, true, true, true}; !slices.Equal(eyes, want) {
		t.Errorf("eyes %v, expected %v", eyes, want)
	}
	for _, step := range []struct {
		entry  int
		hidden []bool
		root   ui.Eye
	}{
		{6, []bool{true, false, false}, ui.EyePartly}, // one primitive
		{5, []bool{true, true, false}, ui.EyePartly},  // its node: what is partly hidden is hidden
		{2, []bool{true, true, true}, ui.EyeClosed},
		{5, []bool{false, false, true}, ui.EyePartly},
		{1, []bool{true, true, true}, ui.EyeClosed},
		{1, nil, ui.EyeOpen},
	} {
		o.toggle(step.entry)
		if !slices.Equal(o.hidden, step.hidden) || o.eyes[1] != step.root || o.eyes[0] != ui.EyeOpen {
			t.Errorf("after the eye of entry %d: %v hidden, eyes %v; expected %v and %v of the root", step.entry, o.hidden, o.eyes,
				step.hidden, step.root)
		}
	}
	o.filter.SetText("BODY 2")
	if got := o.labels(); !slices.Equal(got, []string{"Body, primitive 2"}) {
		t.Errorf("filtered %q", got)
	}
}

// TestMorphRanges: sliders reach over the file's weights and the keys of clips, not over the tangents of splines.
func TestMorphRanges(t *testing.T) {
	m := &skinning.Model{MorphSlots: []skinning.MorphSlot{{Node: 0}, {Node: 0, Default: 1.5}, {Node: 1}}}
	m.Skeleton.Nodes = []skinning.Node{{Name: "a", Parent: -1}, {Name: "b", Parent: -1}}
	m.Clips = []skinning.Clip{{Channels: []skinning.Channel{
		{Path: skinning.PathWeights, FirstSlot: 0, Width: 2, Values: []float32{-0.5, 0, 0.5, 2}, Times: []float32{0, 1}},
		{Path: skinning.PathWeights, FirstSlot: 2, Width: 1, Interpolation: skinning.CubicSpline, Times: []float32{0},
			Values: []float32{-9, 0.5, 9}},
		{Path: skinning.PathScale, Width: 3, Values: []float32{7, 7, 7}, Times: []float32{0}},
	}}}
	rows := morphRows(m)
	want := []morphRow{{node: "a", slot: -1}, {node: "a", slot: 0, least: -0.5, most: 1}, {node: "a", slot: 1, most: 2},
		{node: "b", slot: -1}, {node: "b", slot: 2, most: 1}}
	if !slices.Equal(rows, want) {
		t.Errorf("%+v, expected %+v", rows, want)
	}
}

// TestMaterialRows: a material is described by its colour as it is seen, its texture and its sides.
func TestMaterialRows(t *testing.T) {
	m := tree()
	m.Materials = append(m.Materials, skinning.Material{Name: "glass", BaseColor: [4]float32{1, 0.2159, 0, 0.5}, Texture: -1,
		Blend: true, DoubleSided: true}, skinning.Material{Name: "cloth", Texture: 0, BaseColor: [4]float32{1, 1, 1, 1}})
	rows := materialRows(m)
	if r := rows[2]; r.name != "glass" || r.note != "two-sided, transparent" || r.color != ui.RGB(255, 128, 0) {
		t.Errorf("%+v", r)
	}
	if r := rows[3]; r.note != "texture" {
		t.Errorf("%+v", r)
	}
}
