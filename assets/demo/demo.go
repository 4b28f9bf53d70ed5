// Package demo holds the built-in models: ALNS's box and tube, a worm whose joints scale, RTER's twisted bar and an
// arm, both with example shapes, a person, and HBR's legs, whose true shapes are known in every pose (see [Leg]). Their
// names with the prefix demo: can be used wherever a file can. Every call makes the same model, bit for bit, in a
// fraction of a second.
package demo

import (
	"fmt"
	"strings"

	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// entry is one built-in model: its name without "demo:" and the function that makes it.
type entry struct {
	name string
	make func() *skinning.Model
}

// entries is the table of all built-in models, in the order in which they are listed to users.
func entries() []entry {
	return []entry{
		{"box", newBox},
		{"tube", newTube},
		{"worm", newWorm},
		{"bar", newBar},
		{"arm", newArm},
		{"figure", newFigure},
		{"leg", newLeg},
		{"leg-smooth", newLegSmooth},
	}
}

// Prefix marks a built-in model wherever a file may be named. A file of such a name is opened as ./demo:...
const Prefix = "demo:"

// Names lists the built-in models, without the "demo:" in front.
func Names() []string {
	all := entries()
	names := make([]string, len(all))
	for i, e := range all {
		names[i] = e.name
	}
	return names
}

// New makes the built-in model called name, with or without "demo:" in front: metres, +Y up, facing +Z, feet or lowest
// point at y = 0 or above. The caller owns the model. An unknown name is an error.
func New(name string) (*skinning.Model, error) {
	short := strings.TrimPrefix(name, Prefix)
	for _, e := range entries() {
		if e.name == short {
			return e.make(), nil
		}
	}
	names := Names()
	for i := range names {
		names[i] = Prefix + names[i]
	}
	name = Prefix + short
	return nil, fmt.Errorf("%q: no such built-in model, expected one of %s%s", messages.Shortened(name),
		strings.Join(names, ", "), messages.Nearest(name, names))
}
