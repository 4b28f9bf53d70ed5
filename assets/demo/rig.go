package demo

import (
	"math"

	"skinlab/skinning"
	"skinlab/skinning/geom"

	"github.com/go-gl/mathgl/mgl64"
)

// vec3 is a point or a direction, metres.
type vec3 = mgl64.Vec3

// bone is one line of a rig's table: a joint that stands unrotated at a rest position. So its local axes are those of
// the world, and key rotations in a table are rotations about x, y and z of the rest pose.
type bone struct {
	name   string
	parent int  // line of the parent bone, −1 for a root; parents come first
	at     vec3 // rest position, metres
}

// newSkeleton builds nodes and joints from a table. Node 0 is the node that the skin hangs on, with the given name;
// bone b is joint b and node b+1. The nodes are in parent-first order. Rest space is the world.
func newSkeleton(meshName string, bones []bone) skinning.Skeleton {
	s := skinning.Skeleton{
		Nodes: []skinning.Node{{Name: meshName, Parent: -1, Rest: geom.IdentityTransform()}},
		Order: []int{0},
	}
	for i, b := range bones {
		n := skinning.Node{Name: b.name, Parent: -1, Rest: geom.IdentityTransform()}
		n.Rest.Translation = b.at
		if b.parent >= 0 {
			n.Parent = jointNode(b.parent)
			n.Rest.Translation = b.at.Sub(bones[b.parent].at)
		}
		s.Nodes = append(s.Nodes, n)
		s.Order = append(s.Order, jointNode(i))
		s.Joints = append(s.Joints, skinning.Joint{
			Name: b.name, Node: jointNode(i), Parent: b.parent, Position: b.at,
			FromRest: geom.NewAffine(geom.Identity3(), b.at.Mul(-1)),
		})
	}
	return s
}

// jointNode returns the node of joint j in a skeleton of newSkeleton.
func jointNode(j int) int { return j + 1 }

// rotationChannel keys the rotation of a joint, one quaternion a time. Quaternions are stored with signs that run on
// from key to key (no jump to −q), so that a reader can follow a turn past 180 degrees; two keys must be less than 180
// degrees apart.
func rotationChannel(joint int, mode skinning.Interpolation, times []float32, keys []geom.Quat) skinning.Channel {
	c := skinning.Channel{Node: jointNode(joint), Path: skinning.PathRotation, Interpolation: mode, Width: 4, Times: times}
	for _, q := range keys {
		c.AddRotation(q)
	}
	return c
}

// rotationChannels keys the rotation of every joint that turns at any of the times. Keys are the rotations of all
// joints, by time.
func rotationChannels(mode skinning.Interpolation, times []float32, keys [][]geom.Quat) (out []skinning.Channel) {
	for j := range keys[0] {
		one, moves := make([]geom.Quat, len(keys)), false
		for i := range keys {
			one[i] = keys[i][j]
			moves = moves || math.Abs(one[i][3]) < 1-1e-9
		}
		if moves {
			out = append(out, rotationChannel(j, mode, times, one))
		}
	}
	return out
}

// secondsFrom0 returns n times, one a second.
func secondsFrom0(n int) []float32 {
	times := make([]float32, n)
	for i := range times {
		times[i] = float32(i)
	}
	return times
}

// newClip names a set of channels; it lasts until the latest key. It panics where a channel does not validate: the
// built-in tables are code, not data.
func newClip(name string, channels ...skinning.Channel) skinning.Clip {
	for i := range channels {
		if err := channels[i].Validate(); err != nil {
			panic("demo: clip " + name + ": " + err.Error())
		}
	}
	return skinning.NewClip(name, channels)
}

// twistKeys is the turn by each of the angles, in degrees, about an axis.
func twistKeys(axis vec3, degrees ...float64) []geom.Quat {
	keys := make([]geom.Quat, len(degrees))
	for i, d := range degrees {
		keys[i] = geom.AxisAngle(axis, mgl64.DegToRad(d))
	}
	return keys
}

// wholeMesh is the one part of a built-in model's skin, on node 0, with material 0.
func wholeMesh(name string, m *skinning.Mesh) []skinning.Part {
	return []skinning.Part{{Name: name, VertexCount: len(m.Positions), TriangleCount: len(m.Triangles)}}
}

// matte is a plain opaque material. The colour is linear RGB.
func matte(name string, r, g, b float32) []skinning.Material {
	return []skinning.Material{skinning.Matte(name, r, g, b)}
}
