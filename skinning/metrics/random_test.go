package metrics

import (
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// randomModel makes a chain of joints about a unit apart in a box of two metres, with vertices bound to `influences` of
// them at random.
func randomModel(vertices, joints, influences int, seed uint64) *skinning.Model {
	rng := rand.New(rand.NewPCG(seed, 7))
	m := &skinning.Model{Name: "random"}
	unit := func() float64 { return 2*rng.Float64() - 1 }
	for j := range joints {
		n := skinning.Node{Parent: j - 1, Rest: geom.IdentityTransform()}
		n.Rest.Translation = mgl64.Vec3{unit(), unit(), unit()}.Mul(0.2)
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, n)
	}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	globals := make([]geom.Affine, joints)
	m.Skeleton.Globals(globals, m.NewPose())
	for j := range joints {
		inv, _ := globals[j].Inverse()
		m.Skeleton.Joints = append(m.Skeleton.Joints,
			skinning.Joint{Node: j, Parent: j - 1, FromRest: inv, Position: globals[j].Translation()})
	}
	var raw []skinning.Influence
	for range vertices {
		m.Skin.Positions = append(m.Skin.Positions, mgl32.Vec3{float32(unit()), float32(unit()), float32(unit())})
		n := mgl64.Vec3{unit(), unit(), unit() + 2}.Normalize()
		m.Skin.Normals = append(m.Skin.Normals, geom.Vec32(n))
		raw = raw[:0]
		first := rng.IntN(joints)
		for k := range influences {
			raw = append(raw, skinning.Influence{Joint: uint16((first + k) % joints), Weight: 0.1 + rng.Float32()})
		}
		m.Skin.Append(raw, 0)
	}
	return m
}

// randomFrame turns every joint by a random rotation of up to about 60 degrees.
func randomFrame(m *skinning.Model, seed uint64) *skinning.Frame {
	rng := rand.New(rand.NewPCG(seed, 11))
	p := m.NewPose()
	for i := range p.Local {
		axis := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		p.Local[i].Rotation = geom.AxisAngle(axis, 1.05*(2*rng.Float64()-1))
	}
	f := skinning.NewFrame(m, nil)
	f.SetPose(p)
	return f
}
