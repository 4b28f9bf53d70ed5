package export

import (
	"encoding/json"
	"math"
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/gltf"
	"skinlab/skinning"
)

// putControllers writes the controllers of a skin's added joints into its extras, beside what other programs have
// there. Controllers of an earlier fit are removed, unless the fitted model still has their rigs. A skin that is not
// used has no plan.
func (x *exporter) putControllers(skin *qgltf.Skin, p *skinPlan) {
	var old map[string]json.RawMessage
	all, foreign := extrasOf(skin.Extras)
	if json.Unmarshal(all[gltf.ExtrasKey], &old) != nil {
		old = nil // not ours
	}
	delete(all, gltf.ExtrasKey)
	own := map[string]any{}
	if p != nil {
		x.addControllers(own, old, skin, p)
	}
	extras := map[string]any{}
	for name, value := range all {
		extras[name] = value
	}
	switch {
	case len(own) > 0:
		own[gltf.VersionKey] = gltf.IndexVersion
		if own[gltf.JointsKey] != nil {
			own[gltf.VersionKey] = gltf.ListVersion
		}
		extras[gltf.ExtrasKey] = own
		skin.Extras = extras
	case foreign:
	case len(extras) == 0:
		skin.Extras = nil
	default:
		skin.Extras = extras
	}
}

// extrasOf returns the extras of an element of the source by name. GlTF allows extras that are not objects, such as a
// number, a text or a list. These are returned as foreign, without any others.
func extrasOf(extras any) (all map[string]json.RawMessage, foreign bool) {
	text, _ := extras.(json.RawMessage)
	foreign = text != nil && json.Unmarshal(text, &all) != nil
	if foreign {
		all = map[string]json.RawMessage{"extras": text}
	}
	return all, foreign
}

// noteWays writes into each clip which way round joints turn in its baked keys, where that matters to a rig: see
// [skinning.Signs.Way]. Extras of a clip that are not an object stay as they are, and nothing is written.
func (x *exporter) noteWays() {
	if skinning.RigOf[skinning.LongWayRig](x.fitted) == nil {
		return
	}
	for i := range x.fitted.Clips {
		own := map[string]string{"way": skinning.SignsOf(x.fitted, i, true).Way()}
		all, foreign := extrasOf(x.Doc.Animations[i].Extras)
		if foreign {
			continue
		}
		extras := map[string]any{}
		for name, value := range all {
			extras[name] = value
		}
		extras[gltf.ExtrasKey] = own
		x.Doc.Animations[i].Extras = extras
	}
}

// addControllers adds to a skin's extras.skinlab: the marks of methods, where their inputs stay; the rigs of the file
// that stay, unchanged; then the rigs of the fit, and the caller's own values; and the list of joints that rigs name.
func (x *exporter) addControllers(own map[string]any, old map[string]json.RawMessage, skin *qgltf.Skin, p *skinPlan) {
	for _, in := range x.fitted.Skin.Inputs {
		if text := old[in.Mark]; text != nil {
			own[in.Mark] = text
		}
	}
	some := false
	for r, rig := range x.fitted.Rigs {
		if text := old[rig.Key()]; x.fromFile[r] && text != nil {
			own[rig.Key()] = text
			if p.reordered {
				own[rig.Key()] = x.local(rig, p).Encode(x.fitted)
			}
			some = true
		}
	}
	rigs := x.rigsOf(p)
	switch {
	case some && len(rigs) == 0 && len(x.opt.Extras) == 0: // the file stays what an earlier fit has made of it
		kept := map[string]any{}
		for name, value := range old {
			if name != gltf.VersionKey {
				kept[name] = value
			}
		}
		addOwnExtras(own, kept, x.Kinds)
	case len(rigs) > 0 || len(x.opt.Extras) > 0:
		addOwnExtras(own, x.opt.Extras, x.Kinds)
		if own[gltf.FitKey] != nil {
			own[gltf.BonesKey], own[gltf.KeyErrorKey] = x.report.Bones, x.report.MaxError
			if x.report.WorstClip != "" {
				own[gltf.KeyErrorClipKey] = x.report.WorstClip
			}
		}
	}
	for _, rig := range rigs {
		own[rig.Key()] = rig.Encode(x.fitted)
	}
	if some || len(rigs) > 0 {
		list := make([]gltf.ListedJoint, len(skin.Joints))
		for k, node := range skin.Joints {
			list[k] = gltf.ListedJoint{Node: node, Name: x.Doc.Nodes[node].Name}
			for _, v := range p.rests[k] {
				list[k].Rest = append(list[k].Rest, float32(v))
			}
		}
		own[gltf.JointsKey] = list
	}
}

// addOwnExtras adds the caller's values to extras.skinlab, see [Options.Extras].
func addOwnExtras(own, extras map[string]any, kinds []skinning.RigKind) {
	for name, value := range extras {
		if f, ok := value.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			value = nil // JSON has no such number
		}
		taken := slices.ContainsFunc(kinds, func(k skinning.RigKind) bool { return k.Key == name })
		if !gltf.IsMark(name) && name != gltf.JointsKey && !taken {
			own[name] = value
		}
	}
}

// rigsOf returns the fit's rigs, or the parts of them, that a skin keeps. Joints are indices into the skin's list.
func (x *exporter) rigsOf(p *skinPlan) (rigs []skinning.Rig) {
	for r, rig := range x.fitted.Rigs {
		if x.fromFile[r] {
			continue
		}
		if _, divided := rig.(skinning.DividedRig); !divided && !p.whole[r] {
			continue
		}
		rig = x.local(rig, p)
		if len(rig.Joints()) > 0 {
			rigs = append(rigs, rig)
		}
	}
	return rigs
}

// local returns the part of a rig that a skin keeps, with indices into the skin's list of joints.
func (*exporter) local(rig skinning.Rig, p *skinPlan) skinning.Rig {
	if divided, ok := rig.(skinning.DividedRig); ok {
		rig = divided.Part(func(joint int) bool { _, has := p.local[joint]; return has })
	}
	return rig.Remap(func(joint int) int { return p.local[joint] })
}
