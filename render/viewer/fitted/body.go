package fitted

import "github.com/go-gl/mathgl/mgl64"

// Phase is the state of a fit that minimises one objective, after one of its phases.
type Phase struct {
	Objective float64 // Q of EBM section 4, m²
	RMS       float64 // over vertices and scans, metres
}

// MovedJoint is a joint of a whole model where its fit found it and where it has put it: rest space, metres.
type MovedJoint struct {
	Joint         int // of the model
	Before, After mgl64.Vec3
}

// Clay is the colour of a whole model that lies over the scan that it was fitted to.
var Clay = [4]uint8{235, 96, 24, 255}
