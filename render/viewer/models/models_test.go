package models

import (
	"slices"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/internal/thirdrig"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/posing"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// TestPoseIsSeenOnEveryFile lays a pose over two files of one skeleton, one of which has its nodes in another order.
// They are posed by the same arithmetic, so their matrices are equal to the bit.
func TestPoseIsSeenOnEveryFile(t *testing.T) {
	first := Prepare(assetstest.Open(t, "demo:figure"), 0)
	moved := shuffled(assetstest.Open(t, "demo:figure"))
	b := PrepareSecond(moved)
	b.shareStress(first)
	p := posing.NewEdits(first.Model)
	first.Under(p)
	b.Under(p)
	for k := range 5 {
		turn := geom.IdentityTransform()
		turn.Rotation = posing.FromEuler([3]float64{0.3 * float64(k+1), -0.2, 0.7})
		p.Put(first.Model.Skeleton.Joints[3*k].Node, turn)
	}
	for clip := range first.Model.Clips {
		want := posing.Instant{Clip: clip, Time: 0.4, OK: true}
		first.Set(want)
		other := want
		other.Clip = b.ClipOf(first.Model, clip)
		if other.Clip < 0 {
			t.Fatalf("clip %q is not in the other file", first.Model.Clips[clip].Name)
		}
		b.Set(other)
		for j := range first.Frame.Matrices {
			if first.Frame.Matrices[j] != b.Frame.Matrices[j] {
				t.Fatalf("clip %q, joint %d: %v, expected %v", first.Model.Clips[clip].Name, j, b.Frame.Matrices[j],
					first.Frame.Matrices[j])
			}
		}
	}
	// The edits are seen: a pose is not the clip's.
	edited := first.Frame.Matrices[3]
	p.Drop()
	first.Set(posing.Instant{Clip: len(first.Model.Clips) - 1, Time: 0.4, OK: true})
	if first.Frame.Matrices[3] == edited {
		t.Error("a pose that is dropped is still seen")
	}
}

// shuffled returns the model with its nodes in the opposite order.
func shuffled(m *skinning.Model) *skinning.Model {
	out := *m
	n := len(m.Skeleton.Nodes)
	out.Skeleton.Nodes = make([]skinning.Node, n)
	for i, node := range m.Skeleton.Nodes {
		if node.Parent >= 0 {
			node.Parent = n - 1 - node.Parent
		}
		out.Skeleton.Nodes[n-1-i] = node
	}
	out.Skeleton.Joints = append([]skinning.Joint(nil), m.Skeleton.Joints...)
	for j := range out.Skeleton.Joints {
		out.Skeleton.Joints[j].Node = n - 1 - out.Skeleton.Joints[j].Node
	}
	if err := out.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	out.Clips = append([]skinning.Clip(nil), m.Clips...)
	for i := range out.Clips {
		c := &out.Clips[i]
		c.Channels = append([]skinning.Channel(nil), c.Channels...)
		for k := range c.Channels {
			c.Channels[k].Node = n - 1 - c.Channels[k].Node
		}
	}
	return &out
}

// TestEveryModelHasSomethingToPlay: stress clips stand behind the file's, whose numbers stay.
func TestEveryModelHasSomethingToPlay(t *testing.T) {
	m := *assetstest.Open(t, "demo:figure")
	own := m.Clips
	for _, clips := range [][]skinning.Clip{nil, own} {
		m.Clips = clips
		p := Prepare(&m, 0)
		if p.Own != len(clips) || len(p.Model.Clips) < p.Own+2 || len(p.Seconds) != len(p.Model.Clips) || p.Original != &m ||
			len(m.Clips) != len(clips) {
			t.Errorf("%d clips of the file: own %d of %d, %d times", len(clips), p.Own, len(p.Model.Clips), len(p.Seconds))
		}
		for i := range clips {
			if p.Model.Clips[i].Name != clips[i].Name {
				t.Errorf("clip %d is %q, expected %q", i, p.Model.Clips[i].Name, clips[i].Name)
			}
		}
	}
}

func TestClipsAreFoundByName(t *testing.T) {
	old, now := assetstest.Open(t, "demo:figure"), assetstest.Open(t, "demo:figure")
	now.Clips = slices.Clone(now.Clips)
	slices.Reverse(now.Clips)
	n := len(old.Clips)
	if got := SameClip(old, 0, now); got != n-1 {
		t.Errorf("clip 0 of the older is %d of the newer, expected %d", got, n-1)
	}
	now.Clips = now.Clips[:1]
	for clip, want := range map[int]int{-1: -1, 1: 0, n - 1: 0} {
		if got := SameClip(old, clip, now); got != want {
			t.Errorf("clip %d of the older is %d of the newer, expected %d", clip, got, want)
		}
	}
	if got := SameClip(old, 2, &skinning.Model{}); got != -1 {
		t.Errorf("clip %d where there is none", got)
	}
}

// TestThirdRigIsShown: a kind of rig that this package does not know has a card, names, shares and places.
func TestThirdRigIsShown(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	model, err := thirdrig.With(m, 3)
	if err != nil {
		t.Fatal(err)
	}
	p := Prepare(model, 0)
	f, card := p.Fitted, fittedCard(model)
	const note = "Plain linear blending over the joints and 3 half turns turning half as far. Any engine plays it."
	if card.Title != "Half turns" || card.Short != FitShort || card.Note != note {
		t.Errorf("card %+v", card)
	}
	want := fitted.Names{All: "Half turns", Nouns: "half turns", Heading: "HALF TURNS"}
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
	for _, fact := range p.Facts {
		found = found || fact.Name == "Half turns" && fact.Value == "3"
	}
	if !found {
		t.Errorf("facts %v", p.Facts)
	}
}

// TestCardOfFewBones: the card of a fit that has added no bone yet, or one, says so in plain words.
func TestCardOfFewBones(t *testing.T) {
	for n, want := range map[int]string{0: "the joints alone: no bone is added", 1: "the joints and 1 blend bone sampling DQS"} {
		r := &rig.BlendBones{Operator: skinning.DQS, Bones: make([]rig.BlendBone, n)}
		want = "Plain linear blending over " + want + ". Any engine plays it."
		m := &skinning.Model{Rigs: []skinning.Rig{r}, Skeleton: skinning.Skeleton{Joints: make([]skinning.Joint, 1)}}
		if got := fittedCard(m).Note; got != want {
			t.Errorf("%d bones: %q, expected %q", n, got, want)
		}
	}
}

func TestEveryMethodHasACard(t *testing.T) {
	cards := newCards()
	keys := map[string]bool{cards.blend.Key: true}
	for _, m := range skinning.Methods() {
		c := cards.direct[m]
		if c.Key == "" || keys[c.Key] || c.Short == "" || c.Title == "" || c.Cost == "" || c.Note == "" {
			t.Errorf("%v: card %+v", m, c)
		}
		keys[c.Key] = true
	}
}

// TestShortJointNames: a short name has what tells the joint apart, and only words that most names begin with are left
// out.
func TestShortJointNames(t *testing.T) {
	for _, c := range []struct{ long, short []string }{
		{[]string{"Bip_arm_R", "Bip_arm_L", "Bip_leg_R", "tail"}, []string{"arm_R", "arm_L", "leg_R", "tail"}},
		{[]string{"mixamorig:Hips", "mixamorig:LeftUpLeg"}, []string{"Hips", "LeftUpLeg"}},
		{[]string{"L_arm", "L_leg", "R_arm", "R_leg"}, []string{"L_arm", "L_leg", "R_arm", "R_leg"}},
		{[]string{"", "a_"}, []string{"Joint 1", "a_"}},
		{[]string{"é_x", "é_y"}, []string{"x", "y"}},
	} {
		m := &skinning.Model{}
		for _, name := range c.long {
			m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Name: name})
		}
		if got := newJointNames(m).short; !slices.Equal(got, c.short) {
			t.Errorf("%q: short %q, expected %q", c.long, got, c.short)
		}
	}
}
