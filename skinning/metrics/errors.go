package metrics

import (
	"fmt"
	"math"
	"skinlab/skinning"
	"skinlab/skinning/parallel"

	"github.com/go-gl/mathgl/mgl64"
)

// Rounding is the RMS error, as a fraction of the rest pose's diagonal, below which two shapes are the same but for
// rounding: half a unit in the last place of the float32 positions that files hold. The ratio of two such errors means
// nothing.
const Rounding = 1e-7

// KernelRounding is the distance, or the RMS error, as a fraction of the rest pose's diagonal, by which the positions
// of two float32 kernels may differ for rounding alone. The ratio of two such errors means nothing either.
const KernelRounding = 1e-6

// LeastVisible is the RMS error, as a fraction of the rest pose's diagonal, up to which an error cannot be seen and
// counts as none in reports: four hundredths of a millimetre on a person of 2 m. Its EE is 0.
const LeastVisible = 2e-5

// LeastMotion is the RMS error of the best rigid predictions, as a fraction of the rest pose's diagonal, below which EE
// means nothing. It is ten times [KernelRounding], so that at this value rounding causes an EE of ten percent. On a
// person it is twenty micrometres, a deformation that cannot be seen.
const LeastMotion = 10 * KernelRounding

// ReportedError is [EnvelopingError] for reports. It is 0 for an RMS error of at most [LeastVisible]. Of others it is
// NaN if the RMS error of the best rigid predictions is at most [LeastMotion]: then there is nothing to divide by.
func ReportedError(sum, rigid float64, count int, diagonal float64) float64 {
	unseen := LeastVisible * diagonal
	if sum <= unseen*unseen*float64(count) {
		return 0
	}
	ee, least := EnvelopingError(sum, rigid, count, diagonal), LeastMotion*diagonal
	if ee > 0 && !(rigid > least*least*float64(count)) {
		return math.NaN()
	}
	return ee
}

// EnvelopingError is EE in percent, 100·sqrt(sum/rigid) (ALNS section 5; RTER section 7.1), Sum and rigid are the
// squared errors, summed over count positions, of a method and of the best rigid predictions, in square metres. EE is 0
// if the method's RMS error is at most [Rounding] of the diagonal. If only the rigid one is, because every vertex
// follows one joint, [Rounding] is used in its place. Solvers compare these numbers; reports use [ReportedError].
func EnvelopingError(sum, rigid float64, count int, diagonal float64) float64 {
	least := Rounding * diagonal * Rounding * diagonal * float64(count)
	if sum <= least {
		return 0
	}
	return 100 * math.Sqrt(sum/math.Max(rigid, least))
}

// Errors measures how far posed vertices are from those they should equal, over any number of frames. The zero value is
// empty; Add frames, then read. It is the one place where EE, RMS and the largest error are computed.
type Errors struct {
	diagonal float64
	sum      float64    // Σ‖v − v'‖²
	most     float64    // max ‖v − v'‖²
	count    int        // vertices times frames
	last     [2]float64 // RMS and largest error of the last frame, metres
	vertices int
	spread   Spread
	top      float64 // largest Spread.Top of a frame, a share of the diagonal
	rigid    *rigidSums
	follows  bool // rigid belongs to other Errors, which add to it
}

// rigidSums are, per vertex and candidate joint, Σ_f ‖v − C_j·rest‖².
type rigidSums struct {
	sums       []float64
	candidates RigidCandidates
	joints     int   // of the model
	first      []int // a vertex's first sum, and behind the last; nil where all vertices have the same candidates
}

// NewErrors measures a model's skin. EE takes the best rigid prediction among [RigidCandidates].
func NewErrors(m *skinning.Model) *Errors {
	vertices := len(m.Skin.Positions)
	r := &rigidSums{candidates: NewRigidCandidates(m), joints: len(m.Skeleton.Joints)}
	sums := len(r.candidates.All) * vertices
	if r.candidates.All == nil {
		r.first = make([]int, vertices+1)
		var buf []int
		for v := range vertices {
			buf = r.candidates.Near(buf[:0], v)
			r.first[v+1] = r.first[v] + len(buf)
		}
		sums = r.first[vertices]
	}
	r.sums = make([]float64, sums)
	return &Errors{diagonal: m.Diagonal(), vertices: vertices, rigid: r}
}

// Beside returns the measure of another method against the same reference. The best rigid predictions depend on the
// reference only, so e finds them for both. Every frame must be added to e first.
func (e *Errors) Beside() *Errors {
	return &Errors{diagonal: e.diagonal, vertices: e.vertices, rigid: e.rigid, follows: true}
}

// Add measures one frame: want is v, got is v', both posed; rest is the unposed shape with morph targets applied. It
// returns the vertex of the frame's largest error, 0 where there is none.
func (e *Errors) Add(want, got, rest []mgl64.Vec3, f *skinning.Frame) (worst int) {
	if len(want) != len(got) || len(want) != len(rest) || len(want) != e.vertices ||
		len(f.Matrices) < e.rigid.joints {
		panic(fmt.Sprintf("metrics: Errors.Add: %d wanted, %d got, %d rest, %d matrices for %d vertices and %d joints",
			len(want), len(got), len(rest), len(f.Matrices), e.vertices, e.rigid.joints))
	}
	sum, most := 0.0, 0.0
	e.spread = Spread{}
	scale := 1 / max(e.diagonal*e.diagonal, math.SmallestNonzeroFloat32)
	for v := range want {
		d := want[v].Sub(got[v])
		d2 := d.Dot(d)
		sum += d2
		if d2 > most {
			most, worst = d2, v
		}
		e.spread.Add(d2 * scale)
	}
	if !e.follows {
		e.rigid.add(want, rest, f)
	}
	e.sum += sum
	e.most = math.Max(e.most, most)
	e.top = max(e.top, e.spread.Top(len(want)))
	e.count += len(want)
	e.last = [2]float64{math.Sqrt(sum / float64(max(len(want), 1))), math.Sqrt(most)}
	return worst
}

func (r *rigidSums) add(want, rest []mgl64.Vec3, f *skinning.Frame) {
	if r.first == nil {
		n := len(r.candidates.All)
		parallel.Runs(len(want), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				row := r.sums[v*n : (v+1)*n]
				p, y := rest[v], want[v]
				for k, j := range r.candidates.All {
					m := &f.Matrices[j]
					a := y[0] - (m[0]*p[0] + m[1]*p[1] + m[2]*p[2] + m[3])
					b := y[1] - (m[4]*p[0] + m[5]*p[1] + m[6]*p[2] + m[7])
					c := y[2] - (m[8]*p[0] + m[9]*p[1] + m[10]*p[2] + m[11])
					row[k] += a*a + b*b + c*c
				}
			}
		})
		return
	}
	var buf []int
	for v := range want {
		buf = r.candidates.Near(buf[:0], v)
		for k, j := range buf {
			d := want[v].Sub(f.Matrices[j].Apply(rest[v]))
			r.sums[r.first[v]+k] += d.Dot(d)
		}
	}
}

// best is the sum of the best predictions of every vertex.
func (r *rigidSums) best(vertices int) float64 {
	sum := 0.0
	for v := range vertices {
		lo, hi := v*len(r.candidates.All), (v+1)*len(r.candidates.All)
		if r.first != nil {
			lo, hi = r.first[v], r.first[v+1]
		}
		least := math.Inf(1)
		for _, s := range r.sums[lo:hi] {
			least = math.Min(least, s)
		}
		sum += least
	}
	return sum
}

// Last returns the RMS and the largest error of the frame that was added last, as fractions of the rest-pose diagonal.
func (e *Errors) Last() (rms, largest float64) {
	if e.diagonal == 0 {
		return 0, 0
	}
	return e.last[0] / e.diagonal, e.last[1] / e.diagonal
}

// EE is the enveloping error in percent: 100·sqrt(Σ‖v − v'‖² / Σ‖v − C_r·v_rest‖²), r the one joint that best predicts
// the vertex over all frames, see [ReportedError].
func (e *Errors) EE() float64 {
	if e.count == 0 {
		return 0
	}
	return ReportedError(e.sum, e.rigid.best(e.vertices), e.count, e.diagonal)
}

// RMS is the root mean square error as a fraction of the rest-pose diagonal.
func (e *Errors) RMS() float64 {
	if e.count == 0 || e.diagonal == 0 {
		return 0
	}
	return math.Sqrt(e.sum/float64(e.count)) / e.diagonal
}

// Top is the largest [Spread.Top] of a frame, as a fraction of the rest-pose diagonal: the end of a scale of distances.
func (e *Errors) Top() float64 { return min(e.top, e.Max()) }

// Max is the largest error as a fraction of the rest-pose diagonal.
func (e *Errors) Max() float64 {
	if e.diagonal == 0 {
		return 0
	}
	return math.Sqrt(e.most) / e.diagonal
}
