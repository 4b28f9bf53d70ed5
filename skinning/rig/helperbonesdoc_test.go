package rig

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// documented reads a block of a page in docs.
func documented(t *testing.T, name, block string, into any) []byte {
	t.Helper()
	page, err := os.ReadFile("../../docs/" + name)
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```json " + block + "\n(.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatalf("docs/%s has no block %q", name, block)
	}
	decoder := json.NewDecoder(bytes.NewReader(found[1]))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("docs/%s, block %q: %v", name, block, err)
	}
	return found[1]
}

// documentedModel is the skeleton of a page's example, all of whose nodes are joints, in its bind pose.
func documentedModel(t *testing.T, name string) *skinning.Model {
	var nodes []struct {
		Name        string
		Translation mgl64.Vec3
		Rotation    *geom.Quat
		Children    []int
	}
	documented(t, name, "nodes", &nodes)
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
	const page = "helper-bones.md"
	m := documentedModel(t, page)
	var raw json.RawMessage
	r, err := readHelperBones(documented(t, page, "rig", &raw), len(m.Skeleton.Joints))
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
	documented(t, page, "pose", &want)
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

// TestDocumentedBlendBones: the blend bones of the page on twist-swing take its vertex where it says, the first to
// where the vertex has its own weights. To the last digit there, 5e-8, and the rounding of its inputs: 2e-7.
func TestDocumentedBlendBones(t *testing.T) {
	const page = "twist-swing.md"
	m := documentedModel(t, page)
	var vertex, pose, bone map[string]json.RawMessage
	documented(t, page, "vertex", &vertex)
	documented(t, page, "pose", &pose)
	documented(t, page, "bone", &bone)
	read := func(text json.RawMessage, into any) {
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	var at mgl64.Vec3
	var rotations []geom.Quat
	want := make([]mgl64.Vec3, 2)
	read(vertex["position"], &at)
	read(pose["rotations"], &rotations)
	read(pose["position"], &want[0])
	read(bone["position"], &want[1])
	var raw json.RawMessage
	r, err := readBlendBones(documented(t, page, "rig", &raw), len(m.Skeleton.Joints)+len(want))
	if err != nil {
		t.Fatal(err)
	}
	m.Skin.Positions = []mgl32.Vec3{geom.Vec32(at), geom.Vec32(at), geom.Vec32(at)}
	m.Skin.Normals = make([]mgl32.Vec3, 3)
	var weights skinning.Influences
	for _, j := range []uint16{3, 4, 2} { // the third vertex keeps the last joint a bone
		weights.Append([]skinning.Influence{{Joint: j, Weight: 1}}, 0)
	}
	if m, err = r.(*BlendBones).On(m, weights); err != nil {
		t.Fatal(err)
	}
	p := m.NewPose()
	for j, q := range rotations {
		p.Local[m.Skeleton.Joints[j].Node].Rotation = q.Normalize()
	}
	f := skinning.NewFrame(m, nil)
	f.SetPose(p)
	for k, got := range f.Positions(skinning.LBS)[:2] {
		if d := skinningtest.MaxDiff(got[:], want[k][:]); !(d <= 2e-7) {
			t.Errorf("bone %d takes the vertex to %.7f, documented as %.7f", k, got, want[k])
		}
	}
}
