package export

import (
	"slices"
	"testing"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// edited returns a model whose helper bones have other coefficients: half of them, and other constants.
func edited(t *testing.T, m *skinning.Model) *skinning.Model {
	t.Helper()
	out, helpers := *m, *gltftest.HelpersOf(m)
	helpers.Bones = slices.Clone(helpers.Bones)
	for k := range helpers.Bones {
		b := &helpers.Bones[k]
		b.Constant[0] += 0.01 * m.Diagonal()
		b.Terms = slices.Clone(b.Terms)
		for i := range b.Terms {
			for c := range b.Terms[i].Coefficients {
				b.Terms[i].Coefficients[c] /= 2
			}
		}
	}
	if err := out.SetRig(&helpers); err != nil {
		t.Fatal(err)
	}
	return &out
}

// TestExportEdited: a file with helper bones whose coefficients are edited is written with the new ones, and its nodes
// play them. Nothing is added. Not edited, it keeps its keys.
func TestExportEdited(t *testing.T) {
	for _, name := range []string{"demo:tube", "Fox.glb", "CesiumMan.glb"} {
		t.Run(name, func(t *testing.T) {
			m, data, files := source(t, name)
			first, written := checkHelped(t, gltftest.Helped(t, m, 6, true), data, files, 0.003)
			same, report, _ := export(t, first, written, nil, Options{RMS: 0.003})
			if report.Bones != 0 {
				t.Errorf("%d bones are baked that nobody has edited", report.Bones)
			}
			checkSameHelpers(t, same, first)
			changed := edited(t, first)
			again, report, out := export(t, changed, written, nil, Options{RMS: 0.003})
			checkSameHelpers(t, again, changed)
			if report.AddedNodes != 0 || len(again.Skeleton.Nodes) != len(first.Skeleton.Nodes) ||
				len(again.Skeleton.Joints) != len(first.Skeleton.Joints) {
				t.Errorf("%d nodes and %d joints after an edit, %d and %d before", len(again.Skeleton.Nodes),
					len(again.Skeleton.Joints), len(first.Skeleton.Nodes), len(first.Skeleton.Joints))
			}
			for _, clip := range again.Clips {
				type target struct {
					node int
					path skinning.Path
				}
				keyed := map[target]bool{}
				for _, c := range clip.Channels {
					if at := (target{c.Node, c.Path}); keyed[at] {
						t.Errorf("clip %q moves node %d twice", clip.Name, c.Node)
					} else {
						keyed[at] = true
					}
				}
			}
			p, old := newPlaying(changed, again), skinning.NewFrame(first, nil)
			worst, moved := 0.0, 0.0
			for clip := range again.Clips {
				for i := range 12 {
					_, baked := p.at(clip, again.Clips[clip].Seconds*(float64(i)+0.3)/12)
					old.SetPose(p.pose)
					worst, moved = max(worst, baked), max(moved, apart(p.want, old))
				}
			}
			t.Logf("edits move vertices by %.2g, baked to %.2g, %d kB of %d", moved, worst, len(out)>>10, len(written)>>10)
			if !(worst <= report.MaxError*1.1+4e-6) { // as in checkHelped
				t.Errorf("baked: %.3g of the diagonal, reported %.3g", worst, report.MaxError)
			}
			if len(again.Clips) > 0 && !(moved > 1e-3) {
				t.Errorf("the edits move nothing: %g", moved)
			}
		})
	}
}
