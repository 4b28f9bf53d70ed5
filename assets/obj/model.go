package obj

import (
	"math"
	"path/filepath"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/assets/fault"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Ending is the ending of the names of OBJ files. Their contents do not identify the format.
const Ending = ".obj"

// Is reports whether a file is an OBJ file by its name.
func Is(path string) bool { return strings.EqualFold(filepath.Ext(path), Ending) }

// Model returns the shape as a model of one rigid mesh on one node, without materials. Faces of more than three corners
// become fans of triangles.
func (o *Shape) Model() (*skinning.Model, error) {
	if len(o.Faces) == 0 {
		return nil, fault.Malformed("no faces: no mesh")
	}
	mesh := skinning.Mesh{Positions: make([]mgl32.Vec3, len(o.Positions))}
	for v, p := range o.Positions {
		mesh.Positions[v] = geom.Vec32(p)
		for _, x := range mesh.Positions[v] {
			if math.IsInf(float64(x), 0) || x != x {
				return nil, fault.Malformed("vertex %d is %v, expected numbers that float32 holds", v+1, p)
			}
		}
	}
	mesh.Triangles = o.Triangles()
	mesh.Normals = skinning.ComputeNormals(mesh.Positions, mesh.Triangles)
	mesh.Parts = []skinning.Part{{Name: "mesh", VertexCount: len(mesh.Positions), TriangleCount: len(mesh.Triangles),
		Material: -1}}
	m := &skinning.Model{Rigid: []skinning.Mesh{mesh}}
	m.Skeleton.Nodes = []skinning.Node{{Name: "mesh", Parent: -1, Rest: geom.IdentityTransform()}}
	return m, m.Skeleton.SortNodes()
}

// Triangles returns the faces; those of more than three corners become fans.
func (o *Shape) Triangles() (out [][3]uint32) {
	for _, f := range o.Faces {
		for k := 2; k < len(f); k++ {
			out = append(out, [3]uint32{f[0], f[k-1], f[k]})
		}
	}
	return out
}
