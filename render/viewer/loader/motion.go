package loader

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/notes"
	"skinlab/skinning"
	"skinlab/skinning/retarget"
)

// Motion adds the clips of another file to a character. It returns a copy of the character, the first of these clips,
// and which joints follow the motion and which do not. It runs beside the loop.
type Motion func(ctx context.Context, character *skinning.Model, path string) (moved *skinning.Model, first int, said string, err error)

// withMotions adds the clips of files to a model. The last file's first clip and joints are returned.
func withMotions(ctx context.Context, m *skinning.Model, motion Motion, paths []string) (
	moved *skinning.Model, first int, said string, err error) {
	for _, path := range paths {
		if m, first, said, err = motion(ctx, m, path); err != nil {
			return nil, 0, "", err
		}
	}
	return m, first, said, nil
}

// PlayMotion plays the motion of another file on the first file. It is read anew, and keeps its fits.
func (l *Loader) PlayMotion(path string) {
	f := l.models.File
	l.Load(Request{Path: f.Origin.Path, Scene: f.Origin.Scene, Reload: true,
		Motions: append(slices.Clip(f.Motions), path), Plays: true})
}

func (l *Loader) AskMotion() {
	l.ask(files.Dialog{Title: "Play the motion of a file", Kind: "Models", Ends: l.Endings}, l.PlayMotion)
}

// PlaysMotions reports whether the first file can play the motion of another one.
func (l *Loader) PlaysMotions() bool {
	f := l.models.File
	return l.Motion != nil && f.Origin.Path != "" && len(f.Model.Skeleton.Joints) > 0 && !f.Model.IsSkeleton()
}

// follows returns which joints of a file follow those of another one that has clips, nil if there are none.
func follows(character, motion *models.File) *retarget.Matches {
	if motion.Own == 0 || len(motion.Model.Skeleton.Joints) == 0 {
		return nil
	}
	if m := retarget.NewMatches(character.Original, motion.Original, nil); len(m.Pairs) > 0 {
		return m
	}
	return nil
}

// asksForMotion asks what to do with a dropped skeleton with motion that the first file can play, if it is one.
func (l *Loader) asksForMotion(r Loaded) bool {
	if !l.PlaysMotions() || !r.First.Model.IsSkeleton() {
		return false
	}
	m := follows(l.models.File, r.First)
	if m == nil {
		return false
	}
	l.host.AskMotion(filepath.Base(r.Path), m.Counts()+".", func() { l.PlayMotion(r.Path) }, func() { l.leave(r) })
	return true
}

// leave shows a file once nothing is lost with the first one.
func (l *Loader) leave(r Loaded) {
	r.agreed = true
	if l.host.Leaves("Opening "+filepath.Base(r.Path), func() { l.take(r) }) {
		l.take(r)
	}
}

// offerMotion offers to play the motion of a dropped file, which is shown now, on the file before.
func (l *Loader) offerMotion(before *models.File, r *Loaded) {
	if l.Motion == nil || before.Origin.Path == "" || before.Origin.Path == r.Path || before.Model.IsSkeleton() {
		return
	}
	m := follows(before, r.First)
	if m == nil {
		return
	}
	l.notes.Suggest(filepath.Base(r.Path)+" has motion", m.Counts()+".", notes.Action{Label: "Play it there",
		Tip: "Opens " + filepath.Base(before.Origin.Path) + " again, with the clips of this file.", Run: func() {
			l.Load(Request{Path: before.Origin.Path, Scene: before.Origin.Scene,
				Motions: append(slices.Clip(before.Motions), r.Path), Plays: true})
		}})
}

func (l *Loader) playing(r *Loaded) {
	path := r.Motions[len(r.Motions)-1]
	l.models.SetClip(r.clip)
	l.host.FrameFile(r.First)
	l.desk.State.Playing = true
	l.notes.Notify("Plays "+filepath.Base(path), strings.TrimSpace(r.said), desk.AdviceTime)
}
