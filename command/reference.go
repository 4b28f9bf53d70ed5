package command

import (
	"context"
	"fmt"
	"slices"

	"skinlab/command/flags"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/rig"
)

// reference is what others are measured against, and the file that it is of.
type reference struct {
	flags.ReferenceFlag
	of       string // the file whose method it is, if that is not the first; "" else
	examples bool   // the flag takes examples too
}

// origin finds the model by which a fitted file is measured where it is the first file: the original. That is a file
// among the methods with as many vertices and no fit. Where there is none, and the first file has lost the weights from
// before its fit, another fit among the methods may have kept them. The first file becomes a method then, so that the
// order of the files does not matter. Without an original the result is m.
func (r *reference) origin(ctx context.Context, path string, m *skinning.Model, methods *[]string,
	load func(ctx context.Context, path string) (*skinning.Model, error)) (*skinning.Model, error) {
	if m.Fit == nil {
		return m, nil
	}
	var kept *skinning.Model // a fit that has the weights from before it
	for _, name := range *methods {
		if !isFile(name) || name == path {
			continue
		}
		of, err := load(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(of.Skin.Positions) != len(m.Skin.Positions) {
			continue
		}
		if of.Fit == nil {
			r.of = of.Name
			return r.behind(path, of, methods), nil
		}
		if kept == nil && rig.HasOriginal(of) && !rig.HasOriginal(m) {
			kept = of
		}
	}
	if kept == nil {
		return m, nil
	}
	r.of = "the original of " + kept.Name
	return r.behind(path, rig.Folded(kept), methods), nil
}

// behind adds the first file, at path, to the methods unless it is one already. It returns of, which takes its place.
func (r *reference) behind(path string, of *skinning.Model, methods *[]string) *skinning.Model {
	if !slices.Contains(*methods, path) {
		*methods = append(slices.Clip(*methods), path)
	}
	return of
}

// against names the reference, and the file that it is of where that is not the first.
func (r *reference) against() string {
	if r.of != "" {
		return r.Name + " of " + r.of
	}
	return r.Name
}

// text says what the reference is, of which weights it is, and which subjects have learnt from something else. The first
// file is named.
func (r *reference) text(by skinning.Reference, named *skinning.Model, subjects []compare.Subject) string {
	text := compare.ReferenceText(by, r.Why)
	switch {
	case r.of != "":
		text += fmt.Sprintf(" It is that of %s, which %s came from.", r.of, named.Name)
	case compare.OfFit(named) != "":
		text += " " + compare.OfFit(named)
	}
	return text + r.ofFiles(subjects)
}

// stillBones is [compare.StillBones] of the files among the subjects, and of the first file, unless it is one of them.
func (r *reference) stillBones(clip *skinning.Clip, named *skinning.Model, subjects []compare.Subject) string {
	models := filesOf(subjects)
	if !slices.ContainsFunc(models, func(m *skinning.Model) bool { return m.Name == named.Name }) {
		models = append([]*skinning.Model{named}, models...)
	}
	return compare.StillBones(clip, models...)
}
