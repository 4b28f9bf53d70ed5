package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
	"skinlab/skinning/stress"
)

// Reference chooses the method that others are measured against and that fits imitate, if the user names none. It also
// returns the reason. A model with inputs of a method is measured against that one. A model whose joints
// scale is measured against dual quaternions with scale: plain dual quaternions lose the scale, and every method that
// keeps it would count as wrong. All other models are measured against dual quaternions.
func Reference(m *skinning.Model) (method skinning.Method, why string) {
	if method, ok := m.MadeFor(); ok {
		return method, "the model was made for it"
	}
	if s, ok := Scales(m); ok {
		return skinning.SDQS, s.String()
	}
	return skinning.DQS, "no joint scales"
}

// ReferenceText says in one plain sentence what a reference is and why it was chosen; why is the reason of [Reference],
// "" where a person named the method.
func ReferenceText(reference skinning.Reference, why string) string {
	name := reference.String()
	if method, ok := reference.(skinning.Method); ok {
		name = fmt.Sprintf("%s (%s)", method.Short(), strings.ToLower(method.Title()))
	}
	because := ""
	if why != "" {
		because = fmt.Sprintf(", chosen because %s and it keeps the volume of twists", why)
	}
	return fmt.Sprintf("Errors are distances from %s%s: what the others should come near to, not a measured truth.", name,
		because)
}

// OfFit says which weights methods and the reference use where a fitted file is measured alone. It is "" for a file that
// has the weights from before its fit, and for one that is no fit.
func OfFit(m *skinning.Model) string {
	of, truth := "its own weights", "measured beside the file that it came from"
	switch {
	case m.Skin.Input(&skinning.OriginalWeights) != nil, m.Fit == nil && len(m.Added()) == 0:
		return ""
	case len(m.Added()) > 0: // see rig.Folded
		of = "its joints, with the weights of added bones folded back"
	case m.Fit.Bones == len(m.Skeleton.Joints): // of a mesh without a skeleton, which compare cannot take
		truth = "what the fit has printed"
	}
	return "The file holds a fit: methods and reference are of " + of +
		". Its true error is " + truth + "."
}

// FittedWeights warns of a model whose weights a fit has trained for linear blending, where they count as the
// character's own. It is "" for others.
func FittedWeights(m *skinning.Model) string {
	if _, made := m.MadeFor(); m.Fit == nil || made || len(m.Added()) > 0 {
		return ""
	}
	return "a fit has trained its weights, which count as the character's own here: errors are not those of the file " +
		"that it came from"
}

// CoarseKeys is the error between keys, as a fraction of the rest diagonal, above which a file looks wrong in an engine:
// ten times the error that most files have. Engines play the keys; skinlab drives the bones live and shows no such error.
// Files have it whose writing was cancelled, or whose bones turn too fast for keys.
const CoarseKeys = 1e-3

// KeyNote says that a fit is visibly off between keys where an engine plays it, and in which clip most, where that is
// known. It is "" for a fit that is not.
func KeyNote(name string, keyError float64, clip string, diagonal float64) string {
	if keyError <= CoarseKeys {
		return ""
	}
	note := fmt.Sprintf("In engines %s is off by up to %s more between keys", messages.Printable(name),
		messages.ReportLength(keyError, diagonal))
	if clip != "" {
		note += ", most in " + messages.Printable(clip)
	}
	return note + "."
}

// KeyNotes is [KeyNote] of the files among models that fits have made.
func KeyNotes(models ...*skinning.Model) string {
	var lines []string
	for _, m := range models {
		if m.Fit == nil || len(m.Rigs) == 0 || m.Fit.KeyError == nil {
			continue
		}
		if note := KeyNote(m.Name, *m.Fit.KeyError, m.Fit.KeyErrorClip, m.Diagonal()); note != "" {
			lines = append(lines, note)
		}
	}
	return strings.Join(lines, " ")
}

// StillBones names the models whose fitted bones move by the keys of their own clips alone, as those of a decomposition.
// Clip is the clip that is played, nil for a pose of no clip. The text is "" where the bones move, or there are none.
func StillBones(clip *skinning.Clip, models ...*skinning.Model) string {
	if clip != nil && clip.Motion == "" {
		if _, made := stress.Name(clip.Name); !made {
			return ""
		}
	}
	var lines []string
	for _, m := range models {
		if m.Fit != nil && m.Fit.Bones > 0 && m.Fit.Bones < m.Skeleton.JointNodes() && len(m.Rigs) == 0 {
			lines = append(lines, fmt.Sprintf("The fitted bones of %s move in its own clips alone: here they only follow "+
				"the joints above them.", messages.Printable(m.Name)))
		}
	}
	return strings.Join(lines, " ")
}

// Learnt names the teacher of each fitted model that learnt from something else than the reference. It is "" where no
// model did.
func Learnt(reference string, models ...*skinning.Model) string {
	var lines []string
	for _, m := range models {
		if m.Fit != nil && m.Fit.Teacher != "" && m.Fit.Teacher != reference {
			lines = append(lines, fmt.Sprintf("%s learnt from %s, not from this reference.", messages.Printable(m.Name),
				messages.Printable(m.Fit.Teacher)))
		}
	}
	return strings.Join(lines, " ")
}

// Scaling is a joint that scales the skin that follows it.
type Scaling struct {
	Joint  string
	Clip   string // "" for the rest pose
	Factor float64
}

func (s *Scaling) String() string {
	where := "at rest"
	if s.Clip != "" {
		where = "in clip " + messages.Printable(s.Clip)
	}
	return fmt.Sprintf("joint %s scales by %.3g %s", messages.Printable(s.Joint), s.Factor, where)
}

// A factor counts as a scale if it differs from 1 by more than scaleRounding. In files whose joints keep their size,
// factors differ from 1 by up to 1e-4, because rounded keys are multiplied by rounded inverse bind matrices. A scale by
// a thousandth moves skin by a thousandth of its distance from the joint, which cannot be seen.
const scaleRounding = 1e-3

// Scales finds the joint that scales most, at rest or in a clip of the file, among the joints that vertices follow;
// found is false where no joint scales. One that mirrors its skin scales by a negative factor, and most. A scale of the
// whole armature, which converts a file's units, cancels in the skinning matrices. Joints that a fit has added do not
// count: their matrices are solutions, not motions of a skeleton.
func Scales(m *skinning.Model) (most Scaling, found bool) {
	counts := followed(m)
	pose := m.NewPose()
	globals := make([]geom.Affine, len(m.Skeleton.Nodes))
	matrices := make([]geom.Affine, len(m.Skeleton.Joints))
	least := math.Log1p(scaleRounding)
	look := func(clip int, t float64) {
		m.SamplePose(pose, clip, t)
		m.Skeleton.Globals(globals, pose)
		m.Skeleton.Palette(matrices, globals)
		for j := range matrices {
			l := matrices[j].Linear()
			if !counts[j] || !matrices[j].IsFinite() {
				continue
			}
			scales := func(by, factor float64) {
				if by <= least {
					return
				}
				least, found = by, true
				most = Scaling{Joint: m.Skeleton.Joints[j].Name, Factor: factor}
				if clip >= 0 {
					most.Clip = m.Clips[clip].Name
				}
			}
			switch {
			case l.Det() < 0: // a mirror, which no rotation is
				scales(math.Inf(1), math.Cbrt(l.Det()))
			case stretches(&l):
				_, s := geom.PolarDecompose(l)
				for k := 0; k < len(s); k += 4 {
					scales(math.Abs(math.Log(math.Abs(s[k]))), s[k])
				}
			}
		}
	}
	look(-1, 0)
	clips := stress.Own(m)
	for clip := range clips {
		times := scaleTimes(&m.Clips[clip])
		each := max(min(mostPoses, mostNodes/max(len(m.Skeleton.Nodes), 1))/clips, 2)
		for i, n := 0, min(len(times), each); i < n; i++ {
			look(clip, times[i*(len(times)-1)/max(n-1, 1)])
		}
	}
	return most, found
}

// Bounds of the nodes that Scales poses in all clips together, which take half a second.
const (
	mostPoses = 1024
	mostNodes = 1 << 22
)

// scaleTimes lists the times of a clip at which scales are looked for: the keys of scales, where a scale is largest,
// and a few times over the whole clip, since a joint that turns below a node of unequal scales is sheared.
func scaleTimes(c *skinning.Clip) []float64 {
	times := Times(c.Seconds, 8)
	for i := range c.Channels {
		if ch := &c.Channels[i]; ch.Path == skinning.PathScale {
			for _, t := range ch.Times {
				times = append(times, float64(t))
			}
		}
	}
	slices.Sort(times)
	return slices.Compact(times)
}

// followed marks the joints that vertices follow. Joints that a fit has added are replaced by their masters.
func followed(m *skinning.Model) []bool {
	f := make([]bool, len(m.Skeleton.Joints))
	for _, buf := range m.Skin.All() {
		for _, in := range buf {
			f[in.Joint] = true
		}
	}
	for _, a := range m.Added() {
		f[a.Joint] = false
		for _, master := range a.Masters {
			f[master] = true
		}
	}
	return f
}

// stretches reports whether a linear map is not a rotation. The test needs no decomposition.
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
