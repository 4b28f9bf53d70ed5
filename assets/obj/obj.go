// Package obj reads and writes Wavefront OBJ files of one mesh, and finds out whether two list their vertices in the
// same order.
package obj

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/go-gl/mathgl/mgl64"
)

// Write writes a Wavefront OBJ: a v and a vn line per vertex, in order, and an f line per triangle with the corners
// a//a, b//b, c//c, counted from 1. Positions are in metres. Numbers are written as their shortest decimal form that
// reads back to the same float64.
//
// It panics unless there are as many normals as positions: that is a caller's bug. Errors are the writer's.
func Write(w io.Writer, positions, normals []mgl64.Vec3, triangles [][3]uint32) error {
	if len(normals) != len(positions) {
		panic(fmt.Sprintf("obj: Write: %d positions, %d normals", len(positions), len(normals)))
	}
	out := bufio.NewWriterSize(w, 1<<16)
	line := make([]byte, 0, 128)
	vectors := func(head string, list []mgl64.Vec3) {
		for _, v := range list {
			line = append(line[:0], head...)
			for _, x := range v {
				line = strconv.AppendFloat(append(line, ' '), x, 'g', -1, 64)
			}
			out.Write(append(line, '\n')) // a bufio.Writer keeps its first error for Flush
		}
	}
	vectors("v", positions)
	vectors("vn", normals)
	for _, t := range triangles {
		line = append(line[:0], 'f')
		for _, v := range t {
			line = strconv.AppendUint(append(line, ' '), uint64(v)+1, 10)
			line = strconv.AppendUint(append(line, '/', '/'), uint64(v)+1, 10)
		}
		out.Write(append(line, '\n'))
	}
	return out.Flush()
}
