package render

import (
	"fmt"

	"github.com/go-gl/gl/all-core/gl"

	"skinlab/skinning"
)

// Tint is a colour laid over a vertex: linear RGB, with how much of it shows as the fourth, 0 to 255.
type Tint = [4]uint8

// SetFitted uploads a second binding of the model's skin beside its own: the same vertices over the same joints and
// more behind them ([skinning.Model.WithBlendBones]). Frames of m can then be drawn as well, by linear blending. A fit
// calls it many times a second: only influences move. Tints are those of [Renderer.SetTints]. A nil m lets go of the
// binding; on error the old one stays.
func (r *Renderer) SetFitted(m *skinning.Model, tints []Tint) error {
	g := r.model
	if g == nil {
		return errNoModel
	}
	if m == nil {
		g.deleteFitted()
		return nil
	}
	own := g.own.model
	if m == own || len(m.Skin.Bindings) != g.streams.skinVertices || len(m.Rigid) != len(own.Rigid) ||
		len(m.Skeleton.Joints) < len(own.Skeleton.Joints) || (tints != nil && len(tints) != g.streams.skinVertices) {
		panic(fmt.Sprintf("render: SetFitted: %d bindings, %d tints, %d rigid meshes, %d joints for a model of %d, %d and %d",
			len(m.Skin.Bindings), len(tints), len(m.Rigid), len(m.Skeleton.Joints),
			g.streams.skinVertices, len(own.Rigid), len(own.Skeleton.Joints)))
	}
	if err := checkPalette(m); err != nil {
		return err
	}
	b, err := newBound(m, g.streams, nil, r.texelLimit)
	if err != nil {
		return err
	}
	if err := b.setTints(tints, g.streams.all); err != nil {
		b.Delete()
		return err
	}
	g.deleteFitted()
	g.fitted = b
	return nil
}

// SetTints sets the colours that SurfacePaint lays over frames of a model that was given to SetModel, SetBeside or
// SetFitted: one per vertex of the skin, nil for none. It copies them.
func (r *Renderer) SetTints(m *skinning.Model, tints []Tint) error {
	g := r.holds(m)
	if g == nil || tints != nil && len(tints) != g.streams.skinVertices {
		panic(fmt.Sprintf("render: SetTints: %d tints for a model that is not shown or has another number of vertices",
			len(tints)))
	}
	return g.of(m).setTints(tints, g.streams.all)
}

// setTints uploads tints of the skin; the vertices behind it, of all, stay as they are.
func (b *bound) setTints(tints []Tint, all int) (err error) {
	switch {
	case tints == nil:
		b.readTint(nil)
		b.tint.Delete()
		b.tint = nil
		return nil
	case b.tint == nil:
		if b.tint, err = newBuffer("tints", gl.ARRAY_BUFFER, gl.STATIC_DRAW, make([]Tint, all)); err != nil {
			return err
		}
		b.readTint(b.tint)
	}
	gl.BindBuffer(gl.ARRAY_BUFFER, b.tint.id)
	if len(tints) > 0 {
		gl.BufferSubData(gl.ARRAY_BUFFER, 0, byteSize(tints), pointer(tints))
	}
	return nil
}

// deleteFitted lets go of the second binding. It may be called again.
func (g *gpuModel) deleteFitted() {
	g.fitted.Delete()
	g.fitted = nil
}

// of returns the binding that poses frames of a model, nil where the model is neither of the two.
func (g *gpuModel) of(m *skinning.Model) *bound {
	switch {
	case m == g.own.model:
		return g.own
	case g.fitted != nil && m == g.fitted.model:
		return g.fitted
	}
	return nil
}
