package command

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"skinlab/assets"
	"skinlab/skinning"
)

// The file must hold what the float64 reference computes: to 1e-9 m, the digits that are written.
func TestDeformWritesTheReference(t *testing.T) {
	m, err := assets.Open("demo:tube")
	if err != nil {
		t.Fatal(err)
	}
	clip, err := m.ClipIndex("writhe")
	if err != nil {
		t.Fatal(err)
	}
	pose, frame := m.NewPose(), skinning.NewFrame(m, nil)
	m.SamplePose(pose, clip, 0.7)
	frame.SetPose(pose)
	for _, method := range skinning.Methods() {
		path := filepath.Join(t.TempDir(), "posed.obj")
		object(t, "deform", "demo:tube", "--method", method.String(), "--clip", "writhe", "--time", "0.7", "-o", path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, v, vn := frame.Reference(method), 0, 0
		for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
			var x, y, z float64
			if n, _ := fmt.Sscanf(lines.Text(), "v %g %g %g", &x, &y, &z); n == 3 {
				p := want.Positions[v]
				if d := max(abs(x-p[0]), abs(y-p[1]), abs(z-p[2])); !(d <= 1e-9) {
					t.Fatalf("%v: vertex %d is off by %g m", method, v, d)
				}
				v++
			} else if n, _ := fmt.Sscanf(lines.Text(), "vn %g %g %g", &x, &y, &z); n == 3 {
				vn++
			}
		}
		if v != 1380 || vn != 1380 {
			t.Errorf("%v: %d positions and %d normals, want 1380", method, v, vn)
		}
	}
}
