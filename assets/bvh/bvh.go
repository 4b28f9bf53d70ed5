// Package bvh reads the skeleton and the motion of BVH files (Biovision hierarchical data), as motion capture writes
// them.
//
// A file has no unit: a length of 1 is read as a centimetre, as most programs write it, unless another is given. Y is up. The rotation channels
// of a joint apply in their order, each about axes that the channels before it have turned: "Zrotation Xrotation
// Yrotation" is Rz·Rx·Ry. A position channel replaces its coordinate of OFFSET, a scale channel scales the joint and
// what follows it. An end site is a joint that does not move, named after its parent.
//
// Many programs depart from the format. What they write is read where it can have one meaning only, and a warning of
// the model says with its line what was unusual.
package bvh

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skinlab/assets/fault"
	"skinlab/assets/textfile"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Ending is the ending of the names of BVH files.
const Ending = ".bvh"

// centimetre is the unit of files that most programs write, metres.
const centimetre = 0.01

const (
	maxSize   = 256 << 20 // bytes of a file: an hour of a body with fingers at 120 frames a second
	maxJoints = 1 << 14
	maxFrames = 1 << 24 // past it, times in float32 no longer differ
	maxLength = 1e12    // magnitude of a coordinate, past which float32 skinning overflows
)

// Is reports whether a file is BVH by its name.
func Is(path string) bool { return strings.EqualFold(filepath.Ext(path), Ending) }

// Open reads a file as a model without a mesh: its joints and, where it has motion, one clip, which has the name of the
// file. Unit is the metres that a length of 1 stands for; 0 is a centimetre. Errors name the file and the line, and wrap
// [fault.ErrMalformed] or the os error, or ctx.Err() soon after ctx is done.
func Open(ctx context.Context, path string, unit float64) (*skinning.Model, error) {
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
	m, err := decode(ctx, text, cmp.Or(unit, centimetre))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	m.Name = name
	for i := range m.Clips {
		m.Clips[i].Name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return m, nil
}

// decode reads the text of a file whose lengths have a unit in metres. Its model and its clip have no names.
func decode(ctx context.Context, text []byte, unit float64) (*skinning.Model, error) {
	if len(text) > maxSize {
		return nil, fault.Malformed("more than %d bytes", maxSize)
	}
	r := &reader{words: newWords(textfile.TrimMark(text)), unit: unit, model: &skinning.Model{}}
	moves, err := r.hierarchy()
	if err == nil && moves {
		err = r.motion(ctx)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fault.Malformed("line %d: %w", r.line, err)
	}
	r.model.Warnings = r.notes.Lines()
	return r.model, nil
}

// axis is a channel: a coordinate of a position, a rotation or a scale.
type axis struct {
	path skinning.Path
	of   int // 0 x, 1 y, 2 z
}

// joint is a joint of the file. Its index is that of its node.
type joint struct {
	channels               []axis
	hasOffset, hasChannels bool
	end                    bool // an end site
}

type reader struct {
	words
	unit   float64 // metres
	model  *skinning.Model
	joints []joint
}

// hierarchy reads the joints, and reports whether MOTION stands behind them.
func (r *reader) hierarchy() (moves bool, err error) {
	if err := r.expect("HIERARCHY"); err != nil {
		return false, err
	}
	for {
		word := r.word()
		switch {
		case strings.EqualFold(word, "ROOT"):
			if err := r.tree(); err != nil {
				return false, err
			}
			continue
		case len(r.joints) == 0 || word != "" && !strings.EqualFold(word, "MOTION"):
			return false, fmt.Errorf("expected ROOT or MOTION, found %s", quoted(word))
		}
		if err := r.model.Skeleton.SortNodes(); err != nil {
			return false, err
		}
		r.model.BindNodes(slices.Repeat([]bool{true}, len(r.joints)))
		if r.atEnd() {
			r.warn("no motion follows the joints: they rest")
			return false, nil
		}
		return true, nil
	}
}

// tree reads a root and all below it. It does not recurse, so that the hierarchy may have any depth.
func (r *reader) tree() error {
	if err := r.begin(-1, r.name(), false); err != nil {
		return err
	}
	for at := len(r.joints) - 1; at >= 0; { // the joint whose braces are open
		j, node := &r.joints[at], &r.model.Skeleton.Nodes[at]
		word := r.word()
		switch {
		case word == "}":
			r.checkJoint(j, node.Name)
			at = node.Parent
			continue
		case strings.EqualFold(word, "OFFSET") && !j.hasOffset:
			if err := r.offset(j, node); err != nil {
				return err
			}
			continue
		case strings.EqualFold(word, "CHANNELS") && !j.hasChannels && !j.end:
			if err := r.channels(j, node.Name); err != nil {
				return err
			}
			continue
		case strings.EqualFold(word, "JOINT") && !j.end:
			if err := r.begin(at, r.name(), false); err != nil {
				return err
			}
		case strings.EqualFold(word, "End") && !j.end:
			if err := r.expect("Site"); err != nil {
				return err
			}
			if err := r.begin(at, node.Name+" end", true); err != nil {
				return err
			}
		default:
			return fmt.Errorf("expected %s, found %s", j.expected(), quoted(word))
		}
		at = len(r.joints) - 1
	}
	return nil
}

// expected lists what may stand next in the joint's braces.
func (j *joint) expected() string {
	if j.end && j.hasOffset {
		return "}"
	}
	var words []string
	if !j.hasOffset {
		words = append(words, "OFFSET")
	}
	if !j.hasChannels && !j.end {
		words = append(words, "CHANNELS")
	}
	if !j.end {
		words = append(words, "JOINT", "End Site")
	}
	return strings.Join(words, ", ") + " or }"
}

// begin reads the opening brace of a joint.
func (r *reader) begin(parent int, name string, end bool) error {
	if len(r.joints) == maxJoints {
		return fmt.Errorf("more than %d joints", maxJoints)
	}
	r.joints = append(r.joints, joint{end: end})
	r.model.Skeleton.Nodes = append(r.model.Skeleton.Nodes,
		skinning.Node{Name: name, Parent: parent, Rest: geom.IdentityTransform()})
	return r.expect("{")
}

// checkJoint says what a joint lacks when its braces close.
func (r *reader) checkJoint(j *joint, name string) {
	if !j.hasOffset {
		r.warn("joint %q has no OFFSET: it rests at its parent", fault.Shorten(name))
	}
	if !j.hasChannels && !j.end {
		r.warn("joint %q has no CHANNELS", fault.Shorten(name))
	}
}

// offset reads where a joint rests.
func (r *reader) offset(j *joint, node *skinning.Node) error {
	j.hasOffset = true
	if j.hasChannels {
		r.warn("joint %q has its OFFSET behind its CHANNELS", fault.Shorten(node.Name))
	}
	for k := range node.Rest.Translation {
		x, err := r.number()
		if err != nil {
			return err
		}
		node.Rest.Translation[k] = x * r.unit
	}
	return nil
}

// axes are the names of channels.
var axes = map[string]axis{
	"xposition": {skinning.PathTranslation, 0}, "yposition": {skinning.PathTranslation, 1},
	"zposition": {skinning.PathTranslation, 2}, "xrotation": {skinning.PathRotation, 0},
	"yrotation": {skinning.PathRotation, 1}, "zrotation": {skinning.PathRotation, 2},
	"xscale": {skinning.PathScale, 0}, "yscale": {skinning.PathScale, 1}, "zscale": {skinning.PathScale, 2},
}

// channels reads the channels of a joint.
func (r *reader) channels(j *joint, name string) error {
	j.hasChannels = true
	word := r.word()
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n > len(axes) {
		return fmt.Errorf("expected 0 to %d channels, found %s", len(axes), quoted(word))
	}
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
		if a.path == skinning.PathScale {
			r.warnOnce("joint %q has channels of scale, which are not in the format: they are read as its scale",
				fault.Shorten(name))
		}
	}
	return nil
}
