package anatomy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// JointIndex finds a joint by name, else by name in any case where one joint alone has it, else by index written as a
// decimal number. The error names joints whose names are near.
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
	near, kind := nearJoints(s, name), "the nearest:"
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

// nearJoints returns names that hold the wanted one or differ from it in at most a third of its letters, nearest first.
func nearJoints(s *skinning.Skeleton, name string) (near []string) {
	const most = 64 // letters; a longer name is not a slip of the finger, and comparing takes the product of the lengths
	wanted := []rune(strings.ToLower(name))
	if len(wanted) == 0 || len(wanted) > most {
		return nil
	}
	distances := map[string]int{}
	for _, candidate := range jointNames(s) {
		letters := []rune(strings.ToLower(candidate))
		if len(letters) > 4*most || candidate == "" {
			continue
		}
		d := editDistance(wanted, letters)
		if strings.Contains(string(letters), string(wanted)) {
			d = 0
		}
		if _, seen := distances[candidate]; !seen && d <= max(1, len(wanted)/3) {
			near, distances[candidate] = append(near, candidate), d
		}
	}
	slices.SortStableFunc(near, func(a, b string) int { return distances[a] - distances[b] })
	return near
}

// editDistance counts the insertions, deletions and substitutions that turn a into b (Wagner and Fischer 1974), in one
// row.
func editDistance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal, row[j+1] = row[j+1], min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
