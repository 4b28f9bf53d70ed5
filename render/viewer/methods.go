package viewer

import (
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// methodRows are the methods that a model can be shown by, in the order of their keys; the last is its fit.
var methodRows = [...]skinning.Method{skinning.LBS, skinning.DQS, skinning.SDQS, skinning.DIB, skinning.SBS, blendBones}

// offered returns the methods that the first file can be shown by now.
func (a *app) offered() []skinning.Method {
	if a.fitted == nil {
		return methodRows[:len(methodRows)-1]
	}
	return methodRows[:]
}

// methodCard is what the interface says of a method. The cost class is what it asks of the GPU for a vertex beside LBS,
// from one bar to four; bench measures it.
type methodCard struct {
	key, short, title string
	cost              int
	class, note       string
}

// The cards behind those of the methods.
const (
	cardExamples = skinning.SBS + 1 + iota
	cardBlend
	cardEnvelope
)

// methodCards returns a card per method, in the order of the keys 1 to 5, and those of what is shown as no method is.
func methodCards() []methodCard {
	cards := []methodCard{
		skinning.LBS: {cost: 1, class: "lowest cost",
			note: "One blended matrix per vertex. Twists collapse like a candy wrapper."},
		skinning.DQS: {cost: 2, class: "low cost",
			note: "One blended dual quaternion per vertex. Twists keep their volume, bends bulge. No scale."},
		skinning.SDQS: {cost: 3, class: "medium cost",
			note: "Scale blended linearly, then one dual quaternion per vertex."},
		skinning.DIB: {cost: 4, class: "high cost",
			note: "Iterates to the intrinsic mean of the joints' motions at every vertex."},
		skinning.SBS: {cost: 2, class: "low cost on the GPU, centres on the CPU",
			note: "One blended rotation per vertex about a centre fitted to its joints in every frame."},
	}
	cards = append(cards,
		methodCard{key: "1", short: "LBS", title: "The examples", cost: 1, class: "lowest cost",
			note: "Linear blending of the shapes that this clip brings for its poses: what enveloping learns."},
		methodCard{key: "6", short: "BLEND", title: "Blend bones", cost: 1, class: "lowest cost, plain glTF"},
		methodCard{key: "6", short: "ENV", title: "Enveloping", cost: 1, class: "lowest cost, plain glTF"})
	for i, m := range skinning.Methods() {
		c := &cards[m]
		c.key = string(rune('1' + i))
		c.title = m.Title()
		c.short = shortName(m)
	}
	return cards
}

// card returns what the interface says of a method of the first file.
func (a *app) card(m skinning.Method) *methodCard {
	if m == blendBones {
		var model *skinning.Model
		if a.fitted != nil {
			model = a.fitted.model
		}
		return a.rigCard(model)
	}
	if m == skinning.LBS && a.state.Clip >= 0 && a.state.Clip == a.fit.examples {
		return &a.lists.cards[cardExamples]
	}
	return &a.lists.cards[m]
}

// referenceName says in a word what errors are distances to.
func (a *app) referenceName() string {
	c := a.card(a.state.Reference)
	if c == &a.lists.cards[cardExamples] {
		return "examples"
	}
	return c.short
}

// rigCard returns what the interface says of a fitted model, which may be nil: by blend bones, or by what examples have
// taught.
func (a *app) rigCard(m *skinning.Model) *methodCard {
	if m != nil && m.Blend == nil {
		return &a.lists.cards[cardEnvelope]
	}
	return &a.lists.cards[cardBlend]
}

// paneCard returns what the interface says of what a pane shows.
func (a *app) paneCard(p state.Pane) *methodCard {
	if p.Beside && a.beside != nil && p.Method == blendBones {
		return a.rigCard(a.beside.model)
	}
	return a.card(p.Method)
}

func shortName(m skinning.Method) string {
	name := []byte(m.String())
	for i, b := range name {
		if b >= 'a' && b <= 'z' {
			name[i] = b - 'a' + 'A'
		}
	}
	return string(name)
}
