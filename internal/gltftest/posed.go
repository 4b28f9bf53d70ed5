package gltftest

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// SharedModels returns the folder of models beside the repository, or skips the test.
func SharedModels(t testing.TB) string {
	t.Helper()
	dir := ModelsFolder()
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the models of %s are not here", dir)
	}
	return dir
}

// ModelsFolder returns the folder of models beside the repository, whether it is there or not, as seen from a folder of
// the repository, which has main.go at its top.
func ModelsFolder() string {
	dir := "."
	for range 6 {
		if _, err := os.Stat(filepath.Join(dir, "main.go")); err == nil {
			break
		}
		dir = filepath.Join(dir, "..")
	}
	return filepath.Join(dir, "..", "shared", "models")
}

// LinearBlend is linear blend skinning of one vertex in float64, written from the definition and independent of package
// skinning's kernels: morphs first, then Σ w·C_j·v.
func LinearBlend(m *skinning.Model, pose *skinning.Pose, palette []geom.Affine, v int) mgl64.Vec3 {
	rest := geom.Vec64(m.Skin.Positions[v])
	for i := range m.Skin.Morphs {
		k := &m.Skin.Morphs[i]
		if v >= k.FirstVertex && v < k.FirstVertex+len(k.Positions) {
			rest = rest.Add(geom.Vec64(k.Positions[v-k.FirstVertex]).Mul(pose.Morphs[k.Slot]))
		}
	}
	var out mgl64.Vec3
	for _, f := range m.Skin.Of(nil, v) {
		out = out.Add(palette[f.Joint].Apply(rest).Mul(float64(f.Weight)))
	}
	return out
}

// Posed returns the pose and the palette of a clip at a time.
func Posed(m *skinning.Model, clip int, seconds float64) (*skinning.Pose, []geom.Affine) {
	pose := m.NewPose()
	m.SamplePose(pose, clip, seconds)
	globals := make([]geom.Affine, len(m.Skeleton.Nodes))
	m.Skeleton.Globals(globals, pose)
	palette := make([]geom.Affine, len(m.Skeleton.Joints))
	m.Skeleton.Palette(palette, globals)
	return pose, palette
}

func Difference(a, b geom.Affine) float64 {
	worst := 0.0
	for i := range a {
		worst = math.Max(worst, math.Abs(a[i]-b[i]))
	}
	return worst
}

func HasWarning(m *skinning.Model, part string) bool {
	return slices.ContainsFunc(m.Warnings, func(w string) bool { return strings.Contains(w, part) })
}
