package command

import (
	"fmt"

	"skinlab/command/flags"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// reference is what others are measured against, and the file that it is of.
type reference struct {
	flags.ReferenceFlag
	of string // the file whose method it is, if that is not the first; "" else
}

// truth is [truth] for the first file m, whose path is given. It keeps the name of the file that the reference is of.
func (r *reference) truth(path string, m *skinning.Model, clip int, subjects []compare.Subject) (*skinning.Model, int,
	[]compare.Subject) {
	of, at, subjects := truth(path, m, clip, subjects)
	if of.Fit == nil && m.Fit != nil {
		r.of = of.Name
	}
	return of, at, subjects
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
