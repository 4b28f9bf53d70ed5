package bodymodel

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel/limbs"
)

func scanName(i int) string { return fmt.Sprintf("scan %d", i) }

// names reports whether an error of Check is about a scan.
func names(err error, scan int) bool {
	return strings.HasPrefix(err.Error(), fmt.Sprintf("%v: %s", errScans, scanName(scan)))
}

// each returns a shape whose vertices are changed.
func each(shape []mgl64.Vec3, change func(p mgl64.Vec3) mgl64.Vec3) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(shape))
	for v, p := range shape {
		out[v] = change(p)
	}
	return out
}

// Scans that are spoilt are errors that name the scan, the first one as well as another, and say what is wrong.
func TestCheckNamesBadScans(t *testing.T) {
	moved := func(change func(p mgl64.Vec3) mgl64.Vec3) func(shape []mgl64.Vec3) {
		return func(shape []mgl64.Vec3) { copy(shape, each(shape, change)) }
	}
	for name, c := range map[string]struct {
		spoil func(shape []mgl64.Vec3)
		says  string
	}{
		"NaN":         {func(x []mgl64.Vec3) { x[17][1] = math.NaN() }, "vertex 17"},
		"infinite":    {func(x []mgl64.Vec3) { x[3][2] = math.Inf(-1) }, "vertex 3"},
		"point":       {moved(func(mgl64.Vec3) mgl64.Vec3 { return mgl64.Vec3{1, 2, 3} }), "at one point"},
		"millimetres": {moved(func(p mgl64.Vec3) mgl64.Vec3 { return p.Mul(1000) }), "units"},
		"inches":      {moved(func(p mgl64.Vec3) mgl64.Vec3 { return p.Mul(1 / 2.54) }), "units"},
		"mirrored":    {moved(func(p mgl64.Vec3) mgl64.Vec3 { return mgl64.Vec3{-p[0], p[1], p[2]} }), "mirror"},
		"reversed":    {slices.Reverse[[]mgl64.Vec3], "order"},
		"moved on":    {moveOn, "order"},
		"a tenth on":  {func(x []mgl64.Vec3) { moveOn(x[len(x)*9/10:]) }, "order"},
	} {
		for bad := range 4 {
			_, s := crossBody(4, 1, 3)
			c.spoil(s.Shapes[bad])
			_, err := s.check(scanName)
			if !errors.Is(err, errScans) || !names(err, bad) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, scan %d: %v", name, bad, err)
			}
		}
	}
	_, s := crossBody(4, 1, 3)
	s.Shapes[2] = s.Shapes[2][1:]
	if _, err := s.check(scanName); !errors.Is(err, errScans) || !names(err, 2) {
		t.Errorf("a vertex too few: %v", err)
	}
}

// Scans without triangles, or whose triangles share no vertices, are an error.
func TestCheckSurface(t *testing.T) {
	_, s := tubeBody(2, 3, 1, 1)
	if _, err := newScans(s.Shapes, nil).check(scanName); !errors.Is(err, errScans) {
		t.Errorf("no triangles: %v", err)
	}
	shape, apart := manyParts(limbs.MostParts + 1)
	if _, err := newScans([][]mgl64.Vec3{shape, shape}, apart).check(scanName); !errors.Is(err, errScans) ||
		!strings.Contains(err.Error(), "4097 parts") {
		t.Errorf("triangles apart: %v", err)
	}
}

// moveOn moves every vertex to the place of the next.
func moveOn(shape []mgl64.Vec3) {
	first := shape[0]
	copy(shape, shape[1:])
	shape[len(shape)-1] = first
}

// Scans that show no motion are errors.
func TestCheckStillScans(t *testing.T) {
	b, s := crossBody(3, 1, 3)
	for name, shapes := range map[string][][]mgl64.Vec3{
		"none":      {},
		"one":       s.Shapes[:1],
		"two equal": {s.Shapes[1], s.Shapes[1]},
		"moved as a whole": {b.Vertices, each(b.Vertices, func(p mgl64.Vec3) mgl64.Vec3 {
			return mgl64.Rotate3DX(1).Mul3x1(p).Add(mgl64.Vec3{0, 0, 20})
		})},
	} {
		still := &scans{Shapes: shapes, Triangles: s.Triangles, Rings: s.Rings}
		if _, err := still.check(scanName); !errors.Is(err, errScans) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A scan that is there twice is said to count twice. Poses of real and made bodies are without fault.
func TestCheckGoodScans(t *testing.T) {
	_, s := crossBody(4, 2, 3)
	s.Shapes = append(s.Shapes, s.Shapes[1])
	warnings, err := s.check(scanName)
	if want := []string{"scan 4 is the same as scan 1: it counts twice"}; err != nil || !slices.Equal(warnings, want) {
		t.Errorf("%q, %v", warnings, err)
	}
	good := map[string]*scans{"arm": armScans(t)}
	if !testing.Short() {
		good["human"] = humanScans(t)
	}
	for seed := range uint64(5) {
		_, good[fmt.Sprint("tube ", seed)] = tubeBody(5, 12, 2, seed)
		_, good[fmt.Sprint("cross ", seed)] = crossBody(12, 2, seed)
	}
	for name, s := range good {
		if warnings, err := s.check(scanName); err != nil || len(warnings) > 0 {
			t.Errorf("%s: %q, %v", name, warnings, err)
		}
	}
}
