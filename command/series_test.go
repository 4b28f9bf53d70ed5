package command

import (
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// drawn runs a command that draws, in its folder, and skips the test where nothing can be drawn.
func drawn(t *testing.T, line string) (stderr string, code int) {
	t.Helper()
	_, stderr, code = skinlab(t, strings.Fields(line)...)
	if strings.Contains(stderr, "no headless OpenGL context") {
		t.Skip("this machine has no EGL: ", stderr)
	}
	return stderr, code
}

// listed returns the names of all files here.
func listed(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A series of frames has a file for each, by the frame's number; a turntable one for each step. A file that exists is
// found before the work.
func TestSeriesOfPictures(t *testing.T) {
	slow(t)
	t.Chdir(t.TempDir())
	if stderr, code := drawn(t, "render demo:bar --turntable 4 --size 40x30 -o t-%d.png"); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	line := "render demo:bar --clip twist --frames 8:10 --fps 10 --size 40x30 -o f-%03d.png"
	stdout, stderr, code := skinlab(t, strings.Fields(line)...)
	if code != 0 || !strings.HasSuffix(stdout, "f-008.png to f-010.png: 3 pictures, 40×30 pixels\n") {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	want := []string{"f-008.png", "f-009.png", "f-010.png", "t-0.png", "t-1.png", "t-2.png", "t-3.png"}
	if got := listed(t); !slices.Equal(got, want) {
		t.Fatalf("%q, expected %q", got, want)
	}
	for i, name := range want {
		a, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range want[:i] {
			if b, _ := os.ReadFile(other); string(a) == string(b) {
				t.Errorf("%s and %s are the same", name, other)
			}
		}
	}
	// The frame of a series shows the pose of its time.
	if stderr, code := drawn(t, "render demo:bar --clip twist --frames 9:9 --fps 10 --size 40x30 -o one-%d.png"); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if stderr, code := drawn(t, "render demo:bar --clip twist --time 0.9 --size 40x30 -o one.png"); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	a, _ := os.ReadFile("one-9.png")
	if b, _ := os.ReadFile("one.png"); len(a) == 0 || string(a) != string(b) {
		t.Error("frame 9 at 10 a second is not what 0.9 s shows")
	}
	before := listed(t)
	for line, says := range map[string]string{
		"render demo:bar --clip twist --frames 10:12 --fps 10 --size 40x30 -o f-%03d.png": "f-010.png: file already exists",
		"render demo:bar --frames 0:1 -o x.png":                                           "name-%04d.png",
		"render demo:bar --turntable 3 -o %d-%d.png":                                      "name-%04d.png",
		"render demo:bar --frames 3:1 -o x-%d.png":                                        "--frames",
		"render demo:bar --frames 0:99999 -o x-%d.png":                                    "has frames 0 to",
		"render demo:bar --frames 0:1 --time 1 -o x-%d.png":                               "neither --time nor --pose",
		"render demo:bar --frames 0:1 --fps 0 -o x-%d.png":                                "--fps",
		"render demo:bar --turntable -1 -o x-%d.png":                                      "--turntable",
		"compare demo:bar --size 8192x4320 --methods lbs,dqs,sbs -o x.png":                "each side may have 16384 at most",
	} {
		if stderr, code := drawn(t, line); code == 0 || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit %d, expected %q: %s", line, code, says, stderr)
		}
	}
	if after := listed(t); !slices.Equal(before, after) {
		t.Errorf("%q became %q", before, after)
	}
}

// The last key of a clip is in its last frame, also where its time in float32 is a rounding below a whole frame, or
// within a frame.
func TestLastFrame(t *testing.T) {
	for _, c := range []struct {
		seconds float32
		fps     float64
		last    int
	}{{17. / 6, 30, 85}, {2, 10, 20}, {2.85, 30, 86}, {0, 30, 0}, {34, 30, 1020}} {
		if got := lastFrame(float64(c.seconds), c.fps); got != c.last {
			t.Errorf("%g s at %g a second end in frame %d, want %d", c.seconds, c.fps, got, c.last)
		}
	}
}

// A transparent picture has alpha, of a comparison too.
func TestTransparentPictures(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, line := range []string{"render demo:bar --size 64x48 --transparent -o x.png",
		"compare demo:bar --methods lbs --frames 2 --size 64x48 --transparent -o y.png"} {
		if stderr, code := drawn(t, line); code != 0 {
			t.Fatalf("%s: exit %d: %s", line, code, stderr)
		}
		name := line[len(line)-5:]
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		clear, solid := 0, 0
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				switch _, _, _, a := img.At(x, y).RGBA(); a {
				case 0:
					clear++
				case 0xffff:
					solid++
				}
			}
		}
		if clear < 1000 || solid < 100 {
			t.Errorf("%s: %d pixels are clear, %d solid", name, clear, solid)
		}
	}
}

// A film is what ffmpeg makes of the pictures' pixels, under its name when it is whole. Here a program stands in for
// it.
func TestFilm(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a shell script")
	}
	t.Chdir(t.TempDir())
	bin := t.TempDir()
	ffmpeg := func(script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	const line = "render demo:bar --clip twist --frames 0:2 --size 40x30 --force -o film.mp4"
	ffmpeg(`for last; do :; done; cat > "${last#file:}"`)
	if stderr, code := drawn(t, line); code != 0 {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if info, err := os.Stat("film.mp4"); err != nil || info.Size() != 3*40*30*4 {
		t.Errorf("%v, %v: expected the pixels of three pictures", info, err)
	}
	ffmpeg(`cat > /dev/null; echo "no encoder" >&2; exit 3`)
	if stderr, code := drawn(t, line); code != exitData || !strings.Contains(stderr, "film.mp4: ffmpeg: ") ||
		!strings.Contains(stderr, "no encoder") || jargon.MatchString(stderr) {
		t.Errorf("exit %d: %s", code, stderr)
	}
	ffmpeg(`echo "no such device" >&2; exit 3`) // it reads nothing
	if stderr, code := drawn(t, strings.Replace(line, "40x30", "400x300", 1)); code != exitData ||
		!strings.Contains(stderr, "no such device") || jargon.MatchString(stderr) {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if info, err := os.Stat("film.mp4"); err != nil || info.Size() != 3*40*30*4 {
		t.Errorf("%v, %v: the old film is gone", info, err)
	}
	if names := listed(t); len(names) != 1 {
		t.Errorf("%q are left", names)
	}
	if stderr, code := drawn(t, line+" --transparent"); code != exitUsage || !strings.Contains(stderr, "--transparent") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	t.Setenv("PATH", t.TempDir())
	if stderr, code := drawn(t, line); code != exitData || !strings.Contains(stderr, "ffmpeg, which is not installed") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
