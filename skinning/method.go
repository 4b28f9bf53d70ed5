package skinning

import "fmt"

// Method is a way to skin.
type Method uint8

// The direct methods: each poses a vertex from its own weights and the master joints alone.
const (
	LBS  Method = iota // linear blending
	DQS                // dual quaternions, linearly blended
	SDQS               // scale-supporting dual quaternions: scale blended linearly, then DQS
	DIB                // dual quaternion iterative blending: the intrinsic mean
	SBS                // spherical blending about a rotation centre per joint set
	methodCount
)

var methodInfo = [methodCount]struct{ name, title string }{
	{"lbs", "Linear blend"},
	{"dqs", "Dual quaternion"},
	{"sdqs", "DQ with scale"},
	{"dib", "DQ, iterative"},
	{"sbs", "Spherical blend"},
}

// Methods returns all direct methods in the order in which the interface lists them.
func Methods() []Method { return []Method{LBS, DQS, SDQS, DIB, SBS} }

// String returns the name on the command line: "lbs", "dqs", ...
func (m Method) String() string {
	if m < methodCount {
		return methodInfo[m].name
	}
	return fmt.Sprintf("method(%d)", uint8(m))
}

// Title returns the name for people.
func (m Method) Title() string {
	if m < methodCount {
		return methodInfo[m].title
	}
	return m.String()
}

// ParseMethod is the inverse of [Method.String].
func ParseMethod(name string) (Method, error) {
	for m := range methodInfo {
		if methodInfo[m].name == name {
			return Method(m), nil
		}
	}
	return 0, fmt.Errorf("method %q: not one of lbs, dqs, sdqs, dib, sbs", name)
}
