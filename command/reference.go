package command

import (
	"context"
	"fmt"
	"slices"

	"skinlab/command/flags"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// reference is what others are measured against, and the file that it is of.
type reference struct {
	flags.ReferenceFlag
	of string // the file whose method it is, if that is not the first; "" else
}

// origin returns the model by which a fitted file, the first one, is measured: the file that it came from, where a method
// names that, one with as many vertices and no fit. The fitted file is a method then, so that the order of the two does
// not matter. A model for which no method names another is its own.
func (r *reference) origin(ctx context.Context, path string, m *skinning.Model, methods *[]string,
	load func(ctx context.Context, path string) (*skinning.Model, error)) (*skinning.Model, error) {
	if m.Fit == nil {
		return m, nil
	}
	for _, name := range *methods {
		if !isFile(name) || name == path {
			continue
		}
		of, err := load(ctx, name)
		if err != nil {
			return nil, err
		}
		if of.Fit != nil || len(of.Skin.Positions) != len(m.Skin.Positions) {
			continue
		}
		if r.of = of.Name; !slices.Contains(*methods, path) {
			*methods = append(slices.Clip(*methods), path)
		}
		return of, nil
	}
	return m, nil
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
		text += fmt.Sprintf(" It is that of %s, the file that %s came from.", r.of, named.Name)
	case compare.OfFit(named) != "":
		text += " " + compare.OfFit(named)
	}
	return text + ofFiles(r.Name, subjects)
}
