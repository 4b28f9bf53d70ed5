package bodymodel

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/bodymodel/limbs"
	"skinlab/skinning/geom"
	"skinlab/skinning/geom/procrustes"
	"skinlab/skinning/metrics"
)

// errScans reports scans that no body can be learnt from.
var errScans = errors.New("bad scans")

const (
	// mostScale is the largest ratio between the edge lengths of two scans. Bodies of one topology differ by less than
	// this factor, and units by more: inches and centimetres by 2.54.
	mostScale = 2
	// Vertices are taken to be in another order if the lengths of more than mostTorn of the edges differ from those in
	// another scan by more than a factor of mostStretch. Poses of the arm, the human and a soft body do that to 0.7 %
	// of the edges at most. If a tenth of the vertices are each moved on by one in the order, 5 % of the edges are that
	// different.
	mostStretch = 3
	mostTorn    = 0.02
	// A scan is taken to be a mirror image if the correlation of its curvatures with another scan's is below mirrored.
	// An exact mirror image has −1. Poses of the arm, the human and a soft body have at least 0.9.
	mirrored = -0.5
)

// check returns an error that wraps [errScans] if a scan does not belong to the others or if nothing moves, and
// warnings about scans that are unusual but usable. Name returns the name of a scan for messages. If most scans
// disagree with one, the error names that one.
func (s *scans) check(name func(scan int) string) (warnings []string, err error) {
	if len(s.Shapes) < 2 {
		return nil, fmt.Errorf("%w: %d, expected at least 2: a body is learnt from its motion", errScans, len(s.Shapes))
	}
	if len(s.Triangles) == 0 {
		return nil, fmt.Errorf("%w: they have no triangles, expected a surface", errScans)
	}
	if n := len(limbs.Parts(s.Rings)); n > limbs.MostParts {
		return nil, fmt.Errorf("%w: the surface is in %d parts, expected at most %d: its triangles share no vertices", errScans,
			n, limbs.MostParts)
	}
	for i := range s.Shapes {
		if fault := s.faultOf(i); fault != "" {
			return nil, fmt.Errorf("%w: %s: %s", errScans, name(i), fault)
		}
	}
	if err := s.checkTogether(name); err != nil {
		return nil, err
	}
	if !s.moves() {
		return nil, fmt.Errorf("%w: all %d are one shape, which only moves as a whole: nothing tells of limbs", errScans,
			len(s.Shapes))
	}
	for i := range s.Shapes {
		for k := range i {
			if slices.Equal(s.Shapes[k], s.Shapes[i]) {
				warnings = append(warnings, fmt.Sprintf("%s is the same as %s: it counts twice", name(i), name(k)))
				break
			}
		}
	}
	return warnings, nil
}

// faultOf says what is wrong with a scan by itself.
func (s *scans) faultOf(i int) string {
	shape := s.Shapes[i]
	if len(shape) != len(s.Rings) {
		return fmt.Sprintf("%d vertices, expected %d, as the first scan has", len(shape), len(s.Rings))
	}
	apart := false
	for v, p := range shape {
		if !geom.IsFinite(p[:]...) {
			return fmt.Sprintf("vertex %d: position %v is not a number", v, p)
		}
		apart = apart || p != shape[0]
	}
	if !apart {
		return fmt.Sprintf("all %d vertices are at one point", len(shape))
	}
	return ""
}

// checkTogether reports the first scan that differs from one with which most others agree.
func (s *scans) checkTogether(name func(scan int) string) error {
	var first error
	for with := range min(3, len(s.Shapes)) { // if most scans are alike, most of these are
		to := s.traitsOf(with)
		faults := 0
		var found error
		for i := range s.Shapes {
			if fault := s.compare(s.traitsOf(i), to); fault != "" {
				faults++
				if found == nil {
					found = fmt.Errorf("%w: %s against %s: %s", errScans, name(i), name(with), fault)
				}
			}
		}
		if 2*faults < len(s.Shapes) {
			return found
		}
		if first == nil {
			first = found
		}
	}
	return first
}

// traits are the quantities by which scans are compared.
type traits struct {
	edges      []float64 // lengths, metres
	curvatures []float64 // of each vertex: its distance outside of the mean of its ring, metres
}

func (s *scans) traitsOf(i int) *traits {
	shape := s.Shapes[i]
	t := &traits{curvatures: make([]float64, len(shape))}
	for v, ring := range s.Rings {
		for _, u := range ring {
			if v < int(u) {
				t.edges = append(t.edges, shape[v].Sub(shape[u]).Len())
			}
		}
	}
	laplacian, normals := make([]mgl64.Vec3, len(shape)), make([]mgl64.Vec3, len(shape))
	s.laplacian(laplacian, shape)
	for _, t := range s.Triangles {
		normal := shape[t[1]].Sub(shape[t[0]]).Cross(shape[t[2]].Sub(shape[t[0]]))
		for _, v := range t {
			normals[v] = normals[v].Add(normal)
		}
	}
	for v, n := range normals {
		if length := n.Len(); length > 0 {
			t.curvatures[v] = laplacian[v].Dot(n) / length
		}
	}
	return t
}

// compare describes the first trait in which a scan disagrees with another; "" for none.
func (s *scans) compare(scan, with *traits) string {
	ratios := make([]float64, 0, len(with.edges))
	for k, length := range with.edges {
		if length > 0 {
			ratios = append(ratios, scan.edges[k]/length)
		}
	}
	if len(ratios) == 0 {
		return ""
	}
	slices.Sort(ratios)
	scale := ratios[len(ratios)/2]
	longer, _ := slices.BinarySearch(ratios, scale*mostStretch)
	shorter, _ := slices.BinarySearch(ratios, scale/mostStretch)
	if torn := float64(max(len(ratios)-longer, shorter)) / float64(len(ratios)); torn > mostTorn {
		return fmt.Sprintf("%.0f %% of the edges are %d times longer or shorter: the vertices are in another order", 100*torn,
			mostStretch)
	}
	if !(scale <= mostScale && scale >= 1./mostScale) {
		return fmt.Sprintf("the edges are %.3g times as long: the units are others", scale)
	}
	a, b := scan.curvatures, with.curvatures
	if floats.Dot(a, b) < mirrored*math.Sqrt(floats.Dot(a, a)*floats.Dot(b, b)) {
		return "what bulges there is hollow here: the scan is a mirror image"
	}
	return ""
}

// moves reports whether some scan differs from the first by more than a rigid motion and rounding.
func (s *scans) moves() bool {
	first := s.Shapes[0]
	for _, shape := range s.Shapes[1:] {
		var sums procrustes.Sums
		for v, p := range first {
			sums.Add(1, p.Sub(first[0]), shape[v].Sub(shape[0]))
		}
		_, left := sums.Rigid()
		// Half of sums.Square is the sum of the first scan's squared distances from its vertex 0, which is at least
		// that from its middle.
		if left > metrics.KernelRounding*metrics.KernelRounding*sums.Square {
			return true
		}
	}
	return false
}
