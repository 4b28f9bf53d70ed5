package rig

import (
	"fmt"
	"math"

	"skinlab/skinning"
)

// mostVariable bounds the range of a variable, in radians. A rotation vector on Center's side is no longer than a full
// turn; the bound allows for rounding.
const mostVariable = 2*math.Pi + 1e-6

// unitSlack is the allowed deviation of axes and centers from orthonormal. It covers numbers of six digits in a file
// that people edit.
const unitSlack = 1e-5

// Validate checks the rig against a skeleton.
func (r *HelperBones) Validate(s *skinning.Skeleton) error {
	driven := make(map[int]bool)
	for k := range r.Bones {
		j := r.Bones[k].Joint
		if j < 0 || j >= len(s.Joints) || driven[j] {
			return fmt.Errorf("helper bone %d: joint %d of %d is out of range or taken", k, j, len(s.Joints))
		}
		driven[j] = true
	}
	primary := func(j int) bool { return j >= 0 && j < len(s.Joints) && !driven[j] }
	read := make(map[int]bool)
	for i := range r.Inputs {
		in := &r.Inputs[i]
		if !primary(in.Joint) || read[in.Joint] {
			return fmt.Errorf("helper bones' input %d: joint %d is a helper bone, read twice or not one of %d", i, in.Joint,
				len(s.Joints))
		}
		read[in.Joint] = true
		if in.Parent != -1 && !primary(in.Parent) || in.Parent == in.Joint {
			return fmt.Errorf("helper bones' input %d: joint %d turns against %d of %d, expected -1 or a joint of the model", i,
				in.Joint, in.Parent, len(s.Joints))
		}
		if err := in.check(); err != nil {
			return fmt.Errorf("helper bones' input %d: %w", i, err)
		}
	}
	for k := range r.Bones {
		b := &r.Bones[k]
		if !primary(b.Parent) {
			return fmt.Errorf("helper bone %d: parent %d is one too, or not one of %d joints", k, b.Parent, len(s.Joints))
		}
		if err := b.check(r.Inputs); err != nil {
			return fmt.Errorf("helper bone %d: %w", k, err)
		}
	}
	return nil
}

// check checks all of an input but its joints.
func (in *HelperInput) check() error {
	n := len(in.Axes)
	if n < 1 || n > 3 || len(in.Least) != n || len(in.Most) != n {
		return fmt.Errorf("%d axes with %d least and %d most values, expected one to three of each", n, len(in.Least),
			len(in.Most))
	}
	for a := range in.Axes {
		for b := range in.Axes[:a+1] {
			want := 0.0
			if a == b {
				want = 1
			}
			if dot := in.Axes[a].Dot(in.Axes[b]); !(math.Abs(dot-want) <= unitSlack) {
				return fmt.Errorf("axes %d and %d have the product %g, expected %g", b, a, dot, want)
			}
		}
		if !(in.Least[a] >= -mostVariable && in.Least[a] <= in.Most[a] && in.Most[a] <= mostVariable) {
			return fmt.Errorf("axis %d has the range %g to %g, expected a rising one within a turn each way", a, in.Least[a],
				in.Most[a])
		}
	}
	if l := in.Center.Dot(in.Center); !(math.Abs(l-1) <= unitSlack) || in.Center[3] < 0 {
		return fmt.Errorf("center %v, expected a unit quaternion whose w is not negative", in.Center)
	}
	return nil
}

// check checks a bone's place and controller.
func (b *HelperBone) check(inputs []HelperInput) error {
	for _, x := range b.Place {
		if !(math.Abs(x) <= MostFar) {
			return fmt.Errorf("place %v, expected metres", b.Place)
		}
	}
	if err := b.Constant.check(); err != nil {
		return fmt.Errorf("constant: %w", err)
	}
	taken := make(map[monomial]bool)
	for i := range b.Terms {
		t := &b.Terms[i]
		if t.Input < 0 || t.Input >= len(inputs) {
			return fmt.Errorf("term %d: input %d of %d", i, t.Input, len(inputs))
		}
		degree := 0
		for k, power := range t.Powers {
			degree += int(power)
			if power > 0 && k >= len(inputs[t.Input].Axes) {
				return fmt.Errorf("term %d: powers %v of an input of %d axes", i, t.Powers, len(inputs[t.Input].Axes))
			}
		}
		if degree < 1 || degree > MostDegree {
			return fmt.Errorf("term %d: powers %v, expected a sum from 1 to %d", i, t.Powers, MostDegree)
		}
		of := monomial{t.Input, t.Powers}
		if taken[of] {
			return fmt.Errorf("term %d: a second one of input %d with powers %v", i, t.Input, t.Powers)
		}
		taken[of] = true
		if err := t.Coefficients.check(); err != nil {
			return fmt.Errorf("term %d: %w", i, err)
		}
	}
	return nil
}

// check bounds numbers so that no pose makes a NaN of them.
func (m *HelperMotion) check() error {
	for k, x := range m {
		if !(math.Abs(x) <= mostFactor) {
			return fmt.Errorf("number %d is %g, expected less than %g", k, x, mostFactor)
		}
	}
	return nil
}
