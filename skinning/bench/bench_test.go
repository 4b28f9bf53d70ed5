package bench

import (
	"context"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
	"skinlab/skinning/compare"
)

func TestCPU(t *testing.T) {
	m := &skinning.Model{Name: "points"}
	m.Skeleton.Nodes = []skinning.Node{{Parent: -1, Rest: skinning.IdentityTransform()}}
	if err := m.Skeleton.SortNodes(); err != nil {
		t.Fatal(err)
	}
	m.Skeleton.Joints = []skinning.Joint{{FromRest: skinning.IdentityAffine(), Parent: -1}}
	for i := range 500 {
		m.Skin.Positions = append(m.Skin.Positions, mgl32.Vec3{float32(i), 1, 0})
		m.Skin.Normals = append(m.Skin.Normals, mgl32.Vec3{0, 1, 0})
		m.Skin.Append([]skinning.Influence{{Joint: 0, Weight: 1}}, 0)
	}
	opt := Options{Subjects: compare.Direct(skinning.Methods()...), Threads: 1, Repeats: 9, Round: time.Millisecond}
	rows, err := CPU(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(opt.Subjects) {
		t.Fatalf("%d rows for %d methods", len(rows), len(opt.Subjects))
	}
	for _, r := range rows {
		// No vertex can be posed in less than a clock tick of a 100 GHz machine, nor is a microsecond per vertex plausible.
		if !(r.NsPerVertex > 0.01 && r.NsPerVertex < 1e3*50) || !(r.RatioToLBS > 0) || !(r.PaletteUs > 0) {
			t.Errorf("implausible row %+v", r)
		}
	}
	// A median of ratios of neighbouring rounds: on a machine that does much else single rounds differ by a factor of several.
	if rows[0].Method != "lbs" || !(rows[0].RatioToLBS > 0.2 && rows[0].RatioToLBS < 5) {
		t.Errorf("lbs is %g of itself", rows[0].RatioToLBS)
	}
	if _, err := CPU(context.Background(), &skinning.Model{}, opt); err == nil {
		t.Error("a model without a skin is timed")
	}
}
