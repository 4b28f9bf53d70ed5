package training

import (
	"fmt"
	"math"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// Scaling is a joint that scales the skin that follows it.
type Scaling struct {
	Joint  string
	Clip   string // "" for the rest pose
	Factor float64
}

// scaleRounding is how far from 1 a factor is a scale: files whose joints keep their size have factors that are off by
// up to 1e-4, rounded keys times rounded inverse bind matrices, and a scale of a thousandth is lost without a trace.
const scaleRounding = 1e-3

// Scales finds the joint of m that scales most, at rest or in a clip of the file, of those that vertices follow; false
// where none does. Scales of the whole armature, which a file's units bring about, cancel in the skinning matrices.
func Scales(m *skinning.Model) (most Scaling, found bool) {
	used := make([]bool, len(m.Skeleton.Joints))
	var buf []skinning.Influence
	for v := range m.Skin.Bindings {
		buf = m.Skin.Of(buf[:0], v)
		for _, in := range buf {
			used[in.Joint] = true
		}
	}
	moments := append([]Moment{{Clip: -1}}, Candidates(m, OwnClips(m))...)
	least := math.Log1p(scaleRounding)
	Palettes(m, moments, func(i int, matrices []geom.Affine) {
		for j := range matrices {
			if l := matrices[j].Linear(); used[j] && matrices[j].IsFinite() && stretches(&l) {
				_, s := geom.PolarDecompose(l)
				for k := 0; k < len(s); k += 4 {
					if by := math.Abs(math.Log(math.Abs(s[k]))); by > least {
						least, found = by, true
						most = Scaling{Joint: m.Skeleton.Joints[j].Name, Factor: s[k]}
						if c := moments[i].Clip; c >= 0 {
							most.Clip = m.Clips[c].Name
						}
					}
				}
			}
		}
	})
	return most, found
}

// stretches reports whether a linear map is no rotation: a test without a decomposition, which most joints pass.
func stretches(l *geom.Mat3) bool {
	t := l.Transpose().Mul(*l)
	for k := range t {
		one := 0.0
		if k%4 == 0 {
			one = 1
		}
		if !(math.Abs(t[k]-one) <= scaleRounding) {
			return true
		}
	}
	return false
}

func (s *Scaling) String() string {
	where := "at rest"
	if s.Clip != "" {
		where = "in clip " + messages.Printable(s.Clip)
	}
	return fmt.Sprintf("joint %s scales by %.3g %s", messages.Printable(s.Joint), s.Factor, where)
}

// Operator chooses what a fit should look like, and says why: twist-swing where the model has a weight set for it, and
// else dual quaternions, with scale where joints scale.
func Operator(m *skinning.Model) (method skinning.Method, why string) {
	if m.Skin.Twist != nil {
		return skinning.TwistSwing, "the model has two weight sets"
	}
	if s, ok := Scales(m); ok {
		return skinning.SDQS, s.String()
	}
	return skinning.DQS, "no joint scales"
}

// OperatorWarning says what a chosen operator loses on a model: "" for nothing.
func OperatorWarning(m *skinning.Model, method skinning.Method) string {
	if !method.LosesScale() {
		return ""
	}
	s, ok := Scales(m)
	if !ok {
		return ""
	}
	return fmt.Sprintf("%v has no scale, and %s: the fit loses that for good, %v keeps it", method, s.String(),
		skinning.SDQS)
}
