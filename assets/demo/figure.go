package demo

import (
	_ "embed"

	"skinlab/assets/demo/internal/packed"
	"skinlab/skinning"
)

//go:generate go run ./internal/generate figure.bin

// figureData is the sculpted, meshed and weighted person; internal/figure is where it comes from.
//
//go:embed figure.bin
var figureData string

// newFigure makes the person of demo:figure: 1.75 m, one closed mesh, arms held away from the body at rest.
func newFigure() *skinning.Model {
	data, err := packed.Decode([]byte(figureData))
	if err != nil {
		panic("demo: figure: " + err.Error()) // the file is part of the program
	}
	bones := make([]bone, len(data.Joints))
	for i, j := range data.Joints {
		bones[i] = bone{name: j.Name, parent: j.Parent, at: j.At}
	}
	m := &skinning.Model{
		Name: "demo:figure",
		Skin: skinning.Mesh{Positions: data.Positions, Normals: data.Normals, Triangles: data.Triangles,
			Influences: data.Weights},
		Skeleton:  newSkeleton("figure", bones),
		Materials: matte("clay", 0.46, 0.315, 0.245),
	}
	m.Skin.Parts = wholeMesh("figure", &m.Skin)
	body := newBody(&m.Skeleton)
	m.Clips = []skinning.Clip{body.exercise(), body.jumpingJacks(), body.walk(), body.twist()}
	return m
}
