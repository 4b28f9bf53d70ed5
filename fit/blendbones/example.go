package blendbones

import (
	"context"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Example is the one of ALNS section 3 (table 2, figures 3 and 4): three vertices between two bones, the second
// twisted by 180 degrees.
func Example() *Problem {
	m := &skinning.Model{Name: "ALNS figure 3"}
	m.Skeleton.Nodes = []skinning.Node{{Parent: -1, Rest: geom.IdentityTransform()},
		{Parent: 0, Rest: geom.IdentityTransform()}}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err) // its nodes are those above
	}
	m.Skeleton.Joints = []skinning.Joint{{Parent: -1, FromRest: geom.IdentityAffine()},
		{Node: 1, FromRest: geom.IdentityAffine()}}
	for i, w := range []float32{0.75, 0.5, 0.25} {
		m.Skin.Positions = append(m.Skin.Positions, mgl32.Vec3{float32(i), 1, 0})
		m.Skin.Normals = append(m.Skin.Normals, mgl32.Vec3{0, 1, 0})
		m.Skin.Append([]skinning.Influence{{Joint: 0, Weight: w}, {Joint: 1, Weight: 1 - w}}, 0)
	}
	pose := m.NewPose()
	// A hair below 180 degrees, where the shorter way round is the paper's.
	pose.Local[1].Rotation = geom.AxisAngle(mgl64.Vec3{1, 0, 0}, math.Pi-1e-4)
	f := skinning.NewFrame(m, nil)
	f.SetPose(pose)
	return &Problem{m, skinning.DQS, []*skinning.Frame{f}}
}

// Half is the state of a bone after half a round: a w'-step or a u-step.
type Half struct {
	U     []float64 // its u-weights
	Error float64   // E of equation (2) over the poses of the problem, m²
}

// Figure4 returns the start of ALNS figure 4, u = (0.66, 0.34) on [Example], and the state after the w'-step and after
// the u-step of each round.
func Figure4(rounds int, recipe *Recipe) (list []Half) {
	r := newRun(context.Background(), Example(), Options{Recipe: recipe, Workers: 1})
	joints := []uint16{0, 1}
	r.place(&bone{joints: joints, u: []float64{0.66, 0.34}, span: joints})
	r.listBones()
	note := func() {
		sum, _ := r.errors()
		list = append(list, Half{slices.Clone(r.bones[0].u), sum})
	}
	note()
	for range rounds {
		r.solveWeights(r.reach(r.all()), true)
		note()
		recipe.Bones(r.solution, r.all(), recipe.Damping)
		note()
	}
	return list
}
