package distances

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/state"
	"skinlab/skinning/geom"
)

// Pick asks which vertex lies under a point of the window. The answer comes when it is found: see picked.
func (d *Distances) Pick(x, y float32) {
	i := d.view.PaneAt(x, y)
	if i < 0 || d.crowd.On() { // a crowd is drawn elsewhere than the CPU poses the model
		return
	}
	shown := d.State.Panes[i]
	if shown.Beside && !d.models.SharesSkin() {
		d.ClearVertex()
		return
	}
	d.Ask() // about the pose that is on the screen now
	proj := d.view.Projector(d.view.Pane(i))
	origin, direction := proj.Ray(x, y)
	ray := measure.Ray{Origin: origin, Direction: direction, Row: measure.OfPane(shown), Hidden: d.models.Hidden}
	if shown.Method == state.Fitted && d.models.Fitted() != nil && d.models.Fitted().Whole {
		ray.Hidden = nil // it has parts of its own
	}
	d.live.Pick(ray)
}

func (d *Distances) picked(p measure.Picked) {
	d.Wake()
	if p.Vertex < 0 || p.Own != d.models.File.Model { // found in a model that has been replaced meanwhile
		d.ClearVertex()
		return
	}
	d.State.Vertex = p.Vertex
	if i := d.models.File.Bones.Of(p.Joint); i >= 0 {
		d.pick(i)
	}
}

// VertexAt returns the place of the picked vertex in a pane, as the CPU poses it. It allocates nothing.
func (d *Distances) VertexAt(p state.Pane) (mgl64.Vec3, bool) {
	f, method := d.models.Of(p)
	mesh, v := &f.Model.Skin, d.State.Vertex
	if v < 0 || v >= len(mesh.Positions) || p.Beside && !d.models.SharesSkin() {
		return mgl64.Vec3{}, false
	}
	mesh.RestRange(d.restAt[:], v, f.Morphs)
	s := f.Stream(method, d.at[:], nil, d.restAt[:], nil, v)
	f.SolveProxies()
	f.PoseStream(&s, method)
	return geom.Vec64(d.at[0]), true
}

// ItemMarker is the mark in the picture that is worked on.
const ItemMarker = 1

// MarkVertex draws the picked vertex where it is in every picture.
func (d *Distances) MarkVertex() {
	if d.State.Vertex < 0 || d.crowd.On() || d.view.Empty() {
		return
	}
	u, px := d.UI, d.UI.Px
	u.BeginLayer(desk.PanelVertex, d.view.Rect)
	defer u.EndPanel()
	for i, shown := range d.State.Seen() {
		p, ok := d.VertexAt(shown)
		if !ok {
			continue
		}
		proj := d.view.Projector(d.view.Pane(i))
		if x, y, seen := proj.At(p); seen {
			if i == d.State.Active {
				u.Place(ItemMarker, ui.Rect{X: x - px(8), Y: y - px(8), W: px(16), H: px(16)})
			}
			u.Ring(x, y, px(8), ui.ColorBlack.Alpha(0.9), px(5))
			u.Ring(x, y, px(8), ui.ColorWhite, px(2))
			u.Disc(x, y, px(2.5), ui.ColorBlack)
			u.Disc(x, y, px(1.5), ui.ColorWhite)
			d.vertexLabel(shown, x, y, d.view.Pane(i).Seen)
		}
	}
}

// vertexLabel says beside its mark how far the picked vertex is off in a picture.
func (d *Distances) vertexLabel(p state.Pane, x, y float32, view ui.Rect) {
	row := d.Row(p)
	if row == nil || !row.HasVertex || !row.Compared {
		return
	}
	u, px := d.UI, d.UI.Px
	// The field is as wide as the largest number that it will hold, so that it does not change while the number does.
	width := max(u.TextWidth(ui.Small, d.Distance(d.top).S(" ").S(d.State.Unit.Mark()).View()),
		u.TextWidth(ui.Small, "0000.00 mm")) + px(12)
	r := ui.Rect{X: x + px(14), Y: y - px(10), W: width, H: px(20)}
	if r.Right() > view.Right() {
		r.X = x - px(14) - width
	}
	u.Plate(r, px(4))
	text := d.Distance(row.Off).S(" ").S(d.State.Unit.Mark()).View()
	u.Text(r.Inset(px(6), 0), ui.Small, ui.ColorText, ui.Right, text)
}

func (d *Distances) ClearVertex() {
	d.State.Vertex = -1
	d.Wake()
}
