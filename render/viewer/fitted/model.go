// Package fitted shows a model to which a fit has added joints: the places of the added bones, their names, and their
// influence as paint on the skin.
package fitted

import (
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/posing"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Model is a model with a rig, ready to be shown.
type Model struct {
	posing.Subject
	Joints  []int              // the joint of each bone
	Seats   []mgl64.Vec3       // where each is drawn, rest space
	Unused  []bool             // it moves no skin and is not drawn
	Linear  skinning.LinearRig // the rig that the GPU may solve for, nil for none; its bones begin at index first
	first   int
	places  *skinning.ProxyPlaces // the places of that rig's bones
	Seen    []mgl64.Vec3          // the place of each in the frame, world space: see Place
	Colors  []ui.Color
	Shares  [][]Share // per bone, the largest first
	Tints   []skin.Tint
	paint   []picture.Dye // colour per bone
	keys    []picture.Dye // colour per key gradient of Linear
	Dyes    []picture.Dye // per bone: the tints mix these
	boneOf  []int         // per joint, −1 for masters
	choice  paintChoice   // what the tints show
	Baked   bool          // the clips move the nodes of the bones, so other programs can play them
	Hovered int           // bone that the mouse points at, −1 for none; a mouse that drags points at nothing
	Touched int           // bone under the mouse, dragging or not: what a click takes; −1 for none
	Chosen  int           // bone whose influence alone is painted, −1 for none
	Most    float32       // the bone's largest weight, which has the darkest colour
	Drawn   int           // the bones before this one are drawn
	// Whole says that the model has a mesh or a skeleton of its own. It is then posed by its own clips: see ClipOf.
	Whole  bool
	Method skinning.Method // that shows it: that which its skin was made for, else linear blending
	// Written is what an export writes: Model itself but where Model leaves some bones without motion. Then it has
	// these as they are, or is a model without them.
	Written *skinning.Model
	Names   Names
}

type Share struct {
	Joint  int
	Name   string
	Weight float64
}

// LazyFrame makes a frame whose proxy bones the GPU solves for: on the CPU, [skinning.Frame.SolveProxies] does.
func LazyFrame(m *skinning.Model, centers *skinning.CenterSets) *skinning.Frame {
	f := skinning.NewFrame(m, centers)
	f.LazyProxies = true
	return f
}

func New(m *skinning.Model) *Model {
	f := &Model{choice: paintChoice{lit: -1, chosen: -1}, Hovered: -1, Touched: -1, Chosen: -1, Written: m,
		boneOf: make([]int, len(m.Skeleton.Joints))}
	// Linear blending needs no rotation centres, and computing them for every step of a fit would take time.
	f.Subject = posing.Subject{Model: m, Pose: m.NewPose(), Frame: LazyFrame(m, skinning.NoCenters())}
	for j := range f.boneOf {
		f.boneOf[j] = -1
	}
	for k, bone := range m.Added() {
		j := bone.Joint
		f.boneOf[j] = k
		f.Joints = append(f.Joints, j)
		f.Shares = append(f.Shares, sharesOf(m, &bone))
		f.paint = append(f.paint, picture.Distinct(k))
		f.Colors = append(f.Colors, desk.Color(picture.Distinct(k)))
		f.Baked = f.Baked || animated(m, m.Skeleton.Joints[j].Node)
	}
	f.Seats, f.Unused = seatsOf(m, f.boneOf, f.Joints)
	for _, r := range m.Rigs {
		if children, ok := r.(skinning.ChildRig); ok { // its joints turn about places that mean something
			for _, j := range children.Joints() {
				f.Seats[f.boneOf[j]] = m.Skeleton.Joints[j].Position
			}
		}
	}
	f.Seen = make([]mgl64.Vec3, len(f.Seats))
	f.Linear = m.SolvedRig()
	if f.Linear != nil {
		system := f.Linear.Linear()
		for k := range system.Gradients {
			f.keys = append(f.keys, picture.Distinct(k))
		}
		if len(system.Joints) > 0 {
			f.first = f.boneOf[system.Joints[0]] // the others follow: see Added
		}
		f.places = skinning.NewProxyPlaces(system, f.Seats[f.first:][:len(system.Joints)])
	}
	f.Tints, f.Dyes = make([]skin.Tint, len(m.Skin.Positions)), make([]picture.Dye, len(f.Joints))
	f.Drawn = len(f.Joints)
	f.mix()
	f.Names = newNames(m)
	f.Method, _ = m.Skin.MadeFor()
	return f
}

// scansClip is the clip of a whole model in which it takes the poses of the shapes that it was fitted to.
const scansClip = "scans"

// ClipOf returns the clip that goes with one of the fitted model, whose examples' clip is given; −1 for none.
func (f *Model) ClipOf(of *skinning.Model, clip, examples int) int {
	if !f.Whole || clip < 0 || clip >= len(of.Clips) {
		return clip
	}
	scans := -1
	for i := range f.Model.Clips {
		switch f.Model.Clips[i].Name {
		case scansClip:
			scans = i
		case of.Clips[clip].Name:
			if clip != examples {
				return i
			}
		}
	}
	return scans
}

// WithRig returns the model with its rig replaced, for example after an edit of a coefficient: by one rig that is shown
// and one that an export writes. Both have the key of the old rig and drive its joints, and the skin follows these by
// the same weights as before. The models share everything but the rigs.
func (f *Model) WithRig(shown, written skinning.Rig) (*Model, error) {
	m, out := *f.Written, *f
	if err := m.SetRig(written); err != nil {
		return nil, err
	}
	out.Written = &m
	if shown != written {
		less := *f.Model
		if err := less.SetRig(shown); err != nil {
			return nil, err
		}
		out.Model = &less
	} else {
		out.Model = &m
	}
	out.Subject = posing.Subject{Model: out.Model, Pose: f.Pose, Frame: LazyFrame(out.Model, f.Frame.Centers)}
	return &out, nil
}

type Names struct {
	All, Nouns string // "Blend bones", "blend bones"
	Heading    string // "BLEND BONES"
}

func newNames(m *skinning.Model) Names {
	if _, ok := m.Skin.MadeFor(); ok && len(m.Rigs) == 0 {
		return Names{"Limbs", "limbs", "BODY MODEL"}
	}
	if len(m.Rigs) == 0 { // clips alone move them
		return Names{"Bones", "bones", "BONES"}
	}
	_, bone := m.AddedBones()
	nouns := bone + "s"
	return Names{All: strings.ToUpper(nouns[:1]) + nouns[1:], Nouns: nouns, Heading: strings.ToUpper(nouns)}
}

// Adds reports whether the model has added bones on the first file's mesh, which can be drawn and painted.
func (f *Model) Adds() bool { return len(f.Joints) > 0 && !f.Whole }

// BoneOf returns the bone of a joint, −1 for a joint of the model's own.
func (f *Model) BoneOf(joint int) int { return f.boneOf[joint] }

// Place sets Seen to the places in the frame's pose. It allocates nothing.
func (f *Model) Place() {
	solved, last := f.Linear != nil && !f.Frame.Baked, f.first+f.linearBones()
	for k, j := range f.Joints {
		if !solved || k < f.first || k >= last {
			f.Seen[k] = f.Frame.Matrices[j].Apply(f.Seats[k])
		}
	}
	if solved {
		f.places.At(f.Seen[f.first:last], f.Frame)
	}
}

func (f *Model) linearBones() int {
	if f.Linear == nil {
		return 0
	}
	return len(f.Linear.Joints())
}

func sharesOf(m *skinning.Model, b *skinning.Added) (out []Share) {
	for n, j := range b.Masters {
		name := m.Skeleton.Joints[j].Name
		if name == "" {
			name = "joint " + strconv.Itoa(int(j))
		}
		out = append(out, Share{int(j), name, b.Weights[n]})
	}
	return out
}

// seatsOf returns the mean of the skin at rest weighted by each bone's weights, and the bones that move no skin.
func seatsOf(m *skinning.Model, boneOf, joints []int) (seats []mgl64.Vec3, unused []bool) {
	seats, unused = make([]mgl64.Vec3, len(joints)), make([]bool, len(joints))
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
		unused[k] = !(total[k] > 0)
		if unused[k] {
			seats[k] = m.Skeleton.Joints[j].Position
		} else {
			seats[k] = seats[k].Mul(1 / total[k])
		}
	}
	return seats, unused
}

// animated reports whether a clip moves a node or its parent.
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

// MovedJoint is a joint of a whole model where its fit found it and where it has put it: rest space, metres.
type MovedJoint struct {
	Joint         int // of the model
	Before, After mgl64.Vec3
}

// Clay is the colour of a whole model that lies over the scan that it was fitted to.
var Clay = [4]uint8{235, 96, 24, 255}
