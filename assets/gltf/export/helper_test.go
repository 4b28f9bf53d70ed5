package export

import (
	"io/fs"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/gltf"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// checkHelped is checkExport of a model with helper bones, each a node below its parent.
func checkHelped(
	t *testing.T, fitted *skinning.Model, data []byte, files fs.FS, rms float64,
) (again *skinning.Model, out []byte) {
	t.Helper()
	want := gltftest.HelpersOf(fitted)
	again, report, out := checkExport(t, fitted, data, files, rms, want.Reads())
	got := gltftest.HelpersOf(again)
	if got == nil || len(again.Warnings) > len(fitted.Warnings) {
		t.Fatalf("the rig came back as %v, warnings %q", got, again.Warnings)
	}
	if report.Bones != len(want.Bones) || report.AddedNodes != report.Bones {
		t.Errorf("%d bones on %d nodes, expected one node for each of %d", report.Bones, report.AddedNodes, len(want.Bones))
	}
	checkChildren(t, again, got.Joints(), got.ParentOf)
	return again, out
}

// checkChildren: joints of a file are children of their parents' nodes.
func checkChildren(t *testing.T, m *skinning.Model, joints []int, parentOf func(k int) int) {
	t.Helper()
	s := &m.Skeleton
	for k, j := range joints {
		if got, want := s.Nodes[s.Joints[j].Node].Parent, s.Joints[parentOf(k)].Node; got != want {
			t.Errorf("helper bone %d is a child of node %d, expected %d", k, got, want)
		}
	}
}

// checkSameHelpers: two models have the same rig, to the last digit, over joints of the same names.
func checkSameHelpers(t *testing.T, got, want *skinning.Model) {
	t.Helper()
	a, b := gltftest.HelpersOf(got), gltftest.HelpersOf(want)
	for i := range b.Inputs {
		if g, w := nameOf(got, a.Inputs[i].Joint), nameOf(want, b.Inputs[i].Joint); g != w {
			t.Errorf("input %d is joint %q, expected %q", i, g, w)
		}
		if g, w := nameOf(got, a.Inputs[i].Parent), nameOf(want, b.Inputs[i].Parent); g != w {
			t.Errorf("input %d turns against joint %q, expected %q", i, g, w)
		}
	}
	for k := range b.Bones {
		if g, w := nameOf(got, a.Bones[k].Parent), nameOf(want, b.Bones[k].Parent); g != w {
			t.Errorf("helper bone %d is a child of joint %q, expected %q", k, g, w)
		}
	}
	same := func(int) int { return 0 }
	if !reflect.DeepEqual(a.Remap(same), b.Remap(same)) {
		t.Error("the rig came back with other numbers")
	}
}

// nameOf returns the name of a joint, and one for the world.
func nameOf(m *skinning.Model, joint int) string {
	if joint < 0 {
		return "the world"
	}
	return m.Skeleton.Joints[joint].Name
}

// TestExportHelpedTracks: a helper bone's node has tracks of translation and rotation, of scale only where the bone
// scales, and rests unturned and unscaled.
func TestExportHelpedTracks(t *testing.T) {
	m, data, files := source(t, "Fox.glb")
	for _, scaled := range []bool{false, true} {
		again, _ := checkHelped(t, gltftest.Helped(t, m, 4, scaled), data, files, 0.003)
		s := &again.Skeleton
		for _, j := range gltftest.HelpersOf(again).Joints() {
			node := s.Joints[j].Node
			if rest := s.Nodes[node].Rest; rest.Rotation != geom.IdentityQuat() || rest.Scale != (mgl64.Vec3{1, 1, 1}) {
				t.Errorf("%s rests at %v", s.Joints[j].Name, rest)
			}
			for _, clip := range again.Clips {
				paths := map[skinning.Path]int{}
				for _, c := range clip.Channels {
					if c.Node == node {
						paths[c.Path]++
					}
				}
				want := map[skinning.Path]int{skinning.PathTranslation: 1, skinning.PathRotation: 1}
				if scaled {
					want[skinning.PathScale] = 1
				}
				if !reflect.DeepEqual(paths, want) {
					t.Errorf("clip %q has channels %v of %s, expected %v", clip.Name, paths, s.Joints[j].Name, want)
				}
			}
		}
	}
}

// stretched is a model with a clip that turns all nodes, scales some unevenly, so that joints below shear, and the one
// of a joint to nothing.
func stretched(t *testing.T) *skinning.Model {
	t.Helper()
	const vanishing = 2
	m, _, _ := source(t, "demo:figure")
	out := *m
	r := rand.New(rand.NewPCG(3, 4))
	clip := skinning.Clip{Name: "stretched", Seconds: 2}
	for n := range m.Skeleton.Nodes {
		rest := m.Skeleton.Nodes[n].Rest
		turn := rest.Rotation.Mul(geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, r.Float64()))
		turns := skinning.Channel{Node: n, Path: skinning.PathRotation, Width: 4, Times: []float32{0, 2}}
		for _, q := range []geom.Quat{rest.Rotation, turn} {
			for _, x := range q {
				turns.Values = append(turns.Values, float32(x))
			}
		}
		clip.Channels = append(clip.Channels, turns)
		scales := skinning.Channel{Node: n, Path: skinning.PathScale, Width: 3, Times: []float32{0, 1, 2}}
		for _, by := range []mgl64.Vec3{{1, 1, 1}, {1.4, 0.8, 1.1}, {0.7, 1, 1.2}} {
			if n == m.Skeleton.Joints[vanishing].Node && by[0] == 1.4 {
				by = mgl64.Vec3{}
			}
			for c := range by {
				scales.Values = append(scales.Values, float32(rest.Scale[c]*by[c]))
			}
		}
		if n%3 == 0 || n == m.Skeleton.Joints[vanishing].Node {
			clip.Channels = append(clip.Channels, scales)
		}
	}
	out.Clips = []skinning.Clip{clip}
	return &out
}

// TestExportHelpedStretched: below joints that are scaled, sheared and scaled to nothing, a helper bone stays a child
// with plain tracks, and plays what the live one does.
func TestExportHelpedStretched(t *testing.T) {
	checkHelped(t, gltftest.Helped(t, stretched(t), 12, true), nil, nil, 0.003)
}

// TestBadHelpers: helper bones that cannot be read are a warning that names the skin, and their baked motion is played.
func TestBadHelpers(t *testing.T) {
	bone := func(joint, parent int) object {
		zeros := list{0, 0, 0, 0, 0, 0, 0}
		return object{"joint": joint, "parent": parent, "place": list{0, 0, 0}, "constant": zeros, "terms": list{}}
	}
	const helpers = "skins.0.extras.skinlab.helperBones"
	build := func() *gltftest.Builder {
		return gltftest.Beam().Set("skins.0.extras", object{gltf.ExtrasKey: object{"version": 1}})
	}
	checkBadExtras(t, build, []badExtras{
		{helpers, 7, "not understood"},
		{helpers, object{"bones": list{bone(9, 1)}}, "helper bone 0: joint 9"},
		{helpers, object{"bones": list{bone(2, 2)}}, "helper bone 0: parent 2"},
		{helpers, object{"bones": list{bone(1, 0), bone(2, 1)}}, "helper bone 1: parent 1"},
		{helpers, object{"bones": list{bone(2, 1)}, "bonse": 1}, "not understood"},
	})
	good := build().Set(helpers, object{"inputs": list{}, "bones": list{bone(2, 1)}})
	if m, err := gltf.Decode("beam", good.Glb(), nil); err != nil || len(m.Warnings) != 0 || gltftest.HelpersOf(m) == nil {
		t.Errorf("a good one: %v, %v", m, err)
	}
}

// TestExportHelpedRMS: against shapes that a fit misses by some RMS error, here those of a rig with other coefficients,
// the baked file is as good as the live one, to 1 %, at times of all clips where it has no keys. A file of a usual size
// grows by its tracks and a tenth.
func TestExportHelpedRMS(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, name := range []string{"demo:arm", "Fox.glb", "human_male.glb"} {
		m, data, files := source(t, name)
		fitted := gltftest.Helped(t, m, 12, true)
		target := *fitted
		other := gltftest.HelpersOf(fitted).Remap(func(joint int) int { return joint }).(*rig.HelperBones)
		r := rand.New(rand.NewPCG(1, 2))
		for k := range other.Bones {
			terms := slices.Clone(other.Bones[k].Terms)
			for i := range terms {
				for c := range terms[i].Coefficients {
					terms[i].Coefficients[c] *= 1 + 0.3*r.NormFloat64()
				}
			}
			other.Bones[k].Terms = terms
		}
		if err := target.SetRig(other); err != nil {
			t.Fatal(err)
		}
		rms, _ := rmsOverClips(fitted, &target)
		again, _, out := export(t, fitted, data, files, Options{RMS: rms})
		live, baked := rmsOverClips(again, &target)
		original := 12 * len(m.Skin.Positions) // the weights from before the fit
		if most := 1.1*float64(len(data)) + float64(original+trackBytes(again)); len(data) > 1<<20 && !(float64(len(out)) <= most) {
			t.Errorf("%s: %d bytes of %d, expected at most %.0f", name, len(out), len(data), most)
		}
		t.Logf("%s: live %.5g of the diagonal, baked %.5g", name, live, baked)
		if !(math.Abs(baked/live-1) <= 0.01) {
			t.Errorf("%s: the RMS error is %.5g of the diagonal live and %.5g baked", name, live, baked)
		}
	}
}

// trackBytes is how many bytes the tracks of a file's helper bones take, in float32.
func trackBytes(m *skinning.Model) (bytes int) {
	helper := map[int]bool{}
	for _, j := range gltftest.HelpersOf(m).Joints() {
		helper[m.Skeleton.Joints[j].Node] = true
	}
	for _, clip := range m.Clips {
		for _, c := range clip.Channels {
			if helper[c.Node] {
				bytes += 4 * (len(c.Times) + len(c.Values))
			}
		}
	}
	return bytes
}

// rmsOverClips returns the RMS distance of a model's vertices from another's over all clips, driven live and as its
// nodes are baked, as fractions of the diagonal.
func rmsOverClips(m, target *skinning.Model) (live, baked float64) {
	want, frame := skinning.NewFrame(target, nil), skinning.NewFrame(m, nil)
	wantPose, pose := target.NewPose(), m.NewPose()
	sums, count := [2]float64{}, 0
	for clip := range target.Clips {
		for i := range 15 {
			at := target.Clips[clip].Seconds * (float64(i) + 0.317) / 15
			target.SamplePose(wantPose, clip, at)
			m.SamplePose(pose, clip, at)
			want.SetPose(wantPose)
			places := want.Positions(skinning.LBS)
			count += len(places)
			for k := range sums {
				frame.Baked = k == 1
				frame.SetPose(pose)
				for v, p := range frame.Positions(skinning.LBS) {
					d := p.Sub(places[v])
					sums[k] += d.Dot(d)
				}
			}
		}
	}
	return math.Sqrt(sums[0]/float64(count)) / m.Diagonal(), math.Sqrt(sums[1]/float64(count)) / m.Diagonal()
}

// TestExportCutsViews: where the joints that a fit replaces are the end of a buffer view that something else needs, as
// in the Fox, their bytes leave the file.
func TestExportCutsViews(t *testing.T) {
	m, data, files := source(t, "Fox.glb")
	_, _, out := export(t, gltftest.Helped(t, m, 2, false), data, files, Options{RMS: 0.003})
	d := sourceOf(t, out)
	for i, view := range d.Doc.BufferViews {
		end, picture := 0, false
		for _, image := range d.Doc.Images {
			picture = picture || image.BufferView != nil && *image.BufferView == i
		}
		for _, a := range d.Doc.Accessors {
			if a.BufferView != nil && *a.BufferView == i {
				size := qgltf.SizeOfElement(a.ComponentType, a.Type)
				end = max(end, a.ByteOffset+(a.Count-1)*max(size, view.ByteStride)+size)
			}
		}
		if !picture && end != view.ByteLength {
			t.Errorf("buffer view %d has %d bytes, of which accessors read %d", i, view.ByteLength, end)
		}
	}
}
