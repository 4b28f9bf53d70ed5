package posing

import (
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/remodel"
)

// edit is a local transform that replaces a node's transform in the clip.
type edit struct {
	node  int
	local geom.Transform
}

// Copy is a copy of a user's pose: its differences from the clip's. It never changes.
type Copy struct {
	nodes  []edit    // by node
	morphs []float64 // nil if they are the clip's
	held   []held
	of     int // number of the model's nodes
	clip   int // clip and time at which the pose was copied
	time   float64
}

// Place returns the clip and the time at which the pose was copied; ok is false for none.
func (c *Copy) Place() (clip int, time float64, ok bool) {
	if c == nil || len(c.nodes) == 0 && c.morphs == nil {
		return 0, 0, false
	}
	return c.clip, c.time, true
}

// Edits is the user's pose: transforms in place of the clip's, dropped when the clip moves on, unless held.
type Edits struct {
	Model   *skinning.Model
	set     []bool // per node
	local   []geom.Transform
	morphs  []float64 // one per slot, where morphed
	morphed bool
	hold    morphs
	count   int    // number of edited nodes
	version uint64 // changes with every edit

	copied  *Copy  // the last copy
	copying uint64 // version of it

	clip int // clip and time of the pose
	time float64
}

// NewEdits returns edits of a model that change nothing.
func NewEdits(m *skinning.Model) *Edits {
	n := len(m.Skeleton.Nodes)
	return &Edits{Model: m, set: make([]bool, n), local: make([]geom.Transform, n),
		morphs: make([]float64, len(m.MorphSlots)), hold: newMorphs(m)}
}

// Active reports whether the pose differs from the clip's.
func (p *Edits) Active() bool { return p.count > 0 || p.morphed }

// Edited reports whether a node's transform is edited.
func (p *Edits) Edited(node int) bool { return p.set[node] }

// Carry takes over the edits of an older version of the model. It matches nodes by name.
func (p *Edits) Carry(was *Edits) {
	for i, k := range remodel.NodeMap(&p.Model.Skeleton, &was.Model.Skeleton) {
		if k >= 0 && was.set[k] {
			p.Put(i, was.local[k])
		}
	}
	for slot, k := range slotMap(p.Model, was.Model, nil) {
		if k >= 0 && was.hold.set[k] {
			p.hold.put(slot, was.hold.weight[k])
		}
	}
}

// apply lays the edits over a pose. from maps each of the edited model's nodes to one of the posed model, −1 for none.
// A nil from means that they are the same model. It allocates nothing.
func (p *Edits) apply(dst *skinning.Pose, from []int) {
	if from == nil {
		for i, ok := range p.set {
			if ok {
				dst.Local[i] = p.local[i]
			}
		}
	}
	for i, k := range from {
		if k >= 0 && p.set[k] {
			dst.Local[i] = p.local[k]
		}
	}
	if p.morphed && len(dst.Morphs) == len(p.morphs) {
		copy(dst.Morphs, p.morphs)
	}
}

// Put sets a node's local transform.
func (p *Edits) Put(node int, t geom.Transform) {
	p.version++
	if !p.set[node] {
		p.set[node] = true
		p.count++
	}
	p.local[node] = t
}

// PutPose edits what differs between a whole pose and the one shown before.
func (p *Edits) PutPose(pose, was *skinning.Pose) {
	for i := range pose.Local {
		if pose.Local[i] != was.Local[i] {
			p.Put(i, pose.Local[i])
		}
	}
	if !slices.Equal(pose.Morphs, was.Morphs) {
		p.version++
		copy(p.morphs, pose.Morphs)
		p.morphed = true
		clear(p.hold.set) // the whole pose is shown
	}
}

// Drop drops the pose. Morph targets that sliders hold do not belong to one moment, and stay.
func (p *Edits) Drop() { p.Restore(&Copy{of: len(p.set), held: p.hold.now()}) }

// StandAt sets the clip and time to which the pose belongs.
func (p *Edits) StandAt(clip int, time float64) { p.clip, p.time = clip, time }

// Keeps reports whether the pose stays: the clip is where it was, or the pose is held, and moves on with it.
func (p *Edits) Keeps(clip int, time float64, hold bool) bool {
	if hold || p.clip == clip && p.time == time {
		p.clip, p.time = clip, time
		return true
	}
	return false
}

// Copy returns a copy of the edits, nil if there are none. As long as the edits stay the same it is the same one.
func (p *Edits) Copy() *Copy {
	if !p.Active() && !p.HoldsMorph(-1) {
		return nil
	}
	if p.copied != nil && p.copying == p.version {
		return p.copied
	}
	c := &Copy{of: len(p.set), clip: p.clip, time: p.time}
	for i, ok := range p.set {
		if ok {
			c.nodes = append(c.nodes, edit{i, p.local[i]})
		}
	}
	if p.morphed {
		c.morphs = slices.Clone(p.morphs)
	}
	c.held = p.hold.now()
	if p.copied == nil || !slices.Equal(c.nodes, p.copied.nodes) || !slices.Equal(c.morphs, p.copied.morphs) ||
		!slices.Equal(c.held, p.copied.held) {
		p.copied = c
	}
	p.copying = p.version
	return p.copied
}

// Restore makes the edits those of a copy, nil for none. A copy of other nodes counts as none.
func (p *Edits) Restore(c *Copy) {
	if c == nil || c.of != len(p.set) || c.morphs != nil && len(c.morphs) != len(p.morphs) {
		c = &Copy{}
	}
	clear(p.set)
	for _, n := range c.nodes {
		p.set[n.node], p.local[n.node] = true, n.local
	}
	p.count, p.morphed = len(c.nodes), c.morphs != nil
	copy(p.morphs, c.morphs)
	p.hold.restore(c.held)
	p.version++
}
