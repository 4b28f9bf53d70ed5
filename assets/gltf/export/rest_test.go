package export

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/gltf/bake"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// scaledArmature is a beam whose skeleton stands under a node of a scale, as exporters write for a unit, with inverse
// bind matrices that make up for it.
func scaledArmature(t *testing.T, scale float64) []byte {
	t.Helper()
	b := gltftest.Beam()
	units := b.Push("nodes", object{"name": "units", "children": list{1}, "scale": list{scale, scale, scale}})
	return b.Set("scenes.0.nodes", list{0, units}).Glb()
}

// TestExportRests: every added node rests without scale, shear and mirror, but for the outer one of two that rest
// elsewhere than they are bound, which is a joint then. Its inverse bind matrix differs from that of
// the joint it hangs on by a rigid transform, and of two nodes by that of these at rest, to 1e-6, float32 of both.
// Importers that split inverse bind matrices into bones need just that.
func TestExportRests(t *testing.T) {
	files := map[string][]byte{}
	for _, scale := range []float64{0.01, 1, 3.33} {
		files[fmt.Sprint("units ", scale)] = scaledArmature(t, scale)
	}
	for name, data := range files {
		m := decoded(t, name, data)
		for kind, fitted := range map[string]*skinning.Model{"blend bones": fit(t, m), "proxies": gltftest.Enveloped(t, m, 3)} {
			_, _, out := export(t, fitted, data, nil, Options{})
			checkRests(t, name+", "+kind, out, len(m.Skeleton.Nodes))
		}
	}
	for _, name := range []string{"RobotExpressive.glb", "CesiumMan.glb"} {
		m, data, files := source(t, name)
		for kind, fitted := range map[string]*skinning.Model{"blend bones": gltftest.HalfWay(t, m, skinning.DQS, 6),
			"proxies": gltftest.Enveloped(t, m, 6)} {
			_, _, out := export(t, fitted, data, files, Options{RMS: 1e-3})
			checkRests(t, name+", "+kind, out, len(m.Skeleton.Nodes))
		}
	}
}

func checkRests(t *testing.T, name string, glb []byte, first int) {
	t.Helper()
	d := sourceOf(t, glb)
	nodes := d.Model.Skeleton.Nodes
	checked := 0
	isJoint := map[int]bool{}
	for _, joint := range d.Model.Skeleton.Joints {
		isJoint[joint.Node] = true
	}
	for i := first; i < len(nodes); i++ {
		if strings.HasSuffix(nodes[i].Name, "-stretch") && isJoint[i] {
			continue
		}
		if s := nodes[i].Rest.Scale; nodes[i].Matrix != nil || s != (mgl64.Vec3{1, 1, 1}) {
			t.Errorf("%s: node %q rests with scale %v, matrix %v", name, nodes[i].Name, s, nodes[i].Matrix)
		}
	}
	for j, joint := range d.Model.Skeleton.Joints {
		if joint.Node < first {
			continue
		}
		own := nodes[joint.Node].Rest.Affine()
		parent := nodes[joint.Node].Parent
		nested := parent >= first && !isJoint[parent]
		if nested {
			own = nodes[parent].Rest.Affine().Mul(own)
			parent = nodes[parent].Parent
		}
		for _, p := range d.Model.Skeleton.Joints {
			if p.Node != parent || p.Skin != joint.Skin {
				continue
			}
			inverse, _ := joint.FromRest.Inverse()
			bound := p.FromRest.Mul(inverse)
			if _, stretch := geom.PolarDecompose(bound.Linear()); !(gltftest.Difference(geom.NewAffine(stretch, mgl64.Vec3{}),
				geom.IdentityAffine()) <= 1e-6) {
				t.Errorf("%s: joint %d is bound with a stretch of %v below the joint above it", name, j, stretch)
			}
			size := bound.Translation().Len()
			if off := gltftest.Difference(bound, own); nested && !(off <= 1e-6*math.Max(1, size)) {
				t.Errorf("%s: joint %d of two nodes rests %g from where it is bound", name, j, off)
			}
			checked++
		}
	}
	if checked == 0 {
		t.Errorf("%s: no added joint hangs on a joint", name)
	}
}

// TestExportKeysEveryClip: a path of an added node that one clip animates has a key in all of them, since players that
// change clips without a reset leave it where it was.
func TestExportKeysEveryClip(t *testing.T) {
	for _, name := range []string{"demo:arm", "Fox.glb"} {
		m, data, files := source(t, name)
		for kind, fitted := range map[string]*skinning.Model{"blend bones": gltftest.HalfWay(t, m, skinning.DQS, 6),
			"proxies": gltftest.Enveloped(t, m, 6)} {
			again, _, _ := export(t, fitted, data, files, Options{RMS: 1e-3})
			type path struct {
				node int
				path skinning.Path
			}
			clips := map[path]int{}
			for i := range again.Clips {
				for _, c := range again.Clips[i].Channels {
					if c.Node >= len(m.Skeleton.Nodes) {
						clips[path{c.Node, c.Path}]++
					}
				}
			}
			if len(clips) == 0 {
				t.Errorf("%s, %s: nothing is animated", name, kind)
			}
			for p, n := range clips {
				if n != len(again.Clips) {
					t.Errorf("%s, %s: node %d, path %d: keys in %d of %d clips", name, kind, p.node, p.path, n, len(again.Clips))
				}
			}
		}
	}
}

// TestExportStaysStep: a clip of STEP keys is baked with STEP keys at its own times, however long it is; times lie
// closer than float32 can tell in the longest. A clip may begin before 0 s: its baked keys do too, and it is read with
// a warning.
func TestExportStaysStep(t *testing.T) {
	for _, clip := range []struct{ begin, seconds float64 }{{0, 1}, {0, 2000}, {0, 1e9}, {0, 1e30}, {-0.5, 1}, {-2, 1}} {
		seconds := clip.seconds
		b := gltftest.Beam()
		a := b.Doc["animations"].(list)[0].(object)
		channel := a["channels"].(list)[0].(object)
		a["channels"] = list{channel}
		sampler := a["samplers"].(list)[channel["sampler"].(int)].(object)
		times := make([]float64, 9)
		var turns []float64
		for i := range times {
			times[i] = clip.begin + seconds*float64(i)/8
			q := geom.AxisAngle(mgl64.Vec3{0, 0, 1}, 0.2*float64(i*i%7))
			turns = append(turns, q[:]...)
		}
		sampler["input"], sampler["interpolation"] = b.Accessor(gltftest.Float, "SCALAR", times...), "STEP"
		sampler["output"] = b.Accessor(gltftest.Float, "VEC4", turns...)
		data := b.Glb()
		m := decoded(t, "step.glb", data)
		if early := strings.Contains(strings.Join(m.Warnings, "\n"), "before 0 s"); early != (clip.begin < 0) {
			t.Errorf("keys from %g s: warnings %q", clip.begin, m.Warnings)
		}
		for kind, fitted := range map[string]*skinning.Model{"blend bones": fit(t, m), "proxies": gltftest.Enveloped(t, m, 3)} {
			again, _, _ := export(t, fitted, data, nil, Options{})
			moving := 0
			for _, c := range again.Clips[0].Channels {
				if c.Node < len(m.Skeleton.Nodes) || len(c.Times) == 1 {
					continue
				}
				moving++
				if c.Interpolation != skinning.Step || len(c.Times) > len(times) || float64(c.Times[0]) != clip.begin {
					t.Errorf("%g s, %s: node %d has %d keys of interpolation %d", seconds, kind, c.Node, len(c.Times),
						c.Interpolation)
				}
			}
			if moving == 0 {
				t.Errorf("%g s, %s: no added node moves", seconds, kind)
			}
		}
	}
}

// TestExportHurried: in a hurry the file has all bones and all clips, a warning of what is coarse, and few keys.
// Poses at 101 times of a clip are no farther off than stated and a quarter: a hurry measures fewer times.
func TestExportHurried(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m, _, _ := source(t, "demo:arm")
	fitted := gltftest.Enveloped(t, m, 6)
	closed := make(chan struct{})
	close(closed)
	again, report, _ := export(t, fitted, nil, nil, Options{RMS: 1e-4, Hurry: closed})
	if gltftest.EnvelopeOf(again) == nil || len(gltftest.EnvelopeOf(again).Proxies) != len(gltftest.EnvelopeOf(fitted).Proxies) ||
		len(again.Clips) != len(fitted.Clips) {
		t.Fatalf("%v, %d clips", gltftest.EnvelopeOf(again), len(again.Clips))
	}
	if w := report.Warnings; len(w) != 2 || !strings.Contains(w[0], "left out: 20 morph targets") ||
		!strings.Contains(w[1], "are baked coarsely") || !strings.Contains(w[1], "; skinlab drives the bones live") {
		t.Errorf("warnings %q", report.Warnings)
	}
	for i := range again.Clips {
		for _, c := range again.Clips[i].Channels {
			if n := len(c.Times); c.Node >= len(m.Skeleton.Nodes) && n > 2*bake.HurriedSamples+1 {
				t.Errorf("clip %d: %d keys in a hurry", i, n)
			}
		}
	}
	want, baked := skinning.NewFrame(fitted, nil), skinning.NewFrame(again, nil)
	baked.Baked = true
	fittedPose, pose, worst := fitted.NewPose(), again.NewPose(), 0.0
	for clip := range fitted.Clips {
		for i := range 101 {
			seconds := float64(i) / 100 * fitted.Clips[clip].Seconds
			fitted.SamplePose(fittedPose, clip, seconds)
			again.SamplePose(pose, clip, seconds)
			want.SetPose(fittedPose)
			baked.SetPose(pose)
			worst = max(worst, apartBaked(want, baked, clip))
		}
	}
	if !(worst <= 1.25*report.MaxError) {
		t.Errorf("%.2g of the diagonal off in a hurry, stated %.2g", worst, report.MaxError)
	}
}

// TestExportAside: in a file whose static pose is not its bind pose, added bones of each kind rest as their rig drives
// them there, to 2e-6 of the diagonal, float32 of the nodes and matrices. With two nodes, both have inverse bind
// matrices, from which Blender takes the place of a bone. It differs from that of the file's joint above by a rigid
// transform, to 1e-6.
func TestExportAside(t *testing.T) {
	for _, clips := range []bool{false, true} {
		b := gltftest.Beam().Set("nodes.2.rotation", list{0, 0, 0.6, 0.8})
		if !clips {
			b.Set("animations", nil)
		}
		data := b.Glb()
		m := decoded(t, "posed.glb", data)
		for kind, fitted := range map[string]*skinning.Model{"blend bones": gltftest.HalfWay(t, m, skinning.DQS, 2),
			"proxies": gltftest.Enveloped(t, m, 3), "helper bones": gltftest.Helped(t, m, 2, true)} {
			again, report, _ := export(t, fitted, data, nil, Options{})
			if lost := len(m.Skin.Morphs) > len(fitted.Skin.Morphs); len(report.Warnings) > 1 || len(report.Warnings) == 1 && !lost {
				t.Errorf("%s, with a clip %t: warnings %q", kind, clips, report.Warnings)
			}
			samePlay(t, fitted, again)
			want, baked := skinning.NewFrame(fitted, nil), skinning.NewFrame(again, nil)
			baked.Baked = true
			want.SetPose(fitted.NewPose())
			baked.SetPose(again.NewPose())
			if off := apart(want, baked); !(off <= 2e-6) {
				t.Errorf("%s, with a clip %t: the added bones rest %g of the diagonal from where they are driven", kind, clips, off)
			}
			joints := again.Skeleton.Joints
			for j := len(m.Skeleton.Joints); j < len(joints); j++ {
				p := slices.IndexFunc(joints, func(p skinning.Joint) bool {
					return p.Node == again.Skeleton.Nodes[joints[j].Node].Parent
				})
				if p < 0 {
					t.Fatalf("%s: joint %d hangs on no joint", kind, j)
				}
				inverse, _ := joints[j].FromRest.Inverse()
				_, stretch := geom.PolarDecompose(joints[p].FromRest.Mul(inverse).Linear())
				if off := gltftest.Difference(geom.NewAffine(stretch, mgl64.Vec3{}), geom.IdentityAffine()); !(off <= 1e-6) {
					t.Errorf("%s: joint %d is bound with a stretch of %g", kind, j, off)
				}
			}
		}
	}
}

// TestExportUnshown: below a joint that rests mirrored, and is not bound so, added bones rest mirrored too, which
// Blender cannot show: the report counts them and names the first. So it does with joints that rest scaled unevenly.
// Where no joint is scaled it says nothing.
func TestExportUnshown(t *testing.T) {
	for _, c := range []struct {
		scale list
		want  string
	}{
		{list{1, 1, 1}, ""}, {list{2, 2, 2}, ""}, {list{1, 1.5, 1}, "1 joint rests scaled unevenly, mid first"},
		{list{-1, 1, 1}, "mirrored, %s first"},
	} {
		b := gltftest.Beam().Set("nodes.2.scale", c.scale)
		data := b.Glb()
		m := decoded(t, "scaled.glb", data)
		again, report, _ := export(t, gltftest.HalfWay(t, m, skinning.DQS, 2), data, nil, Options{})
		count, want := 0, c.want
		for _, n := range again.Skeleton.Nodes[len(m.Skeleton.Nodes):] {
			if n.Rest.Scale[0]*n.Rest.Scale[1]*n.Rest.Scale[2] < 0 {
				count++
				if count == 1 {
					want = strings.ReplaceAll(want, "%s", n.Name)
				}
			}
		}
		if count > 0 {
			want = messages.Count(count, "added bone rests ", "added bones rest ") + want
		}
		all := strings.Join(report.Warnings, "\n")
		if want == "" && strings.Contains(all, "Blender") || !strings.Contains(all, want) {
			t.Errorf("scale %v: %q, expected %q", c.scale, report.Warnings, want)
		}
	}
}

// TestMixedScales: where vertices of a fit follow joints that are bound at different scales, the report says that
// Blender shows them elsewhere. Where all are bound at one scale it says nothing.
func TestMixedScales(t *testing.T) {
	for _, scale := range []float64{1e-3, 1, 1e3} {
		m := decoded(t, "units.glb", gltftest.Beam().Glb())
		s := &m.Skeleton
		last := s.Joints[len(s.Joints)-1].Node // scaled, with an inverse bind matrix that makes up for it
		s.Nodes[last].Rest.Scale = s.Nodes[last].Rest.Scale.Mul(scale)
		for j := range s.Joints {
			if s.Joints[j].Node == last {
				s.Joints[j].FromRest = geom.NewAffine(geom.Mat3{1 / scale, 0, 0, 0, 1 / scale, 0, 0, 0, 1 / scale}, mgl64.Vec3{}).
					Mul(s.Joints[j].FromRest)
			}
		}
		for v := range m.Skin.Bindings { // each vertex follows its first joint alone
			m.Skin.Bindings[v].Weights = [4]float32{1}
		}
		data := encoded(t, m)
		m = decoded(t, "units.glb", data)
		fitted := gltftest.Enveloped(t, m, 3)
		fitted.Skin.Bindings[0] = skinning.Binding{Joints: [4]uint16{0, uint16(len(m.Skeleton.Joints) - 1)},
			Weights: [4]float32{0.5, 0.5}}
		_, report, _ := export(t, fitted, data, nil, Options{})
		if got := strings.Contains(strings.Join(report.Warnings, "\n"), "1 vertex follows joints that are bound at different scales"); got != (scale != 1) {
			t.Errorf("scale %g: warnings %q", scale, report.Warnings)
		}
	}
}
