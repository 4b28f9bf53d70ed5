package bvh

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// steps is a file as the format has it, of three joints and four frames.
const steps = `HIERARCHY
ROOT Hips
{
	OFFSET 0.0 10.0 0.0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT Spine
	{
		OFFSET 0.0 -5.0 0.0
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT Head
		{
			OFFSET 1.0 4.0 0.0
			CHANNELS 3 Zrotation Xrotation Yrotation
			End Site
			{
				OFFSET 0.0 3.0 0.0
			}
		}
	}
}
MOTION
Frames: 4
Frame Time: 0.25
-66.25 -42.5 48.0 13.0 -64.5 -10.5 -3.0 -54.5 37.0 -61.5 -17.0 2.5
-11.5 13.5 38.0 73.0 -34.0 23.5 31.5 -33.0 -79.5 75.0 -32.0 -29.5
-12.5 14.5 -3.8e+01 7.0 -34.5 23.0 31.0 -33.5 -7.5e-1 75.5 -3.0 -29.0
1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5 9.5 10.5 11.5 12.5
`

// variants are ways in which programs write the same file.
var variants = []struct {
	name, warning string
	write         func(text string) string
}{
	{"fewer rows than are named", "5 frames are named, 4 rows", replacer("Frames: 4", "Frames: 5", "Frames:4", "Frames:5")},
	{"more rows than are named", "1 frames are named, 4 rows", replacer("Frames: 4", "Frames: 1", "Frames:4", "Frames:1")},
	{"no frames are named", "0 frames are named, 4 rows", replacer("Frames: 4", "Frames: 0", "Frames:4", "Frames:0")},
	{"a row that was cut off", "a row of 5 numbers, expected 12, is left out", func(text string) string {
		return text + "1.5 2.5 3.5 4.5 5.5\n"
	}},
	{"glued numbers", "a sign begins another number", func(text string) string {
		head, rows, _ := strings.Cut(text, "MOTION")
		return strings.ReplaceAll(head, "0.0 -5", "0.0-5") + "MOTION" + strings.ReplaceAll(rows, " -", "-")
	}},
	{"no space behind colons", "a colon and a space are expected", replacer("s: ", "s:", "e: ", "e:")},
	{"decimal commas", "decimal point", func(text string) string { return strings.ReplaceAll(text, ".", ",") }},
	{"a joint without channels", `joint "Spine" has no CHANNELS`, func(text string) string {
		head, tail, _ := strings.Cut(text, "\t\tJOINT Head")
		channels := "CHANNELS 3 Zrotation Xrotation Yrotation"
		if at := strings.LastIndex(head, channels); at >= 0 {
			head = head[:at] + head[at+len(channels):]
		}
		return head + "\t\tJOINT Head" + tail
	}},
	{"the offset behind the channels", `joint "Hips" has its OFFSET behind its CHANNELS`, func(text string) string {
		lines := strings.Split(text, "\n")
		if i := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "CHANNELS") }); i > 0 &&
			strings.Contains(lines[i-1], "OFFSET") {
			lines[i-1], lines[i] = lines[i], lines[i-1]
		}
		return strings.Join(lines, "\n")
	}},
	{"comments", "a comment", func(text string) string {
		return "# made by hand\n" + replacer("ROOT Hips", "ROOT Hips // the root", "MOTION", "; all frames\nMOTION # here")(text)
	}},
	{"a trailing NUL", "zeros or Ctrl-Z", func(text string) string { return text + "\x00" }},
	{"a trailing Ctrl-Z", "zeros or Ctrl-Z", func(text string) string { return text + "\x1a\x00\n" }},
	{"lines that end in CR alone", "", func(text string) string { return strings.ReplaceAll(text, "\n", "\r") }},
	{"a byte order mark", "", func(text string) string { return "\uFEFF" + strings.ReplaceAll(text, "\uFEFF", "") }},
}

func replacer(oldNew ...string) func(string) string { return strings.NewReplacer(oldNew...).Replace }

// places returns where all joints stand in each frame of the clip.
func places(t *testing.T, name, text string) [][]geom.Affine {
	t.Helper()
	m, err := decode(t.Context(), []byte(text), centimetre)
	if err != nil || len(m.Clips) != 1 {
		t.Errorf("%s: %v", name, err)
		return nil
	}
	return framesOf(m)
}

func framesOf(m *skinning.Model) (all [][]geom.Affine) {
	for _, at := range m.Clips[0].KeyTimes() {
		pose, globals := m.NewPose(), make([]geom.Affine, len(m.Skeleton.Nodes))
		m.SamplePose(pose, 0, at)
		m.Skeleton.Globals(globals, pose)
		all = append(all, globals)
	}
	return all
}

// TestVariants: every variant and every two together are read as the same motion to the bit, with warnings that say so.
func TestVariants(t *testing.T) {
	want := places(t, "as the format has it", steps)
	if m, err := decode(t.Context(), []byte(steps), centimetre); err != nil || len(m.Warnings) > 0 || len(want) != 4 {
		t.Fatalf("as the format has it: %d frames, warnings %q, %v", len(want), m.Warnings, err)
	}
	for i, a := range variants {
		m, err := decode(t.Context(), []byte(a.write(steps)), centimetre)
		if err != nil || !strings.Contains(strings.Join(m.Warnings, "\n"), a.warning) || len(m.Warnings) == 0 != (a.warning == "") {
			t.Errorf("%s: %v, expected a warning %q, found %q", a.name, err, a.warning, m.Warnings)
		}
		for _, b := range variants[i:] {
			if got := places(t, a.name+", "+b.name, b.write(a.write(steps))); !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s, %s: another motion: %v", a.name, b.name, got)
			}
		}
	}
}

// TestMissingParts: what is not there rests; scales are the joint's; a row that is wrong is left out; lines do not
// matter where the numbers are as many as they have to be.
func TestMissingParts(t *testing.T) {
	head, rows, _ := strings.Cut(steps, "MOTION")
	noMotion := map[string]string{
		"no motion": head, "no frames": head + "MOTION\n", "frames: 0": head + "MOTION\nFrames: 0\nFrame Time: 0.04\n",
		"frames: 0, no time": head + "MOTION\nFrames: 0\n", "one row too short": head + "MOTION\nFrames: 1\nFrame Time: 1\n1 2 3\n",
		"no channels": "HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 1 Frame Time: 1",
	}
	for name, text := range noMotion {
		m, err := decode(t.Context(), []byte(text), centimetre)
		if err != nil || len(m.Clips) > 0 || len(m.Warnings) == 0 || !strings.Contains(strings.Join(m.Warnings, "\n"), "rest") {
			t.Errorf("%s: %v, %+v", name, err, m)
		}
	}
	lines := strings.Split(steps, "\n")
	scaled := strings.Replace(steps, "CHANNELS 6", "CHANNELS 9 Xscale Yscale Zscale", 1)
	for k := len(lines) - 5; k < len(lines)-1; k++ {
		scaled = strings.Replace(scaled, lines[k], "2 2 2 "+lines[k], 1)
	}
	want := places(t, "steps", steps)
	for name, c := range map[string]struct {
		text, warning string
		frames        []int
		scale         float64
	}{
		"scale":         {scaled, "channels of scale", []int{0, 1, 2, 3}, 2},
		"a short row":   {strings.Replace(steps, "-11.5 13.5", "-11.5", 1), "line 25: a row of 11 numbers", []int{0, 2, 3}, 1},
		"a long row":    {strings.Replace(steps, "-11.5 13.5", "-11.5 13.5 1", 1), "line 25: a row of 13", []int{0, 2, 3}, 1},
		"one line":      {strings.ReplaceAll(steps, "\n", " "), "", []int{0, 1, 2, 3}, 1},
		"a word a line": {head + strings.ReplaceAll("MOTION"+rows, " ", "\n"), "", []int{0, 1, 2, 3}, 1},
		"longer rows": {replacer("2.5\n-", "2.5 7 8\n-",
			"-29.5\n", "-29.5 7 8\n", "-29.0\n", "-29.0 7 8\n", "12.5\n", "12.5 7 8\n")(steps),
			"rows of 14 numbers for 12 channels", []int{0, 1, 2, 3}, 1},
		"lines of halves": {replacer("-10.5 ", "-10.5\n",
			"23.5 ", "23.5\n", "23.0 ", "23.0\n", "6.5 ", "6.5\n")(steps), "", []int{0, 1, 2, 3}, 1},
	} {
		m, err := decode(t.Context(), []byte(c.text), centimetre)
		if err != nil || len(m.Clips) != 1 || !strings.Contains(strings.Join(m.Warnings, "\n"), c.warning) ||
			len(m.Warnings) > 0 != (c.warning != "") {
			t.Errorf("%s: %v, expected a warning %q, found %+v", name, err, c.warning, m)
			continue
		}
		got := framesOf(m)
		if len(got) != len(c.frames) {
			t.Errorf("%s: %d frames, expected %d", name, len(got), len(c.frames))
			continue
		}
		for k, frame := range c.frames { // the spine's place is exact under the root's, its scale doubles the way to it
			hips, spine := want[frame][0].Translation(), want[frame][1].Translation()
			expected := hips.Add(spine.Sub(hips).Mul(c.scale))
			if d := got[k][1].Translation().Sub(expected).Len(); !(d <= 1e-12) { // metres, of 0.5; rounding in float64
				t.Errorf("%s, frame %d: the spine is %g m from its place", name, k, d)
			}
		}
	}
}

// TestReportedVariants reads the files that people reported: two frames in each that has motion, with a warning.
func TestReportedVariants(t *testing.T) {
	dir := filepath.Join(gltftest.SharedModels(t), "reports")
	var want [][]geom.Affine
	for _, name := range []string{"bvh_one_row_more", "bvh_glued_minus", "bvh_frames_without_space", "bvh_decimal_commas",
		"b_nochannels"} {
		m, err := Open(t.Context(), filepath.Join(dir, name+Ending), 0)
		if err != nil || len(m.Warnings) == 0 || len(m.Clips) != 1 || m.Clips[0].Name != name {
			t.Errorf("%s: %v, %+v", name, err, m)
			continue
		}
		got := framesOf(m)
		if want == nil {
			want = got
		}
		if len(got) != 2 || !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: %v, expected %v", name, got, want)
		}
	}
	m, err := Open(t.Context(), filepath.Join(dir, "b_nomotion.bvh"), 0)
	if err != nil || len(m.Warnings) == 0 || len(m.Clips) > 0 || len(m.Skeleton.Joints) != 4 {
		t.Errorf("b_nomotion: %v, %+v", err, m)
	}
}
