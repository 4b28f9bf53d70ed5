package posing

import (
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// mostUndo bounds the history of a person's posing.
const mostUndo = 200

// edit is a node's local transform in place of the clip's.
type edit struct {
	node  int
	local geom.Transform
}

// edits is a pose as a person has it: what differs from the clip's.
type edits struct {
	nodes  []edit    // sparse, in no order
	morphs []float64 // nil where they are the clip's
}

// Edits is the pose that a person makes over the clip's: local transforms of nodes, absolute, in place of the clip's.
// It is dropped when the clip goes on, unless it is held. Every change can be undone, being dropped too.
type Edits struct {
	Model   *skinning.Model
	set     []bool // per node
	local   []geom.Transform
	morphs  []float64 // one per slot, where morphed
	morphed bool
	count   int    // nodes that are set
	version uint64 // of what is laid over the clip; changes with every edit

	undo, redo []edits
	fresh      bool // the next edit begins a step of the history

	clip int // where the clip stood when the pose was made
	time float64
}

// NewEdits returns no edits of a model.
func NewEdits(m *skinning.Model) *Edits {
	n := len(m.Skeleton.Nodes)
	return &Edits{Model: m, set: make([]bool, n), local: make([]geom.Transform, n),
		morphs: make([]float64, len(m.MorphSlots))}
}

// Active reports whether anything differs from the clip's pose.
func (p *Edits) Active() bool { return p.count > 0 || p.morphed }

// Edited reports whether a node's transform is in place of the clip's.
func (p *Edits) Edited(node int) bool { return p.set[node] }

// Steps returns how many steps of the history can be undone, and how many done again.
func (p *Edits) Steps() (back, forth int) { return len(p.undo), len(p.redo) }

// Carry takes the edits of an older version of the model over, node by node of the same name.
func (p *Edits) Carry(was *Edits) {
	for i, k := range skinning.NodeMap(&p.Model.Skeleton, &was.Model.Skeleton) {
		if k >= 0 && was.set[k] {
			p.Put(i, was.local[k])
		}
	}
}

// apply lays the edits over a pose. From tells for each of its nodes which of the posed model it is, −1 for none; nil
// stands for the model itself. It allocates nothing.
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

// Begin says that the next edits are one step of the history.
func (p *Edits) Begin() { p.fresh = true }

// change records what was before the first edit of a step.
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

// PutPose makes a whole pose the shown one: was is what is seen now. Only what differs from it becomes an edit.
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

// Drop goes back to the clip's pose, as a step that can be undone.
func (p *Edits) Drop() {
	if p.Active() {
		p.Begin()
		p.change()
		p.restore(edits{})
	}
}

// StandAt says where the clip stood when the pose was made.
func (p *Edits) StandAt(clip int, time float64) { p.clip, p.time = clip, time }

// Keeps reports whether the pose still stands where the clip is, and where it is held moves it along.
func (p *Edits) Keeps(clip int, time float64, hold bool) bool {
	if hold || p.clip == clip && p.time == time {
		p.clip, p.time = clip, time
		return true
	}
	return false
}

// now returns the edits as they are.
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

// Step moves by one through the history: back, or forth again. It reports whether there was anything.
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
