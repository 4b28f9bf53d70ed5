package skinningtest

import (
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// rehungRate is the rate of the keys of nodes that [Rehung] moves, beside the keys of the clip: a second.
const rehungRate = 30

// Rehung returns a model as rigs for inverse kinematics are built. The ends of its limbs are joints that share vertices
// with the joint above them, with one joint after them at most. They become children of the root joint above them, or
// roots themselves where loose. Clips have keys for them, so that every joint moves as before, at each key to the
// rounding of float32. It also returns these joints.
func Rehung(m *skinning.Model, loose bool) (*skinning.Model, []int) {
	out := *m
	s := &out.Skeleton
	s.Nodes, s.Joints = slices.Clone(s.Nodes), slices.Clone(s.Joints)
	ends := limbEnds(m)
	moved := map[int]int{} // of a node, the node that it hangs on
	for _, j := range ends {
		root := j
		for s.Joints[root].Parent >= 0 {
			root = s.Joints[root].Parent
		}
		moved[s.Joints[j].Node], s.Joints[j].Parent = s.Joints[root].Node, root
		if loose {
			moved[s.Joints[j].Node], s.Joints[j].Parent = -1, -1
		}
	}
	static := make([]geom.Affine, len(s.Nodes))
	m.Skeleton.Globals(static, m.NewPose())
	local := func(node int, globals []geom.Affine) geom.Transform {
		back := geom.IdentityAffine()
		if moved[node] >= 0 {
			back, _ = globals[moved[node]].Inverse()
		}
		t, _ := geom.DecomposeAffine(back.Mul(globals[node]))
		return t
	}
	for node, onto := range moved {
		s.Nodes[node].Parent, s.Nodes[node].Rest, s.Nodes[node].Matrix = onto, local(node, static), nil
	}
	if err := s.SortNodes(); err != nil {
		panic(err)
	}
	nodes := make([]int, 0, len(moved))
	for node := range moved {
		nodes = append(nodes, node)
	}
	slices.Sort(nodes)
	out.Clips = slices.Clone(m.Clips)
	for c := range out.Clips {
		clip := &out.Clips[c]
		clip.Channels = slices.DeleteFunc(slices.Clone(clip.Channels), func(ch skinning.Channel) bool {
			_, gone := moved[ch.Node]
			return gone && ch.Path != skinning.PathWeights
		})
		clip.Channels = append(clip.Channels, rehungChannels(m, c, nodes, local)...)
	}
	return &out, ends
}

// rehungChannels returns keys of nodes by their globals in a clip.
func rehungChannels(m *skinning.Model, clip int, nodes []int,
	local func(node int, globals []geom.Affine) geom.Transform) (out []skinning.Channel) {
	seconds := m.Clips[clip].Seconds
	var times []float32
	for _, t := range m.Clips[clip].KeyTimes() {
		times = append(times, float32(t))
	}
	for k := 0; float64(k) < seconds*rehungRate; k++ {
		times = append(times, float32(k)/rehungRate)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	pose, globals := m.NewPose(), make([]geom.Affine, len(m.Skeleton.Nodes))
	for _, n := range nodes {
		for path, width := range []int{3, 4, 3} {
			out = append(out, skinning.Channel{Node: n, Path: skinning.Path(path), Width: width, Times: times})
		}
	}
	before := make([]geom.Quat, len(nodes))
	for _, t := range times {
		m.SamplePose(pose, clip, float64(t))
		m.Skeleton.Globals(globals, pose)
		for i, n := range nodes {
			to := local(n, globals)
			if to.Rotation.Dot(before[i]) < 0 {
				to.Rotation = to.Rotation.Scale(-1)
			}
			before[i] = to.Rotation
			for path, values := range [][]float64{to.Translation[:], to.Rotation[:], to.Scale[:]} {
				for _, x := range values {
					ch := &out[3*i+path]
					ch.Values = append(ch.Values, float32(x))
				}
			}
		}
	}
	return out
}

// limbEnds returns the joints that [Rehung] moves.
func limbEnds(m *skinning.Model) (ends []int) {
	joints := m.Skeleton.Joints
	carries, follows := make([]bool, len(joints)), make([]bool, len(joints)) // a vertex follows it, and its parent
	for _, buf := range m.Skin.All() {
		for _, a := range buf {
			carries[a.Joint] = true
			for _, b := range buf {
				follows[a.Joint] = follows[a.Joint] || int(b.Joint) == joints[a.Joint].Parent
			}
		}
	}
	height, children := make([]int, len(joints)), make([]int, len(joints)) // of weighted joints
	for j := range joints {
		if !carries[j] {
			continue
		}
		if p := joints[j].Parent; p >= 0 {
			children[p]++
		}
		for k, h := j, 0; k >= 0; k, h = joints[k].Parent, h+1 {
			height[k] = max(height[k], h)
		}
	}
	end := func(j int) bool { return height[j] <= 1 && children[j] <= 1 }
	for j := range joints {
		p := joints[j].Parent
		if carries[j] && follows[j] && end(j) && p >= 0 && joints[p].Parent >= 0 && !end(p) {
			ends = append(ends, j)
		}
	}
	return ends
}
