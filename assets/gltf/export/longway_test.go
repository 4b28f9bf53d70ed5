package export

import (
	"math"
	"testing"

	"skinlab/assets/gltf"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// TestExportLongWay: blend bones that were fitted to rotations past 180 degrees play so, live after reading again and
// in any player's baked keys, through a turn of 350 degrees; other bones go back the shorter way. Every clip says which
// way it takes, beside extras that it had. Tolerances are those of TestExported.
func TestExportLongWay(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m, data, files := source(t, "demo:box")
	turn, err := m.ClipIndex("full-turn")
	if err != nil {
		t.Fatal(err)
	}
	var played [2]*skinning.Frame
	for i, long := range []bool{false, true} {
		fitted := gltftest.HalfWay(t, m, skinning.DIB, 4)
		blendOf(fitted).LongWay = long
		again, report, out := export(t, fitted, data, files, Options{RMS: 0.003})
		if again.LongWay() != long {
			t.Errorf("long %v comes back as %v", long, again.LongWay())
		}
		for k, a := range treeOf(t, out)["animations"].(items) {
			want := "short"
			if long && k == turn {
				want = "long"
			}
			if got := a.(dict)["extras"].(dict)[gltf.ExtrasKey].(dict)["way"]; got != want {
				t.Errorf("long %v: clip %d goes the %v way, want %s", long, k, got, want)
			}
		}
		want, live := compare.Pose(fitted, turn, true), compare.Pose(again, turn, true)
		baked, pose := skinning.NewFrame(again, nil), again.NewPose()
		baked.Baked = true
		worstLive, worstBaked := 0.0, 0.0
		for at := 0.0; at <= m.Clips[turn].Seconds; at += 0.037 {
			again.SamplePose(pose, turn, at)
			baked.SetPose(pose)
			worstLive = math.Max(worstLive, apart(live.At(at), want.At(at)))
			worstBaked = math.Max(worstBaked, apart(want.At(at), baked))
		}
		if !(worstLive <= 2e-6) || !(worstBaked <= report.MaxError*1.1+4e-6) {
			t.Errorf("long %v: live off by %.3g, baked by %.3g, reported %.3g", long, worstLive, worstBaked, report.MaxError)
		}
		played[i] = baked
	}
	if d := apart(played[0], played[1]); !(d >= 0.1) { // 180 degrees apart, half-way
		t.Errorf("baked the long way and the short way are %.3g of the diagonal apart", d)
	}
}
