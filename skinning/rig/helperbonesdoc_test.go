package rig

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/skinningtest"
)

// documented reads a block of docs/helper-bones.md.
func documented(t *testing.T, block string, into any) []byte {
	t.Helper()
	page, err := os.ReadFile("../../docs/helper-bones.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```json " + block + "\n(.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatalf("docs/helper-bones.md has no block %q", block)
	}
	decoder := json.NewDecoder(bytes.NewReader(found[1]))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("docs/helper-bones.md, block %q: %v", block, err)
	}
	return found[1]
}

// documentedModel is the skeleton of the example, all of whose nodes are joints, in its bind pose.
func documentedModel(t *testing.T) *skinning.Model {
	var nodes []struct {
		Name        string
		Translation mgl64.Vec3
		Rotation    *geom.Quat
		Children    []int
	}
	documented(t, "nodes", &nodes)
	m := &skinning.Model{}
	s := &m.Skeleton
	for range nodes {
		s.Nodes = append(s.Nodes, skinning.Node{Parent: -1, Rest: geom.IdentityTransform()})
	}
	for n, node := range nodes {
		s.Nodes[n].Rest.Translation = node.Translation
		if node.Rotation != nil {
			s.Nodes[n].Rest.Rotation = node.Rotation.Normalize()
		}
		for _, child := range node.Children {
			s.Nodes[child].Parent = n
		}
	}
	if err := s.SortNodes(); err != nil {
		t.Fatal(err)
	}
	globals := make([]geom.Affine, len(nodes))
	s.Globals(globals, m.NewPose())
	for n := range nodes {
		inverse, _ := globals[n].Inverse()
		s.Joints = append(s.Joints, skinning.Joint{Name: nodes[n].Name, Node: n, Parent: s.Nodes[n].Parent,
			FromRest: inverse, Position: globals[n].Translation()})
	}
	return m
}

// TestDocumentedExample: the numbers of the page's example are those of the rig that it shows, to the last digit
// there, 5e-8 and the rounding of its inputs.
func TestDocumentedExample(t *testing.T) {
	m := documentedModel(t)
	var raw json.RawMessage
	r, err := readHelperBones(documented(t, "rig", &raw), len(m.Skeleton.Joints))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetRig(r); err != nil {
		t.Fatal(err)
	}
	var want struct {
		Forearm geom.Quat
		Q, V, X []float64
		Motion  HelperMotion
		Node    struct{ Translation, Rotation, Scale []float64 }
	}
	documented(t, "pose", &want)
	f, p := skinning.NewFrame(m, nil), m.NewPose()
	p.Local[1].Rotation = want.Forearm.Normalize()
	f.SetPose(p)

	helpers := r.(*HelperBones)
	in, b := &helpers.Inputs[0], &helpers.Bones[0]
	q := in.Turn(&m.Skeleton, f.Matrices)
	v := q.Log().Mul(2)
	x := in.Variables(v)
	motion := helpers.Motion(0, [][3]float64{x})
	inverse, _ := f.Globals[0].Inverse()
	global := f.Matrices[b.Joint]
	back, _ := m.Skeleton.Joints[b.Joint].FromRest.Inverse()
	node, exact := geom.DecomposeAffine(inverse.Mul(global.Mul(back)))
	if !exact {
		t.Error("the node is sheared")
	}
	for _, c := range []struct {
		name      string
		got, want []float64
	}{{"q", q[:], want.Q}, {"v", v[:], want.V}, {"x", x[:2], want.X}, {"motion", motion[:], want.Motion[:]},
		{"translation", node.Translation[:], want.Node.Translation}, {"rotation", node.Rotation[:], want.Node.Rotation},
		{"scale", node.Scale[:], want.Node.Scale}} {
		if d := skinningtest.MaxDiff(c.got, c.want); len(c.got) != len(c.want) || !(d <= 1e-7) {
			t.Errorf("%s is %v, documented as %v", c.name, c.got, c.want)
		}
	}
}
