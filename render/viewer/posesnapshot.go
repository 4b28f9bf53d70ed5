package viewer

import (
	"math"

	"skinlab/render/ui"
	"skinlab/skinning/geom"
)

// PoseSnapshot is what the window shows of posing.
type PoseSnapshot struct {
	Joints   int // bones of the tree
	Rows     int // that it lists
	Picked   string
	Under    string         // the joint under the mouse
	Local    geom.Transform // of the picked joint
	Euler    [3]float64     // its angles against rest, degrees
	Edited   int            // nodes that differ from the clip
	Undo     int            // steps
	Redo     int
	At       [2]int  // where the picked joint is, logical pixels
	Radius   float32 // of the gizmo's rings, 0 where there is none
	Held     bool    // the gizmo is
	Fields   [6]ui.Rect
	Buttons  [poseButtons]ui.Rect // see posepage.go
	Hold     ui.Rect
	Search   ui.Rect
	FirstRow ui.Rect
	File     ui.Rect
}

func (a *app) poseSnapshot() PoseSnapshot {
	t, s := &a.tools, a.shown.bones
	out := PoseSnapshot{
		Joints: len(s.bones), Rows: len(t.rows), Edited: a.posing.count, Undo: len(a.posing.undo), Redo: len(a.posing.redo),
		At: t.first, Radius: t.radius, Held: t.gizmo.Held, Fields: t.fields, Buttons: t.buttons, Search: t.searchAt,
		FirstRow: t.firstRowAt,
		Hold:     t.holdAt, File: t.fileAt,
	}
	if i := a.bone(); i >= 0 {
		out.Picked, out.Local = s.bones[i].name, a.shown.pose.Local[s.bones[i].node]
		for k, e := range t.euler {
			out.Euler[k] = e * 180 / math.Pi
		}
	}
	if i := t.under(); i >= 0 {
		out.Under = s.bones[i].name
	}
	return out
}
