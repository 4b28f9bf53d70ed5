package fitpage

import (
	"cmp"

	"skinlab/fit"
	"skinlab/render/ui"
)

// introHeight is the height of the introduction of a fit in design pixels, and sketchWidth the width of its picture.
const introHeight, sketchWidth = 68, 84

func (p *Page) intro(in *ui.Rect) {
	u, px, row := p.UI, p.UI.Px, &p.form().row
	r := in.CutTop(px(introHeight))
	r.CutTop(px(6))
	p.sketch(r.CutLeft(px(sketchWidth)), row.Sketch)
	r.CutLeft(px(10))
	u.TextWrapped(r, ui.Small, ui.ColorDim, cmp.Or(row.Gives, row.Help))
}

// sketch draws a bent limb in grey with its joints, and in colour what a fit adds to it.
func (p *Page) sketch(r ui.Rect, s fit.Sketch) {
	u := p.UI
	r.H = u.Px(54)
	u.Fill(r, ui.ColorInset, u.Px(4))
	x := func(share float32) float32 { return r.X + share*r.W }
	y := func(share float32) float32 { return r.Y + share*r.H }
	limb := func(x0, y0, x1, y1, thick float32, k ui.Color) {
		u.Line(x(x0), y(y0), x(x1), y(y1), k, u.Px(thick))
		u.Disc(x(x0), y(y0), u.Px(thick/2), k)
		u.Disc(x(x1), y(y1), u.Px(thick/2), k)
	}
	joint := func(at0, at1 float32) { u.Disc(x(at0), y(at1), u.Px(3), ui.ColorText) }
	added := func(at0, at1 float32) { u.Disc(x(at0), y(at1), u.Px(3), ui.ColorAccent) }
	if s == fit.SketchBody {
		limb(0.5, 0.22, 0.5, 0.24, 12, ui.ColorHeld)
		for _, to := range [...][4]float32{{0.5, 0.4, 0.5, 0.6}, {0.5, 0.42, 0.32, 0.6}, {0.5, 0.42, 0.68, 0.6},
			{0.5, 0.6, 0.42, 0.88}, {0.5, 0.6, 0.58, 0.88}} {
			limb(to[0], to[1], to[2], to[3], 8, ui.ColorHeld)
		}
		for _, at := range [...][2]float32{{0.5, 0.42}, {0.5, 0.6}, {0.32, 0.6}, {0.68, 0.6}, {0.42, 0.88}, {0.58, 0.88}} {
			added(at[0], at[1])
		}
		return
	}
	if s == fit.SketchMoving { // where the mesh was before
		for _, at := range [...]float32{0.22, 0.42} {
			limb(0.14, 0.16, 0.5, at, 2, ui.ColorFaint)
			limb(0.5, at, 0.86, 0.16, 2, ui.ColorFaint)
		}
	}
	limb(0.14, 0.3, 0.5, 0.74, 13, ui.ColorHeld)
	limb(0.5, 0.74, 0.86, 0.3, 13, ui.ColorHeld)
	if s == fit.SketchMuscle {
		u.Disc(x(0.33), y(0.48), u.Px(11), ui.ColorHeld)
		u.Line(x(0.14), y(0.3), x(0.36), y(0.42), ui.ColorAccent, u.Px(2))
	}
	if s != fit.SketchMoving {
		joint(0.14, 0.3)
		joint(0.5, 0.74)
		joint(0.86, 0.3)
	}
	switch s {
	case fit.SketchBetween:
		added(0.42, 0.62)
		added(0.5, 0.58)
		added(0.58, 0.62)
	case fit.SketchOver:
		for _, at := range [...][2]float32{{0.27, 0.33}, {0.23, 0.55}, {0.39, 0.48}, {0.36, 0.72},
			{0.61, 0.48}, {0.64, 0.72}, {0.73, 0.33}, {0.77, 0.55}} {
			added(at[0], at[1])
		}
	case fit.SketchMuscle:
		added(0.36, 0.42)
	case fit.SketchMoving:
		added(0.2, 0.37)
		added(0.5, 0.74)
		added(0.8, 0.37)
	}
}
