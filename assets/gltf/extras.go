package gltf

import (
	"encoding/json"
	"fmt"
	"slices"

	"skinlab/assets/fault"
	"skinlab/assets/strictjson"
	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// ExtrasKey is where a skin's extras hold what only skinlab knows.
const ExtrasKey = "skinlab"

// Versions of what is under extras.skinlab. Rigs of IndexVersion name joints by their index in the skin, those of
// ListVersion by their index in a list of joints, see [JointsKey]. Both are read, and rigs are written with a list.
const (
	IndexVersion = 1
	ListVersion  = 2
)

// VersionKey is the key of that version under extras.skinlab. The keys of rigs are those of [skinning.RigKind].
const VersionKey = "version"

// IsMark reports whether a key under extras.skinlab says that a skin was made for a method, see [skinning.Input]. The
// value of a mark is an object, so far without members.
func IsMark(key string) bool {
	return key != "" && slices.ContainsFunc(skinning.Inputs(), func(in *skinning.Input) bool { return in.Mark == key })
}

// readRigs reads the rigs of all used skins from their extras. Extras may hold anything: a rig that cannot be read
// becomes a warning, and its joints play their baked motion.
func (d *Source) readRigs() error {
	refused := map[string]bool{} // keys of rigs that the file has and that are not read
	for i := range d.Doc.Skins {
		extras, ok := d.Doc.Skins[i].Extras.(json.RawMessage)
		if !ok || !d.Skins[i].Used {
			continue
		}
		warn := func(err error) {
			if err != nil {
				d.notes.Add("%s: extras.%s: %v; the baked motion is played", fault.Element("skin", i, d.Doc.Skins[i].Name),
					ExtrasKey,
					err)
			}
		}
		var controllers []json.RawMessage
		var in rigJoints
		own, err := ownExtras(extras)
		if err == nil {
			d.checkMarks(i, own)
			d.readFit(own)
			controllers, in, err = d.controllersOf(i, own)
			d.reorderOriginal(i, in.joints)
		}
		warn(err)
		for k := range d.Kinds {
			refused[d.Kinds[k].Key] = refused[d.Kinds[k].Key] || err != nil && own[d.Kinds[k].Key] != nil
		}
		for k, text := range controllers {
			if text != nil {
				err := d.readRig(&in, &d.Kinds[k], text)
				refused[d.Kinds[k].Key] = refused[d.Kinds[k].Key] || err != nil
				warn(err)
			}
		}
	}
	if len(d.Model.Rigs) == 0 { // without a rig, nothing says which fit these weights are from before
		d.Model.Skin.DropInput(&skinning.OriginalWeights)
	}
	d.noteFit(refused)
	for _, rig := range d.Model.Rigs {
		if _, divided := rig.(skinning.DividedRig); !divided {
			d.shareDriven(rig)
		}
	}
	return nil
}

// checkMarks checks the marks of methods in the own extras of skin i: each must be an object without members, and
// primitives of the skin must have the method's input. A mark does not change the model, so a fault is only a warning.
func (d *Source) checkMarks(i int, own map[string]json.RawMessage) {
	for _, in := range skinning.Inputs() {
		text := own[in.Mark]
		if text == nil || string(text) == "null" {
			continue
		}
		warn := func(format string, args ...any) {
			d.notes.Add("%s: extras.%s.%s: %s", fault.Element("skin", i, d.Doc.Skins[i].Name), ExtrasKey, in.Mark,
				fmt.Sprintf(format, args...))
		}
		unknown := func(path string) { warn("%s is not known", fault.Shorten(path)) }
		if err := strictjson.Unmarshal(text, &struct{}{}, strictjson.Options{Unknown: unknown}); err != nil {
			warn("%v", err)
		}
		if slices.Contains(d.Skins[i].inputs, in) {
			continue
		}
		if in.Components == 0 {
			warn("no primitive has %s, so %s reads %s for both weight sets", SetOf(in).Joints(0), in.Reader(),
				LinearSet.Joints(0))
		} else {
			warn("no primitive has %s, which %s reads", Attribute(in), in.Reader())
		}
	}
}

// rigJoints says which joints of the model the joint numbers of a skin's rigs mean.
type rigJoints struct {
	joints []int   // by number; −1 for one that the skin does not have
	why    []error // it does not have it; nil for rigs of IndexVersion
}

// find returns the rig with the model's joints in place of its joint numbers.
func (in *rigJoints) find(d *Source, rig skinning.Rig) (skinning.Rig, error) {
	named := slices.Concat(rig.Joints(), rig.Reads())
	if twisted, ok := rig.(skinning.TwistRig); ok {
		for _, b := range twisted.TwistBones() {
			named = append(named, b.Joint, b.Parent)
		}
	}
	for _, j := range named {
		if j >= 0 && j < len(in.joints) && in.joints[j] < 0 {
			return nil, in.why[j]
		}
	}
	if in.why == nil {
		if err := d.checkOrder(in, rig); err != nil {
			return nil, err
		}
	}
	return rig.Remap(func(joint int) int { return in.joints[joint] }), nil
}

// checkOrder finds a skin whose joints another program has brought into another order, in a file of IndexVersion. Where
// joints have names that the exporter gives to those of such a rig, they must be the rig's own, in their order.
func (d *Source) checkOrder(in *rigJoints, rig skinning.Rig) error {
	driven := rig.Joints()
	last := -1
	number := func(joint int) int {
		return skinning.AddedNumber(rig.Names().Bone, d.Model.Skeleton.Joints[joint].Name)
	}
	if !slices.ContainsFunc(in.joints, func(j int) bool { return number(j) >= 0 }) {
		return nil
	}
	for _, j := range driven {
		n := number(in.joints[j])
		if n <= last {
			return fmt.Errorf("joint %d is %q, expected one of the %s: the order of the skin's joints has changed", j,
				fault.Shorten(d.Model.Skeleton.Joints[in.joints[j]].Name), rig.Names().Bones())
		}
		last = n
	}
	return nil
}

// readRig reads a rig of a skin and adds it to the model.
func (d *Source) readRig(in *rigJoints, kind *skinning.RigKind, text json.RawMessage) error {
	rig, err := kind.Read(text, len(in.joints))
	if rig == nil || err != nil {
		return err
	}
	if rig, err = in.find(d, rig); err != nil {
		return err
	}
	if at := slices.IndexFunc(d.Model.Rigs, func(r skinning.Rig) bool { return r.Key() == kind.Key }); at >= 0 {
		divided, ok := d.Model.Rigs[at].(skinning.DividedRig)
		if !ok {
			return fmt.Errorf("%d %s, another skin has some", len(rig.Joints()), rig.Names().Bones())
		}
		if rig, err = divided.Join(rig); err != nil {
			return err
		}
	}
	if err := d.Model.SetRig(rig); err != nil {
		return fmt.Errorf("%s", fault.Shorten(err.Error()))
	}
	return nil
}

// reorderOriginal gives the weights from before a fit the joints of skin i that their numbers meant when the file was
// written. A program that reorders joints renumbers JOINTS_n, and does not know these. Where it has left a joint out,
// they go.
func (d *Source) reorderOriginal(i int, joints []int) {
	set := d.Model.Skin.Input(&skinning.OriginalWeights)
	if set == nil || !d.Skins[i].Reordered {
		return
	}
	to := map[uint16]uint16{}
	for number, j := range joints {
		if j < 0 {
			d.Model.Skin.DropInput(set.Input)
			return
		}
		to[uint16(d.Skins[i].First+number)] = uint16(j)
	}
	rename(&set.Weights, to)
}

// rename replaces joints of influences.
func rename(in *skinning.Influences, to map[uint16]uint16) {
	for v := range in.Bindings {
		for k, j := range in.Bindings[v].Joints {
			if p, ok := to[j]; ok && in.Bindings[v].Weights[k] > 0 {
				in.Bindings[v].Joints[k] = p
			}
		}
	}
	for k := range in.Extra {
		if p, ok := to[in.Extra[k].Joint]; ok {
			in.Extra[k].Joint = p
		}
	}
}

// shareDriven makes the vertices of all skins follow the joints of a rig that one skin keeps whole. Other skins have
// joints of the same nodes, bound alike up to the float32 rounding of the matrices between the skins' rest spaces; each
// is replaced by the rig's own.
func (d *Source) shareDriven(rig skinning.Rig) {
	joints := d.Model.Skeleton.Joints
	drivenOf := map[int]int{} // by node
	for _, j := range rig.Joints() {
		drivenOf[joints[j].Node] = j
	}
	reads := rig.Reads()
	to := map[uint16]uint16{}
	for j := range joints {
		p, ok := drivenOf[joints[j].Node]
		if ok && p != j && !slices.Contains(reads, j) && joints[p].MovesLike(&joints[j], 1e-4) {
			to[uint16(j)] = uint16(p)
		}
	}
	if len(to) == 0 {
		return
	}
	for _, set := range d.Model.Skin.WeightSets() {
		rename(set, to)
	}
}

// ownExtras returns skinlab's values in a skin's extras by key; nil if there are none.
func ownExtras(text json.RawMessage) (own map[string]json.RawMessage, err error) {
	var extras map[string]json.RawMessage
	if json.Unmarshal(text, &extras) != nil || extras[ExtrasKey] == nil {
		return nil, nil // extras of other programs
	}
	if err := json.Unmarshal(extras[ExtrasKey], &own); err != nil {
		return nil, fmt.Errorf("not understood: %s", fault.Shorten(err.Error()))
	}
	return own, nil
}

// controllersOf returns, for each kind of rig, its text in the own extras of skin i, nil where there is none; and what
// the joint numbers in it mean.
func (d *Source) controllersOf(i int, own map[string]json.RawMessage) (out []json.RawMessage, in rigJoints, err error) {
	out = make([]json.RawMessage, len(d.Kinds))
	some := false
	for k, kind := range d.Kinds {
		if text := own[kind.Key]; string(text) != "null" {
			out[k], some = text, some || text != nil
		}
	}
	if !some {
		return nil, in, nil
	}
	version := 0
	if err := json.Unmarshal(own[VersionKey], &version); err != nil {
		return nil, in, fmt.Errorf("version %s not understood", fault.Shorten(string(own[VersionKey])))
	}
	switch version {
	case IndexVersion:
		in.joints = consecutive(d.Skins[i].First, len(d.Doc.Skins[i].Joints))
	case ListVersion:
		list, err := readJointList(own)
		if err != nil {
			return nil, in, err
		}
		in.joints, in.why = d.findJoints(i, list)
		d.Skins[i].Reordered = !slices.Equal(in.joints, consecutive(d.Skins[i].First, len(list)))
	default:
		return nil, in, fmt.Errorf("version %d, this reader reads %d and %d", version, IndexVersion, ListVersion)
	}
	return out, in, nil
}

// consecutive returns n numbers from first on.
func consecutive(first, n int) []int {
	out := make([]int, n)
	for k := range out {
		out[k] = first + k
	}
	return out
}

// Keys under extras.skinlab that say which fit has written a file: its name on the command line, the number of bones
// that it has added, the largest error between their keys, as a fraction of the rest diagonal, and the clip that has it.
const (
	FitKey          = "fit"
	BonesKey        = "bones"
	KeyErrorKey     = "keyError"
	KeyErrorClipKey = "keyErrorClip"
	ForKey          = "for"     // the method that weights were trained for, where it is not linear blending
	TeacherKey      = "teacher" // what it learnt from: a method, or "examples", see [skinning.FitRecord]
)

// readFit reads what a skin's own extras say of the fit. Anything else than a name is as if nothing was said.
func (d *Source) readFit(own map[string]json.RawMessage) {
	var r skinning.FitRecord
	if json.Unmarshal(own[FitKey], &r.Method) != nil || r.Method == "" {
		return
	}
	r.Method = fault.Shorten(r.Method)
	if json.Unmarshal(own[ForKey], &r.For) != nil || !known(r.For) {
		r.For = ""
	}
	if json.Unmarshal(own[TeacherKey], &r.Teacher) != nil {
		r.Teacher = ""
	}
	r.Teacher = fault.Shorten(r.Teacher)
	if json.Unmarshal(own[BonesKey], &r.Bones) != nil || r.Bones < 0 || json.Unmarshal(own[KeyErrorKey], &r.KeyError) != nil {
		r.Bones, r.KeyError = max(r.Bones, 0), nil
	}
	if json.Unmarshal(own[KeyErrorClipKey], &r.KeyErrorClip) != nil {
		r.KeyErrorClip = ""
	}
	r.KeyErrorClip = fault.Shorten(r.KeyErrorClip)
	d.Model.Fit = &r
}

// known reports whether a name is that of a method.
func known(method string) bool {
	_, err := skinning.ParseMethod(method)
	return err == nil
}

// noteFit completes what is known of the fit that has made a file: by its rigs, or where other programs have dropped
// these with the extras, by the names that the exporter gives to their joints. A rig that is lost is a warning, unless
// it is one of those that were refused with a warning of their own.
func (d *Source) noteFit(refused map[string]bool) {
	for _, kind := range d.Kinds {
		at := slices.IndexFunc(d.Model.Rigs, func(r skinning.Rig) bool { return r.Key() == kind.Key })
		nodes := map[int]bool{}
		for j := range d.Model.Skeleton.Joints {
			if joint := &d.Model.Skeleton.Joints[j]; at < 0 && skinning.AddedNumber(kind.Bone, joint.Name) >= 0 {
				nodes[joint.Node] = true
			}
		}
		if at < 0 && len(nodes) == 0 {
			continue
		}
		bones := len(nodes)
		if at >= 0 {
			bones = d.Model.Skeleton.NodesOf(d.Model.Rigs[at].Joints())
		} else if !refused[kind.Key] {
			d.notes.Add("%s called %q and so on: a fit has made this file, and what drove its %ss is lost with its extras; "+
				"only the keys in clips move them", messages.Count(bones, "joint is", "joints are"),
				skinning.AddedName(kind.Bone, 0), kind.Bone)
		}
		if d.Model.Fit == nil {
			d.Model.Fit = &skinning.FitRecord{}
		}
		r := d.Model.Fit
		if r.Bone == "" {
			r.Bone, r.Bones = kind.Bone, 0
		} else {
			r.Bone = skinning.AddedBone
		}
		r.Bones, r.RigLost = r.Bones+bones, r.RigLost || at < 0
	}
}
