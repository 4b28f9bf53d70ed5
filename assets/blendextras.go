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

// blendBonesVersion is the version of the controllers that are written and read.
const blendBonesVersion = 1

// blendBonesInfo is extras.skinlab.blendBones of a skin: some of its joints follow others, the masters. Joints and masters
// are indices into the skin's joints, u-weights belong to the masters one by one.
type blendBonesInfo struct {
	Operator string      `json:"operator"`
	Joints   []int       `json:"joints"`
	Masters  [][]int     `json:"masters"`
	Weights  [][]float64 `json:"weights"`
}

// readBlendBones drives the blend bones of all used skins, where the file says how. Extras may hold anything: what cannot
// be understood becomes a warning, and the joints are then played as they are.
func (d *decoder) readBlendBones() error {
	for i := range d.doc.Skins {
		if !d.skins[i].used || len(d.doc.Skins[i].Extras) == 0 {
			continue
		}
		if err := d.readSkinBlendBones(i); err != nil {
			d.notes.add("%s: extras.%s: %v; the baked motion is played", element("skin", i, d.doc.Skins[i].Name), extrasKey, err)
		}
	}
	return nil
}

func (d *decoder) readSkinBlendBones(i int) error {
	var extras map[string]json.RawMessage
	if json.Unmarshal(d.doc.Skins[i].Extras, &extras) != nil || extras[extrasKey] == nil {
		return nil // somebody else's
	}
	var own struct {
		Version    int             `json:"version"`
		BlendBones *blendBonesInfo `json:"blendBones"`
	}
	if err := json.Unmarshal(extras[extrasKey], &own); err != nil {
		return fmt.Errorf("not understood: %s", shorten(err.Error()))
	}
	if own.BlendBones == nil || len(own.BlendBones.Joints) == 0 {
		return nil
	}
	if own.Version != blendBonesVersion {
		return fmt.Errorf("version %d, this reader reads %d", own.Version, blendBonesVersion)
	}
	rig, err := own.BlendBones.rig(d.skins[i].first, len(d.doc.Skins[i].Joints))
	if err != nil {
		return err
	}
	if old := d.model.Blend; old != nil {
		if old.Operator != rig.Operator {
			return fmt.Errorf("operator %v, another skin has %v", rig.Operator, old.Operator)
		}
		rig.Bones = append(slices.Clone(old.Bones), rig.Bones...)
	}
	if err := rig.Validate(&d.model.Skeleton); err != nil {
		return fmt.Errorf("%s", shorten(err.Error()))
	}
	d.model.Blend = rig
	return nil
}

// rig turns indices into a skin of count joints, the first of which is Skeleton.Joints[first], into a rig.
func (b *blendBonesInfo) rig(first, count int) (*skinning.BlendRig, error) {
	operator, err := skinning.ParseMethod(b.Operator)
	if err != nil || operator == skinning.LBS {
		return nil, fmt.Errorf("operator %q, expected dqs, sdqs, dib or sbs", shorten(b.Operator))
	}
	if len(b.Masters) != len(b.Joints) || len(b.Weights) != len(b.Joints) {
		return nil, fmt.Errorf("%d joints, masters of %d and weights of %d", len(b.Joints), len(b.Masters), len(b.Weights))
	}
	rig := &skinning.BlendRig{Operator: operator, Bones: make([]skinning.BlendBone, len(b.Joints))}
	for k, j := range b.Joints {
		if j < 0 || j >= count {
			return nil, fmt.Errorf("blend bone %d: joint %d does not exist, the skin has %d", k, j, count)
		}
		bone := skinning.BlendBone{Joint: first + j, Weights: b.Weights[k]}
		for n, master := range b.Masters[k] {
			if master < 0 || master >= count || n > 0 && master <= b.Masters[k][n-1] {
				return nil, fmt.Errorf("blend bone %d: masters %s, expected rising indices of the skin's %d joints",
					k, shorten(fmt.Sprint(b.Masters[k])), count)
			}
			bone.Masters = append(bone.Masters, uint16(first+master))
		}
		rig.Bones[k] = bone
	}
	return rig, nil
}

// put stores the controllers in a skin's extras, beside what is there. Values of more join them under extras.skinlab.
// Nil removes controllers of an earlier fit.
func (b *blendBonesInfo) put(skin dict, more map[string]any) {
	extras, ok := skin["extras"].(dict)
	if !ok && b == nil {
		return
	}
	if !ok {
		extras = dict{}
		if old := skin["extras"]; old != nil {
			extras["extras"] = old // a number, a text, a list: glTF allows any
		}
	}
	if b == nil {
		delete(extras, extrasKey)
	} else {
		own := dict{}
		for name, value := range more {
			if f, ok := value.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
				value = nil // JSON has no such number
			}
			own[name] = value
		}
		own["version"], own["blendBones"] = blendBonesVersion, b
		extras[extrasKey] = own
	}
	if skin["extras"] = extras; len(extras) == 0 {
		delete(skin, "extras")
	}
}
