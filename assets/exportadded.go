package assets

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// addedJoints returns how many joints a model's rigs drive.
func addedJoints(m *skinning.Model) (n int) {
	if m.Blend != nil {
		n += len(m.Blend.Bones)
	}
	if m.Envelope != nil {
		n += len(m.Envelope.Proxies)
	}
	return n
}

// checkAdded returns how many joints the fit has added. A rig is all added, or all from the file: that of an earlier
// fit, which stays.
func (x *exporter) checkAdded() (added int, err error) {
	split := func(kind string, joints []int) (fromFile bool) {
		behind := 0
		for _, j := range joints {
			if j >= x.masters() {
				behind++
			}
		}
		if behind > 0 && behind < len(joints) && err == nil {
			err = fmt.Errorf("%d of %d %s are not behind the file's %d joints", len(joints)-behind, len(joints), kind,
				x.masters())
		}
		added += behind
		return len(joints) > 0 && behind == 0
	}
	if b := x.fitted.Blend; b != nil {
		var joints []int
		for k := range b.Bones {
			joints = append(joints, b.Bones[k].Joint)
		}
		x.keepBlend = split("blend bones", joints)
	}
	if e := x.fitted.Envelope; e != nil {
		if err := e.Validate(&x.fitted.Skeleton); err != nil {
			return 0, err
		}
		x.keepEnvelope = split("proxies", e.Proxies)
	}
	return added, err
}

// gatherBones lists the added joints, blend bones first.
func (x *exporter) gatherBones() {
	add := func(bone bakedBone) { x.bones = append(x.bones, bone) }
	if b := x.fitted.Blend; b != nil && !x.keepBlend {
		for k := range b.Bones {
			bone := &b.Bones[k]
			heaviest := 0
			for n, w := range bone.Weights {
				if w > bone.Weights[heaviest] {
					heaviest = n
				}
			}
			add(bakedBone{joint: bone.Joint, masters: bone.Masters, beside: int(bone.Masters[heaviest])})
		}
	}
	if e := x.fitted.Envelope; e != nil && !x.keepEnvelope {
		beside := x.besideProxies()
		for b, j := range e.Proxies {
			// All proxies shear somewhere: to find out which do not would cost more than their second nodes.
			add(bakedBone{joint: j, proxy: true, beside: beside[b], nested: true})
		}
	}
}

// placedPoses is how many poses of all clips together say which joint a proxy moves with, proxyReach how far around a
// proxy's place a turn counts, as a fraction of the diagonal.
const (
	placedPoses = 64
	proxyReach  = 0.05
)

// besideProxies returns for every proxy the joint of the file that its matrix differs from least, over poses from all
// clips; in a model without clips, the one that turns its key gradient.
func (x *exporter) besideProxies() []int {
	e, joints := x.fitted.Envelope, x.fitted.Skeleton.Joints
	cost := make([][]float64, len(e.Proxies)) // summed squares, metres²
	for b := range cost {
		cost[b] = make([]float64, x.masters())
	}
	reach := proxyReach * x.fitted.Diagonal()
	frame, pose := skinning.NewFrame(x.fitted, &skinning.CenterSets{}), x.fitted.NewPose()
	poses := 0
	if n := len(x.fitted.Clips); n > 0 {
		poses = max(1, placedPoses/n)
	}
	for clip := range x.fitted.Clips {
		for i := range poses {
			x.fitted.SamplePose(pose, clip, x.fitted.Clips[clip].Seconds*(float64(i)+0.5)/float64(poses))
			frame.SetPose(pose)
			for b, proxy := range e.Proxies {
				for j := range cost[b] {
					cost[b][j] += apartAt(&frame.Matrices[proxy], &frame.Matrices[j], joints[proxy].Position, reach)
				}
			}
		}
	}
	out := make([]int, len(e.Proxies))
	for b := range out {
		if j := e.Masters[e.Keys[b].Terms[0].Joint]; j < x.masters() {
			out[b] = j
		}
		for j, c := range cost[b] {
			if c < cost[b][out[b]] {
				out[b] = j
			}
		}
	}
	return out
}

// apartAt returns the mean squared distance by which two matrices move the points of a sphere, up to a factor.
func apartAt(a, b *skinning.Affine, center mgl64.Vec3, radius float64) float64 {
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
