package viewer

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
)

// pickSkin asks which vertex lies under a point of the window. The answer comes when it is found: see picked.
func (a *app) pickSkin(x, y float32) {
	i := a.view.PaneAt(x, y)
	if i < 0 || a.crowd.On() { // a crowd is drawn elsewhere than the CPU poses the model
		return
	}
	shown := a.state.Panes[i]
	if shown.Beside && !a.SharesSkin() {
		a.ClearVertex()
		return
	}
	a.ask() // about the pose that is on the screen now
	proj := a.view.Projector(a.view.Pane(i))
	origin, direction := proj.Ray(x, y)
	ray := measure.Ray{Origin: origin, Direction: direction, Row: measure.OfPane(shown), Hidden: a.facts.Hidden()}
	if shown.Method == state.Fitted && a.fitted != nil && a.fitted.Whole {
		ray.Hidden = nil // it has parts of its own
	}
	a.distances.live.Pick(ray)
}

// picked takes the answer to a click on the skin.
func (a *app) picked(p measure.Picked) {
	a.wake()
	if p.Vertex < 0 || p.Own != a.shown.Model { // found in a model that has been replaced meanwhile
		a.ClearVertex()
		return
	}
	a.state.Vertex = p.Vertex
	if i := a.shown.bones.Of(p.Joint); i >= 0 {
		a.pose.Pick(i)
	}
}

// vertexAt returns the place of the picked vertex in a pane, as the CPU poses it. It allocates nothing.
func (a *app) vertexAt(p state.Pane) (mgl64.Vec3, bool) {
	f, method := a.shown.Frame, p.Method
	switch {
	case p.Beside && (a.beside == nil || !a.beside.sameSkin):
		return mgl64.Vec3{}, false
	case p.Beside:
		f = a.beside.Frame
	case p.Method == state.Fitted && a.fitted != nil:
		f, method = a.fitted.Frame, a.fitted.Method
	}
	if method == state.Fitted {
		method = skinning.LBS
	}
	mesh, v, d := &f.Model.Skin, a.state.Vertex, &a.distances
	if v < 0 || v >= len(mesh.Positions) {
		return mgl64.Vec3{}, false
	}
	mesh.RestRange(d.restAt[:], v, f.Morphs)
	in := mesh.Influences.Slice(v, v+1)
	s := kernel.Stream{Positions: d.at[:], Rest: d.restAt[:], Bindings: in.Bindings, ExtraStart: in.ExtraStart, Extra: in.Extra,
		Twist: mesh.Twist.Slice(v, v+1)}
	if f.Centers.OfVertex != nil {
		s.Sets = f.Centers.OfVertex[v : v+1]
	}
	f.SolveProxies()
	f.PoseStream(&s, method)
	return geom.Vec64(d.at[0]), true
}

// itemMarker is the mark in the picture that is worked on.
const itemMarker = 1

// markVertex draws the picked vertex where it is in every picture.
func (a *app) markVertex() {
	if a.state.Vertex < 0 || a.crowd.On() || a.view.Empty() {
		return
	}
	u, px := a.ui, a.ui.Px
	u.BeginLayer(desk.PanelVertex, a.view.Rect)
	defer u.EndPanel()
	for i, shown := range a.state.Seen() {
		p, ok := a.vertexAt(shown)
		if !ok {
			continue
		}
		proj := a.view.Projector(a.view.Pane(i))
		if x, y, seen := proj.At(p); seen {
			if i == a.state.Active {
				u.Place(itemMarker, ui.Rect{X: x - px(8), Y: y - px(8), W: px(16), H: px(16)})
			}
			u.Ring(x, y, px(8), ui.ColorInset.Alpha(0.9), px(5))
			u.Ring(x, y, px(8), ui.ColorWhite, px(2))
			u.Disc(x, y, px(2.5), ui.ColorInset)
			u.Disc(x, y, px(1.5), ui.ColorWhite)
			a.vertexLabel(shown, x, y, a.view.Pane(i).Seen)
		}
	}
}

// vertexLabel says beside its mark how far the picked vertex is off in a picture.
func (a *app) vertexLabel(p state.Pane, x, y float32, view ui.Rect) {
	row := a.Row(p)
	if row == nil || !row.HasVertex || !row.Compared {
		return
	}
	u, px := a.ui, a.ui.Px
	// The field is as wide as the largest number that it will hold, so that it does not change while the number does.
	width := max(u.TextWidth(ui.Small, a.desk.Distance(a.distances.top).S(" ").S(a.state.Unit.String()).View()),
		u.TextWidth(ui.Small, "0000.00 mm")) + px(12)
	r := ui.Rect{X: x + px(14), Y: y - px(10), W: width, H: px(20)}
	if r.Right() > view.Right() {
		r.X = x - px(14) - width
	}
	u.Fill(r, ui.ColorPanel.Alpha(0.85), px(4))
	text := a.desk.Distance(row.Off).S(" ").S(a.state.Unit.String()).View()
	u.Text(r.Inset(px(6), 0), ui.Small, ui.ColorText, ui.Right, text)
}
