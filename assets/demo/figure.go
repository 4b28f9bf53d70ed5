package demo

import (
	_ "embed" // the packed mesh

	"skinlab/skinning"
)

//go:generate go run ./internal/generate figure.bin

// figureData is the sculpted, meshed and weighted person; internal/figure is where it comes from.
//
//go:embed figure.bin
var figureData string

// newFigure makes the person of demo:figure: 1.75 m, one closed mesh, arms held away from the body at rest.
func newFigure() *skinning.Model {
	m := unpackModel("figure", figureData)
	m.Materials = matte("clay", 0.46, 0.315, 0.245)
	body := newBody(&m.Skeleton)
	m.Clips = []skinning.Clip{body.exercise(), body.jumpingJacks(), body.walk(), body.twist()}
	return m
}
