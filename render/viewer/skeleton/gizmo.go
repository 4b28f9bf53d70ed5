package skeleton

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning/geom"
)

const (
	gizmoRadius  = 64 // of the rings, design pixels
	leastGizmo   = 24 // of the rings in a small picture
	gizmoMargin  = 14 // a press this far outside of the rings may still be meant for them
	SnapDegrees  = 15 // with Ctrl held
	snapShare    = 0.01
	gizmoPatient = 2 // frames within which the gizmo must accept a press
)

// gizmoPane returns the pane of the gizmo: the active one, or if that shows the second file the first one that does
// not; −1 for none.
func (o *Overlay) gizmoPane() int {
	seen := o.State.Seen()
	if !seen[o.State.Active].Beside {
		return o.State.Active
	}
	for i := range seen {
		if !seen[i].Beside {
			return i
		}
	}
	return -1
}

// Handle draws the gizmo of the picked joint and turns or moves the joint with it. held says that the gizmo has the
// mouse or is being asked whether it wants it. Handle is called after the frame is posed, and poses it again if the
// joint has moved. It reports whether the gizmo refuses the mouse.
func (o *Overlay) Handle(held bool) (refused bool) {
	i, at := o.page.Bone(), o.gizmoPane()
	if i < 0 || at < 0 || !o.host.Poses() || o.State.Moving() || o.Empty() {
		o.Gizmo, o.Radius = ui.GizmoMotion{}, 0
		return true
	}
	pane := o.Pane(at)
	proj := o.Projector(pane)
	place := o.models.File.Bones.Place(o.models.File.Frame, i)
	x, y, ok := proj.Ahead(place)
	if !ok {
		o.Gizmo, o.Radius = ui.GizmoMotion{}, 0
		return true
	}
	w := pane.Whole
	o.Radius = max(min(o.UI.Px(gizmoRadius), min(w.W, w.H)/6), o.UI.Px(leastGizmo))
	o.Center = [2]float32{x, y}
	g := o.gizmoOf(i, place, w)
	was := o.Gizmo.Held
	// The layer reaches past the window's edges, because the mouse does too while it holds a handle.
	far := 2 * (o.Rect.Right() + o.Rect.Bottom())
	o.UI.BeginLayer(desk.PanelGizmo, ui.Rect{X: -far, Y: -far, W: 3 * far, H: 3 * far})
	o.Gizmo = o.UI.Gizmo(w, &g, held)
	if o.Gizmo.Held && !was {
		o.grab(i)
	}
	if held && !o.Gizmo.Held {
		o.asked++
		refused = o.asked > gizmoPatient
	}
	if o.Gizmo.Changed {
		shift := o.Gizmo.Shift.Mul(float64(o.Camera.Distance))
		o.shifted = o.shifted.Add(shift)
		switch {
		case o.reaches(i):
			o.page.Reach(&o.reach, o.reach.Place().Add(o.shifted))
		case g.Move:
			o.shiftBone(i, shift)
		default:
			o.rotateBone(i, &g)
		}
		o.models.Pose()
	}
	if o.Gizmo.Held {
		o.tell(&g)
	}
	o.UI.EndPanel()
	return refused
}

// grab begins to turn or move a bone, or to bend the limb that ends there.
func (o *Overlay) grab(i int) {
	o.grabbed, o.turned, o.shifted = o.page.Grab(i).Rotation, geom.IdentityQuat(), mgl64.Vec3{}
	o.angles = o.page.Angles(i)
	if o.reaches(i) {
		limb, _ := o.page.Limb(i)
		o.reach = o.page.BeginReach(limb)
	}
}

// tell writes beside the mouse how far the joint has been turned or moved, and about or along which axis if it is one
// of the gizmo's.
func (o *Overlay) tell(g *ui.Gizmo) {
	v := o.shifted
	if !g.Move {
		v = geom.RotationVector(stepped(o.turned, g.Snap)).Mul(180 / math.Pi)
	}
	amount, letter := v.Len(), ""
	for k, name := range [...]string{"X ", "Y ", "Z "} {
		if along, ok := part(v, g.Axes.Col(k)); ok && amount > 0 && (g.Move || k == o.Gizmo.Ring) {
			letter, amount = name, along
		}
	}
	o.Told.Start().S(letter)
	if g.Move {
		o.Told.S(o.Distance(amount).View()).S(" ").S(o.State.Unit.Mark())
	} else {
		o.Told.F(amount, 1).S("°")
	}
	const right, below = 18, 10 // of the mouse, design pixels
	o.UI.Tag(o.MouseX+o.UI.Px(right), o.MouseY+o.UI.Px(below), ui.ColorText, o.Told.View())
}

// gizmoOf returns the gizmo of a bone. Its lengths are in units of the camera's distance, relative to the camera's
// target.
func (o *Overlay) gizmoOf(i int, place mgl64.Vec3, w ui.Rect) ui.Gizmo {
	unit := o.Camera
	unit.Distance, unit.Target = 1, mgl32.Vec3{}
	g := ui.Gizmo{
		View: unit.View(), Projection: unit.Projection(w.W / max(w.H, 1)), Axes: mgl64.Ident3(),
		Ortho: unit.Ortho, Move: o.moves(i) || o.reaches(i), Radius: o.Radius,
		Tip: "Drag a ring to turn the joint, or an arrow to move it; with Ctrl by steps.",
	}
	if o.Gizmo.Held && o.reaches(i) { // out of reach it stays under the mouse
		place = o.reach.Place().Add(o.shifted)
	}
	g.At = place.Sub(geom.Vec64(o.Camera.Target)).Mul(1 / float64(o.Camera.Distance))
	if !o.State.WorldAxes {
		r, _ := geom.PolarDecompose(o.models.File.Frame.Globals[o.models.File.Bones.Bones[i].Node].Linear())
		axes := [...]mgl64.Vec3{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
		if !g.Move {
			axes = posing.GimbalAxes(o.page.Angles(i)) // each ring turns one of the page's angles
		}
		g.Axes = mgl64.Mat3FromCols(r.Apply(axes[0]), r.Apply(axes[1]), r.Apply(axes[2]))
	}
	if o.host.Snaps() {
		g.Snap = SnapDegrees
		if g.Move { // a hundredth of the model's size
			g.Snap = snapShare * o.Size / float64(o.Camera.Distance)
		}
	}
	return g
}

// moves reports whether the gizmo moves a bone instead of turning it.
func (o *Overlay) moves(i int) bool { return o.State.Handle == state.Move && o.page.Moves(i) }

// reaches reports whether the gizmo moves the end of a limb, which bends.
func (o *Overlay) reaches(i int) bool {
	if o.State.Handle != state.Reach {
		return false
	}
	_, why := o.page.Limb(i)
	return why == ""
}

// rotateBone turns a bone about its joint from its rotation when it was grabbed. A ring about one of its own axes changes
// that angle alone. It rounds to whole steps itself, because the library's steps start from an angle that is off by some
// hundredths of a degree.
func (o *Overlay) rotateBone(i int, g *ui.Gizmo) {
	var d geom.Mat3
	for row := range 3 {
		for col := range 3 {
			d[3*row+col] = o.Gizmo.Turn[3*col+row]
		}
	}
	o.turned = geom.QuatFromMat3(d).Mul(o.turned).Normalize()
	node := o.models.File.Bones.Bones[i].Node
	local := posing.TurnedLocal(o.parentLinear(node), stepped(o.turned, g.Snap).Mat3(), o.grabbed)
	e, ring := o.angles, o.Gizmo.Ring
	angle, ok := part(geom.RotationVector(o.grabbed.Conjugate().Mul(local)), posing.GimbalAxes(e)[ring])
	if o.State.WorldAxes || !ok {
		o.page.Turn(i, local)
		return
	}
	e[ring] += angle
	o.page.SetAngles(i, e)
}

// part returns the part of a vector along a unit axis; ok is false if the vector has another direction.
func part(v, axis mgl64.Vec3) (along float64, ok bool) {
	along = v.Dot(axis)
	const near = 0.9999 // the cosine of less than a degree
	return along, math.Abs(along) >= near*v.Len()
}

// stepped returns the rotation about the same axis by the nearest multiple of an angle in degrees. 0 means any angle.
func stepped(q geom.Quat, degrees float64) geom.Quat {
	if degrees <= 0 {
		return q
	}
	if q[3] < 0 {
		q = q.Scale(-1)
	}
	axis := mgl64.Vec3{q[0], q[1], q[2]}
	angle := 2 * math.Atan2(axis.Len(), q[3])
	step := degrees * math.Pi / 180
	return geom.AxisAngle(axis, math.Round(angle/step)*step)
}

func (o *Overlay) parentLinear(node int) geom.Mat3 {
	if p := o.models.File.Model.Skeleton.Nodes[node].Parent; p >= 0 {
		return o.models.File.Frame.Globals[p].Linear()
	}
	return geom.Identity3()
}

func (o *Overlay) shiftBone(i int, by mgl64.Vec3) {
	node := o.models.File.Bones.Bones[i].Node
	inverse, ok := o.parentLinear(node).Inverse()
	if !ok {
		return
	}
	o.page.Move(i, o.models.File.Pose.Local[node].Translation.Add(inverse.Apply(by)))
}

// Press asks the gizmo whether it wants a press at a point. It reports whether the gizmo may want it. [Overlay.Handle]
// decides. The end of a limb that is pressed is picked, so that it can be dragged at once.
func (o *Overlay) Press(x, y float32) bool {
	if o.State.Handle == state.Reach && o.host.Poses() && !o.Gizmo.Over {
		if i := o.BoneUnder(x, y); i >= 0 && i != o.page.Bone() && o.reaches(i) && o.gizmoPane() == o.PaneAt(x, y) {
			o.page.Pick(i)
			o.asked = 0
			return true
		}
	}
	dx, dy := x-o.Center[0], y-o.Center[1]
	reach := o.Radius*1.2 + o.UI.Px(gizmoMargin)
	o.asked = 0
	return o.Radius > 0 && dx*dx+dy*dy <= reach*reach
}
