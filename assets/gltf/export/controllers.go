package export

import (
	"encoding/json"
	"math"
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/gltf"
	"skinlab/skinning"
)

// putControllers leaves the controllers of a skin's added joints in its extras, beside what is there, and takes away
// those of an earlier fit, but for rigs that the fitted model still has from its file. A nil plan is that of a skin
// that nothing uses.
func (x *exporter) putControllers(skin *qgltf.Skin, p *skinPlan) {
	var all, old map[string]json.RawMessage
	text, _ := skin.Extras.(json.RawMessage)
	foreign := text != nil && json.Unmarshal(text, &all) != nil // a number, a text, a list: glTF allows any
	if foreign {
		all = map[string]json.RawMessage{"extras": text}
	}
	if json.Unmarshal(all[gltf.ExtrasKey], &old) != nil {
		old = nil // not ours
	}
	delete(all, gltf.ExtrasKey)
	own := map[string]any{}
	if p != nil {
		x.addControllers(own, old, p)
	}
	extras := map[string]any{}
	for name, value := range all {
		extras[name] = value
	}
	switch {
	case len(own) > 0:
		own[gltf.VersionKey] = gltf.ControllersVersion
		extras[gltf.ExtrasKey] = own
		skin.Extras = extras
	case foreign:
	case len(extras) == 0:
		skin.Extras = nil
	default:
		skin.Extras = extras
	}
}

// addControllers puts a skin's rigs among its own extras: those that stay from old ones, and those of the fit with what
// the caller says of it.
func (x *exporter) addControllers(own map[string]any, old map[string]json.RawMessage, p *skinPlan) {
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
		if !slices.ContainsFunc(x.Kinds, func(k skinning.RigKind) bool { return k.Key == name }) {
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
