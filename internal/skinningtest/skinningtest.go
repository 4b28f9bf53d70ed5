// Package skinningtest makes models, poses and memory for the tests of skinning and of the packages below it.
package skinningtest

import (
	"math"
	"math/rand/v2"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// RandomModel makes a chain of joints about a unit apart in a box of two metres, with vertices bound to `influences` of
// them at random.
func RandomModel(vertices, joints, influences int, seed uint64) *skinning.Model {
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

// RandomFrame turns every joint by a random rotation of up to about 60 degrees.
func RandomFrame(m *skinning.Model, seed uint64) *skinning.Frame {
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

// MaxDiff returns the largest difference of two lists, and NaN where there is one.
func MaxDiff(a, b []float64) (d float64) {
	for i := range a {
		d = max(d, math.Abs(a[i]-b[i]))
	}
	return d
}

// ScaledFrame is [RandomFrame] with every third joint scaled unevenly and every seventh reflected.
func ScaledFrame(m *skinning.Model, seed uint64) *skinning.Frame {
	f := RandomFrame(m, seed)
	p := m.NewPose()
	for i := range p.Local {
		p.Local[i].Rotation = geom.AxisAngle(mgl64.Vec3{1, float64(i % 3), 0.5}, 0.1*float64(i%7))
		if i%3 == 1 {
			p.Local[i].Scale = mgl64.Vec3{1.3, 0.8, 1.1}
		} else if i%3 == 2 {
			p.Local[i].Scale = mgl64.Vec3{1 / 1.3, 1 / 0.8, 1 / 1.1}
		}
		if i%7 == 3 {
			p.Local[i].Scale[0] *= -1
		}
	}
	f.SetPose(p)
	return f
}

// AwkwardModel has cases that are difficult for kernels: any number of influences from one to four side by side, and
// every so often a vertex with most, one whose second joint weighs next to nothing, two joints of equal weight, and a
// joint that comes twice.
func AwkwardModel(vertices, joints, most int, seed uint64) *skinning.Model {
	m := RandomModel(vertices, joints, 1, seed)
	rng := rand.New(rand.NewPCG(seed, 21))
	m.Skin.Influences = skinning.Influences{}
	for v := range vertices {
		var raw []skinning.Influence
		n := 1 + rng.IntN(4)
		if v%11 == 5 {
			n = most
		}
		for range n {
			raw = append(raw, skinning.Influence{Joint: uint16(rng.IntN(joints)), Weight: rng.Float32() + 1e-3})
		}
		switch v % 7 {
		case 3:
			raw = append(raw[:1], skinning.Influence{Joint: uint16(rng.IntN(joints)), Weight: 1e-7})
		case 4:
			raw = []skinning.Influence{{Joint: raw[0].Joint, Weight: 1}, {Joint: uint16(rng.IntN(joints)), Weight: 1}}
		}
		m.Skin.Append(raw, 0)
	}
	centers := skinning.InputData{Input: &skinning.RotationCenter}
	for range 3 * vertices {
		centers.Values = append(centers.Values, 2*rng.Float32()-1)
	}
	m.Skin.SetInput(centers)
	return m
}

// TurnedPose turns every joint by up to angle about an axis, and scales or mirrors some.
func TurnedPose(r *rand.Rand, m *skinning.Model, angle float64, scaled, mirrored bool) *skinning.Pose {
	p := m.NewPose()
	for i := range p.Local {
		axis := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		p.Local[i].Rotation = geom.AxisAngle(axis, angle*(2*r.Float64()-1))
		if scaled && r.IntN(3) == 0 {
			p.Local[i].Scale = mgl64.Vec3{0.8 + 0.4*r.Float64(), 0.8 + 0.4*r.Float64(), 0.8 + 0.4*r.Float64()}
		}
		if mirrored && r.IntN(3) == 0 {
			p.Local[i].Scale[1] *= -1
		}
	}
	return p
}
