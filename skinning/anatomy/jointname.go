package anatomy

import (
	"fmt"
	"strconv"
	"strings"

	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// JointIndex finds a joint by its exact name, or by its name in any case if only one joint matches, or by its index as
// a decimal number. The error lists joints with similar names.
func JointIndex(s *skinning.Skeleton, name string) (int, error) {
	folded := -1
	for i := range s.Joints {
		switch {
		case s.Joints[i].Name == name:
			return i, nil
		case strings.EqualFold(s.Joints[i].Name, name) && folded == -1:
			folded = i
		case strings.EqualFold(s.Joints[i].Name, name):
			folded = -2
		}
	}
	if folded >= 0 {
		return folded, nil
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

func jointNames(s *skinning.Skeleton) []string {
	names := make([]string, len(s.Joints))
	for i := range s.Joints {
		names[i] = s.Joints[i].Name
	}
	return names
}
