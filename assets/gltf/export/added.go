package export

import (
	"fmt"
	"reflect"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/gltf/bake"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// addedJoints returns the number of joints that a model's rigs drive, and the number of free joints.
func addedJoints(m *skinning.Model) (n int) {
	for _, rig := range m.Rigs {
		n += len(rig.Joints())
	}
	for j := range m.Skeleton.Joints {
		if m.Skeleton.Joints[j].Free {
			n++
		}
	}
	return n
}

// checkAdded returns the number of joints that the fit has added: those of its rigs and the free ones, after the joints
// of the file. A rig over joints of the file comes from an earlier fit, and stays as it is. If it has been edited
// since, its joints, which are nodes of the file, are baked again.
func (x *exporter) checkAdded() (added int, err error) {
	x.fromFile = make([]bool, len(x.fitted.Rigs))
	for r, rig := range x.fitted.Rigs {
		if err := rig.Validate(&x.fitted.Skeleton); err != nil {
			return 0, err
		}
		behind, joints := 0, rig.Joints()
		for _, j := range joints {
			if j >= x.masters() {
				behind++
			}
		}
		if behind > 0 && behind < len(joints) {
			return 0, fmt.Errorf("%d of %d %s are not behind the file's %d joints", len(joints)-behind, len(joints),
				rig.Names().Bones(), x.masters())
		}
		added += behind
		x.fromFile[r] = len(joints) > 0 && behind == 0
		if x.fromFile[r] && x.edited(rig) {
			x.fromFile[r] = false
		}
	}
	for j := range x.fitted.Skeleton.Joints {
		if x.fitted.Skeleton.Joints[j].Free {
			added++
		}
	}
	return added, nil
}

// edited reports whether a rig of the file has other numbers in the fitted model. Only the joints of a
// [skinning.ChildRig] can be baked again in place, because each is one node below its parent's.
func (x *exporter) edited(rig skinning.Rig) bool {
	if _, child := rig.(skinning.ChildRig); !child {
		return false
	}
	for _, own := range x.Model.Rigs {
		if own.Key() == rig.Key() {
			return !reflect.DeepEqual(own.Encode(x.Model), rig.Encode(x.fitted))
		}
	}
	return true
}

// gatherBones lists the added joints, rig by rig, and then the free ones.
func (x *exporter) gatherBones() {
	for r, rig := range x.fitted.Rigs {
		if x.fromFile[r] {
			continue
		}
		_, divided := rig.(skinning.DividedRig)
		linear, sheared := rig.(skinning.LinearRig)
		children, child := rig.(skinning.ChildRig)
		first := len(x.bones)
		for k, joint := range rig.Joints() {
			// Joints of a linear rig shear in general. Finding the few that do not costs more than their second nodes.
			bone := bake.Bone{Joint: joint, Nested: sheared, Child: child, HasNode: joint < x.masters()}
			masters, weights := rig.Shares(k)
			bone.Beside = int(masters[heaviest(weights)])
			switch {
			case divided:
				bone.Masters = masters
			case child:
				bone.Beside = children.ParentOf(k)
			case sheared:
				bone.Beside, _ = linear.Turn(k)
			}
			x.bones = append(x.bones, bone)
		}
		if !divided && !child {
			x.placeBeside(x.bones[first:])
		}
	}
	first := len(x.bones)
	for j := range x.fitted.Skeleton.Joints {
		if x.fitted.Skeleton.Joints[j].Free {
			x.bones = append(x.bones, bake.Bone{Joint: j})
		}
	}
	x.placeBeside(x.bones[first:])
}

// heaviest returns the index of the first of the largest weights.
func heaviest(weights []float64) (k int) {
	for n, w := range weights {
		if w > weights[k] {
			k = n
		}
	}
	return k
}

// placedPoses is the number of poses, over all clips, in which a bone's motion is compared with the joints'.
// placedReach is the radius of the sphere around the bone whose points are compared, as a fraction of the diagonal.
const (
	placedPoses = 64
	placedReach = 0.05
)

// placeBeside sets Beside of added joints to the joint of the file whose matrix is closest to theirs over poses of all
// clips. In a model without clips it stays as it is.
func (x *exporter) placeBeside(bones []bake.Bone) {
	joints := x.fitted.Skeleton.Joints
	cost := make([][]float64, len(bones)) // summed squares, metres²
	for b := range cost {
		cost[b] = make([]float64, x.masters())
	}
	reach := placedReach * x.fitted.Diagonal()
	frame, pose := skinning.NewFrame(x.fitted, skinning.NoCenters()), x.fitted.NewPose()
	poses := 0
	if n := len(x.fitted.Clips); n > 0 {
		poses = max(1, placedPoses/n)
	}
	for clip := range x.fitted.Clips {
		for i := range poses {
			x.fitted.SamplePose(pose, clip, x.fitted.Clips[clip].Seconds*(float64(i)+0.5)/float64(poses))
			frame.SetPose(pose)
			for b := range bones {
				joint := bones[b].Joint
				for j := range cost[b] {
					cost[b][j] += displacement(&frame.Matrices[joint], &frame.Matrices[j], joints[joint].Position, reach)
				}
			}
		}
	}
	for b := range bones {
		bone := &bones[b]
		if bone.Beside >= x.masters() {
			bone.Beside = 0
		}
		for j, c := range cost[b] {
			if c < cost[b][bone.Beside] {
				bone.Beside = j
			}
		}
	}
}

// displacement returns the mean squared distance between the images of a sphere's points under two matrices, up to a
// constant factor.
func displacement(a, b *geom.Affine, center mgl64.Vec3, radius float64) float64 {
	d := *a
	for k := range d {
		d[k] -= b[k]
	}
	at := d.Apply(center)
	sum := at.Dot(at)
	for _, v := range d.Linear() {
		sum += radius * radius * v * v
	}
	return sum
}
