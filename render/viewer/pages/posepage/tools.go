package posepage

import (
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/posing"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
	"skinlab/skinning/remodel"
)

// Bone returns the picked bone, −1 for none.
func (p *Page) Bone() int { return p.Models.File.Bones.Of(p.State.Joint) }

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
	if bones := p.Models.File.Bones.Bones; i >= 0 {
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
		for i, k := range remodel.NodeMap(&p.Edits.Model.Skeleton, &was.Model.Skeleton) {
			if k == node {
				p.Pick(p.Models.File.Bones.OfNode(i))
			}
		}
	}
	p.Edits.StandAt(p.State.Clip, p.State.Time)
}

// stand ties the edits to the current place of the clip. It pauses the clip unless the pose is held over it.
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

// Grab begins to turn or move a bone. It returns the bone's transform relative to its parent.
func (p *Page) Grab(i int) geom.Transform {
	p.stand()
	return p.local(i)
}

// local returns the transform of a bone relative to its parent.
func (p *Page) local(i int) geom.Transform {
	return p.Models.File.Pose.Local[p.Models.File.Bones.Bones[i].Node]
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
	node := p.Models.File.Bones.Bones[i].Node
	p.Edits.Put(node, t)
	p.Models.File.Pose.Local[node] = t // later changes in this frame start from it
}

// ResetBone restores the picked joint's transform of the file, without a clip.
func (p *Page) ResetBone() {
	if i := p.Bone(); i >= 0 {
		p.stand()
		node := p.Models.File.Bones.Bones[i].Node
		p.Edits.Put(node, p.Edits.Model.Skeleton.Nodes[node].Rest)
	}
}

// ResetAll restores all transforms of the file, without a clip.
func (p *Page) ResetAll() {
	p.Edits.Model.ResetPose(p.after)
	p.Show(p.after)
}

func (p *Page) toClip() {
	p.Edits.Drop()
	p.Wake()
}

// MirrorPose mirrors the pose: the left and right sides change places.
func (p *Page) MirrorPose() {
	p.change(func(dst, src *skinning.Pose) { p.mirrorOf().Apply(dst, src) })
}

// CopySide makes the right side of the pose the mirror image of the left, or the other way round.
func (p *Page) CopySide(left bool) {
	p.change(func(dst, src *skinning.Pose) { p.mirrorOf().CopySide(dst, src, left) })
}

// change replaces the pose by the result of a function of it.
func (p *Page) change(f func(dst, src *skinning.Pose)) {
	p.stand()
	p.Models.Pose()
	p.Models.File.CopyPose(p.before)
	f(p.after, p.before)
	p.Edits.PutPose(p.after, p.before)
}

func (p *Page) mirrorOf() *anatomy.Mirror {
	if p.mirror == nil {
		p.mirror = anatomy.NewMirror(p.Edits.Model)
	}
	return p.mirror
}

func (p *Page) Moves(i int) bool { return p.State.MoveAll || p.Models.File.Bones.Bones[i].Moves }

// Limb returns the limb that ends at a bone, and why there is none, "" if there is one.
func (p *Page) Limb(i int) (limb *anatomy.Limb, why string) {
	if p.limbBone != i {
		p.limbBone, p.noLimb = i, ""
		var err error
		if p.limb, err = p.mirrorOf().LimbOf(&p.Edits.Model.Skeleton, p.Models.File.Bones.Bones[i].Joint); err != nil {
			p.noLimb = "The handles turn the joint: " + err.Error() + "."
		}
	}
	return &p.limb, p.noLimb
}

func (p *Page) BeginReach(l *anatomy.Limb) posing.Reach {
	p.stand()
	return posing.NewReach(&p.Models.File.Subject, l)
}

// Reach bends a limb so that its end comes to a place in the world.
func (p *Page) Reach(r *posing.Reach, place mgl64.Vec3) {
	pose := p.Models.File.Pose
	for k, q := range r.To(place) {
		t := pose.Local[r.Nodes[k]]
		t.Rotation = q
		p.Edits.Put(r.Nodes[k], t)
		pose.Local[r.Nodes[k]] = t
	}
}

// Show lays a pose over the paused clip.
func (p *Page) Show(pose *skinning.Pose) {
	p.stand()
	p.Models.Pose()
	p.Models.File.CopyPose(p.before)
	p.Edits.PutPose(pose, p.before)
}

// PutPose poses the model. If begins is set, it pauses the clip, even if poses are held.
func (p *Page) PutPose(pose *skinning.Pose, begins bool) {
	if begins {
		p.State.Playing = false
		p.stand()
	}
	p.Edits.PutPose(pose, p.Models.File.Pose)
	p.Wake()
}

// Undo is the page's row of what the user can undo to: a pose, nil for the clip's.
func (p *Page) Undo() pages.Undo {
	return pages.Undo{Reopens: true, Restore: p.restore, Moment: func() any {
		if c := p.Edits.Copy(); c != nil {
			return c
		}
		return nil
	}}
}

// restore shows a pose that Edits have copied, nil for the clip's.
func (p *Page) restore(moment any) {
	c, _ := moment.(*posing.Copy)
	if p.Edits.Copy() != c {
		p.Edits.Restore(c)
		p.near = [3]float64{}
		p.stand()
	}
}
