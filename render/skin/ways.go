package skin

import "fmt"

// Way is where vertices are posed.
type Way uint8

// The ways of skinning. All run the same GLSL function of a method.
const (
	InBuffer         Way = iota // once a frame, into a buffer that all drawing passes read: the faster of the next two
	InBufferCompute             // the same by a compute stage: from OpenGL 4.3
	InBufferFeedback            // the same by a vertex stage with transform feedback
	InShader                    // in the vertex stage of every drawing pass, each time a vertex is drawn
	ways
)

var wayNames = [ways]string{"buffer", "compute", "feedback", "shader"}

// Ways returns the distinct ways of skinning: all but InBuffer, which is one of the others.
func Ways() []Way { return []Way{InShader, InBufferCompute, InBufferFeedback} }

// String returns the way's name on the command line.
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
