package stress

import (
	"cmp"
	"slices"
)

// move is one bone's part in a group: its share of the full angle.
type move struct {
	bone  int
	share float64
}

// maxGroups bounds the groups of a clip, and so its length: each group takes about a second.
const maxGroups = maxSeconds

// groups returns the groups of bones that move together, in order. First come the limbs, the highest limb first: a
// joint and its mirror image form a group, from the trunk outwards. Then comes the trunk; if there are limbs, its
// joints share an angle. Then come the fingers: all knuckles of a row form a group, or all knuckles if there is little
// time. If a skeleton has more joints than there is time for, neighbours on a chain are merged into groups that share
// the angle.
func (r *rig) groups() [][]move {
	var limbs, trunk, digits [][]move
	anyPair := false
	for b := range r.bones {
		anyPair = anyPair || r.bones[b].moves && r.paired(b)
	}
	run := make(map[int]int) // bone -> its group in trunk
	done := make(map[int]bool)
	for _, b := range r.depthFirst() {
		one := &r.bones[b]
		switch {
		case !one.moves:
		case one.digit:
			level := 0
			for p := one.parent; p >= 0 && r.bones[p].digit; p = r.bones[p].parent {
				level++
			}
			for len(digits) <= level {
				digits = append(digits, nil)
			}
			digits[level] = append(digits[level], move{b, 1})
		case r.paired(b):
			if !r.bones[one.other].moves {
				limbs = append(limbs, []move{{b, 1}})
			} else if !done[b] {
				done[one.other] = true
				limbs = append(limbs, []move{{b, 1}, {one.other, 1}})
			}
		default:
			// An unpaired bone goes on with its parent's group where it is the only bone that does.
			if g, ok := run[one.parent]; ok && anyPair && r.only(one.parent) == b {
				trunk[g] = append(trunk[g], move{b, 1})
				run[b] = g
				break
			}
			run[b] = len(trunk)
			trunk = append(trunk, []move{{b, 1}})
		}
	}
	if len(limbs)+len(trunk)+len(digits) > maxGroups { // no time for knuckle after knuckle
		digits = [][]move{slices.Concat(digits...)}
		slices.SortFunc(digits[0], func(a, b move) int { return cmp.Compare(a.bone, b.bone) })
	}
	slices.SortStableFunc(limbs, func(a,
		b []move) int {
		return cmp.Compare(r.limbHeight(b[0].bone), r.limbHeight(a[0].bone))
	})
	all := append(append(limbs, trunk...), digits...)
	if len(all) > maxGroups {
		merged := make([][]move, maxGroups)
		for i, g := range all {
			k := i * maxGroups / len(all)
			merged[k] = append(merged[k], g...)
		}
		all = merged
	}
	for _, g := range all {
		r.shareOut(g)
	}
	return all
}

// depthFirst returns the bones, each followed by all that hangs on it.
func (r *rig) depthFirst() []int {
	var stack []int
	for b := len(r.bones) - 1; b >= 0; b-- {
		if r.bones[b].parent < 0 {
			stack = append(stack, b)
		}
	}
	order := make([]int, 0, len(r.bones))
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		order = append(order, b)
		for i := len(r.bones[b].children) - 1; i >= 0; i-- {
			stack = append(stack, r.bones[b].children[i])
		}
	}
	return order
}

// limbHeight is how high, in rest space, the limb begins that a paired bone is of.
func (r *rig) limbHeight(b int) float64 {
	for p := r.bones[b].parent; p >= 0 && r.paired(p); p = r.bones[p].parent {
		b = p
	}
	return r.model.Skeleton.Joints[r.bones[b].joint].Position[1]
}

// fingerShare is the share of the full angle that each joint of a finger turns. Three such joints make a fist.
const fingerShare = 0.7

// palmShare is the share of the full angle that a bone of the palm turns. In life it hardly moves.
const palmShare = 0.15

// collarShare is the share of the full angle that a collar bone turns. The full angle would swing the whole arm around.
const collarShare = 0.25

// shareOut divides the angle among the moves of a group whose bones are ancestors of each other.
func (r *rig) shareOut(g []move) {
	at := make(map[int]int, len(g))
	for i, m := range g {
		at[m.bone] = i
	}
	depth := make([]int, len(g)) // bones of the group from the root to this one
	above := func(b int) int {   // the nearest bone of the group above
		for p := r.bones[b].parent; p >= 0; p = r.bones[p].parent {
			if i, ok := at[p]; ok {
				return i
			}
		}
		return -1
	}
	up := make([]int, len(g))
	for i, m := range g { // a bone comes after its ancestors
		up[i] = above(m.bone)
		depth[i] = 1
		if up[i] >= 0 {
			depth[i] = depth[up[i]] + 1
		}
	}
	longest := append([]int(nil), depth...)
	for i := len(g) - 1; i >= 0; i-- {
		if p := up[i]; p >= 0 {
			longest[p] = max(longest[p], longest[i])
		}
	}
	for i := range g {
		if p := up[i]; p >= 0 {
			longest[i] = max(longest[i], longest[p])
		}
		b := &r.bones[g[i].bone]
		switch {
		case b.metacarpal:
			g[i].share = palmShare
		case b.digit:
			g[i].share = fingerShare
		case b.collar && r.paired(g[i].bone):
			g[i].share = collarShare
		default:
			g[i].share = 1 / float64(longest[i])
		}
	}
}
