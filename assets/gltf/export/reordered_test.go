package export

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/gltf"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// fittedFiles returns exported models with each kind of rig.
func fittedFiles(t *testing.T) map[string][]byte {
	t.Helper()
	figure, _, _ := source(t, "demo:figure")
	out := map[string][]byte{}
	for name, fitted := range map[string]*skinning.Model{
		"blend bones":  gltftest.HalfWay(t, figure, skinning.TwistSwing, 6),
		"proxy bones":  gltftest.Enveloped(t, figure, 6),
		"helper bones": gltftest.Helped(t, figure, 6, true),
	} {
		_, _, out[name] = export(t, fitted, nil, nil, Options{RMS: 1e-3})
	}
	return out
}

// rewritten applies a change to the document of a GLB, and gives the skin's lists and its joints in a permuted order
// where permute is not nil: joint k becomes joint permute[k].
func rewritten(t *testing.T, data []byte, permute []int, change func(d *qgltf.Document)) []byte {
	t.Helper()
	d := sourceOf(t, data)
	bin := slices.Clone(d.Bin)
	at := func(accessor int) (from, stride int) {
		a := d.Doc.Accessors[accessor]
		v := d.Doc.BufferViews[*a.BufferView]
		return v.ByteOffset + a.ByteOffset, v.ByteStride
	}
	if permute != nil {
		skin := d.Doc.Skins[0]
		joints := slices.Clone(skin.Joints)
		from, _ := at(*skin.InverseBindMatrices)
		for k, to := range permute {
			skin.Joints[to] = joints[k]
			copy(bin[from+64*to:from+64*(to+1)], d.Bin[from+64*k:])
		}
		done := map[int]bool{}
		for _, mesh := range d.Doc.Meshes {
			for _, p := range mesh.Primitives {
				accessor, ok := p.Attributes[qgltf.JOINTS_0]
				if !ok || done[accessor] {
					continue
				}
				done[accessor] = true
				a := d.Doc.Accessors[accessor]
				size := 1
				if a.ComponentType == qgltf.ComponentUshort {
					size = 2
				}
				from, stride := at(accessor)
				for v := range a.Count {
					for k := range 4 {
						if i := from + v*max(stride, 4*size) + k*size; size == 1 {
							bin[i] = byte(permute[d.Bin[i]])
						} else {
							binary.LittleEndian.PutUint16(bin[i:], uint16(permute[binary.LittleEndian.Uint16(d.Bin[i:])]))
						}
					}
				}
			}
		}
	}
	if change != nil {
		change(&d.Doc)
	}
	var out bytes.Buffer
	if _, err := gltf.Write(&out, &d.Doc, d.Paths, bin); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// moveNodes renumbers the nodes of a document: node i becomes node to[i].
func moveNodes(d *qgltf.Document, to []int) {
	nodes := slices.Clone(d.Nodes)
	renumber := func(list []int) {
		for k := range list {
			list[k] = to[list[k]]
		}
	}
	for i, node := range nodes {
		d.Nodes[to[i]] = node
		renumber(node.Children)
	}
	for _, s := range d.Scenes {
		renumber(s.Nodes)
	}
	for _, s := range d.Skins {
		renumber(s.Joints)
		if s.Skeleton != nil {
			s.Skeleton = qgltf.Index(to[*s.Skeleton])
		}
	}
	for _, a := range d.Animations {
		for _, c := range a.Channels {
			if c.Target.Node != nil {
				c.Target.Node = qgltf.Index(to[*c.Target.Node])
			}
		}
	}
}

// TestReorderedJoints: programs that rewrite a file bring joints and nodes into another order. The rig drives the same
// bones then, and where it cannot be sure of a joint it is refused. Live poses are the same up to the order of float64
// sums: 1e-6 of the diagonal.
func TestReorderedJoints(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	random := rand.New(rand.NewPCG(4, 38))
	for name, data := range fittedFiles(t) {
		want := decoded(t, name, data)
		joints, nodes := random.Perm(len(want.Skeleton.Joints)), random.Perm(len(want.Skeleton.Nodes))
		driven := want.Skeleton.Joints[want.Rigs[0].Joints()[0]].Node
		read := want.Skeleton.Joints[want.Rigs[0].Reads()[0]].Node
		rename := func(node int) func(d *qgltf.Document) {
			return func(d *qgltf.Document) { d.Nodes[node].Name = "renamed" }
		}
		for _, c := range []struct {
			what    string
			permute []int
			change  func(d *qgltf.Document)
			refused string // part of the warning
		}{
			{"joints permuted", joints, nil, ""},
			{"nodes permuted", nil, func(d *qgltf.Document) { moveNodes(d, nodes) }, ""},
			{"both permuted", joints, func(d *qgltf.Document) { moveNodes(d, nodes) }, ""},
			{"all nodes with one name", nil, func(d *qgltf.Document) {
				for _, n := range d.Nodes {
					n.Name = "Bone"
				}
			}, "no joint of that name"},
			{"a driven joint renamed", nil, rename(driven), "no joint of that name"},
			{"a joint that is read renamed", joints, rename(read), "no joint of that name"},
			{"joints permuted but not their matrices", nil, func(d *qgltf.Document) {
				order := slices.Clone(d.Skins[0].Joints)
				for k, to := range joints {
					d.Skins[0].Joints[to] = order[k]
				}
			}, "is bound in another place"},
		} {
			got, err := gltf.Decode(name, rewritten(t, data, c.permute, c.change), nil)
			if err != nil {
				t.Errorf("%s, %s: %v", name, c.what, err)
				continue
			}
			if c.refused != "" {
				if len(got.Rigs) > 0 || !gltftest.HasWarning(got, c.refused) {
					t.Errorf("%s, %s: %d rigs, warnings %q", name, c.what, len(got.Rigs), got.Warnings)
				}
				continue
			}
			if len(got.Rigs) != 1 || len(got.Warnings) > len(want.Warnings) {
				t.Errorf("%s, %s: %d rigs, warnings %q", name, c.what, len(got.Rigs), got.Warnings)
				continue
			}
			sameLive(t, name+", "+c.what, got, want)
			if !rig.HasOriginal(got) {
				t.Errorf("%s, %s: the weights from before the fit are lost", name, c.what)
			}
			sameLive(t, name+", before the fit, "+c.what, rig.Folded(got), rig.Folded(want))
		}
	}
}

// sameLive holds the live poses of two models over their first clip against each other.
func sameLive(t *testing.T, what string, got, want *skinning.Model) {
	t.Helper()
	a, b := skinning.NewFrame(got, nil), skinning.NewFrame(want, nil)
	pose, wanted := got.NewPose(), want.NewPose()
	for i := range 4 {
		at := want.Clips[0].Seconds * float64(i) / 3
		got.SamplePose(pose, 0, at)
		want.SamplePose(wanted, 0, at)
		a.SetPose(pose)
		b.SetPose(wanted)
		if d := apart(a, b); !(d <= 1e-6) {
			t.Errorf("%s: off by %g of the diagonal", what, d)
			return
		}
	}
}

// TestOldJointNumbers: a file of the version without a list of joints is read by the skin's order, and refused where
// the names of added joints show that the order has changed.
func TestOldJointNumbers(t *testing.T) {
	old := func(d *qgltf.Document) {
		all := d.Skins[0].Extras.(map[string]any)[gltf.ExtrasKey].(map[string]any)
		delete(all, gltf.JointsKey)
		all[gltf.VersionKey] = gltf.IndexVersion
	}
	for name, data := range fittedFiles(t) {
		want := decoded(t, name, data)
		got, err := gltf.Decode(name, rewritten(t, data, nil, asOld(t, old)), nil)
		if err != nil || len(got.Rigs) != 1 {
			t.Fatalf("%s: %v, %d rigs, warnings %q", name, err, len(got.Rigs), got.Warnings)
		}
		sameLive(t, name, got, want)
		n := len(want.Skeleton.Joints)
		turned := make([]int, n)
		for k := range turned {
			turned[k] = (k + 1) % n
		}
		got, err = gltf.Decode(name, rewritten(t, data, turned, asOld(t, old)), nil)
		if err != nil || len(got.Rigs) > 0 || !gltftest.HasWarning(got, "the order of the skin's joints has changed") {
			t.Errorf("%s, permuted: %v, %d rigs, warnings %q", name, err, len(got.Rigs), got.Warnings)
		}
	}
}

// TestReorderedExportedAgain: a rig that stays in a file whose joints were reordered is written for their new order.
func TestReorderedExportedAgain(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 39))
	for name, data := range fittedFiles(t) {
		want := decoded(t, name, data)
		data = rewritten(t, data, random.Perm(len(want.Skeleton.Joints)), nil)
		m := decoded(t, name, data)
		again, _, _ := export(t, m, data, nil, Options{})
		if len(again.Rigs) != 1 {
			t.Errorf("%s: %d rigs, warnings %q", name, len(again.Rigs), again.Warnings)
			continue
		}
		sameLive(t, name, again, want)
	}
}

// asOld returns a change of a document whose first skin has decoded extras.
func asOld(t *testing.T, change func(d *qgltf.Document)) func(d *qgltf.Document) {
	return func(d *qgltf.Document) {
		var all map[string]any
		if err := json.Unmarshal(d.Skins[0].Extras.(json.RawMessage), &all); err != nil {
			t.Fatal(err)
		}
		d.Skins[0].Extras = all
		change(d)
	}
}
