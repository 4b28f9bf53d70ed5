package viewer

import (
	"testing"

	"skinlab/assets"
	"skinlab/render/viewer/fitted"
	"skinlab/skinning/thirdrig"
)

// TestThirdRigIsShown: a kind of rig that this package does not know has a card, names, shares and places.
func TestThirdRigIsShown(t *testing.T) {
	m, err := assets.Open("demo:figure")
	if err != nil {
		t.Fatal(err)
	}
	model, err := thirdrig.With(m, 3)
	if err != nil {
		t.Fatal(err)
	}
	p := prepare(model, 0)
	f, card := p.fitted, fittedCard(model)
	const note = "Plain linear blending over 3 joints, which turn half as far. Any engine plays it."
	if card.title != "Half turns" || card.short != "HALF" || card.note != note {
		t.Errorf("card %+v", card)
	}
	want := fitted.Names{One: "Half turn", All: "Half turns", Nouns: "half turns", Heading: "HALF TURNS"}
	if f.Names != want {
		t.Errorf("names %+v, expected %+v", f.Names, want)
	}
	if len(p.Model.Rigs) != 0 || len(f.Joints) != 3 || f.Linear != nil {
		t.Fatalf("%d joints, rigs %v of the masters' model", len(f.Joints), p.Model.Rigs)
	}
	f.Place()
	for k, c := range model.Rigs[0].(*thirdrig.Rig).Copies {
		if f.Joints[k] != c.Joint || len(f.Shares[k]) != 1 || f.Shares[k][0].Joint != c.Master || f.Shares[k][0].Weight != 1 {
			t.Errorf("bone %d: joint %d, shares %+v", k, f.Joints[k], f.Shares[k])
		}
		if want := f.Frame.Matrices[c.Joint].Apply(f.Seats[k]); f.Seen[k] != want {
			t.Errorf("bone %d is drawn at %v, expected %v", k, f.Seen[k], want)
		}
	}
	found := false
	for _, fact := range p.facts {
		found = found || fact.Name == "Half turns" && fact.Value == "3"
	}
	if !found {
		t.Errorf("facts %v", p.facts)
	}
}
