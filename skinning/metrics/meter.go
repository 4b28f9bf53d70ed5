package metrics

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Meter measures posed skins against a reference in one pose, from the float32 positions of a [Deformer]. It is for
// values that change many times a second; [Errors] measures whole clips in float64. The zero value is ready. It is for
// one goroutine.
type Meter struct {
	want     []mgl32.Vec3
	rest     []mgl32.Vec3 // scratch for morph targets
	distinct []geom.Affine
	of       *skinning.Model
	driven   []bool  // its joints that rigs drive: no single joint is one of them, see [RigidCandidates]
	size     float64 // the rest pose's diagonal, metres
	rigid    float64 // Σ‖v − C_r·v_rest‖², m²
	spread   Spread
}

// Measurement is the result of a [Meter].
type Measurement struct {
	RMS, Max float64 // metres
	Top      float64 // metres, see [Spread.Top]
	Worst    int     // the vertex of the largest error
	// EE is the enveloping error in percent, as [Errors.EE], of the one pose: r is the joint that best predicts the
	// vertex in it. Over a clip no joint fits every frame as well, so the clip's EE is the lower one. It is 0 where
	// the RMS cannot be seen, and NaN where a joint predicts every vertex, see [ReportedError].
	EE float64
}

// SetReference takes the positions that others are measured against, and the frame that they were posed by. Both must
// not change until the next call. After the first calls it allocates nothing.
//
// If one joint turns, nearly all others have equal matrices. Joints whose matrices are equal to 1e-9 are tried once for
// a vertex.
func (m *Meter) SetReference(want []mgl32.Vec3, f *skinning.Frame) {
	mesh := &f.Model.Skin
	if len(want) != len(mesh.Positions) {
		panic(fmt.Sprintf("metrics: Meter.SetReference: %d positions of a skin of %d", len(want), len(mesh.Positions)))
	}
	m.want, m.size = want, f.Model.Diagonal()
	rest := mesh.Positions
	if len(mesh.Morphs) > 0 {
		if cap(m.rest) < len(rest) {
			m.rest = make([]mgl32.Vec3, len(rest))
		}
		rest = m.rest[:len(rest)]
		mesh.RestRange(rest, 0, f.Morphs)
	}
	m.distinct = m.distinct[:0]
	if m.of != f.Model {
		m.of, m.driven = f.Model, f.Model.DrivenJoints()
	}
	for i := range f.Matrices {
		if !m.driven[i] && !m.has(&f.Matrices[i]) {
			m.distinct = append(m.distinct, f.Matrices[i])
		}
	}
	m.rigid = 0
	for v, p := range rest {
		x, y, z := float64(p[0]), float64(p[1]), float64(p[2])
		w, least := geom.Vec64(want[v]), math.Inf(1)
		// Most joints are rejected after one row, because the distance along x alone exceeds the best distance so far.
		for i := range m.distinct {
			c := &m.distinct[i]
			d := w[0] - (c[0]*x + c[1]*y + c[2]*z + c[3])
			if d2 := d * d; d2 < least {
				d = w[1] - (c[4]*x + c[5]*y + c[6]*z + c[7])
				d2 += d * d
				if d2 < least {
					d = w[2] - (c[8]*x + c[9]*y + c[10]*z + c[11])
					least = min(least, d2+d*d)
				}
			}
		}
		m.rigid += least
	}
}

// has tells whether a matrix is among the distinct ones: its linear part to 1e-9, its translation to as much of the
// size.
func (m *Meter) has(c *geom.Affine) bool {
	const same = 1e-9 // far below what float32 positions hold
	for i := range m.distinct {
		equal := true
		for k := range c {
			tolerance := same
			if k%4 == 3 {
				tolerance = same * m.size
			}
			if !(math.Abs(c[k]-m.distinct[i][k]) <= tolerance) {
				equal = false
				break
			}
		}
		if equal {
			return true
		}
	}
	return false
}

// Measure compares posed positions with the reference's. It allocates nothing.
func (m *Meter) Measure(got []mgl32.Vec3) Measurement {
	if len(got) != len(m.want) {
		panic(fmt.Sprintf("metrics: Meter.Measure: %d positions, the reference has %d", len(got), len(m.want)))
	}
	var out Measurement
	sum, most := 0.0, 0.0
	m.spread = Spread{}
	scale := 1 / max(m.size*m.size, math.SmallestNonzeroFloat32)
	for v := range got {
		d := geom.Vec64(got[v]).Sub(geom.Vec64(m.want[v]))
		d2 := d.Dot(d)
		sum += d2
		if d2 > most {
			most, out.Worst = d2, v
		}
		m.spread.Add(d2 * scale)
	}
	if len(got) == 0 {
		return out
	}
	out.RMS, out.Max = math.Sqrt(sum/float64(len(got))), math.Sqrt(most)
	out.Top = min(m.spread.Top(len(got))*m.size, out.Max)
	out.EE = ReportedError(sum, m.rigid, len(got), m.size)
	return out
}
