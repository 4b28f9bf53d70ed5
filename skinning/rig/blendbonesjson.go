package rig

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// blendBonesKey is the name of blend bones under extras.skinlab.
const blendBonesKey = "blendBones"

// blendBonesName is what people call one.
const blendBonesName = "blend bone"

// blendBonesInfo is extras.skinlab.blendBones of a skin: some of its joints follow others, the masters. Joints and
// masters are joint numbers of the file, u-weights belong to the masters one by one. Swings are there where a bone
// has weights for swings of their own, and empty for the others. Twists are those of the model that was fitted, where
// the operator is twist-swing. docs/twist-swing.md says what they mean. Centers are there where the operator is cor: the
// bones' centres of rotation in rest space, null for a bone that has none. ShortestPath is there, and false, where
// rotations are followed through clips, past 180 degrees.
type blendBonesInfo struct {
	Operator string        `json:"operator"`
	Joints   []int         `json:"joints"`
	Masters  [][]int       `json:"masters"`
	Weights  [][]float64   `json:"weights"`
	Swings   [][]float64   `json:"swings,omitempty"`
	Twists   []twistInfo   `json:"twists,omitempty"`
	Centers  []*mgl64.Vec3 `json:"centers,omitempty"`

	ShortestPath *bool `json:"shortestPath,omitempty"`
}

// twistInfo is a [skinning.TwistBone].
type twistInfo struct {
	Joint  int        `json:"joint"`
	Parent int        `json:"parent"`
	Axis   mgl64.Vec3 `json:"axis"`
}

// Encode implements [skinning.Rig]. Masters are listed in rising order.
func (r *BlendBones) Encode(*skinning.Model) any {
	info := &blendBonesInfo{Operator: r.Operator.String()}
	if r.LongWay {
		info.ShortestPath = new(bool)
	}
	if slices.ContainsFunc(r.Bones, func(b BlendBone) bool { return b.Swings != nil }) {
		info.Swings = make([][]float64, len(r.Bones))
	}
	for k := range r.Bones {
		bone := &r.Bones[k]
		order := make([]int, len(bone.Masters))
		for n := range order {
			order[n] = n
		}
		slices.SortFunc(order, func(a, b int) int { return int(bone.Masters[a]) - int(bone.Masters[b]) })
		masters, weights := make([]int, len(order)), make([]float64, len(order))
		for n, from := range order {
			masters[n], weights[n] = int(bone.Masters[from]), bone.Weights[from]
		}
		if info.Swings != nil {
			info.Swings[k] = make([]float64, len(bone.Swings))
			for n := range bone.Swings {
				info.Swings[k][n] = bone.Swings[order[n]]
			}
		}
		if r.Operator == skinning.COR {
			info.Centers = append(info.Centers, bone.Center)
		}
		info.Joints = append(info.Joints, bone.Joint)
		info.Masters, info.Weights = append(info.Masters, masters), append(info.Weights, weights)
	}
	for _, b := range r.Twists {
		info.Twists = append(info.Twists, twistInfo(b))
	}
	return info
}

// readBlendBones is [skinning.RigKind.Read] of blend bones.
func readBlendBones(text []byte, count int) (skinning.Rig, error) {
	var b blendBonesInfo
	if err := json.Unmarshal(text, &b); err != nil {
		return nil, fmt.Errorf("not understood: %s", messages.Shortened(err.Error()))
	}
	if len(b.Joints) == 0 {
		return nil, nil
	}
	operator, err := skinning.ParseMethod(b.Operator)
	if err != nil || !operator.IsOperator() {
		return nil, fmt.Errorf("operator %q, expected %s", messages.Shortened(b.Operator),
			skinning.ListMethods(skinning.Operators(), skinning.Method.String, ", ", " or "))
	}
	if b.Swings != nil && len(b.Swings) != len(b.Joints) {
		return nil, fmt.Errorf("%d joints and swings of %d", len(b.Joints), len(b.Swings))
	}
	if operator == skinning.COR && len(b.Centers) != len(b.Joints) {
		return nil, fmt.Errorf("%d joints and centers of %d", len(b.Joints), len(b.Centers))
	}
	if len(b.Masters) != len(b.Joints) || len(b.Weights) != len(b.Joints) {
		return nil, fmt.Errorf("%d joints, masters of %d and weights of %d", len(b.Joints), len(b.Masters), len(b.Weights))
	}
	rig := &BlendBones{Operator: operator, Bones: make([]BlendBone, len(b.Joints)),
		LongWay: b.ShortestPath != nil && !*b.ShortestPath}
	for k, j := range b.Joints {
		if j < 0 || j >= count {
			return nil, fmt.Errorf("blend bone %d: joint %d does not exist, the skin has %d", k, j, count)
		}
		bone := BlendBone{Joint: j, Weights: b.Weights[k]}
		for n, master := range b.Masters[k] {
			if master < 0 || master >= count || n > 0 && master <= b.Masters[k][n-1] {
				return nil, fmt.Errorf("blend bone %d: masters %s, expected rising indices of the skin's %d joints",
					k, messages.Shortened(fmt.Sprint(b.Masters[k])), count)
			}
			bone.Masters = append(bone.Masters, uint16(master))
		}
		if b.Swings != nil && len(b.Swings[k]) > 0 {
			bone.Swings = b.Swings[k]
		}
		if operator == skinning.COR {
			bone.Center = b.Centers[k]
		}
		rig.Bones[k] = bone
	}
	for n, t := range b.Twists {
		if t.Joint < 0 || t.Joint >= count || t.Parent < -1 || t.Parent >= count {
			return nil, fmt.Errorf("twist %d: joint %d and parent %d of a skin of %d joints", n, t.Joint, t.Parent, count)
		}
		rig.Twists = append(rig.Twists, skinning.TwistBone(t))
	}
	return rig, nil
}
