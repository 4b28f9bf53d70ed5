package skinning

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"regexp"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// documentedTwistSwing reads a block of docs/twist-swing.md.
func documentedTwistSwing(t *testing.T, block string, into any) {
	t.Helper()
	page, err := os.ReadFile("../docs/twist-swing.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?s)```json " + block + "\n(.*?)```").FindSubmatch(page)
	if found == nil {
		t.Fatalf("docs/twist-swing.md has no block %q", block)
	}
	decoder := json.NewDecoder(bytes.NewReader(found[1]))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("docs/twist-swing.md, block %q: %v", block, err)
	}
}

// TestDocumentedTwistSwing: the numbers of the page's example are those of the method, to the last digit there, 5e-8,
// and the rounding of its inputs: 2e-7.
func TestDocumentedTwistSwing(t *testing.T) {
	var nodes []struct {
		Name        string
		Translation mgl64.Vec3
		Children    []int
	}
	documentedTwistSwing(t, "nodes", &nodes)
	var vertex struct {
		Position, Normal mgl64.Vec3
		TwistJoints      [4]uint16  `json:"_TWIST_JOINTS_0"`
		TwistWeights     [4]float32 `json:"_TWIST_WEIGHTS_0"`
		Joints           [4]uint16  `json:"JOINTS_0"`
		Weights          [4]float32 `json:"WEIGHTS_0"`
	}
	documentedTwistSwing(t, "vertex", &vertex)
	var want struct {
		Rotations                         []geom.Quat
		Axes                              []mgl64.Vec3
		Half                              []float64
		T                                 [][8]float64
		P                                 [][12]float64
		Blend                             [8]float64
		Twisted, Position, Normal, Linear mgl64.Vec3
	}
	documentedTwistSwing(t, "pose", &want)

	m := &Model{}
	s := &m.Skeleton
	for range nodes {
		s.Nodes = append(s.Nodes, Node{Parent: -1, Rest: geom.IdentityTransform()})
	}
	for n, node := range nodes {
		s.Nodes[n].Rest.Translation = node.Translation
		for _, child := range node.Children {
			s.Nodes[child].Parent = n
		}
	}
	if err := s.SortNodes(); err != nil {
		t.Fatal(err)
	}
	globals, pose := make([]geom.Affine, len(nodes)), m.NewPose()
	s.Globals(globals, pose)
	for n := range nodes {
		inverse, _ := globals[n].Inverse()
		s.Joints = append(s.Joints, Joint{Node: n, Parent: s.Nodes[n].Parent, FromRest: inverse,
			Position: globals[n].Translation()})
		pose.Local[n].Rotation = want.Rotations[n].Normalize()
	}
	mesh := &m.Skin
	mesh.Positions, mesh.Normals = append(mesh.Positions, geom.Vec32(vertex.Position)), append(mesh.Normals,
		geom.Vec32(vertex.Normal))
	mesh.Bindings = []Binding{{Joints: vertex.Joints, Weights: vertex.Weights}}
	mesh.SetSecond(TwistSwing,
		&Influences{Bindings: []Binding{{Joints: vertex.TwistJoints, Weights: vertex.TwistWeights}}})

	check := func(what string, got, want []float64) {
		t.Helper()
		for k := range want {
			if len(got) != len(want) || !(math.Abs(got[k]-want[k]) <= 2e-7) {
				t.Errorf("%s is %.8f, on the page %.8f", what, got, want)
				return
			}
		}
	}
	axes, _ := m.BoneAxes()
	f := NewFrame(m, nil)
	f.SetPose(pose)
	f.need(TwistSwing.Reads())
	var blend geom.DualQuat
	for j := range nodes {
		check("axis "+nodes[j].Name, axes[j][:], want.Axes[j][:])
		if p := s.Joints[j].Parent; p >= 0 {
			sin, cos, _ := geom.SincosHalfTwist(&f.rigid[p].Real, &f.rigid[j].Real, &axes[j])
			check("half twist of "+nodes[j].Name, []float64{math.Atan2(sin, cos)}, want.Half[j:j+1])
		}
		check("T of "+nodes[j].Name, append(f.twist[j].Real[:], f.twist[j].Dual[:]...), want.T[j][:])
		check("P of "+nodes[j].Name, f.swing[j][:], want.P[j][:])
	}
	for _, in := range mesh.Second(TwistSwing).Of(nil, 0) {
		blend = blend.Add(f.twist[in.Joint].Scale(float64(in.Weight)))
	}
	blend = blend.Scale(1 / math.Sqrt(blend.Real.Dot(blend.Real)))
	check("b", append(blend.Real[:], blend.Dual[:]...), want.Blend[:])
	twisted := blend.Affine().Apply(vertex.Position)
	check("the twisted vertex", twisted[:], want.Twisted[:])
	posed, linear := f.Reference(TwistSwing), f.Reference(LBS)
	check("the vertex", posed.Positions[0][:], want.Position[:])
	check("the normal", posed.Normals[0][:], want.Normal[:])
	check("the vertex by linear skinning", linear.Positions[0][:], want.Linear[:])
}
