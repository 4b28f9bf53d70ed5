package flags

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"skinlab/assets"
	"skinlab/assets/demo"
	"skinlab/assets/motionmap"
	"skinlab/skinning"
	"skinlab/skinning/progress"
	"skinlab/skinning/retarget"
)

// MotionFlags name the motion of another file that a model plays: see package retarget.
type MotionFlags struct {
	Motion, Map, WriteMap string
	Matches               *retarget.Matches // nil without --motion, and before the model is loaded
	flags                 *pflag.FlagSet
	first                 int // the first clip that is added
}

func (o *MotionFlags) Register(f *pflag.FlagSet) {
	o.flags = f
	f.StringVar(&o.Motion, "motion", "",
		"play the motion of another file: FILE (.glb, .gltf, .vrma, .bvh) for all of its clips, or FILE:CLIP")
	f.StringVar(&o.Map, "motion-map", "", "which joint follows which of --motion: a file that --write-map has made")
	f.StringVar(&o.WriteMap, "write-map", "", "write which joint follows which of --motion to this JSON file, to be edited")
}

func (o *MotionFlags) MotionReads() []string {
	if o.Motion == "" {
		return nil
	}
	file, _ := splitMotion(o.Motion)
	return append(ModelFiles(file), o.Map)
}

// LoadMoved opens a model and adds the clips of --motion to it. What is matched and what not is said on standard error.
func (o *MotionFlags) LoadMoved(ctx context.Context, path string) (*skinning.Model, error) {
	if o.Motion == "" && (o.Map != "" || o.WriteMap != "") {
		return nil, Usagef("--motion-map and --write-map are for --motion FILE")
	}
	out := Output{Flag: "--write-map", Path: o.WriteMap}
	if o.flags != nil && o.flags.Lookup("force") != nil {
		out.Force, _ = o.flags.GetBool("force")
	}
	if err := out.Check(func() []string { return append(ModelFiles(path), o.MotionReads()...) }, ".json"); err != nil {
		return nil, err
	}
	m, err := Load(ctx, path)
	if err != nil || o.Motion == "" {
		return m, err
	}
	file, clip := splitMotion(o.Motion)
	motion, err := Load(ctx, file)
	if err != nil {
		return nil, err
	}
	clips, err := motionClips(motion, clip)
	if err != nil {
		return nil, Usagef("%s: --motion: %v", motion.Name, err)
	}
	if o.Matches, err = o.matches(m, motion, true); err != nil {
		return nil, err
	}
	for _, line := range append([]string{o.Matches.Counts()}, o.Matches.Missing()...) {
		fmt.Fprintf(os.Stderr, "note: %s\n", line)
	}
	if o.WriteMap != "" {
		if err := motionmap.Write(out.Path, m, motion, o.Matches); err != nil {
			return nil, err
		}
	}
	moved, err := progress.Stage(ctx, "carrying motion", func(progress.Report) (*skinning.Model, error) {
		moved, first, err := retarget.Append(o.Matches, clips)
		o.first = first
		return moved, err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: --motion %s: %w%s", m.Name, o.Motion, err, o.mapHint())
	}
	return moved, nil
}

// matches finds which joints of a model follow a motion, by the map of the flags where it is that of this motion.
func (o *MotionFlags) matches(m, motion *skinning.Model, mapped bool) (*retarget.Matches, error) {
	if o.Map == "" || !mapped {
		return retarget.NewMatches(m, motion, nil), nil
	}
	fixed, err := motionmap.Read(o.Map, m, motion)
	if err != nil {
		return nil, err
	}
	return retarget.NewMatches(m, motion, fixed), nil
}

// motionClips returns the clips of a motion: that of a name, else all.
func motionClips(motion *skinning.Model, name string) ([]int, error) {
	if name != "" {
		i, err := NamedClip(motion, name)
		return []int{i}, err
	}
	clips := make([]int, len(motion.Clips))
	for i := range clips {
		clips[i] = i
	}
	return clips, nil
}

// Move adds the clips of a motion, FILE or FILE:CLIP, to a model of the window, by the map of the flags if the motion is
// theirs. It returns the first of these clips, and which joints follow.
func (o *MotionFlags) Move(ctx context.Context, m *skinning.Model, name string) (
	moved *skinning.Model, first int, said string, err error) {
	file, clip := splitMotion(name)
	motion, err := assets.OpenContext(ctx, file, Reading(ctx, file))
	if err != nil {
		return nil, 0, "", err
	}
	clips, err := motionClips(motion, clip)
	if err != nil {
		return nil, 0, "", fmt.Errorf("%s: %w", motion.Name, err)
	}
	matches, err := o.matches(m, motion, name == o.Motion)
	if err != nil {
		return nil, 0, "", err
	}
	if moved, first, err = retarget.Append(matches, clips); err != nil {
		return nil, 0, "", fmt.Errorf("%s by %s: %w", m.Name, motion.Name, err)
	}
	return moved, first, strings.Join(append([]string{matches.Counts() + "."}, matches.Missing()...), "\n"), nil
}

// mapHint is the end of a message about joints that do not match.
func (o *MotionFlags) mapHint() string {
	if len(o.Matches.Pairs) > 0 || o.WriteMap != "" {
		return ""
	}
	return ": --write-map FILE.json writes a map to be filled in, for --motion-map"
}

// splitMotion splits FILE:CLIP at the last colon behind the name of a file. Names of files and clips may have colons.
func splitMotion(text string) (file, clip string) {
	if strings.HasPrefix(text, demo.Prefix) {
		name, clip, _ := strings.Cut(text[len(demo.Prefix):], ":")
		return demo.Prefix + name, clip
	}
	for at := len(text); at > 0; at = strings.LastIndexByte(text[:at], ':') {
		if _, err := os.Stat(text[:at]); err == nil {
			return text[:at], strings.TrimPrefix(text[at:], ":")
		}
	}
	return text, ""
}

type MotionReport struct {
	File   string         `json:"file"`
	Joints []MotionJoints `json:"joints"`
	Rest   []string       `json:"rest"`   // joints that stay at rest
	Unused []string       `json:"unused"` // joints of the motion that move, and that nothing follows
}

// MotionJoints is a joint, and the one of the motion that it follows.
type MotionJoints struct {
	Joint   string `json:"joint"`
	Follows string `json:"follows"`
	By      string `json:"by"`
}

// Report says which joint follows which; nil without --motion.
func (o *MotionFlags) Report() *MotionReport {
	if o.Matches == nil {
		return nil
	}
	character, motion := o.Matches.Models()
	r := &MotionReport{File: motion.Name, Joints: []MotionJoints{}, Rest: []string{}, Unused: []string{}}
	for _, p := range o.Matches.Pairs {
		r.Joints = append(r.Joints,
			MotionJoints{character.Skeleton.Nodes[p.Node].Name, motion.Skeleton.Nodes[p.Source].Name, p.By.String()})
	}
	for _, i := range o.Matches.Rest {
		r.Rest = append(r.Rest, character.Skeleton.Nodes[i].Name)
	}
	for _, i := range o.Matches.Unused {
		r.Unused = append(r.Unused, motion.Skeleton.Nodes[i].Name)
	}
	return r
}
