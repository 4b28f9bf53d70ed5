package models

import (
	"slices"

	"skinlab/render/viewer/files"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/posing"
	"skinlab/skinning"
	"skinlab/skinning/remodel"
)

// Second is a second file in the same picture. It plays at the same time as the first file. Its clip is the one with
// the name of the first file's clip, else the one with the same index.
type Second struct {
	posing.Subject
	Origin files.Source // empty for a model that comes from no file
	Name   string
	size   float64 // diagonal at rest, metres
	own    int     // number of clips of the file
	Fitted bool    // it has bones from a fit, so only linear blending over them can pose it
	Card   Card    // describes these bones
	Still  bool    // it is posed beside the window's loop, not in each frame
	Late   bool    // then: it is not of the pose of the first file
	shares bool    // it has the vertices of the first file's skin
}

// PrepareSecond does the part of the work that needs no OpenGL.
func PrepareSecond(m *skinning.Model) *Second {
	b := &Second{Name: m.Name, size: m.Diagonal(), Fitted: len(m.Added()) > 0, Card: fittedCard(m)}
	all, own := withStress(m)
	m, b.own = withClips(all, all.Clips), own // a copy, because shareStress changes its clips
	b.Subject = posing.Subject{Model: m, Pose: m.NewPose(), Frame: fitted.LazyFrame(m, nil)}
	if b.Name == "" {
		b.Name = "Untitled model"
	}
	return b
}

// ClipOf returns the index of the clip that goes with a clip of the first file, −1 for the static pose.
func (b *Second) ClipOf(first *skinning.Model, clip int) int {
	if clip < 0 || clip >= len(first.Clips) {
		return -1
	}
	if i := clipNamed(b.Model, first.Clips[clip].Name); i >= 0 || clip >= b.own {
		return i
	}
	return clip
}

// shareStress gives a second file the stress clips of the first one. Stress clips made for its own weights might move
// differently. A clip that needs a node which this file lacks is left out; the file then stands still.
func (b *Second) shareStress(first *File) {
	b.Model.Clips = slices.Clone(b.Model.Clips[:b.own])
	for i := first.Own; i < len(first.Model.Clips); i++ {
		if c, err := remodel.Onto(&first.Model.Clips[i], first.Model, b.Model); err == nil {
			b.Model.Clips = append(b.Model.Clips, c)
		}
	}
	b.At.OK = false
}

// sameSkin reports whether two models have the same vertices in the same order.
func sameSkin(a, b *skinning.Model) bool {
	return len(a.Skin.Positions) == len(b.Skin.Positions) && slices.Equal(a.Skin.Triangles, b.Skin.Triangles)
}
