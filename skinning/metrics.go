package skinning

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Errors measures how far posed vertices are from those they should equal, over any number of frames. The zero value is
// empty; Add frames, then read. It is the one place where EE, RMS and the largest error are computed.
type Errors struct {
	diagonal float64
	sum      float64    // Σ‖v − v'‖²
	most     float64    // max ‖v − v'‖²
	count    int        // vertices times frames
	last     [2]float64 // RMS and largest error of the last frame, metres
	joints   int        // candidates per vertex
	rigid    []float64  // per vertex and joint: Σ_f ‖v − C_j·rest‖²
}

// NewErrors measures a model's skin.
func NewErrors(m *Model) *Errors {
	n := len(m.Skeleton.Joints)
	return &Errors{diagonal: m.Diagonal(), joints: n, rigid: make([]float64, n*len(m.Skin.Positions))}
}

// Add measures one frame: want is v, got is v', both posed; rest is the unposed shape with morph targets applied. It returns
// the vertex of the frame's largest error, 0 where there is none.
func (e *Errors) Add(want, got, rest []mgl64.Vec3, f *Frame) (worst int) {
	if len(want) != len(got) || len(want) != len(rest) || len(want)*e.joints != len(e.rigid) {
		panic(fmt.Sprintf("skinning: Errors.Add: %d wanted, %d got, %d rest, %d sums over %d joints",
			len(want), len(got), len(rest), len(e.rigid), e.joints))
	}
	sum, most := 0.0, 0.0
	for v := range want {
		d := want[v].Sub(got[v])
		d2 := d.Dot(d)
		sum += d2
		if d2 > most {
			most, worst = d2, v
		}
		row := e.rigid[v*e.joints : (v+1)*e.joints]
		for j := range row {
			d := want[v].Sub(f.Matrices[j].Apply(rest[v]))
			row[j] += d.Dot(d)
		}
	}
	e.sum += sum
	e.most = math.Max(e.most, most)
	e.count += len(want)
	e.last = [2]float64{math.Sqrt(sum / float64(max(len(want), 1))), math.Sqrt(most)}
	return worst
}

// Last returns the RMS and the largest error of the frame that was added last, as fractions of the rest-pose diagonal.
func (e *Errors) Last() (rms, largest float64) {
	if e.diagonal == 0 {
		return 0, 0
	}
	return e.last[0] / e.diagonal, e.last[1] / e.diagonal
}

// EE is the enveloping error in percent: 100·sqrt(Σ‖v − v'‖² / Σ‖v − C_r·v_rest‖²), r the one joint that best predicts the
// vertex over all frames (ALNS section 5; RTER section 7.1). It is 0 where both sums are, and +Inf where only the second is.
func (e *Errors) EE() float64 {
	best := 0.0
	for v := 0; v < len(e.rigid); v += e.joints {
		least := math.Inf(1)
		for _, s := range e.rigid[v : v+e.joints] {
			least = math.Min(least, s)
		}
		best += least
	}
	if e.sum == 0 {
		return 0
	}
	return 100 * math.Sqrt(e.sum/best)
}

// RMS is the root mean square error as a fraction of the rest-pose diagonal.
func (e *Errors) RMS() float64 {
	if e.count == 0 || e.diagonal == 0 {
		return 0
	}
	return math.Sqrt(e.sum/float64(e.count)) / e.diagonal
}

// Max is the largest error as a fraction of the rest-pose diagonal.
func (e *Errors) Max() float64 {
	if e.diagonal == 0 {
		return 0
	}
	return math.Sqrt(e.most) / e.diagonal
}

// Volume returns the signed volume in m³ enclosed by triangles: a sum of tetrahedra to the first vertex, positive for
// outward-facing triangles. An open mesh has a volume that depends on where it stands little as long as its holes are small.
func Volume(positions []mgl64.Vec3, triangles [][3]uint32) float64 {
	if len(positions) == 0 {
		return 0
	}
	origin, sum := positions[0], 0.0
	for _, t := range triangles {
		a, b, c := positions[t[0]].Sub(origin), positions[t[1]].Sub(origin), positions[t[2]].Sub(origin)
		sum += a.Dot(b.Cross(c))
	}
	return sum / 6
}
