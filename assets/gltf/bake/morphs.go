package bake

import (
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// morphDelta is what one morph target adds to a vertex at weight 1.
type morphDelta struct {
	slot  int // of the weight
	delta mgl64.Vec3
}

// at returns where the vertex lies before bones move it, for the weights of the morph slots.
func (v *bakedVertex) at(weights []float64) mgl64.Vec3 {
	p := v.rest
	for _, m := range v.morphs {
		if w := weights[m.slot]; w != 0 {
			p = p.Add(m.delta.Mul(w))
		}
	}
	return p
}

// collectMorphs gives the vertices what morph targets add to them. Moved lists the indices of the vertices in the skin.
func (b *Baker) collectMorphs(moved []int) {
	if len(b.model.Skin.Morphs) == 0 {
		return
	}
	at := make(map[int]int, len(moved))
	for i, v := range moved {
		at[v] = i
	}
	for i := range b.model.Skin.Morphs {
		t := &b.model.Skin.Morphs[i]
		for k, d := range t.Positions {
			if i, ok := at[t.FirstVertex+k]; ok && d != (mgl32.Vec3{}) {
				b.vertices[i].morphs = append(b.vertices[i].morphs, morphDelta{t.Slot, geom.Vec64(d)})
			}
		}
	}
}

// mostShapes bounds the morphed shapes that the boxes of bones enclose.
const mostShapes = 256

// shapeWeights lists weights of the morph slots: all 0, those of the static pose, and those at the keys of the clips,
// or at evenly spaced keys where there are more than mostShapes. Between two linear keys a vertex moves along a line,
// and stays in a box that has both ends.
func shapeWeights(m *skinning.Model) [][]float64 {
	all := [][]float64{make([]float64, len(m.MorphSlots))}
	if len(m.Skin.Morphs) == 0 {
		return all
	}
	type moment struct {
		clip int
		at   float64
	}
	moments := []moment{{-1, 0}}
	for c := range m.Clips {
		for _, ch := range m.Clips[c].Channels {
			if ch.Path == skinning.PathWeights {
				for _, t := range ch.Times {
					moments = append(moments, moment{c, float64(t)})
				}
			}
		}
	}
	pose := m.NewPose()
	step := max(1, (len(moments)+mostShapes-1)/mostShapes)
	for i := 0; i < len(moments); i += step {
		m.SamplePose(pose, moments[i].clip, moments[i].at)
		all = append(all, slices.Clone(pose.Morphs))
	}
	return all
}
