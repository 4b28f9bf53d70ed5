package export

import (
	"slices"
	"strings"
	"testing"

	"skinlab/assets/gltf"
	"skinlab/internal/gltftest"
	"skinlab/internal/thirdrig"
	"skinlab/skinning"
)

// decodeWith reads a file by one more kind of rig.
func decodeWith(t *testing.T, data []byte, kind skinning.RigKind) *skinning.Model {
	t.Helper()
	d, err := gltf.ReadSource(data, nil, "", kind)
	if err != nil {
		t.Fatal(err)
	}
	return d.Model
}

// TestThirdRig: a kind of rig that this package does not know is baked onto clips as all others are, written under its
// own key, and read again by its kind. Files are read by who knows it not, too.
func TestThirdRig(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, name := range []string{"demo:figure", "CesiumMan.glb"} {
		m, data, files := source(t, name)
		fitted, err := thirdrig.With(m, 4)
		if err != nil {
			t.Fatal(err)
		}
		plain, report, out := export(t, fitted, data, files, Options{Extras: map[string]any{"ee": 1.5}})
		if report.Bones != 4 || len(plain.Rigs) != 0 || len(plain.Warnings) != len(m.Warnings) {
			t.Fatalf("%s: %d bones, rigs %v, warnings %q", name, report.Bones, plain.Rigs, plain.Warnings)
		}
		again := decodeWith(t, out, thirdrig.Kind())
		want, got := skinning.RigOf[*thirdrig.Rig](fitted), skinning.RigOf[*thirdrig.Rig](again)
		if got == nil || !slices.Equal(got.Copies, want.Copies) {
			t.Fatalf("%s: the rig came back as %+v, expected %+v", name, got, want)
		}
		live, read, baked := skinning.NewFrame(fitted, nil), skinning.NewFrame(again, nil), skinning.NewFrame(plain, nil)
		pose, pose2, pose3 := fitted.NewPose(), again.NewPose(), plain.NewPose()
		for clip := range again.Clips {
			for i := range 20 {
				at := again.Clips[clip].Seconds * (float64(i) + 0.3) / 20
				again.SamplePose(pose2, clip, at)
				read.SetPose(pose2)
				plain.SamplePose(pose3, clip, at)
				baked.SetPose(pose3)
				// The keys are as close as the default of Options asks for, and float32.
				if d := apart(read, baked); !(d <= 2e-5) {
					t.Errorf("%s, clip %d: baked keys are off by %g of the diagonal at %g s", name, clip, d, at)
				}
				if clip < len(fitted.Clips) {
					fitted.SamplePose(pose, clip, at)
					live.SetPose(pose)
					if d := apart(live, read); !(d <= 1e-5) { // float32 inverse bind matrices
						t.Errorf("%s, clip %d: the rig that was read is off by %g of the diagonal at %g s", name, clip, d, at)
					}
				}
			}
		}
		own := treeOf(t, out)["skins"].(items)[0].(dict)["extras"].(dict)[gltf.ExtrasKey].(dict)
		if own[thirdrig.Kind().Key] == nil || len(own) != 4 { // with the version, the joints and the error
			t.Errorf("%s: extras %v", name, own)
		}
	}
}

// TestBadThirdRig: what a kind cannot read is a warning that names the skin, and the file plays without it.
func TestBadThirdRig(t *testing.T) {
	for _, third := range []any{7, object{"copies": list{object{"joint": 99, "master": 0}}},
		object{"copies": list{object{"joint": 1, "master": 1}}}} {
		extras := object{gltf.ExtrasKey: object{"version": 1, thirdrig.Kind().Key: third}}
		m := decodeWith(t, gltftest.Beam().Set("skins.0.extras", extras).Glb(), thirdrig.Kind())
		if len(m.Rigs) != 0 || len(m.Warnings) != 1 || !strings.HasPrefix(m.Warnings[0], `skin 0 "rig": extras.skinlab: `) {
			t.Errorf("%v: rigs %v, warnings %q", third, m.Rigs, m.Warnings)
		}
	}
}
