package bench

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

func TestCPU(t *testing.T) {
	m := &skinning.Model{Name: "points"}
	m.Skeleton.Nodes = []skinning.Node{{Parent: -1, Rest: geom.IdentityTransform()}}
	if err := m.Skeleton.SortNodes(); err != nil {
		t.Fatal(err)
	}
	m.Skeleton.Joints = []skinning.Joint{{FromRest: geom.IdentityAffine(), Parent: -1}}
	for i := range 500 {
		m.Skin.Positions = append(m.Skin.Positions, mgl32.Vec3{float32(i), 1, 0})
		m.Skin.Normals = append(m.Skin.Normals, mgl32.Vec3{0, 1, 0})
		m.Skin.Append([]skinning.Influence{{Joint: 0, Weight: 1}}, 0)
	}
	opt := Options{Subjects: compare.Direct(skinning.Methods()...), Levels: simd.Levels(), Threads: []int{1, 2},
		Repeats: 9, Round: time.Millisecond}
	rows, err := CPU(context.Background(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(opt.Subjects)*len(opt.Levels)*2 {
		t.Fatalf("%d rows for %d methods at %v on one and two threads", len(rows), len(opt.Subjects), opt.Levels)
	}
	for i, r := range rows {
		k := i / len(opt.Subjects)
		if method, level := opt.Subjects[i%len(opt.Subjects)].Name, opt.Levels[k/2]; r.Method != method ||
			r.SIMD != level.String() || r.Threads != 1+k%2 {
			t.Errorf("row %d is of %s at %s on %d threads, expected %s at %v on %d", i, r.Method, r.SIMD, r.Threads, method,
				level, 1+k%2)
		}
		// Two threads on a busy machine may be as fast as one to the tick.
		if r.Method == "lbs" && r.RatioToLBS != 1 {
			t.Errorf("the ratio of linear blending to itself is %g", r.RatioToLBS)
		}
		if r.Threads == 1 && r.SpeedUp != 1 || !(r.SpeedUp > 0) {
			t.Errorf("%s on %d threads: speed-up %g", r.Method, r.Threads, r.SpeedUp)
		}
		// No vertex can be posed in less than a clock tick of a 100 GHz machine, nor is a microsecond per vertex
		// plausible.
		if !(r.NsPerVertex > 0.01 && r.NsPerVertex < 1e3*50) || !(r.RatioToLBS > 0) || !(r.PaletteUs > 0) {
			t.Errorf("implausible row %+v", r)
		}
		// 500 vertices of 72 bytes, and 4 of a centre set or 16 of a centre: the parts must agree with each other, within rounding, and copying is
		// faster than a terabyte a second on no core.
		bytes := 72.0
		switch r.Method {
		case "sbs":
			bytes += 4
		case "cor":
			bytes += 16
		}
		if x := r.Memory; x == nil || x.BytesPerVertex != bytes || !(math.Abs(x.GBPerSecond*r.NsPerVertex/bytes-1) < 1e-9) ||
			!(x.CopyGBPerSecond > 0.01 && x.CopyGBPerSecond < 1000) || !(x.ShareOfCopy > 0) {
			t.Errorf("%s moves %+v", r.Method, x)
		}
	}
	if _, err := CPU(context.Background(), &skinning.Model{}, opt); err == nil {
		t.Error("a model without a skin is timed")
	}
	opt.Levels = nil
	if _, err := CPU(context.Background(), m, opt); err == nil {
		t.Error("no level is timed")
	}
}

// TestRow: a row is the medians of its rounds, each over linear blending's mean right before and after it. Times are
// made up: on a busy machine those on the clock say nothing.
func TestRow(t *testing.T) {
	m := &skinning.Model{}
	s := &subject{stage: &stage{model: m, posed: []*skinning.Frame{skinning.NewFrame(m, nil)}}}
	s.add(3e-6, 1e-6, 1e-6, 5e-6, 1e9) // ratio 3
	s.add(8e-6, 1e-6, 3e-6, 7e-6, 1e9) // 4
	s.add(5e-6, 4e-6, 6e-6, 6e-6, 1e9) // 1
	first := &subject{stage: s.stage}
	for range 3 {
		first.add(10e-6, 1e-6, 1e-6, 1e-6, 1e9)
	}
	f := &form{threads: 2, subjects: []*subject{s}, first: &form{subjects: []*subject{first}}}
	row := f.row(0, 1000)
	dqs, lbs := &compare.Subject{Method: skinning.DQS}, &compare.Subject{Method: skinning.LBS}
	for what, d := range map[string]float64{"ns": row.NsPerVertex - 5, "ratio": Ratio(dqs, s.ratio) - 3, "palette": row.PaletteUs - 6,
		"speed-up": row.SpeedUp - 2, "ratio of linear blending itself": Ratio(lbs, s.ratio) - 1,
		"ratio of a fit": Ratio(&compare.Subject{Model: m}, s.ratio) - 3} {
		if !(math.Abs(d) <= 1e-12) { // rounding
			t.Errorf("%s is off by %g: %+v", what, d, row)
		}
	}
}

// Every line of a table has as many cells as its heading, with and without pictures and crowds, and passes stand in
// their order.
func TestTables(t *testing.T) {
	plain := Row{Model: "m", Vertices: 10, Method: "lbs", Device: "cpu", NsPerVertex: 1.5, RatioToLBS: 1, PaletteUs: 2}
	alone, crowd, kernel := plain, plain, plain
	kernel.Kernel = &Kernel{SIMD: "avx2", Threads: 1, SpeedUp: 1}
	kernel.Memory = &Memory{BytesPerVertex: 72, GBPerSecond: 20, CopyGBPerSecond: 25, ShareOfCopy: 0.8}
	scalar := kernel
	scalar.Kernel = &Kernel{SIMD: "scalar", Threads: 2, SpeedUp: 1.9}
	alone.Picture = &Picture{Skinning: "shader", Instances: 1, PictureNs: 5e6,
		Passes: []Pass{{"palette", 1e3, 2e3}, {"shade", 4e6, 5e6}}}
	crowd.Picture = &Picture{Skinning: "compute", Instances: 16, PictureNs: 8e6, NsPerInstance: 5e5,
		Passes: []Pass{{"palette", 1e3, 2e3}, {"skin", 1e6, 2e6}, {"shade", 4e6, 5e6}}}
	for _, c := range []struct {
		rows     []Row
		columns  []string // of the first table, beyond those that are always there
		pictures string   // heading of the second
	}{
		{[]Row{plain}, nil, "model method skinning picture"},
		{[]Row{kernel}, []string{"GB/s", "copy GB/s", "of copy"}, "model method skinning picture"},
		{[]Row{kernel, scalar}, []string{"simd", "threads", "speed-up", "GB/s", "copy GB/s", "of copy"},
			"model method skinning picture"},
		{[]Row{kernel, alone}, []string{"skinning", "GB/s", "copy GB/s", "of copy"},
			"model method skinning palette shade picture"},
		{[]Row{plain, alone}, []string{"skinning"}, "model method skinning palette shade picture"},
		{[]Row{alone, crowd, plain}, []string{"skinning", "instances"},
			"model method skinning instances palette skin shade picture an instance"},
	} {
		var table, pictures bytes.Buffer
		WriteTable(&table, c.rows)
		WritePictures(&pictures, c.rows)
		lines := strings.Split(strings.TrimSpace(table.String()), "\n")
		if len(lines) != 1+len(c.rows) {
			t.Fatalf("%d lines for %d rows:\n%s", len(lines), len(c.rows), table.String())
		}
		for _, line := range lines[1:] {
			if n := len(strings.Fields(line)); n != 7+len(c.columns) {
				t.Errorf("%d cells, expected %d:\n%s", n, 7+len(c.columns), table.String())
			}
		}
		for _, column := range c.columns {
			if !strings.Contains(lines[0], column) {
				t.Errorf("no column %q:\n%s", column, table.String())
			}
		}
		if heading, _, _ := strings.Cut(pictures.String(), "\n"); strings.Join(strings.Fields(heading), " ") != c.pictures {
			t.Errorf("heading %q, expected %q", heading, c.pictures)
		}
	}
}
