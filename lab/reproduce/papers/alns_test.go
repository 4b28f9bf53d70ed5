package papers

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// A row says whether its own clip scales a joint, whatever other clips do.
func TestScalesIn(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	swell := m.Clips[0]
	swell.Channels = append(swell.Channels[:len(swell.Channels):len(swell.Channels)], skinning.Channel{
		Node: m.Skeleton.Joints[1].Node, Path: skinning.PathScale, Interpolation: skinning.Linear, Width: 3,
		Times: []float32{0, 1}, Values: []float32{1, 1, 1, 1, 1.5, 1.5}})
	m.Clips = append(m.Clips, swell)
	for clip := range m.Clips {
		if got, want := scalesIn(m, clip), clip == len(m.Clips)-1; got != want {
			t.Errorf("clip %d: %v", clip, got)
		}
	}
	m.Skeleton.Nodes[m.Skeleton.Joints[1].Node].Rest.Scale = mgl64.Vec3{1, 2, 1}
	if !scalesIn(m, -1) {
		t.Error("a scale at rest is not seen")
	}
}
