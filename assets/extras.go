package assets

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"skinlab/skinning"
)

// extrasKey is where a skin's extras hold what only skinlab knows.
const extrasKey = "skinlab"

// controllersVersion is the version of the controllers that are written and read.
const controllersVersion = 1

// versionKey is the name of that version under extras.skinlab; all others are those of [skinning.RigKind].
const versionKey = "version"

// readRigs drives the added joints of all used skins, where the file says how. Extras may hold anything: what cannot be
// understood becomes a warning, and the joints are then played as they are.
func (d *decoder) readRigs() error {
	for i := range d.doc.Skins {
		if !d.skins[i].used || len(d.doc.Skins[i].Extras) == 0 {
			continue
		}
		warn := func(err error) {
			if err != nil {
				d.notes.add("%s: extras.%s: %v; the baked motion is played", element("skin", i, d.doc.Skins[i].Name), extrasKey,
					err)
			}
		}
		own, err := d.controllersOf(d.doc.Skins[i].Extras)
		warn(err)
		for k, text := range own {
			if text != nil {
				warn(d.readRig(i, &d.kinds[k], text))
			}
		}
	}
	for _, rig := range d.model.Rigs {
		if _, divided := rig.(skinning.DividedRig); !divided {
			d.shareDriven(rig)
		}
	}
	return nil
}

// readRig adds the rig of a kind that skin i has to the model's.
func (d *decoder) readRig(i int, kind *skinning.RigKind, text json.RawMessage) error {
	rig, err := kind.Read(text, len(d.doc.Skins[i].Joints))
	if rig == nil || err != nil {
		return err
	}
	rig = rig.Remap(func(joint int) int { return d.skins[i].first + joint })
	if at := slices.IndexFunc(d.model.Rigs, func(r skinning.Rig) bool { return r.Key() == kind.Key }); at >= 0 {
		divided, ok := d.model.Rigs[at].(skinning.DividedRig)
		if !ok {
			return fmt.Errorf("%d %s, another skin has some", len(rig.Joints()), rig.Names().Bones())
		}
		if rig, err = divided.Join(rig); err != nil {
			return err
		}
	}
	if err := d.model.SetRig(rig); err != nil {
		return fmt.Errorf("%s", shorten(err.Error()))
	}
	return nil
}

// shareDriven lets the vertices of other skins follow the joints of a rig that one skin keeps whole: theirs are joints
// of the same nodes, bound alike, to what float32 leaves of a matrix that leads from one skin's rest space into
// another's.
func (d *decoder) shareDriven(rig skinning.Rig) {
	joints := d.model.Skeleton.Joints
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
	in := &d.model.Skin.Influences
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

// controllersOf returns what a skin's extras have of each of the decoder's kinds of rigs, nil where there is none.
func (d *decoder) controllersOf(text json.RawMessage) ([]json.RawMessage, error) {
	var extras map[string]json.RawMessage
	if json.Unmarshal(text, &extras) != nil || extras[extrasKey] == nil {
		return nil, nil // somebody else's
	}
	var own map[string]json.RawMessage
	if err := json.Unmarshal(extras[extrasKey], &own); err != nil {
		return nil, fmt.Errorf("not understood: %s", shorten(err.Error()))
	}
	out, some := make([]json.RawMessage, len(d.kinds)), false
	for k, kind := range d.kinds {
		if text := own[kind.Key]; string(text) != "null" {
			out[k], some = text, some || text != nil
		}
	}
	if !some {
		return nil, nil
	}
	version := 0
	if err := json.Unmarshal(own[versionKey], &version); err != nil {
		return nil, fmt.Errorf("version %s not understood", shorten(string(own[versionKey])))
	}
	if version != controllersVersion {
		return nil, fmt.Errorf("version %d, this reader reads %d", version, controllersVersion)
	}
	return out, nil
}

// putControllers leaves the controllers of a skin's added joints in its extras, beside what is there, and takes away
// those of an earlier fit, but for rigs that the fitted model still has from its file. A nil plan is that of a skin
// that nothing uses.
func (x *exporter) putControllers(skin dict, p *skinPlan) {
	extras, ok := skin["extras"].(dict)
	if !ok {
		extras = dict{}
		if old := skin["extras"]; old != nil {
			extras["extras"] = old // a number, a text, a list: glTF allows any
		}
	}
	old, _ := extras[extrasKey].(dict)
	delete(extras, extrasKey)
	own := dict{}
	if p != nil {
		x.addControllers(own, old, p)
	}
	if len(own) > 0 {
		own[versionKey] = controllersVersion
		extras[extrasKey] = own
	}
	switch {
	case len(own) == 0 && !ok: // none, or none that could be ours
	case len(extras) == 0:
		delete(skin, "extras")
	default:
		skin["extras"] = extras
	}
}

// addControllers puts a skin's rigs among its own extras: those that stay from old ones, and those of the fit with what
// the caller says of it.
func (x *exporter) addControllers(own, old dict, p *skinPlan) {
	for r, rig := range x.fitted.Rigs {
		if text := old[rig.Key()]; x.kept[r] && text != nil {
			own[rig.Key()] = text
		}
	}
	rigs := x.rigsOf(p)
	if len(rigs) == 0 {
		return
	}
	for name, value := range x.opt.Extras {
		if f, ok := value.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			value = nil // JSON has no such number
		}
		if !slices.ContainsFunc(x.kinds, func(k skinning.RigKind) bool { return k.Key == name }) {
			own[name] = value
		}
	}
	for _, rig := range rigs {
		own[rig.Key()] = rig.Encode(x.fitted)
	}
}

// rigsOf returns the fit's rigs as a skin keeps them: their joints are its own.
func (x *exporter) rigsOf(p *skinPlan) (rigs []skinning.Rig) {
	for r, rig := range x.fitted.Rigs {
		if x.kept[r] {
			continue
		}
		if divided, ok := rig.(skinning.DividedRig); ok {
			rig = divided.Part(func(joint int) bool { _, has := p.local[joint]; return has })
		} else if !p.whole[r] {
			continue
		}
		if len(rig.Joints()) > 0 {
			rigs = append(rigs, rig.Remap(func(joint int) int { return p.local[joint] }))
		}
	}
	return rigs
}
