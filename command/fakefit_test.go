package command

import (
	"context"
	"encoding/json"
	"errors"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/assets/gltf/export"
	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/fit/methods"
	"skinlab/internal/assetstest"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
	"skinlab/skinning/rig"
)

// twins is a fit that is in no table: it adds so many bones, each in the middle between a joint and its parent, and no
// vertex follows them.
func twins() *fit.Method {
	return &fit.Method{Name: "twins", Title: "Twins", Noun: "twin", Suffix: "-twins", Learns: fit.Operator,
		Help: "Add twins", Example: "--twins 3 -o fitted.glb",
		Options: []fit.Option{
			{Name: "twins", Kind: fit.Count, Default: 1, Least: 1, Most: 4, Help: "twins to add at most",
				Slider: &fit.Slider{Title: "Max twins", Most: 4, Step: 1, Default: 2}},
			{Name: "tall", Kind: fit.Switch, Most: 1, Help: "of no consequence"},
		},
		Run: func(_ context.Context, job *fit.Job) (*fit.Result, error) {
			var last fit.Progress
			for n := range job.Int("twins") + 1 {
				var bones []rig.BlendBone
				for j := 1; j <= n; j++ {
					bones = append(bones, rig.BlendBone{Masters: []uint16{uint16(j - 1), uint16(j)}, Weights: []float64{0.5, 0.5}})
				}
				fitted, err := rig.WithBlendBones(job.Model, job.Training.Operator(), bones, job.Model.Skin.Influences)
				if err != nil {
					return nil, err
				}
				last.Now = fit.Step{Added: n, EE: 10 - float64(n), Model: func() *skinning.Model { return fitted }}
				last.History = append(slices.Clip(last.History), last.Now)
				if job.Progress != nil {
					job.Progress(last)
				}
			}
			poses, err := job.Training.Choose(job.Model, nil)
			if err != nil {
				return nil, err
			}
			r := fit.NewReport(job, poses, last.Now.Model(), &last.Now)
			r.EE, r.RMS, r.Reason = metrics.Percent(last.Now.EE), 1e-3, "bone limit"
			return &fit.Result{Model: last.Now.Model(), Report: r, Last: last}, nil
		}}
}

// TestFitRefusedEarly: that a fit will not be written, and why, is said once its clips are measured, before it is made
// again without each example, and once more at the end.
func TestFitRefusedEarly(t *testing.T) {
	out := filepath.Join(t.TempDir(), "fitted.glb")
	_, stderr, code := skinlab(t, "fit", "ssd", "demo:tube", "--teach", "sdqs", "--train", "writhe:2", "--loocv",
		"-o", out)
	before, after, tested := strings.Cut(stderr, "leave one out: 1 of 2")
	const says = "nothing is written: the fit of demo:tube is worse in the mean over 2 clips"
	if code != 1 || !tested || !strings.Contains(before, "note: "+out+": "+says) ||
		!strings.Contains(after, "error: "+out+": "+says) {
		t.Errorf("exit %d, expected %q before the tests and at the end:\n%s", code, says, stderr)
	}
}

// runWith runs a command of a program that has one fit more, and returns what it prints.
func runWith(t *testing.T, method *fit.Method, args ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stdout")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	root, stdout := newRoot(append(methods.All(), method)), os.Stdout
	root.SetArgs(args)
	os.Stdout = f
	err = errors.Join(root.ExecuteContext(t.Context()), f.Close())
	os.Stdout = stdout
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFakeFit: a fit that one row adds to the table is a subcommand with its own flags, a subject of comparisons and a
// choice of the window; its model is exported, and the file is opened again.
func TestFakeFit(t *testing.T) {
	out := filepath.Join(t.TempDir(), "fitted.glb")
	var report struct {
		Method string `json:"method"`
		Added  int    `json:"added_bones"`
		Output string `json:"output"`
	}
	text := runWith(t, twins(), "fit", "twins", "demo:tube", "--twins", "3", "--tall", "--json", "-o", out)
	if err := json.Unmarshal(text, &report); err != nil || report.Method != "twins" || report.Added != 3 || report.Output != out {
		t.Errorf("%v: %s", err, text)
	}
	if m, err := assets.Open(out); err != nil || len(m.Added()) != 3 {
		t.Errorf("the exported file: %v", err)
	}
	var compared struct {
		Rows []struct {
			Title string  `json:"title"`
			EE    float64 `json:"ee"`
		} `json:"rows"`
	}
	text = runWith(t, twins(), "compare", "demo:tube", "--frames", "3", "--methods", "lbs,twins:2", "--json")
	if err := json.Unmarshal(text, &compared); err != nil || len(compared.Rows) != 2 ||
		compared.Rows[0].EE != compared.Rows[1].EE {
		t.Errorf("compared, no vertex follows a twin: %v: %s", err, text)
	}

	fits := newViewerFits(append(methods.All(), twins()))
	row := slices.IndexFunc(fits.Fits(), func(r fitpage.Row) bool { return r.Name == "twins" })
	if row < 0 || len(fits.Fits()[row].Sliders()) != 1 || fits.Fits()[row].Count() == nil {
		t.Fatalf("the window has %+v", fits.Fits())
	}
	m := assetstest.Open(t, "demo:tube")
	var last fitpage.Update
	fits.Fit(t.Context(), m, fitpage.Request{Row: row, By: skinning.DQS, Clip: fitpage.AllClips, Values: fit.Values{twins().Count().Name: 2}},
		func(u fitpage.Update) { last = u })
	if !last.Done || last.Err != nil || last.Now.Added != 2 || len(last.History) != 3 || last.Reason != "bone limit" {
		t.Fatalf("the window's last update is %+v", last)
	}
	out = filepath.Join(t.TempDir(), "window.glb")
	if _, err := export.File(t.Context(), out, "demo:tube", last.Now.Model(), fits.exportOptions(last.Now.Model())); err != nil {
		t.Fatal(err)
	}
	if back, err := assets.Open(out); err != nil || len(back.Added()) != 2 {
		t.Errorf("what the window exports: %v", err)
	}
}

// TestOutputAppears: a file that appears while a command works, here during the fit, stays as it is, unless --force
// replaces it. Every other writer of commands goes through [flags.Output.Write] or the same check.
func TestOutputAppears(t *testing.T) {
	for name, c := range map[string]struct {
		appears string // beside the output
		args    []string
		stays   bool
	}{
		"the output":     {"fitted.glb", nil, true},
		"with --force":   {"fitted.glb", []string{"--force"}, false},
		"another beside": {"other.glb", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			path, out := filepath.Join(folder, c.appears), filepath.Join(folder, "fitted.glb")
			method := twins()
			learn := method.Run
			method.Run = func(ctx context.Context, job *fit.Job) (*fit.Result, error) {
				if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
					t.Error(err)
				}
				return learn(ctx, job)
			}
			root := newRoot(append(methods.All(), method))
			root.SetArgs(append([]string{"fit", "twins", "demo:tube", "-o", out}, c.args...))
			err := root.ExecuteContext(t.Context())
			if refused := c.stays && path == out; errors.Is(err, fs.ErrExist) != refused || !refused && err != nil {
				t.Errorf("%v", err)
			}
			if got, err := os.ReadFile(path); err != nil || (string(got) == "precious") != c.stays {
				t.Errorf("%s holds %d bytes, %v", path, len(got), err)
			}
		})
	}
}

// TestWriteChecksAgain: so do files that are written by [flags.Output.Write], pictures among them.
func TestWriteChecksAgain(t *testing.T) {
	for _, force := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "out.png")
		o := flags.Output{Path: path, Force: force}
		if err := o.Check(func() []string { return nil }, ".png"); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := o.WritePicture(t.Context(), image.NewNRGBA(image.Rect(0, 0, 2, 2)))
		if got, _ := os.ReadFile(path); errors.Is(err, fs.ErrExist) == force || (string(got) == "precious") == force {
			t.Errorf("force %v: %v, %d bytes", force, err, len(got))
		}
	}
}

// TestFitThatLoses: a fit that is worse in the mean over the clips than the file's own weights is printed, and
// written with --force only. The error names the file and both errors.
func TestFitThatLoses(t *testing.T) {
	method := twins()
	run := method.Run
	method.Run = func(ctx context.Context, job *fit.Job) (*fit.Result, error) {
		out, err := run(ctx, job)
		if err == nil {
			out.Report.Clips = fit.ClipTable{{Name: "a", Worse: true,
				Errors: fit.Errors{EE: 30, RMS: 3e-3, LBSEE: 20, LBSRMS: 2e-3}}}
		}
		return out, err
	}
	out := filepath.Join(t.TempDir(), "fitted.glb")
	root := newRoot(append(methods.All(), method))
	root.SetArgs([]string{"fit", "twins", "demo:tube", "-o", out})
	err := root.ExecuteContext(t.Context())
	const reason = "worse in the mean over 1 clip than the file's own weights: EE 30.00 % for 20.00 %; --force writes it"
	if err == nil || !strings.Contains(err.Error(), out) || !strings.Contains(err.Error(), reason) {
		t.Errorf("error %v, expected %q", err, reason)
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is there: %v", err)
	}
	runWith(t, method, "fit", "twins", "demo:tube", "--force", "-o", out)
	if _, err := assets.Open(out); err != nil {
		t.Error(err)
	}
}
