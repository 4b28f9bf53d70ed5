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

// Under returns the bone under the mouse, in the tree or in the picture; −1 for none.
func (p *Page) Under() int {
	if p.inTree >= 0 {
		return p.inTree
	}
	return p.InPicture
}

// Pick picks a bone, or none with −1, and opens what it hangs on.
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

// Carry takes a person's pose and the picked joint over from an older version of the model, node by node of the same
// name.
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

// begin makes ready for a change of the pose, which is one step of the history: the clip pauses, unless the pose is
// held over it.
func (p *Page) begin() {
	p.Edits.Begin()
	p.stand()
}

// stand says that the pose goes with what the clip shows now.
func (p *Page) stand() {
	if !p.State.HoldPose {
		p.State.Playing = false
	}
	p.Edits.StandAt(p.State.Clip, p.State.Time)
	p.Wake()
}

// Update drops a person's pose when the clip has gone on without it.
func (p *Page) Update(time.Time, bool) {
	s := p.State
	if p.Edits.Active() && (s.Moving() && !s.HoldPose || !p.Edits.Keeps(s.Clip, s.Time, s.HoldPose)) {
		p.Edits.Drop()
	}
}

// Grab begins a step of the history in which a bone is turned or moved, and returns its transform against its parent.
func (p *Page) Grab(i int) geom.Transform {
	p.begin()
	return p.local(i)
}

// local is the transform of a bone against its parent.
func (p *Page) local(i int) geom.Transform {
	return p.host.First().Pose.Local[p.host.Bones().Bones[i].Node]
}

// Turn sets the rotation of a bone against its parent.
func (p *Page) Turn(i int, q geom.Quat) {
	t := p.local(i)
	t.Rotation = q
	p.put(i, t)
}

// Move sets where a bone is in its parent's space.
func (p *Page) Move(i int, to [3]float64) {
	t := p.local(i)
	t.Translation = to
	p.put(i, t)
}

func (p *Page) put(i int, t geom.Transform) {
	node := p.host.Bones().Bones[i].Node
	p.Edits.Put(node, t)
	p.host.First().Pose.Local[node] = t // what else is done in this frame goes on from there
}

// ResetBone puts the picked joint back to where the file has it without a clip.
func (p *Page) ResetBone() {
	if i := p.Bone(); i >= 0 {
		p.begin()
		node := p.host.Bones().Bones[i].Node
		p.Edits.Put(node, p.Edits.Model.Skeleton.Nodes[node].Rest)
	}
}

// ResetAll puts everything back to where the file has it without a clip.
func (p *Page) ResetAll() {
	p.Edits.Model.ResetPose(p.after)
	p.Show(p.after)
}

// ToClip goes back to the clip.
func (p *Page) ToClip() {
	p.Edits.Drop()
	p.Wake()
}

// MirrorPose lets the left side do what the right one does, and the right side what the left one does.
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

// Show lays a pose over the clip, which is paused, as one step of the history.
func (p *Page) Show(pose *skinning.Pose) {
	p.begin()
	p.host.Pose()
	p.host.First().CopyPose(p.before)
	p.Edits.PutPose(pose, p.before)
}

// PutPose poses the model by hand. Where that begins, it is a new step of the history, and the clip pauses even where
// poses are held.
func (p *Page) PutPose(pose *skinning.Pose, begins bool) {
	if begins {
		p.State.Playing = false
		p.begin()
	}
	p.Edits.PutPose(pose, p.host.First().Pose)
	p.Wake()
}

// Undo goes a step back through what a person has posed, or forth again.
func (p *Page) Undo(back bool) {
	if p.Edits.Step(back) {
		p.stand()
	}
}
