package rig

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// helperBonesKey is the name of helper bones under extras.skinlab.
const helperBonesKey = "helperBones"

// helperBonesName is what people call one.
const helperBonesName = "helper bone"

// helperBonesInfo is extras.skinlab.helperBones of a skin: [HelperBones] with indices into the skin's joints.
// docs/helper-bones.md describes it for people who edit it and engines that evaluate it. A field that is not listed
// here is an error, because it may be misspelt.
type helperBonesInfo struct {
	Inputs []helperInputInfo `json:"inputs"`
	Bones  []helperBoneInfo  `json:"bones"`
}

// helperInputInfo is a [HelperInput].
type helperInputInfo struct {
	Joint  int         `json:"joint"`
	Parent int         `json:"parent"` // −1 for the world
	Axes   [][]float64 `json:"axes"`
	Center []float64   `json:"center"` // x y z w
	Least  []float64   `json:"least"`
	Most   []float64   `json:"most"`
}

// helperBoneInfo is a [HelperBone].
type helperBoneInfo struct {
	Joint    int              `json:"joint"`
	Parent   int              `json:"parent"`
	Place    []float64        `json:"place"`
	Constant []float64        `json:"constant"` // seven numbers, as coefficients
	Terms    []helperTermInfo `json:"terms"`
}

// helperTermInfo is a [HelperTerm].
type helperTermInfo struct {
	Input        int       `json:"input"`
	Powers       []int     `json:"powers"` // one for each axis of the input
	Coefficients []float64 `json:"coefficients"`
}

// Encode implements [skinning.Rig]. Numbers are written with enough digits to read them back exactly.
func (r *HelperBones) Encode(*skinning.Model) any {
	info := &helperBonesInfo{Inputs: []helperInputInfo{}}
	for i := range r.Inputs {
		in := &r.Inputs[i]
		out := helperInputInfo{Joint: in.Joint, Parent: in.Parent, Center: in.Center[:], Least: in.Least, Most: in.Most}
		for a := range in.Axes {
			out.Axes = append(out.Axes, in.Axes[a][:])
		}
		info.Inputs = append(info.Inputs, out)
	}
	for k := range r.Bones {
		b := &r.Bones[k]
		out := helperBoneInfo{Joint: b.Joint, Parent: b.Parent, Place: b.Place[:], Constant: b.Constant[:],
			Terms: []helperTermInfo{}}
		for i := range b.Terms {
			t := &b.Terms[i]
			term := helperTermInfo{Input: t.Input, Coefficients: t.Coefficients[:]}
			for a := range r.Inputs[t.Input].Axes {
				term.Powers = append(term.Powers, int(t.Powers[a]))
			}
			out.Terms = append(out.Terms, term)
		}
		info.Bones = append(info.Bones, out)
	}
	return info
}

// readHelperBones is [skinning.RigKind.Read] of helper bones. [HelperBones.Validate] checks the rig that it makes.
func readHelperBones(text []byte, count int) (skinning.Rig, error) {
	var info helperBonesInfo
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&info); err != nil {
		return nil, fmt.Errorf("not understood: %s", messages.Shortened(err.Error()))
	}
	if len(info.Bones) == 0 {
		return nil, nil
	}
	r := &HelperBones{Inputs: make([]HelperInput, len(info.Inputs)), Bones: make([]HelperBone, len(info.Bones))}
	for i := range info.Inputs {
		if err := info.Inputs[i].read(&r.Inputs[i], count); err != nil {
			return nil, fmt.Errorf("helper bones' input %d: %w", i, err)
		}
	}
	for k := range info.Bones {
		if err := info.Bones[k].read(&r.Bones[k], r.Inputs, count); err != nil {
			return nil, fmt.Errorf("helper bone %d: %w", k, err)
		}
	}
	return r, nil
}

// read turns the text's form of an input into the rig's.
func (e *helperInputInfo) read(in *HelperInput, count int) error {
	if e.Joint < 0 || e.Joint >= count || e.Parent < -1 || e.Parent >= count {
		return fmt.Errorf("joint %d turns against joint %d, the skin has %d", e.Joint, e.Parent, count)
	}
	*in = HelperInput{Joint: e.Joint, Parent: e.Parent, Least: e.Least, Most: e.Most}
	if len(e.Center) != len(in.Center) {
		return fmt.Errorf("center of %d numbers, expected %d", len(e.Center), len(in.Center))
	}
	in.Center = geom.Quat(e.Center)
	if len(e.Axes) > 3 {
		return fmt.Errorf("%d axes, expected one to three", len(e.Axes))
	}
	for a, axis := range e.Axes {
		if len(axis) != 3 {
			return fmt.Errorf("axis %d of %d numbers, expected 3", a, len(axis))
		}
		in.Axes = append(in.Axes, mgl64.Vec3(axis))
	}
	return in.check()
}

// read turns the text's form of a bone into the rig's.
func (e *helperBoneInfo) read(b *HelperBone, inputs []HelperInput, count int) error {
	if min(e.Joint, e.Parent) < 0 || max(e.Joint, e.Parent) >= count {
		return fmt.Errorf("joint %d of parent %d, the skin has %d joints", e.Joint, e.Parent, count)
	}
	*b = HelperBone{Joint: e.Joint, Parent: e.Parent}
	if len(e.Place) != len(b.Place) || len(e.Constant) != len(b.Constant) {
		return fmt.Errorf("place of %d and constant of %d numbers, expected %d and %d", len(e.Place), len(e.Constant),
			len(b.Place), len(b.Constant))
	}
	b.Place, b.Constant = mgl64.Vec3(e.Place), HelperMotion(e.Constant)
	for i := range e.Terms {
		term, err := e.Terms[i].read(inputs)
		if err != nil {
			return fmt.Errorf("term %d: %w", i, err)
		}
		b.Terms = append(b.Terms, term)
	}
	return b.check(inputs)
}

// read turns the text's form of a term into the rig's.
func (e *helperTermInfo) read(inputs []HelperInput) (t HelperTerm, err error) {
	if e.Input < 0 || e.Input >= len(inputs) {
		return t, fmt.Errorf("input %d of %d", e.Input, len(inputs))
	}
	if n := len(inputs[e.Input].Axes); len(e.Powers) != n || len(e.Coefficients) != len(t.Coefficients) {
		return t, fmt.Errorf("%d powers of %d axes, and %d coefficients of %d", len(e.Powers), n, len(e.Coefficients),
			len(t.Coefficients))
	}
	t = HelperTerm{Input: e.Input, Coefficients: HelperMotion(e.Coefficients)}
	for a, power := range e.Powers {
		if power < 0 || power > MostDegree {
			return t, fmt.Errorf("power %d, expected 0 to %d", power, MostDegree)
		}
		t.Powers[a] = uint8(power)
	}
	return t, nil
}
