package posing

import (
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// mostUndo limits the number of steps in the history.
const mostUndo = 200

// edit is a local transform that replaces a node's transform in the clip.
type edit struct {
	node  int
	local geom.Transform
}

// edits are the differences of the user's pose from the clip's.
type edits struct {
	nodes  []edit    // in no order
	morphs []float64 // nil if they are the clip's
}

// Edits is the user's pose. Its local transforms replace those of the clip's pose. It is dropped when the clip moves
// on, unless it is held. Every change can be undone, and so can dropping the edits.
type Edits struct {
	Model   *skinning.Model
	set     []bool // per node
	local   []geom.Transform
	morphs  []float64 // one per slot, where morphed
	morphed bool
	count   int    // number of edited nodes
	version uint64 // changes with every edit

	undo, redo []edits
	fresh      bool // the next edit begins a step of the history

	clip int // clip and time of the pose
	time float64
}

// NewEdits returns edits of a model that change nothing.
func NewEdits(m *skinning.Model) *Edits {
	n := len(m.Skeleton.Nodes)
	return &Edits{Model: m, set: make([]bool, n), local: make([]geom.Transform, n),
		morphs: make([]float64, len(m.MorphSlots))}
}

// Active reports whether the pose differs from the clip's.
func (p *Edits) Active() bool { return p.count > 0 || p.morphed }

// Edited reports whether a node's transform is edited.
func (p *Edits) Edited(node int) bool { return p.set[node] }

// Steps returns the numbers of steps that can be undone and redone.
func (p *Edits) Steps() (back, forth int) { return len(p.undo), len(p.redo) }

// Carry takes over the edits of an older version of the model. It matches nodes by name.
func (p *Edits) Carry(was *Edits) {
	for i, k := range skinning.NodeMap(&p.Model.Skeleton, &was.Model.Skeleton) {
		if k >= 0 && was.set[k] {
			p.Put(i, was.local[k])
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

// Begin makes the next edits one step of the history.
func (p *Edits) Begin() { p.fresh = true }

// change records the state before the first edit of a step.
func (p *Edits) change() {
	p.version++
	if !p.fresh {
		return
	}
	p.fresh = false
	p.redo = p.redo[:0]
	if len(p.undo) == mostUndo {
		p.undo = slices.Delete(p.undo, 0, 1)
	}
	p.undo = append(p.undo, p.now())
}

// Put sets a node's local transform.
func (p *Edits) Put(node int, t geom.Transform) {
	p.change()
	if !p.set[node] {
		p.set[node] = true
		p.count++
	}
	p.local[node] = t
}

// PutPose makes edits so that a whole pose is shown. was is the pose shown before. Only transforms that differ from it
// become edits.
func (p *Edits) PutPose(pose, was *skinning.Pose) {
	for i := range pose.Local {
		if pose.Local[i] != was.Local[i] {
			p.Put(i, pose.Local[i])
		}
	}
	if !slices.Equal(pose.Morphs, was.Morphs) {
		p.change()
		copy(p.morphs, pose.Morphs)
		p.morphed = true
	}
}

// Drop drops the edits as a step that can be undone.
func (p *Edits) Drop() {
	if p.Active() {
		p.Begin()
		p.change()
		p.restore(edits{})
	}
}

// StandAt sets the clip and time to which the pose belongs.
func (p *Edits) StandAt(clip int, time float64) { p.clip, p.time = clip, time }

// Keeps reports whether the pose stays: it is held, or the clip is still where it was. A held pose moves on with the
// clip.
func (p *Edits) Keeps(clip int, time float64, hold bool) bool {
	if hold || p.clip == clip && p.time == time {
		p.clip, p.time = clip, time
		return true
	}
	return false
}

// now returns a copy of the current edits.
func (p *Edits) now() edits {
	e := edits{}
	for i, ok := range p.set {
		if ok {
			e.nodes = append(e.nodes, edit{i, p.local[i]})
		}
	}
	if p.morphed {
		e.morphs = slices.Clone(p.morphs)
	}
	return e
}

func (p *Edits) restore(e edits) {
	clear(p.set)
	for _, n := range e.nodes {
		p.set[n.node], p.local[n.node] = true, n.local
	}
	p.count, p.morphed = len(e.nodes), e.morphs != nil
	copy(p.morphs, e.morphs)
	p.version++
}

// Step undoes or redoes one step of the history and reports whether there was one.
func (p *Edits) Step(back bool) bool {
	from, to := &p.undo, &p.redo
	if !back {
		from, to = to, from
	}
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, p.now())
	p.restore((*from)[n-1])
	*from = (*from)[:n-1]
	p.fresh = true
	return true
}
