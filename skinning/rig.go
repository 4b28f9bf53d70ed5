package skinning

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// Rig drives joints that a fit has added behind a model's own. In every frame it makes their matrices from those of
// the joints that it reads, and the skin is posed by linear blending over all of them.
//
// A new kind of rig is one file in package skinning/rig, with a type that has these methods and its [RigKind], and one
// line in rig.Kinds. All other code uses rigs by this interface. The optional interfaces [DividedRig], [ChildRig] and
// [LinearRig] have what only some rigs offer. A rig of a model is read-only.
type Rig interface {
	// Key is the rig's name in a file, under extras.skinlab of a skin. A model has at most one rig of a key.
	Key() string
	Names() RigNames
	// Joints returns the joints that the rig drives, as indices into Skeleton.Joints.
	Joints() []int
	// Reads returns the joints whose matrices the rig reads. One may be listed twice.
	Reads() []int
	// Shares returns the joints that move joint number k of Joints, with non-negative weights that sum to 1.
	Shares(k int) (joints []uint16, weights []float64)
	// NewDriver makes the driver of the rig's joints in one frame. It uses kernels of a level.
	NewDriver(s *Skeleton, level simd.Level) RigDriver
	// Remap returns a copy of the rig in which every joint j is joint of(j).
	Remap(of func(joint int) int) Rig
	// Validate checks the rig against a skeleton.
	Validate(s *Skeleton) error
	// Encode returns the rig's data for a file, as a value that package json can write. Its joint indices are the rig's
	// own; m is the model that the rig is of, or was before a [Rig.Remap].
	Encode(m *Model) any
}

// RigNames is what people read of a rig.
type RigNames struct {
	Bone  string // one of the joints that it drives: "blend bone"
	Title string // the way of skinning: "Blend bones"
	Note  string // what the joints do, after their number and Bone: "sampling DQS"
}

// Bones returns the plural of Bone.
func (n RigNames) Bones() string { return n.Bone + "s" }

// RigDriver drives the joints of a rig in the frame that it was made for. It may keep memory between poses and then
// allocates nothing.
//
// It reads the [Frame.Matrices] of the joints that its rig reads. It gets their rigid parts and scales from a
// [JointSplitter] of its own. It must not ask for the frame's forms, such as [Frame.Rigid], because the frame would
// keep forms of joints that have not been driven yet. [Frame.EvaluateSplit] samples a method over joints that have been
// split, and [Method.BoneKernel] takes several samples at once.
//
// It writes the matrices of the rig's joints, all of them at every call: one by one by [Frame.SetMatrix], or by a
// kernel of package simd to [Frame.DriveMemory].
type RigDriver interface {
	Drive(f *Frame)
}

// DividedRig is a rig whose joints are driven one by one, each by the joints that Shares names. In a file, every skin
// keeps the joints that it uses. Any other rig is kept whole, by one skin.
type DividedRig interface {
	Rig
	// Part returns the rig reduced to the driven joints for which has returns true.
	Part(has func(joint int) bool) Rig
	// Join returns the rig of this one's joints and another's of the same key.
	Join(other Rig) (Rig, error)
}

// ChildRig is a rig whose joints are children of other joints. The matrix of such a joint is its parent's, for any
// parent matrix, times a similarity of rest space. In a file a joint's node is a child of its parent's node.
type ChildRig interface {
	Rig
	// ParentOf returns the joint that joint number k of Joints is a child of. The rig does not drive it.
	ParentOf(k int) int
}

// TwistRig is a rig that was fitted to twist-swing skinning. The twist parents and axes of its model came from
// weights that the fit has replaced, so the rig has them.
type TwistRig interface {
	Rig
	// TwistBones lists joints of the model's own; none of a rig that does not read twists.
	TwistBones() []TwistBone
}

// RigKind is how a file names a kind of rig, and how it is read.
type RigKind struct {
	Key  string
	Bone string // RigNames.Bone of its rigs
	// Read makes a rig from the JSON that [Rig.Encode] writes, for a file with that many joint numbers, which the rig
	// has as its joints. It returns nil for a rig that drives no joint. The text may be any JSON: an error says in
	// one sentence what was expected.
	Read func(text []byte, joints int) (Rig, error)
}

// RigOf returns the first of a model's rigs that is an R, a type of rig or an interface that some rigs have. Without
// one it returns nil.
func RigOf[R Rig](m *Model) (none R) {
	for _, rig := range m.Rigs {
		if r, ok := rig.(R); ok {
			return r
		}
	}
	return none
}

// SetRig gives the model a rig and drops the model's former rig of the same key. Other models that share the list of
// rigs stay as they are. Frames drive it after the model's other rigs, but before one that reads its joints. It is an
// error where the rig is not valid, or drives a joint that another rig drives.
func (m *Model) SetRig(rig Rig) error {
	if err := rig.Validate(&m.Skeleton); err != nil {
		return err
	}
	rigs := slices.DeleteFunc(slices.Clone(m.Rigs), func(r Rig) bool { return r.Key() == rig.Key() })
	joints := rig.Joints()
	for _, other := range rigs {
		for _, j := range other.Joints() {
			if slices.Contains(joints, j) {
				return fmt.Errorf("joint %d is driven by %s already", j, other.Names().Bones())
			}
		}
	}
	if r, ok := rig.(interface{ Prepare() }); ok {
		r.Prepare()
	}
	at := slices.IndexFunc(rigs, func(r Rig) bool { return readsAny(r, joints) })
	if at < 0 {
		at = len(rigs)
	}
	m.Rigs = slices.Insert(rigs, at, rig)
	return nil
}

// WithRig returns a copy of the model with a rig, with one joint more for each that the rig drives, and with new
// weights over all joints, see [Mesh.SetWeights]. The rig's joints must be those behind the model's own, in their
// order. Each is a root on a node of its own behind the model's, at its place: metres, rest space. The influences of m
// stay as [OriginalWeights], or those that it has already. The copy shares everything else with m.
func (m *Model) WithRig(rig Rig, places []mgl64.Vec3, weights Influences) (*Model, error) {
	out := *m
	s := &out.Skeleton
	joints, nodes := len(s.Joints), len(s.Nodes)
	driven := rig.Joints()
	if len(driven) != len(places) {
		panic(fmt.Sprintf("skinning: Model.WithRig: %d places for %d joints", len(places), len(driven)))
	}
	s.Nodes, s.Joints = slices.Clip(s.Nodes), slices.Clip(s.Joints)
	for k, at := range places {
		if driven[k] != joints+k {
			panic(fmt.Sprintf("skinning: Model.WithRig: joint %d of the rig is %d, expected %d", k, driven[k], joints+k))
		}
		skin := 0 // the skin of the first joint that the rig reads
		if j := readFirst(rig, k); j >= 0 && j < joints {
			skin = s.Joints[j].Skin
		}
		name := AddedName(rig.Names().Bone, k)
		node := Node{Name: name, Parent: -1, Rest: geom.IdentityTransform()}
		node.Rest.Translation = at
		s.Nodes = append(s.Nodes, node)
		s.Joints = append(s.Joints, Joint{Name: name, Node: nodes + k, Skin: skin, Parent: -1, Position: at,
			FromRest: geom.NewAffine(geom.Identity3(), at.Mul(-1))})
	}
	if err := s.SortNodes(); err != nil {
		return nil, err
	}
	out.Skin.SetWeights(weights)
	switch of := m.Skin.Input(&OriginalWeights); {
	case of != nil:
		out.Skin.SetInput(*of)
	case len(m.Skin.WeightSets()) == 1: // where there are two, neither alone is what the model was
		out.Skin.SetInput(InputData{Input: &OriginalWeights, Weights: m.Skin.Influences})
	}
	if err := out.SetRig(rig); err != nil {
		return nil, err
	}
	return &out, weights.Validate(len(s.Joints))
}

// AddedName returns the name of the node of an added joint: its number behind what people call one, as in
// "blend-bone-3".
func AddedName(bone string, number int) string {
	return strings.ReplaceAll(bone, " ", "-") + "-" + strconv.Itoa(number)
}

// AddedNumber returns the number in a name that [AddedName] made; −1 for any other name.
func AddedNumber(bone, name string) int {
	digits, _ := strings.CutPrefix(name, strings.ReplaceAll(bone, " ", "-")+"-")
	if number, err := strconv.Atoi(digits); err == nil && number >= 0 && AddedName(bone, number) == name {
		return number
	}
	return -1
}

// readFirst returns the first joint that drives joint number k of a rig, −1 for none.
func readFirst(rig Rig, k int) int {
	if divided, ok := rig.(DividedRig); ok {
		if joints, _ := divided.Shares(k); len(joints) > 0 {
			return int(joints[0])
		}
		return -1
	}
	if joints := rig.Reads(); len(joints) > 0 {
		return joints[0]
	}
	return -1
}

// readsAny reports whether a rig reads one of some joints.
func readsAny(rig Rig, joints []int) bool {
	return slices.ContainsFunc(rig.Reads(), func(j int) bool { return slices.Contains(joints, j) })
}

// Added is a joint that a fit has put behind a model's own, with the shares by which the own joints move it
// ([Rig.Shares]).
type Added struct {
	Joint   int
	Masters []uint16
	Weights []float64 // one per master, the largest first
}

// Added lists the joints of the model's rigs, in the order of these.
func (m *Model) Added() (out []Added) {
	for _, rig := range m.Rigs {
		for k, joint := range rig.Joints() {
			masters, weights := rig.Shares(k)
			out = append(out, sortedAdded(joint, masters, weights))
		}
	}
	return out
}

// AddedBone is what people call a joint that one of several kinds of rigs drives.
const AddedBone = "added bone"

// AddedBones returns the number of bones that the model's rigs drive, and what people call one: by its rig or, where
// rigs are of several kinds, [AddedBone]. A bone is a node, which is a joint of each of its skins. Without a rig the
// name is "".
func (m *Model) AddedBones() (count int, bone string) {
	for _, rig := range m.Rigs {
		count += m.Skeleton.NodesOf(rig.Joints())
		bone = rig.Names().Bone
	}
	if len(m.Rigs) > 1 {
		bone = AddedBone
	}
	return count, bone
}

func sortedAdded(joint int, masters []uint16, weights []float64) Added {
	a := Added{Joint: joint}
	order := make([]int, len(masters))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(weights[y], weights[x]) })
	for _, k := range order {
		a.Masters, a.Weights = append(a.Masters, masters[k]), append(a.Weights, weights[k])
	}
	return a
}
