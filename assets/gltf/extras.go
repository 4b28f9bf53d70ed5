package gltf

import (
	"encoding/json"
	"fmt"
	"slices"

	"skinlab/assets/fault"
	"skinlab/assets/strictjson"
	"skinlab/skinning"
)

// ExtrasKey is where a skin's extras hold what only skinlab knows.
const ExtrasKey = "skinlab"

// ControllersVersion is the version of the controllers that are written and read.
const ControllersVersion = 1

// VersionKey is the key of that version under extras.skinlab. The keys of rigs are those of [skinning.RigKind].
const VersionKey = "version"

// TwistSwingKey says under extras.skinlab that a skin was made for twist-swing with two weight sets. Its value is an
// object, so far without members. docs/twist-swing.md says what the sets are.
const TwistSwingKey = "twistSwing"

// readRigs reads the rigs of all used skins from their extras. Extras may hold anything: a rig that cannot be read
// becomes a warning, and its joints play their baked motion.
func (d *Source) readRigs() error {
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
		own, err := ownExtras(extras)
		if err == nil {
			d.checkTwistSwing(i, own[TwistSwingKey])
			controllers, err = d.controllersOf(own)
		}
		warn(err)
		for k, text := range controllers {
			if text != nil {
				warn(d.readRig(i, &d.Kinds[k], text))
			}
		}
	}
	for _, rig := range d.Model.Rigs {
		if _, divided := rig.(skinning.DividedRig); !divided {
			d.shareDriven(rig)
		}
	}
	return nil
}

// checkTwistSwing checks the twist-swing mark in the extras of skin i: it must be an object without members, and
// primitives of the skin must have a second weight set. The mark does not change the model, so a fault is only a
// warning.
func (d *Source) checkTwistSwing(i int, text json.RawMessage) {
	if text == nil || string(text) == "null" {
		return
	}
	warn := func(format string, args ...any) {
		d.notes.Add("%s: extras.%s.%s: %s", fault.Element("skin", i, d.Doc.Skins[i].Name), ExtrasKey, TwistSwingKey,
			fmt.Sprintf(format, args...))
	}
	unknown := func(path string) { warn("%s is not known", fault.Shorten(path)) }
	if err := strictjson.Unmarshal(text, &struct{}{}, strictjson.Options{Unknown: unknown}); err != nil {
		warn("%v", err)
	}
	if !d.Skins[i].twisted {
		warn("no primitive has %s, so twist-swing reads %s for both weight sets", TwistSet.Joints(0), LinearSet.Joints(0))
	}
}

// readRig reads a rig of skin i and adds it to the model.
func (d *Source) readRig(i int, kind *skinning.RigKind, text json.RawMessage) error {
	rig, err := kind.Read(text, len(d.Doc.Skins[i].Joints))
	if rig == nil || err != nil {
		return err
	}
	rig = rig.Remap(func(joint int) int { return d.Skins[i].First + joint })
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
	share := func(in *skinning.Influences) {
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
	share(&d.Model.Skin.Influences)
	if d.Model.Skin.Twist != nil {
		share(d.Model.Skin.Twist)
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

// controllersOf returns, for each kind of rig, its text in a skin's own extras; nil where there is none.
func (d *Source) controllersOf(own map[string]json.RawMessage) ([]json.RawMessage, error) {
	out, some := make([]json.RawMessage, len(d.Kinds)), false
	for k, kind := range d.Kinds {
		if text := own[kind.Key]; string(text) != "null" {
			out[k], some = text, some || text != nil
		}
	}
	if !some {
		return nil, nil
	}
	version := 0
	if err := json.Unmarshal(own[VersionKey], &version); err != nil {
		return nil, fmt.Errorf("version %s not understood", fault.Shorten(string(own[VersionKey])))
	}
	if version != ControllersVersion {
		return nil, fmt.Errorf("version %d, this reader reads %d", version, ControllersVersion)
	}
	return out, nil
}
