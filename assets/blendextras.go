package assets

import (
	"encoding/json"
	"fmt"
	"slices"

	"skinlab/skinning"
)

// blendBonesInfo is extras.skinlab.blendBones of a skin: some of its joints follow others, the masters. Joints and
// masters are indices into the skin's joints, u-weights belong to the masters one by one.
type blendBonesInfo struct {
	Operator string      `json:"operator"`
	Joints   []int       `json:"joints"`
	Masters  [][]int     `json:"masters"`
	Weights  [][]float64 `json:"weights"`
}

// readBlendBones drives the blend bones of skin i, where its extras have any.
func (d *decoder) readBlendBones(i int, text json.RawMessage) error {
	if text == nil {
		return nil
	}
	var info blendBonesInfo
	if err := json.Unmarshal(text, &info); err != nil {
		return fmt.Errorf("not understood: %s", shorten(err.Error()))
	}
	if len(info.Joints) == 0 {
		return nil
	}
	rig, err := info.rig(d.skins[i].first, len(d.doc.Skins[i].Joints))
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
	if err != nil || !operator.IsOperator() {
		return nil, fmt.Errorf("operator %q, expected %s", shorten(b.Operator),
			skinning.ListMethods(skinning.Operators(), skinning.Method.String, ", ", " or "))
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
