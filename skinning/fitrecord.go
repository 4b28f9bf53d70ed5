package skinning

import (
	"cmp"

	"skinlab/skinning/messages"
)

// FitRecord is what a file says of the fit that made it. A model of a file that no fit has written has none.
type FitRecord struct {
	Method string `json:"method"`        // as the command line names it; "" where the file does not say
	For    string `json:"for,omitempty"` // the method that its weights were trained for; "" for linear blending
	// Teacher is what it learnt from: a method's name, or [Examples]. "" where the file does not say.
	Teacher string `json:"teacher,omitempty"`
	Bone    string `json:"bone"`  // what people call an added bone, see [Model.AddedBones]; "" without a rig
	Bones   int    `json:"bones"` // added bones
	// KeyError is the stated error: the largest distance between keys from the live bones, as a fraction of the rest
	// diagonal. Nil where the file does not say.
	KeyError *float64 `json:"error_between_keys"`
	// KeyErrorClip is the clip that has it; "" where the file does not say.
	KeyErrorClip string `json:"error_between_keys_clip,omitempty"`
	// RigLost is set where the file has added bones and not what drives them. Clips play their keys.
	RigLost bool `json:"rig_lost"`
}

// Examples is the teacher of a fit that learnt the shapes of its file's own examples.
const Examples = "examples"

// MadeFor returns the method that the model was made for: the skin has that method's input, or a fit has trained the
// weights for it. ok is false for a model that was made for linear blending.
func (m *Model) MadeFor() (method Method, ok bool) {
	if method, ok = m.Skin.MadeFor(); ok || m.Fit == nil {
		return method, ok
	}
	method, err := ParseMethod(m.Fit.For)
	return method, err == nil
}

// Text is for people. The rest pose's diagonal in metres gives the error its unit.
func (r *FitRecord) Text(diagonal float64) string {
	bone := cmp.Or(r.Bone, "bone")
	text := messages.Count(r.Bones, bone, bone+"s")
	if r.Bones == 0 {
		text = "weights only"
	}
	if r.For != "" {
		text += ", made for " + r.For
	}
	if r.Teacher != "" {
		text += ", learnt from " + messages.Printable(r.Teacher)
	}
	if r.Method != "" {
		text = messages.Printable(r.Method) + ", " + text
	}
	switch {
	case r.RigLost:
		text += ", whose rig is lost: only the keys in clips move them"
	case r.KeyError != nil && r.Bones > 0:
		text += ", error between keys " + messages.ReportLength(*r.KeyError, diagonal)
		if r.KeyErrorClip != "" {
			text += " in " + messages.Printable(r.KeyErrorClip)
		}
	}
	return text
}
