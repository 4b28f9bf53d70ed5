package picture

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
)

// Direction is where a camera looks from: a yaw and a pitch as in [Camera], radians.
type Direction struct{ Yaw, Pitch float32 }

// The directions along the world's axes: X, −X, Y, −Y, Z, −Z. A glTF character looks along +Z, so the front shows its
// face, and the right is at its own left hand.
const (
	FromRight = iota
	FromLeft
	FromTop
	FromBottom
	FromFront
	FromBack
	axisViews
)

var directionNames = [axisViews]string{"right", "left", "top", "bottom", "front", "back"}

// AxisDirection returns one of [FromRight] to [FromBack].
func AxisDirection(from int) Direction {
	return [axisViews]Direction{{math.Pi / 2, 0}, {-math.Pi / 2, 0}, {0, maxPitch}, {0, -maxPitch}, {0, 0}, {math.Pi, 0}}[from]
}

// DirectionNames returns the names that [ParseDirection] knows.
func DirectionNames() []string { return directionNames[:] }

// ParseDirection reads a name of [DirectionNames], "side" for the right, or "AZ,EL": degrees to the right of the front
// (90 is right) and degrees up (90 is top). It returns an error for anything else, and if EL is not from −90 to 90.
func ParseDirection(s string) (Direction, error) {
	for from, name := range directionNames {
		if name == s || s == "side" && name == "right" {
			return AxisDirection(from), nil
		}
	}
	az, el, ok := strings.Cut(s, ",")
	yaw, errYaw := strconv.ParseFloat(strings.TrimSpace(az), 64)
	pitch, errPitch := strconv.ParseFloat(strings.TrimSpace(el), 64)
	if !ok || errYaw != nil || errPitch != nil || !(math.Abs(yaw) <= 1e6) || !(math.Abs(pitch) <= 90) {
		return Direction{}, fmt.Errorf("%q is not one of %s, or AZ,EL in degrees with EL from -90 to 90", s,
			strings.Join(DirectionNames(), ", "))
	}
	return Direction{float32(math.Remainder(yaw*math.Pi/180, 2*math.Pi)), float32(pitch * math.Pi / 180)}, nil
}

// Look turns the camera about its target to look from a direction.
func (c *Camera) Look(d Direction) { c.Yaw, c.Pitch = d.Yaw, mgl32.Clamp(d.Pitch, -maxPitch, maxPitch) }
