package viewer

import (
	"strings"
	"testing"

	"skinlab/assets"
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
	p := prepare(model)
	f := p.fitted
	const note = "Plain linear blending over 3 joints, which turn half as far. Any engine plays it."
	if f.card.title != "Half turns" || f.card.short != "HALF" || f.card.note != note {
		t.Errorf("card %+v", f.card)
	}
	if f.names.one != "Half turn" || f.names.all != "Half turns" || f.names.heading != "HALF TURNS" ||
		!strings.HasPrefix(f.names.came, "This file came with half turns.") {
		t.Errorf("names %+v", f.names)
	}
	if len(p.model.Rigs) != 0 || len(f.joints) != 3 || f.linear != nil {
		t.Fatalf("%d joints, rigs %v of the masters' model", len(f.joints), p.model.Rigs)
	}
	f.place()
	for k, c := range model.Rigs[0].(*thirdrig.Rig).Copies {
		if f.joints[k] != c.Joint || len(f.shares[k]) != 1 || f.shares[k][0].joint != c.Master || f.shares[k][0].weight != 1 {
			t.Errorf("bone %d: joint %d, shares %+v", k, f.joints[k], f.shares[k])
		}
		if want := f.frame.Matrices[c.Joint].Apply(f.seats[k]); f.seen[k] != want {
			t.Errorf("bone %d is drawn at %v, expected %v", k, f.seen[k], want)
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
