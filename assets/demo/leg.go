package demo

import (
	_ "embed" // the packed meshes
	"fmt"
	"math"
	"runtime"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"

	"github.com/go-gl/mathgl/mgl32"
)

//go:generate go run -C ../../lab ./sculpt ../assets/demo/leg.bin
//go:generate go run -C ../../lab ./sculpt ../assets/demo/leg-smooth.bin

var (
	//go:embed leg.bin
	legData string // mesh, rig and weights, sculpted by lab/sculpt/leg
	//go:embed leg-smooth.bin
	legSmoothData string
)

// These are the numbers of examples in the two models. They are limited by the size of a file; [LegGrid] has the
// paper's number.
const (
	legExamples       = 200
	legSmoothExamples = 12
)

// newLeg is the left leg of HBR section 6.1 with 663 vertices: closed, 1 m from the sole to the cut above the hip, half
// of the paper's. It is held by the pelvis, 15 cm above the ground.
func newLeg() *skinning.Model { return makeLeg("leg", legData, 1, legExamples) }

// newLegSmooth is the same leg drawn with 8,322 vertices, with exaggerated muscles (HBR section 6.4).
func newLegSmooth() *skinning.Model {
	return makeLeg("leg-smooth", legSmoothData, stylized, legSmoothExamples)
}

func makeLeg(name, data string, strength float64, examples int) *skinning.Model {
	m := unpackModel(name, data)
	m.Materials = matte("skin", 0.52, 0.30, 0.22)
	m.Clips = legClips()
	newLegShapes(m, strength).addExamples(m, LegSpread(0, examples))
	return m
}

// addExamples gives the leg its example shapes and the clip "examples" that shows them.
func (l *Leg) addExamples(m *skinning.Model, poses []LegPose) {
	first := len(m.MorphSlots)
	for i := range poses {
		addExample(m, fmt.Sprintf("example %d", i), nil, nil)
	}
	targets := make([]legTarget, runtime.GOMAXPROCS(0))
	parallel.For(len(targets), len(poses), func(worker, i int) {
		morph := &m.Skin.Morphs[first+i]
		morph.Positions, morph.Normals = targets[worker].solve(l, poses[i])
	})
	times := secondsFrom0(len(poses))
	channels := legChannels(skinning.Step, times, poses)
	m.Clips = append(m.Clips, newClip("examples", append(slices.Clip(channels), exampleWeights(m, first, times))...))
}

// legTarget is scratch memory for solving linear blending for the morph target of an example.
type legTarget struct {
	pose                       *skinning.Pose
	globals, palette, inverses []geom.Affine
	shape                      []vec3
	posed                      []mgl32.Vec3
	influences                 []skinning.Influence // room for those of a vertex
}

// solve returns the offsets in rest space that linear blending turns into the shape of a pose and its normals.
func (t *legTarget) solve(l *Leg, p LegPose) (positions, normals []mgl32.Vec3) {
	skeleton, skin := &l.model.Skeleton, &l.model.Skin
	if t.pose == nil {
		n := len(skin.Positions)
		*t = legTarget{pose: l.model.NewPose(), globals: make([]geom.Affine, len(skeleton.Nodes)),
			palette: make([]geom.Affine, len(skeleton.Joints)), inverses: make([]geom.Affine, len(skeleton.Joints)),
			shape: make([]vec3, n), posed: make([]mgl32.Vec3, n), influences: make([]skinning.Influence, 0, 4)}
	}
	l.Shape(t.shape, p)
	l.SetPose(t.pose, p)
	skeleton.Globals(t.globals, t.pose)
	skeleton.Palette(t.palette, t.globals)
	for v, x := range t.shape {
		t.posed[v] = geom.Vec32(x)
	}
	positions, normals = make([]mgl32.Vec3, len(t.shape)), skinning.ComputeNormals(t.posed, skin.Triangles)
	for j := range t.palette {
		t.inverses[j], _ = t.palette[j].Inverse()
	}
	for v, x := range t.shape {
		linear, inverse := t.blend(skin.Of(t.influences[:0], v))
		positions[v] = geom.Vec32(inverse.Apply(x).Sub(geom.Vec64(skin.Positions[v])))
		n := linear.Linear().Transpose().Apply(geom.Vec64(normals[v])) // posing takes normals through the inverse transpose
		normals[v] = geom.Vec32(n.Normalize()).Sub(skin.Normals[v])
	}
	return positions, normals
}

// blend returns the matrix of linear blending and its inverse. It panics if the matrix is singular. That cannot happen
// with the examples' poses, because none of them blends rotations that are half a turn apart.
func (t *legTarget) blend(influences []skinning.Influence) (linear, inverse geom.Affine) {
	if len(influences) == 1 {
		j := influences[0].Joint
		return t.palette[j], t.inverses[j]
	}
	for _, f := range influences {
		for k, e := range t.palette[f.Joint] {
			linear[k] += float64(f.Weight) * e
		}
	}
	inverse, ok := linear.Inverse()
	if !ok {
		panic(fmt.Sprintf("demo: leg: influences %v cannot be solved in %v", influences, t.palette))
	}
	return linear, inverse
}

// legClips: walk is one step in place, as on a treadmill. squat bends hip, knee and ankle so that the sole stays level.
// grid visits the range of motion, one degree of freedom after the other and then all of them.
func legClips() []skinning.Clip {
	clip := func(name string, seconds float64, keys int, at func(phase float64) LegPose) skinning.Clip {
		times, poses := make([]float32, keys+1), make([]LegPose, keys+1)
		for k := range poses {
			phase := float64(k) / float64(keys)
			times[k], poses[k] = float32(seconds*phase), at(phase)
		}
		return newClip(name, legChannels(skinning.Linear, times, poses)...)
	}
	return []skinning.Clip{
		clip("walk", 1.1, 32, func(u float64) LegPose {
			// Angles of level walking from heel strike to heel strike (Perry, "Gait Analysis").
			return LegPose{
				Flexion:   along(u, []float64{0, 0.12, 0.50, 0.62, 0.85, 1}, []float64{28, 24, -12, -4, 32, 28}),
				Abduction: -4 * math.Sin(2*math.Pi*u),
				Twist:     4 + 5*math.Cos(2*math.Pi*u),
				Knee:      along(u, []float64{0, 0.14, 0.40, 0.52, 0.72, 0.96, 1}, []float64{4, 18, 5, 18, 62, 2, 4}),
				Ankle:     along(u, []float64{0, 0.08, 0.46, 0.62, 0.80, 1}, []float64{0, 7, -11, 19, -1, 0}),
			}
		}),
		clip("squat", 3, 36, func(u float64) LegPose {
			s := between(u, 0.05, 0.45) - between(u, 0.55, 0.95)
			return LegPose{Flexion: 80 * s, Abduction: 12 * s, Twist: 14 * s, Knee: 114 * s, Ankle: -34 * s}
		}),
		legRange(),
	}
}

// legRange keys the clip "grid": a key a second.
func legRange() skinning.Clip {
	poses := []LegPose{{}}
	for c, f := range legFreedoms {
		for _, angle := range []float64{f.most, f.least} {
			var angles [5]float64
			angles[c] = angle
			if angle != 0 {
				poses = append(poses, newLegPose(angles))
			}
		}
		poses = append(poses, LegPose{})
	}
	poses = append(poses, LegPose{80, 30, 40, 120, -40}, LegPose{}, LegPose{60, 60, 60, 60, 40}, LegPose{},
		LegPose{40, -20, -60, 90, 20}, LegPose{}, LegPose{-20, 30, -40, 60, 40}, LegPose{})
	return newClip("grid", legChannels(skinning.Linear, secondsFrom0(len(poses)), poses)...)
}
