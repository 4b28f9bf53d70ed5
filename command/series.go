package command

import (
	"context"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"skinlab/assets/film"
	"skinlab/command/flags"
	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// seriesFlags say which pictures are drawn: frames of a clip, or a turn round the model.
type seriesFlags struct {
	frames    string
	fps       float64
	turntable int
	film      *film.Film
}

// mostShots bounds a series: an hour at 30 frames a second.
const mostShots = 108_000

func (s *seriesFlags) register(f *pflag.FlagSet) {
	f.StringVar(&s.frames, "frames", "", "draw the frames A:B of the clip, both included, counted from 0; A: goes on to its end")
	f.Float64Var(&s.fps, "fps", 30, "frames a second, of the clip and of a film")
	f.IntVar(&s.turntable, "turntable", 0, "draw so many pictures, in which the camera goes once round the model; "+
		"with --frames so many are one turn")
}

func (s *seriesFlags) several(path string) bool {
	return s.frames != "" || s.turntable != 0 || film.Is(path)
}

// pattern is where the number of a picture stands in a name.
var pattern = regexp.MustCompile(`%0?[0-9]?d`)

// checkSeries checks the flags and the output before the model is read.
func (s *seriesFlags) checkSeries(model string, out *flags.PosedOutput, transparent bool) error {
	_, _, err := s.bounds()
	switch {
	case out.Path == "":
		return flags.Usagef("render: no output: give -o FILE.png")
	case err != nil:
		return err
	case !(s.fps > 0 && s.fps <= 1000):
		return flags.Usagef("--fps: %g is not above 0 and at most 1000", s.fps)
	case s.turntable < 0 || s.turntable > mostShots:
		return flags.Usagef("--turntable: %d is not from 0 to %d", s.turntable, mostShots)
	case (s.frames != "" || film.Is(out.Path) && s.turntable == 0) && (out.Pose != "" || out.Set.Changed("time")):
		return flags.Usagef("--frames are those of a clip: neither --time nor --pose goes with them")
	case film.Is(out.Path):
		if transparent {
			return flags.Usagef("--transparent: a film has no transparency: -o name-%%04d.png writes pictures")
		}
		if err := out.Check(model, ".mp4"); err != nil {
			return err
		}
		s.film, err = film.New(out.Path, s.fps)
		return err
	case !s.several(out.Path):
		return out.Check(model, ".png")
	case len(pattern.FindAllString(filepath.Base(out.Path), -1)) != 1 || strings.Count(out.Path, "%") != 1:
		return flags.Usagef("-o: %s: a series needs a place for the number of each picture, once: name-%%04d.png; or a film, "+
			"name.mp4",
			out.Path)
	}
	return nil
}

// bounds reads --frames; the last is −1 where the clip's end is meant.
func (s *seriesFlags) bounds() (first, last int, err error) {
	if s.frames == "" {
		return 0, -1, nil
	}
	a, b, ok := strings.Cut(s.frames, ":")
	first, errA := strconv.Atoi(a)
	last = -1
	if b != "" {
		var errB error
		last, errB = strconv.Atoi(b)
		if errB != nil || last < first {
			ok = false
		}
	}
	if !ok || errA != nil || first < 0 || last >= mostShots {
		return 0, 0, flags.Usagef("--frames: %q is not A:B, frames from 0 to %d, nor A:", messages.Shortened(s.frames), mostShots-1)
	}
	return first, last, nil
}

func (s *seriesFlags) shots(f *skinning.Frame, clip int, out *flags.PosedOutput) (*shots, error) {
	all := &shots{n: 1, turn: func(int) float32 { return 0 }, around: s.turntable > 0, series: s.several(out.Path)}
	if s.turntable > 0 {
		step := 2 * math.Pi / float64(s.turntable)
		all.n, all.turn = s.turntable, func(k int) float32 { return float32(math.Remainder(step*float64(k), 2*math.Pi)) }
	}
	if s.frames == "" && (s.turntable > 0 || !film.Is(out.Path)) {
		return all, nil
	}
	m := f.Model
	if clip < 0 {
		if len(m.Clips) == 0 {
			return nil, flags.Usagef("%s: --frames: the model has no clips%s", m.Name, flags.StressHint(m))
		}
		clip = 0
	}
	first, last, err := s.bounds()
	if err != nil {
		return nil, err
	}
	end := lastFrame(m.Clips[clip].Seconds, s.fps)
	if last < 0 {
		last = end
	}
	if first > last || last > end || last-first >= mostShots {
		return nil, flags.Usagef("%s: --frames: the clip %q has frames 0 to %d at %g a second", m.Name,
			messages.Shortened(m.Clips[clip].Name), end, s.fps)
	}
	pose := m.NewPose()
	signs := skinning.SignsOf(m, clip, out.ShortestPath)
	all.first, all.n = first, last-first+1
	all.pose = func(f *skinning.Frame, k int) {
		seconds := min(float64(first+k)/s.fps, m.Clips[clip].Seconds)
		m.SamplePose(pose, clip, seconds)
		f.SetPose(pose)
		if signs != nil {
			signs.Apply(f, seconds)
		}
	}
	return all, nil
}

// frameRounding is the share of a frame by which a clip may miss a whole number of frames: keys are float32.
const frameRounding = 0.01

// lastFrame returns the frame, counted from 0, that shows the last key of a clip, or within which the clip ends.
func lastFrame(seconds, fps float64) int { return int(math.Ceil(seconds*fps - frameRounding)) }

func (s *seriesFlags) sink(model string, out *flags.PosedOutput, all *shots, size image.Point) (sink, error) {
	switch {
	case s.film != nil:
		s.film.Size, s.film.Ready = size, out.Recheck
		return s.film, nil
	case !all.series:
		return &pictureFiles{outputs: []flags.Output{out.Output}}, nil
	}
	files := &pictureFiles{}
	for k := range all.n {
		one := *out
		one.Path = numbered(out.Path, all.first+k)
		if err := one.Output.Check(func() []string { return append(append(flags.ModelFiles(model), out.Pose), out.MotionReads()...) }, ".png"); err != nil {
			return nil, err
		}
		files.outputs = append(files.outputs, one.Output)
	}
	var err error
	out.Path, err = filepath.Abs(out.Path)
	return files, err
}

func numbered(path string, n int) string {
	return pattern.ReplaceAllStringFunc(path, func(verb string) string { return fmt.Sprintf(verb, n) })
}

type pictureFiles struct {
	outputs []flags.Output
	written int
}

func (p *pictureFiles) Add(ctx context.Context, k int, img *image.NRGBA) error {
	err := p.outputs[k].WritePicture(ctx, img)
	if err == nil {
		p.written++
	}
	return err
}

// End says how many pictures of a series that has failed or was cancelled are there.
func (p *pictureFiles) End(err error) error {
	if err != nil && p.written > 0 {
		fmt.Fprintf(os.Stderr, "%d of %s are written\n", p.written, messages.Count(len(p.outputs), "picture", "pictures"))
	}
	return err
}
