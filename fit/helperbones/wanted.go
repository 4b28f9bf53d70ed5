package helperbones

import (
	"fmt"
	"runtime"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/procrustes"
	"skinlab/fit/ssdr"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

// Wanted is what examples ask of the helper bones of a model: points beside the curves of their controllers.
type Wanted struct {
	Variables [][][3]float64       // [example][input], as [rig.HelperInput.Variables] has them
	Motions   [][]rig.HelperMotion // [example][bone]
}

// WantedOf returns the motions that examples ask of a model's helper bones: each bone brings the vertices that it moves
// as near to the example as it can while all other bones move as their controllers say (equation 6 for one bone).
// Where a rig's controllers scale no bone, none is scaled. The examples are those of the model without its helper
// bones; a model without any has none, and one of other vertices or joints is a caller's bug and panics.
func WantedOf(x *ssdr.Examples, m *skinning.Model) Wanted {
	r := skinning.RigOf[*rig.HelperBones](m)
	if r == nil || len(x.Rest) != len(m.Skin.Positions) || x.Primaries()+len(r.Bones) > len(m.Skeleton.Joints) {
		panic(fmt.Sprintf("helperbones: WantedOf: rig %v, %d and %d vertices, %d joints of %d", r, len(x.Rest),
			len(m.Skin.Positions), x.Primaries(), len(m.Skeleton.Joints)))
	}
	a := newAsking(x, m, r)
	out := Wanted{make([][][3]float64, len(x.Targets)), make([][]rig.HelperMotion, len(x.Targets))}
	parallel.For(runtime.GOMAXPROCS(0), len(x.Targets), func(_, n int) {
		out.Variables[n], out.Motions[n] = a.example(n)
	})
	return out
}

// asking is a run of [WantedOf].
type asking struct {
	x      *ssdr.Examples
	m      *skinning.Model
	rig    *rig.HelperBones
	frames []geom.Mat3 // of the bones' parents
	boneOf map[uint16]int
	moved  [][]skinning.Influence // per vertex; nil where no helper bone moves it
	scaled bool
}

func newAsking(x *ssdr.Examples, m *skinning.Model, r *rig.HelperBones) *asking {
	a := &asking{x: x, m: m, rig: r, boneOf: map[uint16]int{}, moved: make([][]skinning.Influence, len(x.Rest))}
	for k := range r.Bones {
		b := &r.Bones[k]
		a.boneOf[uint16(b.Joint)] = k
		a.frames = append(a.frames, rig.BindFrame(&m.Skeleton.Joints[b.Parent]))
		a.scaled = a.scaled || b.Constant[6] != 0
		for i := range b.Terms {
			a.scaled = a.scaled || b.Terms[i].Coefficients[6] != 0
		}
	}
	for v := range x.Rest {
		all := m.Skin.Of(nil, v)
		for _, i := range all {
			if _, helper := a.boneOf[i.Joint]; helper && i.Weight > 0 {
				a.moved[v] = all
				break
			}
		}
	}
	return a
}

// match sums up pairs of points for the nearest similarity between them: Σ w², Σ w²·source, Σ w²·target, and
// Σ w²·target·sourceᵀ.
type match struct {
	weight         float64
	source, target mgl64.Vec3
	cross          geom.Mat3
	spread         float64 // Σ w²·|source|²
}

func (s *match) add(w float64, source, target mgl64.Vec3) {
	w *= w
	s.weight += w
	s.source, s.target = s.source.Add(source.Mul(w)), s.target.Add(target.Mul(w))
	for row := range 3 {
		for column := range 3 {
			s.cross[3*row+column] += w * target[row] * source[column]
		}
	}
	s.spread += w * source.Dot(source)
}

// example returns the variables and the wanted motions of an example.
func (a *asking) example(n int) (variables [][3]float64, motions []rig.HelperMotion) {
	palette := make([]geom.Affine, len(a.m.Skeleton.Joints))
	copy(palette, a.x.Palettes[n])
	for i := range a.rig.Inputs {
		in := &a.rig.Inputs[i]
		variables = append(variables, in.Variables(in.Turn(&a.m.Skeleton, palette).Log().Mul(2)))
	}
	inverse := make([]geom.Affine, len(a.rig.Bones))
	for k := range a.rig.Bones {
		b := &a.rig.Bones[k]
		own := a.rig.Motion(k, variables)
		palette[b.Joint] = palette[b.Parent].Mul(own.Local(b.Place, a.frames[k]))
		inverse[k], _ = palette[b.Parent].Inverse()
	}
	sums := make([]match, len(a.rig.Bones))
	for v, all := range a.moved {
		var at mgl64.Vec3
		for _, i := range all {
			at = at.Add(palette[i.Joint].Apply(a.x.Rest[v]).Mul(float64(i.Weight)))
		}
		miss := a.x.Targets[n][v].Sub(at)
		for _, i := range all {
			if k, helper := a.boneOf[i.Joint]; helper && i.Weight > 0 {
				// w·(C·x) + miss = w·(C·x + miss/w)
				wanted := palette[i.Joint].Apply(a.x.Rest[v]).Add(miss.Mul(1 / float64(i.Weight)))
				sums[k].add(float64(i.Weight), a.x.Rest[v].Sub(a.rig.Bones[k].Place), inverse[k].Apply(wanted))
			}
		}
	}
	for k := range sums {
		motions = append(motions, sums[k].motion(a.rig.Bones[k].Place, a.frames[k], a.scaled))
	}
	return variables, motions
}

// motion returns the motion of the nearest similarity from sources, relative to a place, to targets, in axes F of the
// parent's bind frame. A bone that moves nothing has the motion 0.
func (s *match) motion(place mgl64.Vec3, frame geom.Mat3, scaled bool) (out rig.HelperMotion) {
	if s.weight == 0 {
		return out
	}
	source, target := s.source.Mul(1/s.weight), s.target.Mul(1/s.weight)
	cross := s.cross
	for row := range 3 {
		for column := range 3 {
			cross[3*row+column] -= s.weight * target[row] * source[column]
		}
	}
	turn := procrustes.Rotation(cross).Mat3()
	scale := 1.0
	if spread := s.spread - s.weight*source.Dot(source); scaled && spread > 0 {
		scale = 0
		for k := range cross {
			scale += turn[k] * cross[k] / spread
		}
	}
	shift := frame.Apply(target.Sub(turn.Apply(source).Mul(scale)).Sub(place))
	q := geom.QuatFromMat3(frame.Mul(turn).Mul(frame.Transpose()))
	if q[3] < 0 {
		q = q.Scale(-1)
	}
	vector := q.Log().Mul(2)
	copy(out[:3], shift[:])
	copy(out[3:6], vector[:])
	out[6] = scale - 1
	return out
}
