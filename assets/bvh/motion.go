package bvh

import (
	"context"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// head is what stands before the frames.
type head struct {
	frames int     // as the file says; the rows that are there count
	line   int     // that says so
	step   float64 // seconds from a frame to the next
}

// readHead reads the number of frames and the seconds from one to the next.
func (r *reader) readHead() (h head, err error) {
	if err := r.key("Frames"); err != nil {
		return h, err
	}
	n, err := r.number()
	if err != nil {
		return h, err
	}
	if n < 0 || n != math.Trunc(n) {
		return h, fmt.Errorf("%g frames, expected a whole number", n)
	}
	h.frames, h.line = int(n), r.line
	if r.atEnd() {
		return h, nil
	}
	if err := r.expect("Frame"); err != nil {
		return h, err
	}
	if err := r.key("Time"); err != nil {
		return h, err
	}
	h.step, err = r.number()
	if err == nil && h.step < 0 {
		err = fmt.Errorf("%g s from frame to frame", h.step)
	}
	return h, err
}

// rows are the numbers of the frames as they lie in the file.
type rows struct {
	count    int  // not less than there are frames
	numbers  int  // of a row
	channels int  // numbers of a row that are read, the first
	lines    bool // a row is a line; otherwise lines do not matter
	line     int  // that the last row begins at
	last     []float64
}

// layout finds out how the frames lie in the file. The format has a frame on each line. Some programs break lines
// elsewhere, which goes unnoticed while the count of numbers is right; where it is not, only lines can tell which row
// is wrong. Lines that all have more numbers than there are channels hold a frame each too.
func (r *reader) layout(h head) (*rows, error) {
	s := &rows{}
	for _, j := range r.joints {
		s.channels += len(j.channels)
	}
	s.numbers = s.channels
	if s.channels == 0 {
		return s, nil
	}
	var total, lines, full, first, last int // numbers, lines, lines of one frame, numbers of the first and the last line
	even := true                            // all lines but the last have as many numbers as the first
	for ahead := r.words; !ahead.atEnd(); lines++ {
		n := ahead.countLine()
		if lines == 0 {
			first, last = n, n
		}
		even = even && last == first
		if n == s.channels {
			full++
		}
		last, total = n, total+n
	}
	switch {
	case full == lines || 2*full > lines && total != h.frames*s.channels:
		s.lines, s.count = true, lines
	case even && first > s.channels && (lines == h.frames || first%s.channels != 0):
		s.lines, s.count, s.numbers = true, lines, first
		r.surplus(s)
	case even && lines > 1 && first%s.channels != 0 && s.channels%first != 0:
		return nil, fmt.Errorf("behind it are lines of %d numbers, expected %d", first, s.channels)
	default:
		s.count = total / s.channels
	}
	switch {
	case s.count > maxFrames:
		return nil, fmt.Errorf("%d frames, more than %d", s.count, maxFrames)
	case s.count > 1 && h.step == 0:
		return nil, fmt.Errorf("%g s from frame to frame", h.step)
	}
	return s, nil
}

// surplus reads rows of more numbers than there are channels. Three for each joint without CHANNELS are its rotations,
// in the order of the first joint that has three; others stand behind the last channel and are left out.
func (r *reader) surplus(s *rows) {
	var without []*joint
	var order []axis
	for i := range r.joints {
		j := &r.joints[i]
		if !j.hasChannels && !j.end {
			without = append(without, j)
		}
		var turns []axis
		for _, a := range j.channels {
			if a.path == skinning.PathRotation {
				turns = append(turns, a)
			}
		}
		if len(order) == 0 && len(turns) == 3 {
			order = turns
		}
	}
	if len(order) == 3 && s.numbers == s.channels+3*len(without) {
		for _, j := range without {
			j.channels = order
		}
		r.warn("rows of %d numbers for %d channels: each joint without CHANNELS has three of the others, its rotations",
			s.numbers, s.channels)
		s.channels = s.numbers
		return
	}
	r.warn("rows of %d numbers for %d channels: the last are left out", s.numbers, s.channels)
}

// row reads the next row, and returns how many numbers it has, 0 behind the last.
func (r *reader) row(s *rows) (n int, err error) {
	s.last = s.last[:0]
	for ; s.lines || n < s.numbers; n++ {
		if r.atEnd() || n > 0 && s.lines && r.line != s.line {
			break
		}
		if n == 0 {
			s.line = r.line
		}
		x, err := r.number()
		if err != nil {
			return 0, err
		}
		if n < s.channels {
			s.last = append(s.last, x)
		}
	}
	return n, nil
}

// motion reads the frames as a clip, none where nothing moves.
func (r *reader) motion(ctx context.Context) error {
	h, err := r.readHead()
	if err != nil {
		return err
	}
	s, err := r.layout(h)
	if err != nil {
		return err
	}
	if s.channels == 0 {
		r.warn("no joint has channels: they rest")
		return nil
	}
	tracks := r.tracks()
	times := make([]float32, 0, s.count)
	for {
		if len(times)%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		n, err := r.row(s)
		if err != nil {
			return fmt.Errorf("frame %d: %w", len(times)+1, err)
		}
		if n == 0 {
			break
		}
		if n != s.numbers {
			r.notes.Add("line %d: a row of %d numbers, expected %d, is left out", s.line, n, s.numbers)
			continue
		}
		t := float32(float64(len(times)) * h.step)
		if k := len(times); k > 0 && !(t > times[k-1]) || math.IsInf(float64(t), 0) {
			return fmt.Errorf("%d frames of %g s are beyond float32", k+1, h.step)
		}
		times = append(times, t)
		row := s.last
		for i := range tracks {
			row = tracks[i].add(row)
		}
	}
	if len(times) != h.frames {
		r.notes.Add("line %d: %d frames are named, %d rows of numbers are there and read", h.line, h.frames, len(times))
	}
	if len(times) == 0 {
		r.notes.Add("no frames: the joints rest")
		return nil
	}
	clip := skinning.Clip{Seconds: float64(times[len(times)-1])}
	for _, t := range tracks {
		for _, c := range []skinning.Channel{t.turn, t.move, t.scale} {
			c.Times = times
			if len(c.Values) > 0 {
				clip.Channels = append(clip.Channels, c)
			}
		}
	}
	r.model.Clips = []skinning.Clip{clip}
	return nil
}

// track is the motion of a joint.
type track struct {
	axes              []axis
	unit              float64    // metres
	has               [3]bool    // that a path has channels, by the path
	rest              mgl64.Vec3 // its place where no channel gives it
	turn, move, scale skinning.Channel
}

// tracks returns an empty track for every joint with channels.
func (r *reader) tracks() (all []track) {
	for i, j := range r.joints {
		if len(j.channels) == 0 {
			continue
		}
		t := track{axes: j.channels, unit: r.unit, rest: r.model.Skeleton.Nodes[i].Rest.Translation,
			turn:  skinning.Channel{Node: i, Path: skinning.PathRotation, Width: 4},
			move:  skinning.Channel{Node: i, Path: skinning.PathTranslation, Width: 3},
			scale: skinning.Channel{Node: i, Path: skinning.PathScale, Width: 3}}
		for _, a := range j.channels {
			t.has[a.path] = true
		}
		all = append(all, t)
	}
	return all
}

// add adds a key from the numbers that a row begins with, and returns the others.
func (t *track) add(row []float64) []float64 {
	turn, move, scale := geom.Quat{0, 0, 0, 1}, t.rest, mgl64.Vec3{1, 1, 1}
	for k, a := range t.axes {
		switch x := row[k]; a.path {
		case skinning.PathTranslation:
			move[a.of] = x * t.unit
		case skinning.PathScale:
			scale[a.of] = x
		case skinning.PathRotation:
			sin, cos := math.Sincos(x * math.Pi / 360)
			about := geom.Quat{3: cos}
			about[a.of] = sin
			turn = turn.Mul(about)
		}
	}
	for _, c := range []struct {
		to   *skinning.Channel
		from []float64
	}{{&t.turn, turn[:]}, {&t.move, move[:]}, {&t.scale, scale[:]}} {
		if t.has[c.to.Path] {
			for _, x := range c.from {
				c.to.Values = append(c.to.Values, float32(x))
			}
		}
	}
	return row[len(t.axes):]
}
