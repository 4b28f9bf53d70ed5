package measure

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

// pick finds the vertex of the skin that a ray meets first, in the pose of the ray's row, and the joint with the
// largest weight on it. Rigid meshes hide the skin behind them.
func (w *worker) pick(r *Ray) Picked {
	none := Picked{Vertex: -1, Joint: -1}
	who, pane := &w.own, PaneOf(r.Row)
	switch pane.Method {
	case state.Fitted:
		who, pane.Method = &w.fitted, skinning.LBS
	case state.Examples:
		who, pane.Method = &w.examples, skinning.LBS
	}
	if pane.Beside {
		who = &w.beside
	}
	if who.frame == nil || who.vertices() == 0 {
		return none
	}
	posed := w.got[:who.vertices()]
	who.pose(posed, pane.Method)
	origin, direction := geom.Vec64(r.Origin), geom.Vec64(r.Direction)
	seen := func(part int) bool { return part >= len(r.Hidden) || !r.Hidden[part] }
	hit, ok := pickParts(posed, &who.frame.Model.Skin, 0, seen, origin, direction)
	if !ok || who.covers(seen, origin, direction, hit.Distance) {
		return none
	}
	v, own := int(hit.Vertex), w.own.frame.Model
	if who.vertices() != len(own.Skin.Bindings) {
		return none // since the click the second file has been replaced by one with another skin
	}
	// Influences are sorted by weight, so the first one is the largest.
	return Picked{v, int(own.Skin.Bindings[v].Joints[0]), own}
}

// pickParts finds what a ray meets first of the parts of a mesh that are seen. The number of its first part is first.
func pickParts(posed []mgl32.Vec3, mesh *skinning.Mesh, first int, seen func(part int) bool,
	origin, direction mgl64.Vec3) (best metrics.Hit, ok bool) {
	for k := range mesh.Parts {
		p := &mesh.Parts[k]
		if !seen(first + k) {
			continue
		}
		hit, there := metrics.Pick(posed, mesh.Triangles[p.FirstTriangle:][:p.TriangleCount], origin, direction)
		if there && (!ok || hit.Distance < best.Distance) {
			best, ok = hit, true
		}
	}
	return best, ok
}

// covers reports whether a part of a rigid mesh that is seen crosses the ray before a distance.
func (s *subject) covers(seen func(part int) bool, origin, direction mgl64.Vec3, distance float64) bool {
	f := s.frame
	first := len(f.Model.Skin.Parts)
	for i := range f.Model.Rigid {
		mesh := &f.Model.Rigid[i]
		part := first
		first += len(mesh.Parts)
		global := f.Globals[mesh.Parts[0].Node]
		inverse, ok := global.Inverse()
		if !ok {
			continue // flat: no ray meets it
		}
		from := inverse.Apply(origin)
		along := inverse.Apply(origin.Add(direction)).Sub(from)
		hit, ok := pickParts(mesh.Positions, mesh, part, seen, from, along)
		if ok && global.Apply(from.Add(along.Normalize().Mul(hit.Distance))).Sub(origin).Len() < distance {
			return true
		}
	}
	return false
}
