package viewer

import (
	"math"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/render/ui"
	"skinlab/skinning/geom"
)

const (
	gizmoRadius  = 64 // of the rings, design pixels
	leastGizmo   = 24 // in a small picture
	gizmoMargin  = 14 // beyond the rings, within which a press may be meant for them
	snapDegrees  = 15 // with Ctrl held
	snapShare    = 0.01
	gizmoPatient = 2 // frames in which the gizmo says whether a press is for it
)

// gizmoPane returns the pane in which the gizmo stands: the active one, or where that shows another file the first that
// does not; −1 for none.
func (a *app) gizmoPane() int {
	seen := a.state.Seen()
	if !seen[a.state.Active].Beside {
		return a.state.Active
	}
	for i := range seen {
		if !seen[i].Beside {
			return i
		}
	}
	return -1
}

// gizmo draws the handle that turns the picked joint, and turns it. It runs once the frame is posed, and poses it again
// where the joint has been turned.
func (a *app) gizmo() {
	t := &a.tools
	i, at := a.bone(), a.gizmoPane()
	if i < 0 || at < 0 || !a.poseShown() || a.state.Moving() || a.layout.view.W <= 0 || a.layout.view.H <= 0 {
		t.gizmo, t.radius = ui.GizmoMotion{}, 0
		a.leaveGizmo()
		return
	}
	pane := a.pane(at)
	proj := a.projector(pane)
	place := a.shown.bones.place(a.shown.frame, i)
	x, y, ok := proj.ahead(place)
	if !ok {
		t.gizmo, t.radius = ui.GizmoMotion{}, 0
		a.leaveGizmo()
		return
	}
	w := pane.whole
	t.radius = max(min(a.ui.Px(gizmoRadius), min(w.W, w.H)/6), a.ui.Px(leastGizmo))
	t.center = [2]float32{x, y}
	g := a.gizmoOf(i, place, w)
	was := t.gizmo.Held
	// The layer goes past the window's edges, as the mouse does while it holds a handle.
	far := a.win.width + a.win.height
	a.ui.BeginLayer(panelGizmo, ui.Rect{X: -far, Y: -far, W: 3 * far, H: 3 * far})
	t.gizmo = a.ui.Gizmo(w, &g, a.mouse.drag == dragGizmo)
	a.ui.EndPanel()
	if t.gizmo.Held && !was {
		a.editing()
		t.grabbed, t.turned = a.shown.pose.Local[a.shown.bones.bones[i].node].Rotation, geom.IdentityQuat()
	}
	if a.mouse.drag == dragGizmo && !t.gizmo.Held {
		if t.asked++; t.asked > gizmoPatient {
			a.leaveGizmo()
		}
	}
	if t.gizmo.Changed {
		if g.Move {
			a.shiftBone(i, t.gizmo.Shift.Mul(float64(a.camera.Distance)))
		} else {
			a.rotateBone(i, t.gizmo.Turn, g.Snap)
		}
		a.setPose()
	}
}

// leaveGizmo lets the picture have a press that the gizmo does not want.
func (a *app) leaveGizmo() {
	if a.mouse.drag == dragGizmo {
		a.ui.MouseButton(0, false)
		a.mouse.drag = dragOrbit
	}
}

// gizmoOf returns the gizmo of a bone, in units of the camera's distance and about its target.
func (a *app) gizmoOf(i int, place mgl64.Vec3, w ui.Rect) ui.Gizmo {
	t := &a.tools
	unit := a.camera
	unit.Distance, unit.Target = 1, mgl32.Vec3{}
	g := ui.Gizmo{
		View: unit.View(), Projection: unit.Projection(w.W / max(w.H, 1)), Turn: mgl64.Ident3(), World: a.state.WorldAxes,
		At:   place.Sub(geom.Vec64(a.camera.Target)).Mul(1 / float64(a.camera.Distance)),
		Move: a.moves(i), Radius: t.radius,
	}
	r, _ := geom.PolarDecompose(a.shown.frame.Globals[a.shown.bones.bones[i].node].Linear())
	for row := range 3 {
		for col := range 3 {
			g.Turn[3*col+row] = r[3*row+col]
		}
	}
	if a.controlHeld() {
		g.Snap = snapDegrees
		if g.Move { // a hundredth of the model's size
			g.Snap = snapShare * a.shown.diagonal / float64(a.camera.Distance)
		}
	}
	return g
}

// moves reports whether the gizmo moves a bone: only roots can be.
func (a *app) moves(i int) bool { return a.state.MoveRoot && a.shown.bones.bones[i].parent < 0 }

func (a *app) controlHeld() bool {
	return a.win.GetKey(glfw.KeyLeftControl) == glfw.Press || a.win.GetKey(glfw.KeyRightControl) == glfw.Press
}

// rotateBone turns a bone in the world about its joint, on from where it has been turned since it was grabbed. The
// library counts its steps from an angle that is off by some hundredths of a degree, so whole steps are taken here.
func (a *app) rotateBone(i int, turn mgl64.Mat3, step float64) {
	t := &a.tools
	var d geom.Mat3
	for row := range 3 {
		for col := range 3 {
			d[3*row+col] = turn[3*col+row]
		}
	}
	t.turned = geom.QuatFromMat3(d).Mul(t.turned).Normalize()
	node := a.shown.bones.bones[i].node
	a.turnBone(i, turnedLocal(a.parentLinear(node), stepped(t.turned, step).Mat3(), t.grabbed))
}

// stepped returns the rotation about the same axis by the nearest multiple of so many degrees; 0 leaves it.
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

// parentLinear returns the linear part of the space in which a node's local transform stands.
func (a *app) parentLinear(node int) geom.Mat3 {
	if p := a.shown.model.Skeleton.Nodes[node].Parent; p >= 0 {
		return a.shown.frame.Globals[p].Linear()
	}
	return geom.Identity3()
}

// turnedLocal returns the local rotation of a node that turns by d in the world, under a parent whose linear part is p.
// Its own rotation is local, G = P·L: D·P·L = P·(P⁻¹·D·P)·L. Where the parent shears, the part in brackets is no
// rotation, and the nearest one is taken.
func turnedLocal(p, d geom.Mat3, local geom.Quat) geom.Quat {
	inverse, ok := p.Inverse()
	if !ok {
		return local // squashed flat: no turn would show
	}
	r, _ := geom.PolarDecompose(inverse.Mul(d).Mul(p))
	return geom.QuatFromMat3(r).Mul(local).Normalize()
}

// shiftBone moves a bone by so much in the world.
func (a *app) shiftBone(i int, by mgl64.Vec3) {
	node := a.shown.bones.bones[i].node
	inverse, ok := a.parentLinear(node).Inverse()
	if !ok {
		return
	}
	a.moveBone(i, a.shown.pose.Local[node].Translation.Add(inverse.Apply(by)))
}

// meantForGizmo reports whether a press at a point may be for the gizmo; the gizmo itself then says so.
func (a *app) meantForGizmo(x, y float32) bool {
	t := &a.tools
	if t.radius <= 0 {
		return false
	}
	dx, dy := x-t.center[0], y-t.center[1]
	reach := t.radius*1.2 + a.ui.Px(gizmoMargin)
	return dx*dx+dy*dy <= reach*reach
}
