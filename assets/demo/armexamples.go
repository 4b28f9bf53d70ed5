package demo

import (
	"fmt"
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// The arm's examples lie on a grid of elbow flexion and forearm supination, degrees: inside an arm's range.
var (
	exampleElbows = []float64{0, 45, 90, 130}
	exampleTwists = []float64{-80, -40, 0, 40, 80}
)

// addArmExamples gives the arm its example shapes, and the clip "examples" that shows them. "poses_only" has their
// poses without the morph targets.
func addArmExamples(m *skinning.Model, rig *armRig) {
	sculptor := newArmSculptor(m, rig)
	var poses []armPose
	for _, elbow := range exampleElbows {
		for _, twist := range exampleTwists {
			p := armPose{elbow: elbow, twist: twist}
			positions, normals := sculptor.target(p)
			addExample(m, fmt.Sprintf("elbow %g twist %g", elbow, twist), positions, normals)
			poses = append(poses, p)
		}
	}
	times := secondsFrom0(len(poses))
	channels := rig.channels(skinning.Step, times, poses)
	m.Clips = append(m.Clips, newClip("poses_only", channels...),
		newClip("examples", append(slices.Clip(channels), exampleWeights(m, 0, times))...))
}

// addExample gives a model an example shape: a morph target with a slot of its own, as offsets in rest space. Moving
// the vertices by the target first and blending linearly then gives the shape.
func addExample(m *skinning.Model, name string, positions, normals []mgl32.Vec3) {
	i := len(m.MorphSlots)
	m.MorphSlots = append(m.MorphSlots, skinning.MorphSlot{Name: name, Target: i})
	m.Skin.Morphs = append(m.Skin.Morphs, skinning.Morph{Slot: i, Positions: positions, Normals: normals})
}

// exampleWeights returns a channel of morph weights that shows the model's examples at the keys of a clip. The key i
// shows the morph target of slot first+i. At its key an example has weight 1, and all others have 0 (STEP).
func exampleWeights(m *skinning.Model, first int, times []float32) skinning.Channel {
	all := len(m.MorphSlots)
	weights := make([]float32, len(times)*all)
	for i := range times {
		weights[i*all+first+i] = 1
	}
	return skinning.Channel{Path: skinning.PathWeights, Interpolation: skinning.Step, Width: all, Times: times,
		Values: weights}
}

// armSculptor makes the example shapes. A shape is made in the posed arm: dual quaternions keep the forearm's girth as
// it twists and most of the elbow's as it bends, and the muscles swell. Solving linear blending for the rest position
// then gives the morph target.
type armSculptor struct {
	model     *skinning.Model
	rig       *armRig
	normals   []mgl32.Vec3           // of the rest mesh, by its triangles
	moves     []bool                 // the vertex may move in an example: shoulder to forearm, not the hand
	triangles [][3]uint32            // those with a vertex that may move
	blended   [][]skinning.Influence // of the vertices that elbow or twist bend; nil for those that they move as one
	corrected []float64              // how far a vertex goes from linear to dual quaternion blending
}

func newArmSculptor(m *skinning.Model, rig *armRig) *armSculptor {
	s := &armSculptor{
		model: m, rig: rig,
		normals:   skinning.ComputeNormals(m.Skin.Positions, m.Skin.Triangles),
		moves:     make([]bool, len(m.Skin.Positions)),
		blended:   make([][]skinning.Influence, len(m.Skin.Positions)),
		corrected: make([]float64, len(m.Skin.Positions)),
	}
	for v := range s.blended {
		var upper, fore float32 // shares of what does not bend at the elbow, and of what does not twist
		all := m.Skin.Of(nil, v)
		for _, f := range all {
			if int(f.Joint) <= rig.upperArm {
				upper += f.Weight
			} else if int(f.Joint) == rig.forearm {
				fore += f.Weight
			}
		}
		rigid := float32(1 - 1e-6)
		if upper < rigid && fore < rigid && upper+fore > 1-rigid {
			s.blended[v] = all
		}
		// Past the twist's blending the forearm has no muscle that swells.
		s.moves[v] = s.blended[v] != nil || upper+fore > 1-rigid
		// The correction is full where the twist is blended. At the elbow it fades, because plain dual quaternions
		// would bulge there.
		s.corrected[v] = 1
		if upper > 0 {
			s.corrected[v] = 0.4
		}
	}
	for _, t := range m.Skin.Triangles {
		if s.moves[t[0]] || s.moves[t[1]] || s.moves[t[2]] {
			s.triangles = append(s.triangles, t)
		}
	}
	return s
}

// target returns the offsets, from the rest mesh, of positions and normals in the posture p.
func (s *armSculptor) target(p armPose) (positions, normals []mgl32.Vec3) {
	frame, pose := skinning.NewFrame(s.model, nil), s.model.NewPose()
	for j, q := range s.rig.turns(p) {
		pose.Local[jointNode(j)].Rotation = q
	}
	frame.SetPose(pose)
	skin := &s.model.Skin
	origin := s.model.Skeleton.Joints[0].Position
	positions, moved := make([]mgl32.Vec3, len(skin.Positions)), make([]mgl32.Vec3, len(skin.Positions))
	copy(moved, skin.Positions)
	for v, rest := range skin.Positions {
		if !s.moves[v] {
			continue
		}
		at := geom.Vec64(rest)
		want := at.Add(geom.Vec64(s.normals[v]).Mul(muscleSwelling(at.Sub(origin), p)))
		if s.blended[v] != nil {
			linear := frame.Blend(skinning.LBS, s.blended[v], 0)
			dual := frame.Blend(skinning.DQS, s.blended[v], 0)
			inverse, ok := linear.Inverse()
			if !ok {
				panic(fmt.Sprintf("demo: arm: vertex %d cannot be solved at elbow %g, twist %g", v, p.elbow, p.twist))
			}
			posed := linear.Apply(want)
			want = inverse.Apply(posed.Add(dual.Apply(want).Sub(posed).Mul(s.corrected[v])))
		}
		positions[v] = geom.Vec32(want.Sub(at))
		moved[v] = geom.Vec32(want)
	}
	normals = skinning.ComputeNormals(moved, s.triangles)
	for v := range normals {
		if s.moves[v] {
			normals[v] = normals[v].Sub(s.normals[v])
		} else {
			normals[v] = mgl32.Vec3{} // some of its triangles are not in the list
		}
	}
	return positions, normals
}

// swelling is one muscle's change of shape: a bump on the skin.
type swelling struct {
	at       vec3    // relative to the shoulder: along the arm, flexor side, lateral side; metres
	long     float64 // standard deviation along the arm, metres
	height   float64 // metres, outwards
	softness float64 // how far round the arm it reaches: 1 is the half that faces at
}

// muscleSwelling returns how far, in metres along the normal, the muscles lift the skin at point p of the rest arm. The
// biceps shortens, so that its belly rises and moves towards the shoulder. It does so more if the forearm is turned
// out, because the biceps also turns it. The triceps is stretched flat, the bellies of the forearm are pressed against
// the upper arm, pronator and supinator rise as they turn the forearm, and the point of the elbow protrudes.
func muscleSwelling(p vec3, pose armPose) float64 {
	flex := math.Pow(math.Sin(mgl64.DegToRad(pose.elbow)/2)/math.Sin(mgl64.DegToRad(65)), 2) // 1 at 130 degrees
	out, in := max(0, math.Sin(mgl64.DegToRad(pose.twist))), max(0, -math.Sin(mgl64.DegToRad(pose.twist)))
	sum := 0.0
	for _, b := range [...]swelling{
		{vec3{0.212 - 0.026*flex, 1, -0.05}, 0.042, 0.015*flex + 0.003*out*(0.4+flex), 1.1}, // biceps, belly
		{vec3{0.288, 1, 0}, 0.022, -0.004 * flex, 1},                                        // its tendon's end
		{vec3{0.190, -1, 0.10}, 0.060, -0.0035 * flex, 1},                                   // triceps
		{vec3{0.400, 0.8, 0.6}, 0.030, 0.0065*flex + 0.0015*out, 1},                         // brachioradialis
		{vec3{0.405, 0.5, -0.8}, 0.032, 0.0045*flex + 0.0040*in, 1},                         // pronator and flexors
		{vec3{0.395, -0.4, 0.9}, 0.028, 0.0040 * out, 1},                                    // supinator
		{vec3{0.350, -1, 0}, 0.014, 0.0075 * flex, 0.4},                                     // point of the elbow
	} {
		if b.height == 0 {
			continue
		}
		d := (p[0] - b.at[0]) / b.long
		if d*d > 16 {
			continue
		}
		facing := (p[1]*b.at[1] + p[2]*b.at[2]) / (math.Hypot(p[1], p[2])*math.Hypot(b.at[1], b.at[2]) + 1e-9)
		if round := (facing - 1 + b.softness) / b.softness; round > 0 {
			sum += b.height * math.Exp(-d*d/2) * round * round * (3 - 2*round)
		}
	}
	return sum
}
