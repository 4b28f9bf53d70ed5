package render

import (
	"fmt"

	"github.com/go-gl/gl/all-core/gl"
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
	skinnings
)

var skinningNames = [skinnings]string{"buffer", "compute", "feedback", "shader"}

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

// SetSkinning chooses where Draw poses vertices, and starts the timer's windows anew where that changes. On a context
// without compute stages InBufferCompute is an error, and nothing changes.
//
// A scene whose surface shows numbers or normals, that recomputes normals or draws them as lines is posed into a buffer
// whatever is chosen: they are computed from it.
func (r *Renderer) SetSkinning(s Skinning) error {
	if s >= skinnings {
		panic(fmt.Sprintf("render: SetSkinning: %d", s))
	}
	if s == InBufferCompute && !r.poser.computes {
		return fmt.Errorf("render: compute stages need OpenGL 4.3, the context has %s", r.info.Version)
	}
	if s == InBuffer {
		s = r.poser.best()
	}
	if s != r.skinning {
		r.skinning = s
		r.timer.Reset()
	}
	return nil
}

// Skinning returns where Draw poses vertices: never InBuffer, but which of the two it is.
func (r *Renderer) Skinning() Skinning { return r.skinning }

// needsPosed reports whether a part of the scene is computed from the posed buffer.
func (s *Scene) needsPosed() bool { return !s.Surface.lit() || s.Recomputed || s.NormalLines > 0 }

// way returns how a scene's model is posed.
func (r *Renderer) way(g *gpuModel, s *Scene) Skinning {
	way := r.skinning
	if way == InShader && s.needsPosed() {
		way = r.poser.best()
	}
	if way == InBufferCompute && g.streams.all*int(vertexSize) > r.poser.storage {
		way = InBufferFeedback // a model of a size that no compute stage reads in one piece
	}
	return way
}

// hasVersion reports whether the current context's version is at least major.minor.
func hasVersion(major, minor int32) bool {
	var haveMajor, haveMinor int32
	gl.GetIntegerv(gl.MAJOR_VERSION, &haveMajor)
	gl.GetIntegerv(gl.MINOR_VERSION, &haveMinor)
	return haveMajor > major || haveMajor == major && haveMinor >= minor
}
