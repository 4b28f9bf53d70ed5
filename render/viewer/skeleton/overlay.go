// Package skeleton draws the skeleton over the pictures, lets the user pick joints there, and draws the gizmo that
// turns or moves the picked one.
package skeleton

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/view"
	"skinlab/skinning/geom"
)

// Host are the methods of the window that the overlay calls.
type Host interface {
	Poses() bool // the page for posing joints is shown, and so is the gizmo
	Snaps() bool // the user wants whole steps
}

// Overlay is the skeleton over the pictures and the gizmo.
type Overlay struct {
	*view.View
	models *models.Shown
	host   Host
	page   *posepage.Page

	x, y []float32 // per bone: its joint in the pane that was placed last, logical pixels
	seen []bool
	tags []ui.Rect // names drawn so far

	Gizmo   ui.GizmoMotion // what the mouse does to the gizmo
	Center  [2]float32     // of the gizmo
	Radius  float32        // of the gizmo; 0 if there is none
	grabbed geom.Quat      // rotation of the picked joint when the gizmo was grabbed
	angles  [3]float64     // of the picked joint then, see posepage.Page.Angles
	turned  geom.Quat      // rotation since then, in the world
	shifted mgl64.Vec3     // how far it has been moved since then, in the world
	reach   posing.Reach   // of the limb whose end is moved
	Told    ui.Line        // the text beside the mouse
	asked   int            // frames since the gizmo was asked whether it wants a press
}

func New(v *view.View, m *models.Shown, host Host, page *posepage.Page) *Overlay {
	return &Overlay{View: v, models: m, host: host, page: page}
}

// Sizes of the skeleton on the screen, in design pixels.
const (
	boneWidth  = 9
	jointDot   = 3.5
	leastDot   = 1.5
	jointReach = 9 // distance from a joint at which the mouse touches it
	boneReach  = 5 // the same for a bone
)

// Draw draws the skeleton over the panes that show the first file and finds the bone under the mouse. It is called
// after the frame is posed.
func (o *Overlay) Draw() {
	o.page.InPicture = -1
	if o.Empty() {
		return
	}
	u := o.UI
	u.BeginLayer(desk.PanelSkeleton, o.Rect)
	defer u.EndPanel()
	for i, p := range o.State.Seen() {
		if p.Beside || !o.State.Skeleton {
			continue
		}
		pane := o.Pane(i)
		o.place(pane)
		if o.Points(pane) && !o.Gizmo.Over {
			o.page.InPicture = o.boneAt(o.MouseX, o.MouseY)
		}
		u.Clip(pane.Seen)
		o.drawBones()
		o.drawNames(pane)
		u.Unclip()
	}
}

// BoneUnder returns the bone at a point of the window, −1 for none.
func (o *Overlay) BoneUnder(x, y float32) int {
	pane := o.PaneAt(x, y)
	if pane < 0 || !o.State.Skeleton || o.State.Seen()[pane].Beside {
		return -1
	}
	o.place(o.Pane(pane))
	return o.boneAt(x, y)
}

// place computes the places of the joints in a pane.
func (o *Overlay) place(p view.Pane) {
	s := o.models.File.Bones
	if n := len(s.Bones); len(o.x) != n {
		o.x, o.y, o.seen = make([]float32, n), make([]float32, n), make([]bool, n)
	}
	proj := o.Projector(p)
	for i := range s.Bones {
		o.x[i], o.y[i], o.seen[i] = proj.Ahead(s.Place(o.models.File.Frame, i))
	}
}

// boneAt returns the bone at a point of the pane that was placed last. It is the bone of the nearest joint within
// reach, else the upper bone of the nearest line between two joints; −1 for none.
func (o *Overlay) boneAt(x, y float32) int {
	s := o.models.File.Bones
	best, reach := -1, o.UI.Px(jointReach)
	nearest := reach * reach
	for i := range s.Bones {
		if dx, dy := o.x[i]-x, o.y[i]-y; o.seen[i] && dx*dx+dy*dy < nearest {
			best, nearest = i, dx*dx+dy*dy
		}
	}
	if best >= 0 {
		return best
	}
	reach = o.UI.Px(boneReach)
	nearest = reach * reach
	for i := range s.Bones {
		p := s.Bones[i].Parent
		if p < 0 || !o.seen[i] || !o.seen[p] {
			continue
		}
		if d := toSegment(x-o.x[p], y-o.y[p], o.x[i]-o.x[p], o.y[i]-o.y[p]); d < nearest {
			best, nearest = p, d
		}
	}
	return best
}

// toSegment returns the squared distance from (x, y) to the segment from the origin to (dx, dy).
func toSegment(x, y, dx, dy float32) float32 {
	length := dx*dx + dy*dy
	if length > 0 {
		at := min(max((x*dx+y*dy)/length, 0), 1)
		x, y = x-at*dx, y-at*dy
	}
	return x*x + y*y
}

// drawBones draws the bones and their joints: the picked one in the accent colour, the one under the mouse lighter.
func (o *Overlay) drawBones() {
	u, s := o.UI, o.models.File.Bones
	picked, under := o.page.Bone(), o.page.Under()
	ink := func(i int) ui.Color {
		switch i {
		case picked:
			return ui.ColorPicked
		case under:
			return ui.ColorWhite
		}
		if s.Bones[i].Unused {
			return ui.ColorWhite.Alpha(0.25)
		}
		return ui.ColorWhite.Alpha(0.75)
	}
	for i := range s.Bones {
		if p := s.Bones[i].Parent; p >= 0 && o.seen[i] && o.seen[p] {
			k := p
			if s.Bones[i].Unused && p != picked && p != under {
				k = i // a faint line connects it to a handle
			}
			u.Bone(o.x[p], o.y[p], o.x[i], o.y[i], u.Px(boneWidth), ink(k))
		}
	}
	for i := range s.Bones {
		if o.seen[i] && i != picked && i != under {
			u.Joint(o.x[i], o.y[i], o.dot(i), ink(i))
		}
	}
	for _, i := range [...]int{under, picked} {
		if i >= 0 && o.seen[i] {
			u.Joint(o.x[i], o.y[i], u.Px(jointDot+1.5), ink(i))
		}
	}
}

// dot returns the radius of a joint's dot. It is smaller where joints are close together, as in a hand.
func (o *Overlay) dot(i int) float32 {
	u := o.UI
	p := o.models.File.Bones.Bones[i].Parent
	if p < 0 || !o.seen[p] {
		return u.Px(jointDot)
	}
	dx, dy := o.x[i]-o.x[p], o.y[i]-o.y[p]
	far, least := u.Px(jointDot), u.Px(leastDot)
	return min(max(float32(math.Sqrt(float64(dx*dx+dy*dy)))*0.15, least), far)
}

// drawNames draws the names of the joint under the mouse and of the picked one. If names are switched on, it draws as
// many others as have room.
func (o *Overlay) drawNames(p view.Pane) {
	s := o.models.File.Bones
	o.tags = o.tags[:0]
	picked, under := o.page.Bone(), o.page.Under()
	if under >= 0 {
		o.tag(p, under, ui.ColorText, true)
	}
	if picked >= 0 && picked != under && o.Radius == 0 { // the gizmo covers the place, and the page shows the name
		o.tag(p, picked, ui.ColorAccent, false)
	}
	if !o.State.Names {
		return
	}
	for i := range s.Bones {
		if i != picked && i != under {
			o.tag(p, i, ui.ColorDim, false)
		}
	}
}

// tag draws a joint's name beside it if it covers no other name, or always with force.
func (o *Overlay) tag(p view.Pane, i int, ink ui.Color, force bool) {
	u := o.UI
	if !o.seen[i] || !p.Seen.Contains(o.x[i], o.y[i]) {
		return
	}
	name := o.models.File.Bones.Bones[i].Name
	gap := u.Px(8)
	r := u.TagRect(o.x[i]+gap, o.y[i], name)
	if r.Right() > p.Seen.Right()-gap/2 {
		r = u.TagRect(o.x[i]-gap-r.W, o.y[i], name)
	}
	for _, other := range o.tags {
		if !force && r.X < other.Right() && other.X < r.Right() && r.Y < other.Bottom() && other.Y < r.Bottom() {
			return
		}
	}
	o.tags = append(o.tags, u.Tag(r.X, r.Y+r.H/2, ink, name))
}
