package report

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"image"
	"image/png"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skinlab/skinning/compare"
	"skinlab/skinning/metrics"
	"skinlab/skinning/sweep"
)

// sample is a report whose names try to break out of everything that they are written into.
func sample() *Report {
	r := &Report{
		Command: "skinlab compare 'a <b>.glb' --report out", Skinlab: "v1", Go: "go1", Made: "2026-01-01",
		Clip: `walk "<script>"`, Seconds: 2, Reference: "dqs", Frames: 3,
		Pictures: []Picture{{File: "pose-1.png", Title: "a pose", Caption: "a & b",
			Image: image.NewNRGBA(image.Rect(0, 0, 30, 20))}},
	}
	r.Model.Name, r.Model.Vertices, r.Model.SkinnedVertices, r.Model.Size = "a <b>.glb", 300, 200, [3]float32{0.6, 0.8, 0}
	r.Model.Warnings = []string{"vertex 7: weights sum to 0.5"}
	for i, name := range []string{"lbs", "dqs"} {
		row := compare.Row{Method: name, VolumeRatioMin: 1, VolumeRatioMax: 1}
		if i == 0 {
			row = compare.Row{Method: name, EE: 73.4412, RMS: 0.0031, Max: 0.0426, VolumeRatioMin: 0.9281, VolumeRatioMax: 1,
				WorstTime: 1, WorstVertex: 42}
		}
		row.HalfTurns = &compare.Apart{Poses: 1, RMS: 4 * row.RMS, Max: row.Max, Joints: "hip <l> and hip <r>, 175°"}
		for k := range 3 {
			row.Series = append(row.Series,
				compare.Sample{Time: float64(k), RMS: row.RMS, Max: row.Max, VolumeRatio: row.VolumeRatioMin, HalfTurn: k == 1})
		}
		r.Rows = append(r.Rows, row)
	}
	r.Notes = []string{r.Rows[0].HalfTurns.Note(r.Frames)}
	r.Sweeps = []Sweep{{Joint: "fore<arm", Axis: "twist", Degrees: []float64{-180, 0, 180},
		Note: "2 of 73 poses are half turns."}}
	for _, name := range []string{"lbs", "dqs"} {
		values, ee := []float64{0.1, 0, 0.1}, []metrics.Percent{10, metrics.Percent(math.NaN()), 10}
		r.Sweeps[0].Curves = append(r.Sweeps[0].Curves, sweep.Curve{Name: name, EE: ee, RMS: values, Max: values,
			Volume: values, LocalVolume: values})
	}
	return r
}

func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestHalfTurnsAreGaps: a curve over time does not join the poses beside one that is measured apart.
func TestHalfTurnsAreGaps(t *testing.T) {
	for _, c := range sample().overTime() {
		for _, curve := range c.chart.Curves {
			if v := curve.Values; !math.IsNaN(v[1]) || math.IsNaN(v[0]) || math.IsNaN(v[2]) {
				t.Errorf("%s of %s: %v, expected a gap at the half turn", c.name, curve.Name, v)
			}
		}
	}
}

// The folder holds what its data.json says, and the page links to nothing else.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	page, err := Write(context.Background(), Folder{Path: dir}, sample())
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	names := list(t, dir)
	var data Report
	raw, err := os.ReadFile(filepath.Join(dir, "data.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &data); err != nil {
		t.Fatal(err)
	}
	slices.Sort(data.Files)
	if !slices.Equal(data.Files, names) {
		t.Errorf("data.json lists %q, the folder holds %q", data.Files, names)
	}
	if data.Rows[0].Series[1].RMS != 0.0031 || data.Sweeps[0].Curves[1].LocalVolume[2] != 0.1 {
		t.Errorf("data.json lost values: %+v", data)
	}
	if !strings.Contains(string(text), "twist of fore&lt;arm: 2 of 73 poses are half turns. Curves have gaps there.") {
		t.Error("the page does not say where volumes of a sweep jump")
	}
	links := regexp.MustCompile(`(?:href|src)="([^"]*)"`).FindAllStringSubmatch(string(text), -1)
	for _, m := range links {
		if !slices.Contains(names, m[1]) {
			t.Errorf("the page links to %q, which is not there", m[1])
		}
	}
	if len(links) != 2+4*5+1 { // one picture, five charts (image, SVG twice, PNG), data.json
		t.Errorf("%d links", len(links))
	}
	for _, want := range []string{"73.4", "0.310", "3.10", "4.26", "42.6", "92.8", "1.00 s, vertex 42", "the reference",
		"RMS in half turns, mm", "<td>12.4</td>", "1 of 3 poses: joints that share vertices", "gaps at half turns", "hip &lt;l&gt;",
		"a &lt;b&gt;.glb", "a &amp; b",
		"300, of which 200 are skinned", "vertex 7: weights sum to 0.5", "prefers-color-scheme: dark", "@media print"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q on the page", want)
		}
	}
	for _, never := range []string{"<script", "<b>.glb", "http:", "https:", "ZgotmplZ", "NaN"} {
		if strings.Contains(strings.ToLower(string(text)), strings.ToLower(never)) {
			t.Errorf("%q on the page", never)
		}
	}
	for _, name := range names {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(name) {
		case ".png":
			if _, err := png.Decode(strings.NewReader(string(content))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		case ".svg":
			for dec := xml.NewDecoder(strings.NewReader(string(content))); err == nil; {
				_, err = dec.Token()
			}
			if !errors.Is(err, io.EOF) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestReplaces(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	r := sample()
	if _, err := Write(context.Background(), Folder{Path: dir}, r); err != nil {
		t.Fatal(err)
	}
	before := list(t, dir)
	r = sample()
	r.Sweeps, r.Pictures = nil, nil
	if err := os.WriteFile(filepath.Join(dir, ".DS_Store"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(context.Background(), Folder{Path: dir}, r); !errors.Is(err, fs.ErrExist) ||
		!slices.Equal(list(t, dir), append([]string{".DS_Store"}, before...)) {
		t.Errorf("without a word that it may go: %v, %q", err, list(t, dir))
	}
	if _, err := Write(context.Background(), Folder{Path: dir, Replace: true}, r); err != nil {
		t.Fatal(err)
	}
	after := list(t, dir)
	if len(after) != len(before)-1-4 || slices.Contains(after, "pose-1.png") {
		t.Errorf("%q became %q", before, after)
	}
	if rest := list(t, parent); len(rest) != 1 {
		t.Errorf("left beside it: %q", rest)
	}
	// A link to a folder stays one.
	link := filepath.Join(parent, "link")
	if err := os.Symlink("out", link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if _, err := Write(context.Background(), Folder{Path: link, Replace: true}, sample()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 || len(list(t, dir)) != len(before) {
		t.Errorf("the link is no link any more, or %q was not replaced", dir)
	}
}

// What is not ours stays as it is, whatever it claims to be, also where an earlier report may go.
func TestRefuses(t *testing.T) {
	put := func(dir, name, content string) {
		t.Helper()
		if err := errors.Join(os.MkdirAll(dir, 0o777),
			os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	parent := t.TempDir()
	at := func(name string) string { return filepath.Join(parent, name) }
	put(at("photos"), "cat.jpg", "meow")
	put(at("json"), "data.json", `{"format": "something else", "files": ["data.json"]}`)
	put(at("broken"), "data.json", `{"format": "skinlab report", "files": [`)
	put(parent, "file", "text")
	if _, err := Write(context.Background(), Folder{Path: at("annotated"), Replace: true}, sample()); err != nil {
		t.Fatal(err)
	}
	put(at("annotated"), "notes.txt", "mine")
	if _, err := Write(context.Background(), Folder{Path: at("nested"), Replace: true}, sample()); err != nil {
		t.Fatal(err)
	}
	put(filepath.Join(at("nested"), "rms.svg.d"), "x", "mine")
	if _, err := Write(context.Background(), Folder{Path: at("modelled")}, sample()); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(filepath.Join(at("modelled"), "pose-1.png"), at("model.glb")); err != nil {
		t.Skip("no hard links here: ", err)
	}
	before := list(t, parent)
	for name, says := range map[string]string{"photos": `"cat.jpg"`, "json": `"data.json"`, "broken": `"data.json"`,
		"file":      "is a file",
		"annotated": `"notes.txt"`, "nested": `"rms.svg.d"`,
		"modelled":                      filepath.Join("modelled", "pose-1.png") + ": would replace " + at("model.glb"),
		filepath.Join("missing", "out"): "missing"} {
		folder := Folder{Path: at(name), Replace: true, Reads: []string{filepath.Join(parent, "model.glb")}}
		if _, err := Write(context.Background(), folder, sample()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want an error that names %s", name, err, says)
		}
	}
	t.Chdir(at("photos"))
	if _, err := Write(context.Background(), Folder{Path: ".", Replace: true}, sample()); err == nil ||
		!strings.HasPrefix(err.Error(), at("photos")+": is the working folder") {
		t.Errorf("the working folder: %v", err)
	}
	json := filepath.Join("..", "json") // messages have the whole path of a folder that was named by a part of it
	folder := Folder{Path: json, Replace: true}
	if err := folder.Check(); err == nil || !strings.HasPrefix(err.Error(), at("json")+": holds ") {
		t.Errorf("%s: %v", json, err)
	}
	if after := list(t, parent); !slices.Equal(before, after) || len(list(t, at("photos"))) != 1 {
		t.Errorf("%q became %q", before, after)
	}
}

// A cancelled write leaves the old report, and nothing of the new.
func TestCancelled(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "out")
	if _, err := Write(context.Background(), Folder{Path: dir}, sample()); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(filepath.Join(dir, "data.json"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := sample()
	r.Command = "another"
	filled := 0
	folder := Folder{Path: dir, Replace: true}
	err = folder.Write(ctx, func(f *Files) error {
		if err := r.fill(f); err != nil {
			return err
		}
		filled = len(list(t, f.dir))
		cancel() // after the last file, before the folder is moved
		return nil
	})
	if !errors.Is(err, context.Canceled) || filled < 10 {
		t.Errorf("%v after %d files", err, filled)
	}
	if _, err := Write(ctx, Folder{Path: dir, Replace: true}, sample()); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled write: %v", err)
	}
	now, err := os.ReadFile(filepath.Join(dir, "data.json"))
	if err != nil || string(now) != string(old) || len(list(t, parent)) != 1 {
		t.Errorf("%v; the old report changed, or %q is left", err, list(t, parent))
	}
}

// A picture that cannot be encoded (PNG has no empty pictures) fails the whole folder.
func TestFailedPicture(t *testing.T) {
	parent := t.TempDir()
	r := sample()
	r.Pictures[0].Image = image.NewNRGBA(image.Rectangle{})
	if _, err := Write(context.Background(), Folder{Path: filepath.Join(parent, "out"), Replace: true}, r); err == nil ||
		!strings.Contains(err.Error(), "pose-1.png") {
		t.Errorf("%v", err)
	}
	if left := list(t, parent); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}

// What package sweep found is said in whole degrees.
func TestNewSweep(t *testing.T) {
	values := make([]float64, 73)
	for i := range values {
		values[i] = float64(i)
	}
	s := NewSweep("arm", sweep.Bend, "dqs",
		[]sweep.Curve{{Name: "lbs", Angles: sweep.Even(-math.Pi, math.Pi, 73), RMS: values, Max: values,
			Volume: values, LocalVolume: values}}, []int{0, 72}, "arm and hand, 175° at most")
	for i, d := range s.Degrees {
		if d != float64(5*i-180) {
			t.Errorf("angle %d is %g degrees", i, d)
		}
	}
	if !slices.Equal(s.HalfTurns, []float64{-180, 180}) || !strings.HasPrefix(s.Note, "2 of 73 poses") {
		t.Errorf("half turns at %v degrees: %q", s.HalfTurns, s.Note)
	}
	charts := s.Charts("mm", 1500)
	if s.Axis != "bend" || s.Curves[0].Name != "lbs" || len(charts) != 2 || charts[1].Curves[0].Values[71] != 7100 ||
		charts[1].Y.Base != 100 || charts[0].Curves[0].Values[71] != 71*1500 ||
		!math.IsNaN(charts[0].Curves[0].Values[72]) || charts[0].Y.Label != "RMS, mm" {
		t.Errorf("sweep %+v, charts %+v", s, charts)
	}
}

func TestWords(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 3e-17: "< 0.0001", 73.4412: "73.4", 0.00126: "0.00126", 1234.5: "1234",
		0.999: "0.999", 5.206: "5.21"} {
		if got := significant(x); got != want {
			t.Errorf("%g is %q, want %q", x, got, want)
		}
	}
	r := sample()
	if lead := r.lead(); !strings.HasPrefix(lead, "lbs is farthest from dqs outside half turns: 42.6\u00a0mm") ||
		!strings.Contains(lead, "92.8") {
		t.Errorf("lead %q", lead)
	}
	r.Model.Size = [3]float32{600, 800, 0}
	if lead := r.lead(); !strings.HasPrefix(lead,
		"lbs is farthest from dqs outside half turns: 4.26\u00a0% of the diagonal at vertex\u00a0") {
		t.Errorf("lead %q", lead)
	}
	r.Rows = r.Rows[1:]
	if lead := r.lead(); lead != "No method differs from dqs over this clip." {
		t.Errorf("lead %q", lead)
	}
	r.Rows[0].Series = r.Rows[0].Series[:1]
	if charts := r.overTime(); charts != nil {
		t.Errorf("%d charts over one frame", len(charts))
	}
}
