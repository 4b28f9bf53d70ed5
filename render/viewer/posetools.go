package viewer

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

// poseTools is what a person poses with, beyond the pose itself.
type poseTools struct {
	search *ui.TextField
	path   *ui.TextField

	query  string  // what rows was made for
	rows   []int32 // bones that the tree lists
	folded []bool  // per bone
	listed bool
	scroll bool // the picked bone is to be brought into sight

	inTree, inView int // the bone under the mouse, −1 for none

	x, y    []float32 // per bone, where its joint is in the pane being drawn, logical pixels
	seen    []bool
	tags    []ui.Rect // names drawn so far
	first   [2]int    // where the picked joint is, for tests and tools
	gizmo   ui.GizmoMotion
	center  [2]float32 // of the gizmo
	radius  float32    // 0 where there is none
	grabbed geom.Quat  // of the picked joint when the gizmo was grabbed
	turned  geom.Quat  // since then, in the world
	asked   int        // frames since the gizmo was asked whether a press is for it

	euler     [3]float64 // of eulerBone, as the person has typed them
	eulerBone int
	mirror    *anatomy.Mirror // nil until it is asked for
	mirrorOf  *skinning.Model
	before    *skinning.Pose // scratch
	after     *skinning.Pose
}

// reset makes the tools fit for another model.
func (t *poseTools) reset(s *skeleton, m *skinning.Model) {
	n := len(s.bones)
	t.query, t.rows, t.listed = "", t.rows[:0], false
	t.search.SetText("")
	t.folded = make([]bool, n)
	t.x, t.y, t.seen = make([]float32, n), make([]float32, n), make([]bool, n)
	t.inTree, t.inView, t.eulerBone = -1, -1, -1
	t.mirror, t.mirrorOf = nil, nil
	t.before, t.after = m.NewPose(), m.NewPose()
	t.radius, t.gizmo = 0, ui.GizmoMotion{}
}

// posePrepared makes ready for posing a model that is shown from now on.
func (a *app) posePrepared(p *prepared) {
	a.posing = newPosing(p.model)
	a.tools.reset(p.bones, p.model)
	a.state.Joint = -1
	a.pose(&p.posable)
	if a.beside != nil {
		a.beside.shareStress(p)
		a.pose(&a.beside.posable)
	}
}

// carryPose takes a person's pose and the picked joint over from an older version of the model, node by node of the
// same name.
func (a *app) carryPose(was *posing, joint int) {
	p := a.posing
	for i, k := range skinning.NodeMap(&p.model.Skeleton, &was.model.Skeleton) {
		if k < 0 {
			continue
		}
		if was.set[k] {
			p.put(i, was.local[k])
		}
		if joint >= 0 && was.model.Skeleton.Joints[joint].Node == k {
			a.pickNode(i)
		}
	}
	p.clip, p.time = a.state.Clip, a.state.Time
}

// pickNode picks the joint of a node, where it is one.
func (a *app) pickNode(node int) {
	for i := range a.shown.bones.bones {
		if a.shown.bones.bones[i].node == node {
			a.pickBone(i)
		}
	}
}

// pose lets what a person poses be seen on a model, node by node of the same name.
func (a *app) pose(p *posable) {
	p.over, p.from = a.posing, nil
	if p.model != a.posing.model {
		p.from = skinning.NodeMap(&p.model.Skeleton, &a.posing.model.Skeleton)
	}
	p.at.ok = false
}

// under returns the bone under the mouse, in the tree or in the picture; −1 for none.
func (t *poseTools) under() int {
	if t.inTree >= 0 {
		return t.inTree
	}
	return t.inView
}

// bone returns the picked bone, −1 for none.
func (a *app) bone() int { return a.shown.bones.of(a.state.Joint) }

// pickBone picks a joint, or none with −1.
func (a *app) pickBone(i int) {
	a.state.Joint = -1
	if i >= 0 {
		a.state.Joint = a.shown.bones.bones[i].joint
		a.unfold(i)
		a.tools.scroll = true
	}
	a.wake()
}

// editing makes ready for a change of the pose, which is one step of the history: the clip pauses, unless the pose is
// held over it.
func (a *app) editing() {
	if !a.state.HoldPose {
		a.state.Playing = false
	}
	a.posing.begin()
	a.posing.clip, a.posing.time = a.state.Clip, a.state.Time
	a.wake()
}

// keepPose drops a person's pose when the clip has gone on without it.
func (a *app) keepPose() {
	p, s := a.posing, &a.state
	if p.active() && (s.Moving() && !s.HoldPose || !p.keeps(s.Clip, s.Time, s.HoldPose)) {
		p.drop()
	}
}

// turnBone sets the rotation of a bone against its parent.
func (a *app) turnBone(i int, q geom.Quat) {
	node := a.shown.bones.bones[i].node
	t := a.shown.pose.Local[node]
	t.Rotation = q
	a.posing.put(node, t)
	a.shown.pose.Local[node] = t // what else is done in this frame goes on from there
}

// moveBone sets where a bone is in its parent's space.
func (a *app) moveBone(i int, to [3]float64) {
	node := a.shown.bones.bones[i].node
	t := a.shown.pose.Local[node]
	t.Translation = to
	a.posing.put(node, t)
	a.shown.pose.Local[node] = t
}

// resetBone puts the picked joint back to where the file has it without a clip.
func (a *app) resetBone() {
	i := a.bone()
	if i < 0 {
		return
	}
	node := a.shown.bones.bones[i].node
	a.editing()
	a.posing.put(node, a.shown.model.Skeleton.Nodes[node].Rest)
}

// resetPose puts everything back to where the file has it without a clip.
func (a *app) resetPose() {
	a.editing()
	a.setPose()
	a.shown.model.ResetPose(a.tools.after)
	a.posing.putPose(a.tools.after, a.shown.pose)
}

// dropPose goes back to the clip.
func (a *app) dropPose() {
	a.posing.drop()
	a.wake()
}

// mirrorPose lets the left side do what the right one does, and the right side what the left one does.
func (a *app) mirrorPose() {
	t, m := &a.tools, a.shown.model
	if t.mirrorOf != m {
		t.mirror, t.mirrorOf = anatomy.NewMirror(m), m
	}
	a.editing()
	a.setPose()
	a.shown.copyPose(t.before)
	t.mirror.Apply(t.after, t.before)
	a.posing.putPose(t.after, t.before)
}

// copyPose copies the pose that is seen.
func (p *posable) copyPose(dst *skinning.Pose) {
	copy(dst.Local, p.pose.Local)
	copy(dst.Morphs, p.pose.Morphs)
}

// undoPose goes a step back through what a person has posed, or forth again.
func (a *app) undoPose(back bool) {
	if !a.posing.step(back) {
		return
	}
	if !a.state.HoldPose {
		a.state.Playing = false
	}
	a.posing.clip, a.posing.time = a.state.Clip, a.state.Time
	a.wake()
}

// poseShown reports whether the page is shown on which joints are posed: with it comes the gizmo.
func (a *app) poseShown() bool { return a.page().Tab == state.TabPose }
