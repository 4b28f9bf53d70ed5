package viewer

import (
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

const blendBones = state.BlendBones

// posable is a model with a pose and the frame that it makes.
type posable struct {
	model *skinning.Model
	pose  *skinning.Pose
	frame *skinning.Frame
	at    posed
	over  *posing // laid over the clip's pose; nil for none
	from  []int   // see posing.apply
}

// posed is the pose that a frame holds, so that an idle picture is not posed again.
type posed struct {
	clip  int
	time  float64
	baked bool
	edit  uint64 // version of what is laid over the clip's pose
	ok    bool
}

// set brings the frame to a clip and a time, by whole turns where there are signs. It allocates nothing.
func (p *posable) set(want posed, signs *skinning.Signs) {
	if p.at == want {
		return
	}
	p.model.SamplePose(p.pose, want.clip, want.time)
	edited := p.over != nil && p.over.active()
	if edited {
		p.over.apply(p.pose, p.from)
	}
	p.frame.Baked = want.baked
	p.frame.SetPose(p.pose)
	if signs != nil && !edited { // whole turns are those of the clip
		signs.Apply(p.frame, want.time)
	}
	p.at = want
}

// fitted is a model with blend bones, ready to be shown.
type fitted struct {
	posable
	joints []int              // the joint of each bone
	seats  []mgl64.Vec3       // where each is drawn, rest space
	idle   []bool             // whether it moves no skin: such a one is not drawn
	linear skinning.LinearRig // that the GPU may solve for, nil for none; its bones are those from first on
	first  int
	places *skinning.ProxyPlaces // of the seats of that rig's bones
	seen   []mgl64.Vec3          // where each is in the frame: see place
	colors []ui.Color
	shares [][]share // per bone, the largest first
	tints  []skin.Tint
	paint  []picture.Dye // per bone
	keys   []picture.Dye // per gradient of linear
	dyes   []picture.Dye // per bone: what tints are mixed from
	boneOf []int         // per joint, −1 for masters
	coat   coat          // what tints show
	baked  bool          // the model's clips move the bones' nodes: they can be played as other players do
	card   methodCard
	names  boneNames
}

// share is a u-weight.
type share struct {
	joint  int
	name   string
	weight float64
}

// coat is what is painted on a fitted skin.
type coat struct {
	view state.PaintView
	lit  int // the bone, or the key gradient, that is painted alone, −1 for all
}

// lazyFrame makes a frame for the GPU, which solves for proxy bones itself: who reads them on the CPU asks for that
// ([skinning.Frame.SolveProxies]).
func lazyFrame(m *skinning.Model, centers *skinning.CenterSets) *skinning.Frame {
	f := skinning.NewFrame(m, centers)
	f.LazyProxies = true
	return f
}

// newFitted makes what shows a model with a rig.
func newFitted(m *skinning.Model) *fitted {
	f := &fitted{coat: coat{lit: -1}, boneOf: make([]int, len(m.Skeleton.Joints))}
	// Linear blending needs no rotation centres, and a fit makes new joint sets with every step.
	f.posable = posable{model: m, pose: m.NewPose(), frame: lazyFrame(m, &skinning.CenterSets{})}
	for j := range f.boneOf {
		f.boneOf[j] = -1
	}
	for k, bone := range m.Added() {
		j := bone.Joint
		f.boneOf[j] = k
		f.joints = append(f.joints, j)
		f.shares = append(f.shares, sharesOf(m, &bone))
		f.paint = append(f.paint, pages.Distinct(k))
		f.colors = append(f.colors, pages.Color(pages.Distinct(k)))
		f.baked = f.baked || animated(m, m.Skeleton.Joints[j].Node)
	}
	f.seats, f.idle = seatsOf(m, f.boneOf, f.joints)
	f.seen = make([]mgl64.Vec3, len(f.seats))
	if f.linear = m.SolvedRig(); f.linear != nil {
		system := f.linear.Linear()
		for k := range system.Gradients {
			f.keys = append(f.keys, pages.Distinct(k))
		}
		if len(system.Joints) > 0 {
			f.first = f.boneOf[system.Joints[0]] // the others follow: see Added
		}
		f.places = skinning.NewProxyPlaces(system, f.seats[f.first:][:len(system.Joints)])
	}
	f.tints, f.dyes = make([]skin.Tint, len(m.Skin.Positions)), make([]picture.Dye, len(f.joints))
	f.mix()
	f.card, f.names = fittedCard(m), newBoneNames(m)
	return f
}

// fittedCard returns what the interface says of a fitted model. One without a rig has weights that examples have
// taught.
func fittedCard(m *skinning.Model) methodCard {
	names, over := (&rig.Enveloping{}).Names(), "the joints, with weights that examples have taught"
	if len(m.Rigs) > 0 {
		names = m.Rigs[0].Names()
		over = strconv.Itoa(len(m.Added())) + " " + names.Note
	}
	return rigCard(names, "Plain linear blending over "+over+". Any engine plays it.")
}

// boneNames is what added bones are called.
type boneNames struct {
	one, all string // "Blend bone", "Blend bones"
	heading  string // "BLEND BONES"
	came     string // of a file that has some
}

func newBoneNames(m *skinning.Model) (n boneNames) {
	if len(m.Rigs) == 0 {
		return n
	}
	names := m.Rigs[0].Names()
	capital := func(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
	n.one, n.all, n.heading = capital(names.Bone), capital(names.Bones()), strings.ToUpper(names.Bones())
	n.came = "This file came with " + names.Bones() + ". Methods " + methodKeys() + " show its other joints, with weights that the " +
		names.Bones() + " stand for; open the model it was made from to fit anew."
	return n
}

// place brings seen to the frame's pose. It allocates nothing.
func (f *fitted) place() {
	solved, last := f.linear != nil && !f.frame.Baked, f.first+f.linearBones()
	for k, j := range f.joints {
		if !solved || k < f.first || k >= last {
			f.seen[k] = f.frame.Matrices[j].Apply(f.seats[k])
		}
	}
	if solved {
		f.places.At(f.seen[f.first:last], f.frame)
	}
}

// linearBones is how many bones linear has.
func (f *fitted) linearBones() int {
	if f.linear == nil {
		return 0
	}
	return len(f.linear.Joints())
}

func sharesOf(m *skinning.Model, b *skinning.Added) (out []share) {
	for n, j := range b.Masters {
		name := m.Skeleton.Joints[j].Name
		if name == "" {
			name = "joint " + strconv.Itoa(int(j))
		}
		out = append(out, share{int(j), name, b.Weights[n]})
	}
	return out
}

// seatsOf returns where each bone is drawn: a motion has no place of its own, so it is the middle of the skin that it
// moves. One that moves none is idle: its joint's position goes wherever its matrix does.
func seatsOf(m *skinning.Model, boneOf, joints []int) (seats []mgl64.Vec3, idle []bool) {
	seats, idle = make([]mgl64.Vec3, len(joints)), make([]bool, len(joints))
	total := make([]float64, len(joints))
	var buf []skinning.Influence
	for v, p := range m.Skin.Positions {
		buf = m.Skin.Of(buf[:0], v)
		for _, i := range buf {
			if k := boneOf[i.Joint]; k >= 0 {
				seats[k] = seats[k].Add(geom.Vec64(p).Mul(float64(i.Weight)))
				total[k] += float64(i.Weight)
			}
		}
	}
	for k, j := range joints {
		if idle[k] = !(total[k] > 0); idle[k] {
			seats[k] = m.Skeleton.Joints[j].Position
		} else {
			seats[k] = seats[k].Mul(1 / total[k])
		}
	}
	return seats, idle
}

// animated reports whether a clip moves a node or one that it hangs on alone.
func animated(m *skinning.Model, node int) bool {
	for i := range m.Clips {
		for k := range m.Clips[i].Channels {
			if n := m.Clips[i].Channels[k].Node; n == node || m.Skeleton.Nodes[node].Parent == n && n >= 0 {
				return true
			}
		}
	}
	return false
}

// mix makes the tints: each vertex in the mixed colours of the bones that move it, as strong as their share.
func (f *fitted) mix() {
	copy(f.dyes, f.paint)
	dyes, seats := f.dyes[f.first:][:f.linearBones()], f.seats[f.first:][:f.linearBones()]
	switch {
	case f.linear != nil && f.coat.view == state.PaintKeys:
		picture.KeyDyes(dyes, f.linear.Linear(), seats, f.keys, f.coat.lit)
	case f.linear != nil && f.coat.view == state.PaintTurns:
		picture.TurnDyes(dyes, f.linear, leastTurn, mostTurn)
		f.alone()
	default:
		f.alone()
	}
	picture.BoneTints(f.tints, f.model, f.boneOf, f.dyes)
}

// alone takes the colour from all bones but the one that is lit.
func (f *fitted) alone() {
	for k := range f.dyes {
		if f.coat.lit >= 0 && k != f.coat.lit {
			f.dyes[k] = picture.Dye{}
		}
	}
}

// wear changes what is painted, and reports whether that is something else than before.
func (f *fitted) wear(c coat) bool {
	if f.coat == c {
		return false
	}
	f.coat = c
	f.mix()
	return true
}

// showFitted draws a model with blend bones from now on. Where the GPU has no room for it the one before stays.
func (a *app) showFitted(m *skinning.Model) {
	if a.fitted != nil && a.fitted.model == m {
		return
	}
	a.putFitted(newFitted(m))
}

func (a *app) putFitted(f *fitted) {
	f.wear(coat{a.state.PaintView, -1})
	if err := a.gpu.SetFitted(f.model, f.tints); err != nil {
		a.complain("Could not show the blend bones", err)
		return
	}
	a.fitted = f
	a.pose(&f.posable)
	a.mouse.bone = -1
	a.wake()
}

// mastersOf returns the model without its rig: the added joints are left over, and each vertex's share of an added bone
// goes to the bone's masters by their shares. The weights from before the fit are not in the file; these are what its
// added bones say to first order (ALNS section 4.3).
func mastersOf(m *skinning.Model) *skinning.Model {
	out := *m
	out.Rigs = nil
	bone := make(map[uint16]*skinning.Added)
	added := m.Added()
	for k := range added {
		bone[uint16(added[k].Joint)] = &added[k]
	}
	var in skinning.Influences
	var old, spread []skinning.Influence
	for v := range m.Skin.Bindings {
		old, spread = m.Skin.Of(old[:0], v), spread[:0]
		for _, i := range old {
			b := bone[i.Joint]
			if b == nil {
				spread = append(spread, i)
				continue
			}
			for n, j := range b.Masters {
				spread = append(spread, skinning.Influence{Joint: j, Weight: i.Weight * float32(b.Weights[n])})
			}
		}
		in.Append(spread, 0)
	}
	out.Skin.Influences = in
	return &out
}
