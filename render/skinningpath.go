package render

import (
	"fmt"
)

// Skinning is where vertices are posed.
type Skinning uint8

// The ways to skin. All run the same GLSL function per method.
const (
	// once a frame, into a buffer that all later passes read: by the better of the next two
	InBuffer         Skinning = iota
	InBufferCompute           // by a compute stage: from OpenGL 4.3
	InBufferFeedback          // by a vertex stage with transform feedback
	InShader                  // in the vertex stage of every pass, as often as passes draw a vertex
	ways
)

var skinningNames = [ways]string{"buffer", "compute", "feedback", "shader"}

// Skinnings returns the ways of skinning that differ: without InBuffer, which is one of them.
func Skinnings() []Skinning { return []Skinning{InShader, InBufferCompute, InBufferFeedback} }

// String returns the name on the command line.
func (s Skinning) String() string { return skinningNames[s] }

// ParseSkinning is the inverse of [Skinning.String].
func ParseSkinning(name string) (Skinning, error) {
	for s, n := range skinningNames {
		if n == name {
			return Skinning(s), nil
		}
	}
	return 0, fmt.Errorf("skinning %q: not one of shader, compute, feedback, buffer", name)
}
