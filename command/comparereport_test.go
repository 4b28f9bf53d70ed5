package command

import (
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The report holds what compare prints, and its command line makes it again, into its own place.
func TestReport(t *testing.T) {
	slow(t)
	dir := filepath.Join(t.TempDir(), "a report")
	args := []string{"compare", "demo:box", "--methods", "lbs,dqs", "--frames", "5", "--size", "160x120", "--poses", "1,2",
		"--report", dir}
	printed := object(t, args...)
	if printed["report"] != filepath.Join(dir, "index.html") {
		t.Errorf("report at %v", printed["report"])
	}
	data := reportData(t, dir)
	if got, want := data["command"], "skinlab compare demo:box --methods lbs,dqs --frames 5 --size 160x120 --poses 1,2 "+
		"--report '"+dir+"' --json"; got != want {
		t.Errorf("command %q, want %q", got, want)
	}
	printedRow, row := printed["rows"].([]any)[0].(map[string]any), data["rows"].([]any)[0].(map[string]any)
	if printedRow["ee"] != row["ee"] || !(row["ee"].(float64) > 10) || printedRow["series"] != nil ||
		len(row["series"].([]any)) != 5 {
		t.Errorf("printed %v, in the report %v", printedRow, row)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	pictures := len(data["pictures"].([]any))
	if got := strings.Count(string(page), `src="pose-`); got != pictures || pictures != 2 && pictures != 0 { // 0 without EGL
		t.Errorf("%d pictures on the page, %d in the data", got, pictures)
	}
	sweeps := data["sweeps"].([]any)
	if len(sweeps) != 2 || sweeps[0].(map[string]any)["axis"] != "twist" || sweeps[1].(map[string]any)["axis"] != "bend" ||
		!strings.Contains(string(page), `src="sweep-1-twist-volume.svg"`) {
		t.Errorf("sweeps %v", sweeps)
	}
	object(t, "compare", "demo:box", "--methods", "lbs", "--frames", "1", "--size", "160x120", "--report", dir, "--force")
	if again := reportData(t, dir); again["frames"] != 1.0 || len(again["rows"].([]any)) != 1 {
		t.Errorf("the report was not replaced: %v", again)
	}
}

func reportData(t *testing.T, dir string) (data map[string]any) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "data.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// Example shapes exist in their own poses alone: the sweeps of a report against them are measured against a method, and
// the fit has a curve.
func TestReportAgainstExamplesSweepsAgainstAMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	dir := filepath.Join(t.TempDir(), "report")
	_, stderr, code := skinlab(t, "compare", "demo:arm", "--reference", "examples", "--methods", "lbs,ssd,examples",
		"--size", "40x40", "--report", dir)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	sweeps := reportData(t, dir)["sweeps"].([]any)
	if len(sweeps) != 2 {
		t.Fatalf("%d sweeps", len(sweeps))
	}
	for _, s := range sweeps {
		one := s.(map[string]any)
		curves := one["curves"].([]any)
		if one["against"] != "dqs" || len(curves) != 2 || curves[1].(map[string]any)["method"] != "ssd" {
			t.Errorf("%v of %v against %v: %d curves", one["axis"], one["joint"], one["against"], len(curves))
		}
	}
}

// The page has the notes of the text, and says where its largest error is the largest but for half turns.
func TestReportNotes(t *testing.T) {
	slow(t)
	dir := filepath.Join(t.TempDir(), "report")
	out, stderr, code := skinlab(t, "compare", "demo:arm", "--clip", "examples", "--methods", "lbs,ssd", "--frames", "3",
		"--reference", "dqs", "--size", "40x40", "--report", dir)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	notes := reportData(t, dir)["notes"].([]any)
	if err != nil || len(notes) < 2 {
		t.Errorf("notes %q, %v", notes, err)
	}
	for _, note := range notes {
		if !strings.Contains(out, note.(string)+"\n") || !strings.Contains(string(page), html.EscapeString(note.(string))) {
			t.Errorf("%q is not in the text and on the page:\n%s", note, out)
		}
	}
	object(t, "compare", "demo:box", "--clip", "full-turn", "--methods", "lbs", "--size", "40x40", "--report", dir,
		"--force")
	page, err = os.ReadFile(filepath.Join(dir, "index.html"))
	if err != nil || !strings.Contains(string(page), "lbs is farthest from dqs outside half turns: ") ||
		strings.Contains(string(page), "The largest error of all") {
		t.Errorf("half turns are not named, %v", err)
	}
}

func TestReportRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for folder, says := range map[string]string{dir: `"notes.txt"`, file: "is a file",
		filepath.Join(dir, "no", "such"): "no such", "/proc/skinlab": "/proc"} {
		if folder == "/proc/skinlab" && runtime.GOOS != "linux" {
			continue // where even root may not write
		}
		// A model that does not exist: the folder is refused before any work is done.
		stdout, stderr, code := skinlab(t, "compare", "missing.glb", "--report", folder)
		if code != 1 || stdout != "" || !strings.HasPrefix(stderr, "error: ") || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit %d, %q, want %q", folder, code, stderr, says)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "mine" {
		t.Errorf("the file became %q, %v", text, err)
	}
}

// Ctrl-C at any moment leaves the old report or a whole new one, and nothing beside it.
func TestInterruptedReport(t *testing.T) {
	slow(t)
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send on Windows")
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "report")
	args := []string{"compare", "demo:box", "--frames", "5", "--size", "160x120", "--report", dir, "--force"}
	start := time.Now()
	object(t, args...)
	took := time.Since(start)
	interrupted := 0
	for i := 0; i < 4 || interrupted == 0 && i < 20; i++ { // at an eighth, three, five and seven of the time that it takes
		cmd := program(args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took * time.Duration(2*i%8+1) / 8)
		_ = cmd.Process.Signal(os.Interrupt) // it may be done already
		_ = cmd.Wait()                       // the exit code says it all
		switch code := cmd.ProcessState.ExitCode(); code {
		case 130:
			interrupted++
		case 0: // done: the machine has become faster
			took /= 2
		case -1: // ended before it listened
		default:
			t.Errorf("exit %d", code)
		}
		if rows := reportData(t, dir)["rows"].([]any); len(rows) != len(directNames) {
			t.Errorf("half a report: %v", rows)
		}
		entries, err := os.ReadDir(parent)
		if err != nil || len(entries) != 1 {
			t.Errorf("left beside the report: %v %v", entries, err)
		}
	}
	if interrupted == 0 {
		t.Error("no run was interrupted")
	}
}

func TestCommandLine(t *testing.T) {
	for want, args := range map[string][]string{
		`skinlab compare a.glb --poses 1,2.5`: {"compare", "a.glb", "--poses", "1,2.5"},
		`skinlab 'a b' '' '$HOME' 'it'\''s'`:  {"a b", "", "$HOME", "it's"},
		`skinlab '*' '~/x' 'a;b' -- --x=y`:    {"*", "~/x", "a;b", "--", "--x=y"},
		`skinlab 'ä'`:                         {"ä"},
	} {
		if got := commandLine(args); got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
}
