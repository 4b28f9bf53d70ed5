package posefile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/internal/cputime"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// posedFigure is a model in a pose with a turned, a moved and a scaled node and a morph weight.
func posedFigure(t testing.TB) (*skinning.Model, *skinning.Pose) {
	t.Helper()
	m, err := assets.Open("demo:figure")
	if err != nil {
		t.Fatal(err)
	}
	m.MorphSlots = []skinning.MorphSlot{{Name: "smile"}, {Name: "frown", Default: 0.25}}
	p := m.NewPose()
	p.Local[9].Rotation = geom.AxisAngle(mgl64.Vec3{1, 2, 3}, 1.1)
	p.Local[3].Translation = mgl64.Vec3{0.1, -1e-17, 1.0 / 3}
	p.Local[5].Scale = mgl64.Vec3{1, 0.5, -2}
	p.Morphs[1] = 0.7
	return m, p
}

// What is written comes back bit for bit, and only what differs is in the file.
func TestPoseRoundTrip(t *testing.T) {
	m, p := posedFigure(t)
	path := filepath.Join(t.TempDir(), "pose.json")
	if err := Write(path, m, p); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), `"name"`); n != 4 {
		t.Errorf("%d entries, want 3 nodes and a morph:\n%s", n, text)
	}
	got := m.NewPose()
	got.Local[20].Translation[0] = 5 // replaced by the static pose
	warnings, err := Read(path, m, got)
	if err != nil || len(warnings) > 0 || !reflect.DeepEqual(got, p) {
		t.Errorf("read %v, warnings %q, error %v", got, warnings, err)
	}
	marked := path + "-marked"
	if err := os.WriteFile(marked, append([]byte("\uFEFF"), text...), 0o600); err != nil {
		t.Fatal(err)
	}
	got = m.NewPose()
	if _, err := Read(marked, m, got); err != nil || !reflect.DeepEqual(got, p) {
		t.Errorf("behind a byte order mark: read %v, error %v", got, err)
	}
	other, err := assets.Open("demo:arm")
	if err != nil {
		t.Fatal(err)
	}
	q := other.NewPose()
	warnings, err = Read(path, other, q)
	if err != nil || len(warnings) != 4 || !strings.Contains(warnings[0], `"spine"`) && !strings.Contains(warnings[0], `"waist"`) {
		t.Errorf("another model: warnings %q, error %v", warnings, err)
	}
	p.Local[2].Rotation[1] = math.NaN()
	if err := Write(path, m, p); err == nil || !strings.Contains(err.Error(), `node 2 "waist"`) {
		t.Errorf("a NaN is written: %v", err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(after, text) {
		t.Error("a failed write changed the file")
	}
}

// Nodes that share a name are told apart by their index; nodes without a name are found by it.
func TestPoseOfEqualNames(t *testing.T) {
	m := &skinning.Model{}
	for i, name := range []string{"a", "", "a", ""} {
		m.Skeleton.Nodes = append(m.Skeleton.Nodes,
			skinning.Node{Name: name, Parent: i - 1, Rest: geom.IdentityTransform()})
	}
	p := m.NewPose()
	for i := range p.Local {
		p.Local[i].Translation[0] = float64(i + 1)
	}
	path := filepath.Join(t.TempDir(), "pose.json")
	if err := Write(path, m, p); err != nil {
		t.Fatal(err)
	}
	got := m.NewPose()
	if w, err := Read(path, m, got); err != nil || len(w) > 0 || !reflect.DeepEqual(got, p) {
		t.Errorf("read %v, warnings %q, error %v", got, w, err)
	}
}

func poseText(nodes string) string {
	return `{"format":"skinlab pose","version":1,"nodes":[` + nodes + `]}`
}

// Every bad file is refused with the reason, names the file, and leaves the pose alone.
func TestPoseHostile(t *testing.T) {
	m, before := posedFigure(t)
	for name, c := range map[string]struct{ text, want string }{
		"empty":        {"", "JSON"},
		"no JSON":      {"hello", "invalid character"},
		"cut":          {poseText(`{"name":"waist"}`)[:50], "JSON"},
		"a model":      {`{"asset":{"version":"2.0"}}`, `format is ""`},
		"version":      {`{"format":"skinlab pose","version":2}`, "version 2"},
		"a list":       {`[]`, "the whole is [], expected an object"},
		"behind":       {poseText("") + "x", "after top-level value"},
		"nodes number": {`{"format":"skinlab pose","version":1,"nodes":7}`, "nodes"},
		"entry number": {poseText(`3`), "entry 0 of nodes"},
		"NaN":          {poseText(`{"name":"waist","translation":[NaN,0,0]}`), "invalid character 'N'"},
		"huge": {poseText(`{"name":"waist","translation":[1e300,0,0]}`),
			`entry 0 "waist": translation: 1e+300 is out of range`},
		"overflow": {poseText(`{"name":"waist","translation":[1e999,0,0]}`),
			"translation is [1e999,0,0], expected an array of numbers"},
		"two numbers": {poseText(`{"name":"waist","scale":[1,2]}`), `entry 0 "waist": scale has 2 numbers, expected 3`},
		"text": {poseText(`{"name":"waist","rotation":["x",0,0,1]}`),
			`rotation is ["x",0,0,1], expected an array of numbers`},
		"null": {poseText(`{"name":"waist","rotation":[null,0,0,1]}`),
			"rotation is [null,0,0,1], expected an array of numbers"},
		"zero rotation": {poseText(`{"name":"waist","rotation":[0,0,0,0]}`), "length 0, not 1"},
		"twice": {poseText(`{"name":"waist","scale":[1,2,1]},{"name":"waist","scale":[1,1,2]}`),
			`entry 1 "waist": entry 0 is of the same node`},
		"morph": {`{"format":"skinlab pose","version":1,"morphs":[{"name":"smile"}]}`, "has no weight"},
		"many nodes": {poseText(strings.TrimSuffix(strings.Repeat(`{"name":"x"},`, 1_000_000), ",")),
			"1000000 nodes, the model has 31"},
		"too large": {strings.Repeat(" ", maxPoseFile+1), "more than 32 MiB"},
		"deep":      {strings.Repeat("[", 100_000), "exceeded max depth"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "bad.json")
			if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			p := m.NewPose()
			copy(p.Local, before.Local)
			copy(p.Morphs, before.Morphs)
			var err error
			took := cputime.Of(func() { _, err = Read(path, m, p) })
			if !errors.Is(err, errPose) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v, want %q in it", err, c.want)
			}
			if !reflect.DeepEqual(p, before) {
				t.Error("the pose changed")
			}
			// A million entries take about 1 s, and many times that under the race detector, which runs the short
			// tests.
			if took > 10*time.Second && !testing.Short() {
				t.Errorf("took %v", took)
			}
		})
	}
	if _, err := Read(t.TempDir(), m, m.NewPose()); err == nil {
		t.Error("a folder is a pose")
	}
	if _, err := Read(filepath.Join(t.TempDir(), "absent"), m, m.NewPose()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an absent file: %v", err)
	}
}

// A rotation that was typed by hand is brought to unit length.
func TestPoseTyped(t *testing.T) {
	m, _ := posedFigure(t)
	p := m.NewPose()
	if _, err := decodePose([]byte(poseText(`{"name":"waist","rotation":[0,0,0.707,0.707]}`)), m, p); err != nil {
		t.Fatal(err)
	}
	if q := p.Local[2].Rotation; !(math.Abs(q.Dot(q)-1) <= 1e-12) {
		t.Errorf("length² %g", q.Dot(q))
	}
}

// FuzzPose: any bytes give a finite pose with unit rotations, or an error that wraps errPose.
func FuzzPose(f *testing.F) {
	m, p := posedFigure(f)
	path := filepath.Join(f.TempDir(), "pose.json")
	if err := Write(path, m, p); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, s := range []string{"", "null", poseText(""), poseText(`null`),
		poseText(`{"name":"waist","index":-1e15,"rotation":[]}`), poseText(`{"index":1e3}`),
		fmt.Sprintf(`{"format":"skinlab pose","version":1,"morphs":[{"name":"smile","index":%d,"weight":-0}]}`, math.MaxInt64)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got := m.NewPose()
		if _, err := decodePose(data, m, got); err != nil {
			if !errors.Is(err, errPose) {
				t.Fatalf("untyped error: %v", err)
			}
			return
		}
		for i, l := range got.Local {
			if !(l.Translation.Len() < math.Inf(1)) || !(l.Scale.Len() < math.Inf(1)) ||
				!(math.Abs(l.Rotation.Dot(l.Rotation)-1) <= 1e-9) {
				t.Fatalf("node %d: %v", i, l)
			}
		}
	})
}
