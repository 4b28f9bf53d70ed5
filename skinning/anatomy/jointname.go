package anatomy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// JointIndex finds a joint by its exact name, by its name in any case, or by its index as a decimal number. The
// joints of several skins that are one node count as one. The error lists the indices of joints that share the name,
// or joints with similar names.
func JointIndex(s *skinning.Skeleton, name string) (int, error) {
	exact := jointsOf(s, func(have string) bool { return have == name })
	if len(exact) == 0 {
		exact = jointsOf(s, func(have string) bool { return strings.EqualFold(have, name) })
	}
	switch {
	case len(exact) == 1:
		return exact[0], nil
	case len(exact) > 1:
		return 0, fmt.Errorf("joint %q: %d joints have this name: choose one by its index, %s", messages.Shortened(name),
			len(exact), messages.Indices(exact))
	}
	if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(s.Joints) {
		return i, nil
	}
	if len(s.Joints) == 0 {
		return 0, fmt.Errorf("joint %q: the model has no joints", name)
	}
	near, kind := messages.Near(name, jointNames(s)), "the nearest:"
	if len(near) == 0 {
		near, kind = jointNames(s), "among them:"
	}
	list, _ := messages.List(near[:min(len(near), 5)])
	return 0, fmt.Errorf("joint %q: not one of the %d joints; %s %s", messages.Shortened(name), len(s.Joints), kind, list)
}

// jointsOf returns the joints whose names match, the first of each node.
func jointsOf(s *skinning.Skeleton, match func(name string) bool) (joints []int) {
	for i := range s.Joints {
		other := func(j int) bool { return s.Joints[j].Node == s.Joints[i].Node }
		if match(s.Joints[i].Name) && !slices.ContainsFunc(joints, other) {
			joints = append(joints, i)
		}
	}
	return joints
}

func jointNames(s *skinning.Skeleton) []string {
	names := make([]string, len(s.Joints))
	for i := range s.Joints {
		names[i] = s.Joints[i].Name
	}
	return names
}
