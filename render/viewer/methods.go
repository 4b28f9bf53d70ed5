package viewer

import (
	"strconv"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
	"skinlab/render/viewer/caption"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// shownMethods returns the methods that can show a model, in the order of their keys. The fit is last.
func shownMethods() []skinning.Method { return append(skinning.Methods(), state.Fitted) }

// digitMethods is the number of methods that have a digit as key. The next digits choose the fit and layouts. Further
// methods have Ctrl with the digits from 1 on: many keyboard layouts need Shift to write a digit.
const (
	digitMethods = 5
	fitKey       = "6"
)

// methodKey returns the key of a method. It is "" for methods after the ninth one with Ctrl.
func methodKey(m skinning.Method) string {
	switch n := int(m) + 1; {
	case n <= digitMethods:
		return strconv.Itoa(n)
	case n <= digitMethods+9:
		return "Ctrl " + strconv.Itoa(n-digitMethods)
	}
	return ""
}

// capOf returns the name of a method's key for a cap of the width of one character: "^1" for Ctrl 1.
func capOf(key string) string { return strings.Replace(key, "Ctrl ", "^", 1) }

// methodCommands returns the commands of the direct methods.
func methodCommands() []command {
	all := skinning.Methods()
	plain := min(digitMethods, len(all))
	commands := []command{digitCommand(all[:plain], false)}
	if more := all[plain:]; len(more) > 0 {
		commands = append(commands, digitCommand(more[:min(len(more), 9)], true))
	}
	return commands
}

// methodKeys names the keys of all direct methods.
func methodKeys() string {
	var caps []string
	for _, c := range methodCommands() {
		caps = append(caps, c.caps)
	}
	return strings.Join(caps, " and ")
}

// digitCommand is a command that chooses among methods by the digits from 1 on.
func digitCommand(among []skinning.Method, control bool) command {
	c := command{caps: methodKey(among[0]), does: skinning.ListMethods(among, skinning.Method.Short, ", ", ", "), control: control}
	if n := len(among); n > 1 {
		c.caps += " to " + strconv.Itoa(n)
	}
	for i := range among {
		c.keys = append(c.keys, glfw.Key1+glfw.Key(i))
	}
	for _, m := range among {
		c.parts = append(c.parts, ui.KeyHelp{Keys: methodKey(m), Does: m.Title() + ", " + m.Short()})
	}
	c.run = func(a *app, which int) { a.setMethod(among[which]) }
	return c
}

// methodCard holds the interface's texts about a method. Key is a cap's: see [capOf].
type methodCard struct {
	key, short, title, note string
	tip                     string // of the method in the list
	skinning.Cost
}

// methodCards are the cards of the direct methods, in their order, and of the models that are not posed by a chosen
// method.
type methodCards struct {
	direct          []methodCard
	examples, blend methodCard
}

func newMethodCards() methodCards {
	lowest := skinning.LBS.Cost()
	cards := methodCards{
		examples: newCard(methodKey(skinning.LBS), skinning.LBS.Short(), "The examples",
			"Linear blending of the shapes that this clip brings for its poses: what enveloping learns.", lowest),
		blend: rigCard((&rig.BlendBones{}).Names(), ""),
	}
	for _, m := range skinning.Methods() {
		cards.direct = append(cards.direct, newCard(methodKey(m), m.Short(), m.Title(), m.Note(), m.Cost()))
	}
	return cards
}

// newCard makes a card. The key is as in the help.
func newCard(key, short, title, note string, cost skinning.Cost) methodCard {
	tip := note
	if tip == "" {
		tip = title + "."
	}
	return methodCard{capOf(key), short, title, note, tip + " The lit bars: " + cost.Class + ".\t" + key, cost}
}

// rigCard returns the card of a rig, which is posed by linear blending only.
func rigCard(names skinning.RigNames, note string) methodCard {
	cost := skinning.LBS.Cost()
	cost.Class += ", plain glTF"
	return newCard(fitKey, names.Short, names.Title, note, cost)
}

// fittedCard returns the card of a fitted model. A fitted model without a rig has weights that were learnt from
// examples. The note of a model of several rigs names each of them.
func fittedCard(m *skinning.Model) methodCard {
	if m.Skin.Twist != nil {
		return newCard(fitKey, "EBM", "Body model",
			"A mesh, a skeleton and two sets of weights for twist-swing, fitted to scans.", skinning.TwistSwing.Cost())
	}
	names, over := (&rig.Enveloping{}).Names(), "the joints, with weights that examples have taught"
	if len(m.Rigs) > 0 {
		var notes []string
		for _, r := range m.Rigs {
			names = r.Names()
			notes = append(notes, strconv.Itoa(len(r.Joints()))+" "+names.Note)
		}
		over = strings.Join(notes, ", and ")
		if len(m.Rigs) > 1 {
			names.Title, names.Short = "Several rigs", "RIGS"
		}
	}
	return rigCard(names, "Plain linear blending over "+over+". Any engine plays it.")
}

// cardOf returns the card of a method for the first file.
func (a *app) cardOf(m skinning.Method) *methodCard {
	if m == state.Fitted {
		if a.fitted != nil {
			return &a.card
		}
		return &a.lists.cards.blend
	}
	if m == skinning.LBS && a.state.Clip >= 0 && a.state.Clip == a.fit.Examples() {
		return &a.lists.cards.examples
	}
	return &a.lists.cards.direct[m]
}

// referenceName returns the short name of the reference.
func (a *app) referenceName() string {
	c := a.cardOf(a.state.Reference)
	if c == &a.lists.cards.examples {
		return "examples"
	}
	return c.short
}

// paneCard returns the card of a pane's content.
func (a *app) paneCard(p state.Pane) *methodCard {
	if p.Beside && a.beside != nil && p.Method == state.Fitted {
		return &a.beside.card
	}
	return a.cardOf(p.Method)
}

// Words are those of the caption of a pane.
func (a *app) Words(p state.Pane) caption.Words {
	c := a.paneCard(p)
	words := caption.Words{Short: c.short, Title: c.title, Note: c.note, Cost: c.Cost}
	switch {
	case a.beside == nil:
	case p.Beside:
		words.Title = a.beside.name
	default:
		words.Title = a.ModelName()
	}
	return words
}
