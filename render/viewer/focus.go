package viewer

import (
	"context"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render/skin"
	"skinlab/render/viewer/models"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// frameAll fits the camera to all that is shown, in the current pose and, unless the camera follows, over the whole clip.
// What the eyes of the model's page hide does not count. The points are found off the loop; see receiveFocus.
func (a *app) frameAll() {
	if a.crowd.On() {
		a.crowd.Pose(a.models.File.Frame, a.models.Fit())
		if lo, hi, ok := a.crowd.Bounds(); ok {
			a.outer.Stop()
			a.view.Frame(skin.Box{Lo: lo, Hi: hi}.Corners())
			return
		}
	}
	type moving struct {
		frame *skinning.Frame // a copy
		clip  int
		hides []bool
	}
	var all []moving
	add := func(f *skinning.Frame, clip int, hides []bool) {
		own := skinning.NewFrame(f.Model, f.Centers)
		own.Copy(f)
		all = append(all, moving{own, clip, hides})
	}
	add(a.models.File.Frame, a.state.Clip, a.models.Hidden)
	if b := a.models.Second; b != nil {
		add(b.Frame, b.ClipOf(a.models.File.Model, a.state.Clip), a.models.HiddenBeside())
	}
	times := models.ClipTimes(a.state.Seconds)
	if a.state.Follow { // the camera goes where the model goes
		times = nil
	}
	a.view.Await()
	a.outer.Start(a.ctx, a.waker.Wake, func(ctx context.Context) ([]mgl32.Vec3, error) {
		o := &skin.Outline{}
		for _, m := range all {
			o.Hidden = m.hides
			o.AddFrame(m.frame)
			for _, t := range times {
				if ctx.Err() != nil {
					return nil, ctx.Err()
				}
				o.AddClip(m.frame, m.clip, t)
			}
		}
		return o.Points(), nil
	})
}

func (a *app) Reframe() {
	if a.view.Framed() {
		a.frameAll()
	}
}

func (a *app) receiveFocus() {
	if points, err, ok := a.outer.Take(); ok && err == nil && len(points) > 0 && a.view.Framed() {
		a.view.Frame(points)
		a.desk.Wake()
	}
}

// vertexFocus is half the width of the frame around a vertex, as a share of the model's size.
const vertexFocus = 0.08

// frameFocus fits the camera to the picked vertex, else to the picked joint, else to all.
func (a *app) frameFocus() {
	half := mgl32.Vec3{1, 1, 1}.Mul(float32(vertexFocus * a.models.File.Diagonal))
	if p, ok := a.distances.VertexAt(a.state.Panes[a.state.Active]); ok {
		at := geom.Vec32(p)
		a.view.Frame(skin.Box{Lo: at.Sub(half), Hi: at.Add(half)}.Corners())
		return
	}
	if i := a.pose.Bone(); i >= 0 {
		a.view.Frame(skin.AroundJoint(a.models.File.Frame, a.models.File.Bones.Bones[i].Joint).Corners())
		return
	}
	a.frameAll()
}
