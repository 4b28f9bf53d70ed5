package skin

import "fmt"

// Way is where vertices are posed.
type Way uint8

// The ways to skin. All run the same GLSL function per method.
const (
	InBuffer         Way = iota // once a frame, into a buffer that all later passes read: the better of the next two
	InBufferCompute             // by a compute stage: from OpenGL 4.3
	InBufferFeedback            // by a vertex stage with transform feedback
	InShader                    // in the vertex stage of every pass, as often as passes draw a vertex
	ways
)

var wayNames = [ways]string{"buffer", "compute", "feedback", "shader"}

// Ways returns the ways of skinning that differ: without InBuffer, which is one of them.
func Ways() []Way { return []Way{InShader, InBufferCompute, InBufferFeedback} }

// String returns the name on the command line.
func (s Way) String() string { return wayNames[s] }

// ParseWay is the inverse of [Way.String].
func ParseWay(name string) (Way, error) {
	for s, n := range wayNames {
		if n == name {
			return Way(s), nil
		}
	}
	return 0, fmt.Errorf("skinning %q: not one of shader, compute, feedback, buffer", name)
}
