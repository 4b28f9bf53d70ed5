// Package bvh reads the skeleton and the motion of BVH files (Biovision hierarchical data), as motion capture writes
// them.
//
// A file has no unit: a length of 1 is read as a centimetre, as most programs write it. Y is up. The rotation channels
// of a joint apply in their order, each about axes that the channels before it have turned: "Zrotation Xrotation
// Yrotation" is Rz·Rx·Ry. A position channel replaces its coordinate of OFFSET. An end site is a joint that does not
// move, named after its parent.
package bvh

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/fault"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Ending is the ending of the names of BVH files.
const Ending = ".bvh"

// metres is the length of a unit of the file.
const metres = 0.01

const (
	maxSize   = 256 << 20 // bytes of a file: an hour of a body with fingers at 120 frames a second
	maxJoints = 1 << 14
	maxFrames = 1 << 24 // past it, times in float32 no longer differ
	maxLength = 1e12    // magnitude of a coordinate, past which float32 skinning overflows
)

// Is reports whether a file is BVH by its name.
func Is(path string) bool { return strings.EqualFold(filepath.Ext(path), Ending) }

// Open reads a file as a model without a mesh: its joints and one clip, which has the name of the file. Errors name the
// file and the line, and wrap [fault.ErrMalformed] or the os error, or ctx.Err() soon after ctx is done.
func Open(ctx context.Context, path string) (*skinning.Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxSize+1))
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	m, err := decode(ctx, text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	m.Name, m.Clips[0].Name = name, strings.TrimSuffix(name, filepath.Ext(name))
	return m, nil
}

// decode reads the text of a file. Its model and its clip have no names.
func decode(ctx context.Context, text []byte) (*skinning.Model, error) {
	if len(text) > maxSize {
		return nil, fault.Malformed("more than %d bytes", maxSize)
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	r := &reader{rest: text, line: 1, model: &skinning.Model{}}
	err := r.hierarchy()
	if err == nil {
		err = r.motion(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fault.Malformed("line %d: %w", r.line, err)
	}
	return r.model, nil
}

// axis is a channel: a position or a rotation about an axis.
type axis struct {
	rotation bool
	of       int // 0 x, 1 y, 2 z
}

// joint is a joint of the file that has channels.
type joint struct {
	node     int
	channels []axis
}

type reader struct {
	rest  []byte
	line  int // of the word that was read last
	model *skinning.Model
	moved []joint
	width int // channels of all joints
}

// word returns the next word, "" at the end of the file.
func (r *reader) word() string {
	start := 0
	for ; start < len(r.rest) && isSpace(r.rest[start]); start++ {
		if r.rest[start] == '\n' {
			r.line++
		}
	}
	end := start
	for end < len(r.rest) && !isSpace(r.rest[end]) {
		end++
		if c := r.rest[end-1]; c == '{' || c == '}' {
			break // braces need no space
		}
		if end < len(r.rest) && (r.rest[end] == '{' || r.rest[end] == '}') {
			break
		}
	}
	word := r.rest[start:end]
	r.rest = r.rest[end:]
	return string(word)
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'
}

// name returns the rest of the line up to a brace: names may have spaces.
func (r *reader) name() string {
	end := bytes.IndexAny(r.rest, "{\n")
	if end < 0 {
		end = len(r.rest)
	}
	name := strings.TrimSpace(strings.ToValidUTF8(string(r.rest[:end]), "\uFFFD"))
	r.rest = r.rest[end:]
	return name
}

// expect reads a word that has to stand here, in any case of letters.
func (r *reader) expect(want string) error {
	if got := r.word(); !strings.EqualFold(got, want) {
		return fmt.Errorf("expected %s, found %s", want, quoted(got))
	}
	return nil
}

func quoted(word string) string {
	if word == "" {
		return "the end of the file"
	}
	return strconv.Quote(fault.Shorten(word))
}

// number reads a finite number of at most maxLength.
func (r *reader) number() (float64, error) {
	word := r.word()
	x, err := strconv.ParseFloat(word, 64)
	if err != nil || !(math.Abs(x) <= maxLength) {
		return 0, fmt.Errorf("expected a number, found %s", quoted(word))
	}
	return x, nil
}

// hierarchy reads the joints.
func (r *reader) hierarchy() error {
	if err := r.expect("HIERARCHY"); err != nil {
		return err
	}
	for {
		word := r.word()
		switch {
		case strings.EqualFold(word, "ROOT"):
			if err := r.tree(); err != nil {
				return err
			}
		case strings.EqualFold(word, "MOTION") && len(r.model.Skeleton.Nodes) > 0:
			if err := r.model.Skeleton.SortNodes(); err != nil {
				return err
			}
			isJoint := make([]bool, len(r.model.Skeleton.Nodes))
			for i := range isJoint {
				isJoint[i] = true
			}
			r.model.BindNodes(isJoint)
			return nil
		default:
			return fmt.Errorf("expected ROOT or MOTION, found %s", quoted(word))
		}
	}
}

// tree reads a root and all below it. It does not recurse, so that the hierarchy may have any depth.
func (r *reader) tree() error {
	parent := -1 // the joint whose braces are open
	if err := r.begin(parent, r.name()); err != nil {
		return err
	}
	parent = len(r.model.Skeleton.Nodes) - 1
	if err := r.channels(parent); err != nil {
		return err
	}
	nodes := func() []skinning.Node { return r.model.Skeleton.Nodes }
	for parent >= 0 {
		word := r.word()
		switch {
		case word == "}":
			parent = nodes()[parent].Parent
		case strings.EqualFold(word, "JOINT"):
			if err := r.begin(parent, r.name()); err != nil {
				return err
			}
			parent = len(nodes()) - 1
			if err := r.channels(parent); err != nil {
				return err
			}
		case strings.EqualFold(word, "End"):
			if err := r.expect("Site"); err != nil {
				return err
			}
			if err := r.begin(parent, nodes()[parent].Name+" end"); err != nil {
				return err
			}
			if err := r.expect("}"); err != nil {
				return err
			}
		default:
			return fmt.Errorf("expected JOINT, End Site or }, found %s", quoted(word))
		}
	}
	return nil
}

// begin reads the brace and the offset of a joint.
func (r *reader) begin(parent int, name string) error {
	s := &r.model.Skeleton
	if len(s.Nodes) == maxJoints {
		return fmt.Errorf("more than %d joints", maxJoints)
	}
	if err := r.expect("{"); err != nil {
		return err
	}
	if err := r.expect("OFFSET"); err != nil {
		return err
	}
	node := skinning.Node{Name: name, Parent: parent, Rest: geom.IdentityTransform()}
	for k := range node.Rest.Translation {
		x, err := r.number()
		if err != nil {
			return err
		}
		node.Rest.Translation[k] = x * metres
	}
	s.Nodes = append(s.Nodes, node)
	return nil
}

// axes are the names of channels.
var axes = map[string]axis{
	"xposition": {false, 0}, "yposition": {false, 1}, "zposition": {false, 2},
	"xrotation": {true, 0}, "yrotation": {true, 1}, "zrotation": {true, 2},
}

// channels reads the channels of a joint.
func (r *reader) channels(node int) error {
	if err := r.expect("CHANNELS"); err != nil {
		return err
	}
	word := r.word()
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n > len(axes) {
		return fmt.Errorf("expected 0 to %d channels, found %s", len(axes), quoted(word))
	}
	j := joint{node: node}
	for range n {
		word := r.word()
		a, ok := axes[strings.ToLower(word)]
		if !ok {
			return fmt.Errorf("expected a channel such as Xrotation, found %s", quoted(word))
		}
		if slices.Contains(j.channels, a) {
			return fmt.Errorf("channel %s stands twice", word)
		}
		j.channels = append(j.channels, a)
	}
	if n > 0 {
		r.moved = append(r.moved, j)
		r.width += n
	}
	return nil
}

// motion reads the frames as a clip.
func (r *reader) motion(ctx context.Context) error {
	frames, step, err := r.frames()
	if err != nil {
		return err
	}
	times := make([]float32, frames) // not more than the file has numbers, or one
	for i := range times {
		if times[i] = float32(float64(i) * step); i > 0 && !(times[i] > times[i-1]) || math.IsInf(float64(times[i]), 0) {
			return fmt.Errorf("%d frames of %g s are beyond float32", frames, step)
		}
	}
	clip := skinning.Clip{Seconds: float64(times[frames-1])}
	type track struct{ turn, move *skinning.Channel }
	tracks := make([]track, len(r.moved))
	for i, j := range r.moved {
		for _, a := range j.channels {
			if a.rotation && tracks[i].turn == nil {
				tracks[i].turn = &skinning.Channel{Node: j.node, Path: skinning.PathRotation, Width: 4, Times: times}
			}
			if !a.rotation && tracks[i].move == nil {
				tracks[i].move = &skinning.Channel{Node: j.node, Path: skinning.PathTranslation, Width: 3, Times: times}
			}
		}
	}
	for frame := range frames {
		if frame%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for i := range r.moved {
			place, turn, err := r.pose(&r.moved[i])
			if err != nil {
				return fmt.Errorf("frame %d, joint %q: %w", frame+1,
					fault.Shorten(r.model.Skeleton.Nodes[r.moved[i].node].Name), err)
			}
			if t := tracks[i].turn; t != nil {
				t.Values = append(t.Values, float32(turn[0]), float32(turn[1]), float32(turn[2]), float32(turn[3]))
			}
			if t := tracks[i].move; t != nil {
				t.Values = append(t.Values, float32(place[0]), float32(place[1]), float32(place[2]))
			}
		}
	}
	if word := r.word(); word != "" {
		return fmt.Errorf("%s behind the last of %d frames", quoted(word), frames)
	}
	for _, t := range tracks {
		for _, c := range []*skinning.Channel{t.turn, t.move} {
			if c != nil {
				clip.Channels = append(clip.Channels, *c)
			}
		}
	}
	r.model.Clips = []skinning.Clip{clip}
	return nil
}

// frames reads the number of frames and the seconds from one to the next.
func (r *reader) frames() (frames int, step float64, err error) {
	if err := r.expect("Frames:"); err != nil {
		return 0, 0, err
	}
	word := r.word()
	if frames, err = strconv.Atoi(word); err != nil || frames < 1 || frames > maxFrames {
		return 0, 0, fmt.Errorf("expected 1 to %d frames, found %s", maxFrames, quoted(word))
	}
	if err := r.expect("Frame"); err != nil {
		return 0, 0, err
	}
	if err := r.expect("Time:"); err != nil {
		return 0, 0, err
	}
	if step, err = r.number(); err != nil {
		return 0, 0, err
	}
	if step < 0 || step == 0 && frames > 1 {
		return 0, 0, fmt.Errorf("%g s from frame to frame", step)
	}
	// Every number takes two bytes, so that a file cannot make more memory than it has bytes.
	if least := int64(frames) * int64(r.width) * 2; least > int64(len(r.rest))+2 {
		return 0, 0, fmt.Errorf("%d frames of %d channels, more than the file has numbers", frames, r.width)
	}
	if r.width == 0 {
		frames = 1 // nothing moves
	}
	return frames, step, nil
}

// pose reads the channels of a joint in one frame.
func (r *reader) pose(j *joint) (place mgl64.Vec3, turn geom.Quat, err error) {
	place, turn = r.model.Skeleton.Nodes[j.node].Rest.Translation, geom.Quat{0, 0, 0, 1}
	for _, a := range j.channels {
		x, err := r.number()
		if err != nil {
			return place, turn, err
		}
		if !a.rotation {
			place[a.of] = x * metres
			continue
		}
		sin, cos := math.Sincos(x * math.Pi / 360)
		about := geom.Quat{3: cos}
		about[a.of] = sin
		turn = turn.Mul(about)
	}
	return place, turn, nil
}
