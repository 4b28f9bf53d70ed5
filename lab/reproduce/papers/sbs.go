package papers

import (
	"context"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
	"skinlab/skinning/stress"
)

// SphericalRow is a column of SBS table 2, with the comparison with true spherical averages of its section 5. Times are
// medians in milliseconds a frame, on one thread.
type SphericalRow struct {
	Model    string `json:"model"`
	Vertices int    `json:"vertices"`
	Joints   int    `json:"joints"`
	Sets     int    `json:"joint_sets"`     // distinct ones of all vertices
	SVDs     int    `json:"svd_executions"` // those of them that are neither one joint nor two neighbours
	// Eigen is the number of the latter whose centres need eigenvectors, the mean over poses. The others are solved for
	// directly.
	Eigen float64 `json:"eigenvectors"`
	LBS   float64 `json:"lbs_ms"` // palettes included, as in SBS
	SBS   float64 `json:"sbs_ms"` // rotation centres included
	Ratio float64 `json:"sbs_ratio_to_lbs"`

	// The same kernel in plain Go with the two ways to interpolate rotations.
	Linear       float64 `json:"qlerp_ms"`
	Average      float64 `json:"average_ms"`
	AverageRatio float64 `json:"average_ratio_to_qlerp"` // median over rounds of the two, one after the other

	Degrees  float64 `json:"degrees_apart"`  // the largest angle between both rotations of a vertex
	Distance float64 `json:"distance_apart"` // the largest between both places of a vertex, in shares of the diagonal
}

// SBSRow times spherical blending on poses of a model's first clip or, if it has none, of the first stress clip.
func SBSRow(ctx context.Context, m *skinning.Model) (*SphericalRow, error) {
	if len(m.Clips) == 0 {
		m = stress.Append(m)
	}
	costs, err := timeKernels(ctx, m, compare.Direct(skinning.LBS, skinning.SBS))
	if err != nil {
		return nil, err
	}
	milliseconds := func(c *bench.Row) float64 {
		return c.NsPerVertex*float64(c.Vertices)*1e-6 + c.PaletteUs*1e-3
	}
	_, frames := bench.Poses(m, 0)
	sets := frames[0].Centers
	r := &SphericalRow{Model: m.Name, Vertices: len(m.Skin.Positions), Joints: m.Skeleton.JointNodes(),
		Sets: len(sets.Joints), SVDs: sets.Solved(), LBS: milliseconds(&costs[0]), SBS: milliseconds(&costs[1])}
	r.Ratio = r.SBS / r.LBS
	for _, f := range frames {
		r.Eigen += float64(f.DecomposedCenters()) / float64(len(frames))
	}
	return r, r.average(ctx, m, frames)
}

// average compares the normalised sum of quaternions with the true spherical average, in the frames of a model.
func (r *SphericalRow) average(ctx context.Context, m *skinning.Model, frames []*skinning.Frame) error {
	out, other := skinning.NewOutput(m), skinning.NewOutput(m)
	stream := func(to *skinning.Output) kernel.Stream {
		return kernel.NewStream(to.Positions, to.Normals, m.Skin.Positions, m.Skin.Normals, &m.Skin.Influences,
			frames[0].Centers.OfVertex)
	}
	linear := func(p *kernel.Palette) { kernel.Spherical(p, stream(&out), simd.Scalar) }
	average := func(p *kernel.Palette) { kernel.SphericalAverage(p, stream(&other)) }
	for _, f := range frames {
		p := f.Float32(skinning.SBS.Reads())
		linear(p)
		average(p)
		r.Distance = max(r.Distance, furthest(out.Positions, other.Positions)/m.Diagonal())
		r.Degrees = max(r.Degrees, furthestTurn(f))
	}
	var sums, means, ratios []float64
	for range rounds {
		if err := ctx.Err(); err != nil {
			return err
		}
		a, b := timeFrames(frames, linear), timeFrames(frames, average)
		sums, means, ratios = append(sums, a), append(means, b), append(ratios, b/a)
	}
	r.Linear, r.Average, r.AverageRatio = bench.Median(sums), bench.Median(means), bench.Median(ratios)
	return nil
}

// timeFrames returns the mean milliseconds of posing by each of the frames.
func timeFrames(frames []*skinning.Frame, pose func(*kernel.Palette)) float64 {
	start := time.Now()
	for _, f := range frames {
		pose(f.Float32(skinning.SBS.Reads()))
	}
	return time.Since(start).Seconds() * 1e3 / float64(len(frames))
}

// furthest is the largest distance of two places of a vertex.
func furthest(a, b []mgl32.Vec3) (most float64) {
	for v := range a {
		most = max(most, float64(a[v].Sub(b[v]).Len()))
	}
	return most
}

// furthestTurn is the largest angle, degrees, between the normalised sum and the spherical average of a vertex's
// rotations. Both stand before the same blended scale in SDQS and DIB.
func furthestTurn(f *skinning.Frame) (most float64) {
	for v := range f.Model.Skin.Positions {
		if f.Model.Skin.Bindings[v].Weights[1] == 0 {
			continue
		}
		back, ok := f.BlendVertex(skinning.SDQS, v).Linear().Inverse()
		if !ok {
			continue
		}
		apart := f.BlendVertex(skinning.DIB, v).Linear().Mul(back)
		square := 0.0 // of the difference from the identity: 8·sin²(angle/2)
		for k, x := range apart {
			if k%4 == 0 {
				x--
			}
			square += x * x
		}
		most = max(most, 2*math.Asin(min(math.Sqrt(square/8), 1))*180/math.Pi)
	}
	return most
}
