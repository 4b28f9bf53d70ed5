package models

import (
	"fmt"
	"strconv"
	"strings"

	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/rig"
)

// DigitMethods is the number of methods that have a digit as key. The next digits choose the fit and layouts. Further
// methods have Ctrl with the digits from 1 on: many keyboard layouts need Shift to write a digit.
const (
	DigitMethods = 5
	FitKey       = "6"
	FitShort     = "FIT" // stands for a fitted model where the methods have their short names
)

// MethodKey returns the key of a method. It is "" for methods after the ninth one with Ctrl.
func MethodKey(m skinning.Method) string {
	switch n := int(m) + 1; {
	case n <= DigitMethods:
		return strconv.Itoa(n)
	case n <= DigitMethods+9:
		return "Ctrl " + strconv.Itoa(n-DigitMethods)
	}
	return ""
}

type Card struct {
	Key, Short, Title, Note string
	Tip                     string // of the method in the list
	Cost                    string // on the GPU, in words
}

// cards are the cards of the direct methods, in order, and of models that no chosen method poses.
type cards struct {
	direct          []Card
	beside          []string // names of the methods as references on the second file
	examples, blend Card
	mush            Card // of a reference
}

func newCards() cards {
	all := cards{
		examples: NewCard("", "Examples", "Of this clip",
			"Shapes that this clip brings for its poses. Methods have none of that here; fits can learn it.", "morph targets"),
		blend: rigCard((&rig.BlendBones{}).Names(), ""),
		mush:  Card{Short: "Delta Mush", Title: "Delta Mush"},
	}
	for _, m := range skinning.Methods() {
		all.beside = append(all.beside, m.Short()+" beside")
		all.direct = append(all.direct, NewCard(MethodKey(m), m.Short(), m.Title(), m.Note(), m.Cost()))
	}
	return all
}

// NewCard makes a card. The key is as in the help.
func NewCard(key, short, title, note, cost string) Card {
	tip := note
	if tip == "" {
		tip = title + "."
	}
	return Card{key, short, title, note, tip + "\t" + key, cost}
}

// rigCard returns the card of a rig, which is posed by linear blending only.
func rigCard(names skinning.RigNames, note string) Card {
	return NewCard(FitKey, FitShort, names.Title, note, skinning.LBS.Cost()+", plain glTF")
}

// fittedCard returns the card of a fitted model. A fitted model without a rig has weights that were learnt from
// examples. The note of a model of several rigs names each of them.
func fittedCard(m *skinning.Model) Card {
	if method, ok := m.Skin.MadeFor(); ok {
		return NewCard(FitKey, FitShort, "Body model",
			"A mesh, a skeleton and two sets of weights for twist-swing, fitted to scans.", method.Cost())
	}
	names, over := (&rig.Enveloping{}).Names(), "the joints, with weights that examples have taught"
	if len(m.Rigs) > 0 {
		var notes []string
		for _, r := range m.Rigs {
			names = r.Names()
			if n := m.Skeleton.NodesOf(r.Joints()); n > 0 {
				notes = append(notes, messages.Count(n, names.Bone, names.Bones())+" "+names.Note)
			}
		}
		over = "the joints alone: no bone is added"
		if len(notes) > 0 {
			over = "the joints and " + strings.Join(notes, ", and ")
		}
		if len(m.Rigs) > 1 {
			names.Title = "Several rigs"
		}
	}
	return rigCard(names, "Plain linear blending over "+over+". Any engine plays it.")
}

// Card returns the card of a method for the first file.
func (s *Shown) Card(m skinning.Method) *Card {
	switch {
	case m == state.DeltaMush:
		return &s.cards.mush
	case m == state.Examples:
		return &s.cards.examples
	case m == state.Fitted && s.fitted != nil:
		return &s.card
	case m == state.Fitted:
		return &s.cards.blend
	}
	return &s.cards.direct[m]
}

func (s *Shown) Short(m skinning.Method) string { return s.Card(m).Short }

func (s *Shown) ReferenceName() string {
	c := s.Card(s.desk.State.Reference)
	switch {
	case s.RefersBeside() && c == &s.cards.mush:
		return "Delta Mush beside"
	case s.RefersBeside():
		return s.cards.beside[s.desk.State.Reference]
	case c == &s.cards.examples:
		return "examples"
	}
	return c.Short
}

func (s *Shown) paneCard(p state.Pane) *Card {
	if p.Beside && s.Second != nil && p.Method == state.Fitted {
		return &s.Second.Card
	}
	return s.Card(p.Method)
}

func (s *Shown) PaneName(p state.Pane) string { return s.paneCard(p).Short }

// Words are the card in a pane's caption, whose title is the file's name if there are two.
func (s *Shown) Words(p state.Pane) Card {
	c := *s.paneCard(p)
	switch {
	case s.Second == nil:
	case p.Beside:
		c.Title = s.Second.Name
	default:
		c.Title = s.ModelName()
	}
	if share := s.madeShare(p); share < 1 {
		c.Title = fmt.Sprintf("computing, %.0f %%", 100*share)
	}
	return c
}
