package posepage

import (
	"time"

	"skinlab/render/viewer/posing"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

// Bone returns the picked bone, −1 for none.
func (p *Page) Bone() int { return p.host.Bones().Of(p.State.Joint) }

// Under returns the bone under the mouse, in the tree or in the picture, −1 for none.
func (p *Page) Under() int {
	if p.inTree >= 0 {
		return p.inTree
	}
	return p.InPicture
}

// Pick picks a bone, −1 for none, and unfolds the bones above it.
func (p *Page) Pick(i int) {
	p.State.Joint = -1
	if bones := p.host.Bones().Bones; i >= 0 {
		p.State.Joint = bones[i].Joint
		for k := bones[i].Parent; k >= 0; k = bones[k].Parent {
			if p.folded[k] {
				p.folded[k], p.listed = false, false
			}
		}
		p.scroll = true
	}
	p.Wake()
}

// Carry takes over the edits and the picked joint from an older version of the model. It matches nodes by name.
func (p *Page) Carry(was *posing.Edits, joint int) {
	p.Edits.Carry(was)
	if joint >= 0 {
		node := was.Model.Skeleton.Joints[joint].Node
		for i, k := range skinning.NodeMap(&p.Edits.Model.Skeleton, &was.Model.Skeleton) {
			if k == node {
				p.Pick(p.host.Bones().OfNode(i))
			}
		}
	}
	p.Edits.StandAt(p.State.Clip, p.State.Time)
}

// begin starts a step of the history. It pauses the clip unless the pose is held over it.
func (p *Page) begin() {
	p.Edits.Begin()
	p.stand()
}

// stand ties the edits to the current place of the clip.
func (p *Page) stand() {
	if !p.State.HoldPose {
		p.State.Playing = false
	}
	p.Edits.StandAt(p.State.Clip, p.State.Time)
	p.Wake()
}

// Update drops the edits when the clip has moved on, unless they are held.
func (p *Page) Update(time.Time, bool) {
	s := p.State
	if p.Edits.Active() && (s.Moving() && !s.HoldPose || !p.Edits.Keeps(s.Clip, s.Time, s.HoldPose)) {
		p.Edits.Drop()
	}
}

// Grab begins a step of the history in which a bone is turned or moved. It returns the bone's transform relative to its
// parent.
func (p *Page) Grab(i int) geom.Transform {
	p.begin()
	return p.local(i)
}

// local returns the transform of a bone relative to its parent.
func (p *Page) local(i int) geom.Transform {
	return p.host.First().Pose.Local[p.host.Bones().Bones[i].Node]
}

// Turn sets the rotation of a bone relative to its parent.
func (p *Page) Turn(i int, q geom.Quat) {
	t := p.local(i)
	t.Rotation = q
	p.put(i, t)
}

// Move sets the position of a bone in its parent's space.
func (p *Page) Move(i int, to [3]float64) {
	t := p.local(i)
	t.Translation = to
	p.put(i, t)
}

func (p *Page) put(i int, t geom.Transform) {
	node := p.host.Bones().Bones[i].Node
	p.Edits.Put(node, t)
	p.host.First().Pose.Local[node] = t // later changes in this frame start from it
}

// ResetBone restores the picked joint's transform of the file, without a clip.
func (p *Page) ResetBone() {
	if i := p.Bone(); i >= 0 {
		p.begin()
		node := p.host.Bones().Bones[i].Node
		p.Edits.Put(node, p.Edits.Model.Skeleton.Nodes[node].Rest)
	}
}

// ResetAll restores all transforms of the file, without a clip.
func (p *Page) ResetAll() {
	p.Edits.Model.ResetPose(p.after)
	p.Show(p.after)
}

// ToClip drops the edits, so that the clip's pose is shown.
func (p *Page) ToClip() {
	p.Edits.Drop()
	p.Wake()
}

// MirrorPose mirrors the pose: the left and right sides change places.
func (p *Page) MirrorPose() {
	if p.mirror == nil {
		p.mirror = anatomy.NewMirror(p.Edits.Model)
	}
	p.begin()
	p.host.Pose()
	p.host.First().CopyPose(p.before)
	p.mirror.Apply(p.after, p.before)
	p.Edits.PutPose(p.after, p.before)
}

// Show lays a pose over the paused clip as one step of the history.
func (p *Page) Show(pose *skinning.Pose) {
	p.begin()
	p.host.Pose()
	p.host.First().CopyPose(p.before)
	p.Edits.PutPose(pose, p.before)
}

// PutPose poses the model. If begins is set, it starts a new step of the history and pauses the clip, even if poses are
// held.
func (p *Page) PutPose(pose *skinning.Pose, begins bool) {
	if begins {
		p.State.Playing = false
		p.begin()
	}
	p.Edits.PutPose(pose, p.host.First().Pose)
	p.Wake()
}

// Undo goes one step back in the history of edits, or one step forward.
func (p *Page) Undo(back bool) {
	if p.Edits.Step(back) {
		p.stand()
	}
}
