package stress

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// timeline collects key rotations of nodes. A turn is a rotation by which the node's static rotation is multiplied on
// the right.
type timeline struct {
	rig   *rig
	keys  map[int][]key // by bone
	notes []skinning.ClipNote
	end   float64 // seconds
}

type key struct {
	at   float64 // seconds
	turn geom.Quat
}

func newTimeline(r *rig) *timeline { return &timeline{rig: r, keys: make(map[int][]key)} }

// add appends the keys of one move of a bone, at rising times.
func (t *timeline) add(bone int, keys ...key) {
	t.keys[bone] = append(t.keys[bone], keys...)
	t.end = max(t.end, keys[len(keys)-1].at)
}

// noteNames is how many joints a note names.
const noteNames = 3

// note says of a part of the clip which bones turn and how far. Of a pair the name without its side stands for both.
func (t *timeline) note(from, to float64, pose []turned) {
	var names []string
	most, least := 0.0, math.Inf(1)
	more := 0
	for _, one := range pose {
		angle := geom.RotationVector(one.turn).Len() * 180 / math.Pi
		most, least = max(most, angle), min(least, angle)
		name := t.rig.name(one.bone)
		switch {
		case slices.Contains(names, name):
		case len(names) < noteNames:
			names = append(names, name)
		default:
			more++
		}
	}
	text := strings.Join(names, ", ")
	if more > 0 {
		text += " and " + messages.Count(more, "more", "more")
	}
	upTo := ""
	if most-least > 0.5 {
		upTo = "up to "
	}
	t.notes = append(t.notes, skinning.ClipNote{From: from, To: to, Text: fmt.Sprintf("%s, %s%.0f°", text, upTo, most)})
}

// slots returns how many seconds each of n groups has.
func slots(n int) float64 { return min(1.2, maxSeconds/float64(max(n, 1))) }

// channels turns the keys into channels, in the order of the nodes.
func (t *timeline) channels() []skinning.Channel {
	if t.rig.flat && len(t.keys) > 0 {
		return t.baked()
	}
	var out []skinning.Channel
	for _, b := range slices.Sorted(maps.Keys(t.keys)) {
		node := t.rig.bones[b].node
		rest := t.rig.model.Skeleton.Nodes[node].Rest.Rotation
		c := skinning.Channel{Node: node, Path: skinning.PathRotation, Width: 4}
		for _, k := range compact(t.keys[b]) {
			c.Times = append(c.Times, float32(k.at))
			c.AddRotation(rest.Mul(k.turn).Normalize())
		}
		out = append(out, c)
	}
	return out
}

// compact starts the keys at 0 and drops those at the time of the one before: a move begins where the last one ended,
// at rest.
func compact(keys []key) []key {
	out := []key{{0, geom.IdentityQuat()}}
	for _, k := range keys {
		if k.at-out[len(out)-1].at > 1e-6 {
			out = append(out, k)
		}
	}
	return out
}
