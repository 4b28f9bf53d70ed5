package job

import (
	"context"
	"strings"
	"testing"

	"skinlab/assets/demo"
	"skinlab/skinning"
)

// TestPosesFarAway: a clip that throws the model where float32 has no room for it is refused by every fit; one that takes it a thousand
// kilometres away is not.
func TestPosesFarAway(t *testing.T) {
	for away, refused := range map[float64]bool{1e6: false, 1e30: true} {
		m, err := demo.New("demo:bar")
		if err != nil {
			t.Fatal(err)
		}
		root := 0
		for n := m.Skeleton.Joints[0].Node; n >= 0; n = m.Skeleton.Nodes[n].Parent {
			root = n
		}
		m.Skeleton.Nodes[root].Rest.Translation[0] += away
		clip := len(m.Clips) - 1
		_, blend := Run(context.Background(), m, Spec{Method: "blend-bones", Operator: skinning.DQS, Bones: 1, Clip: clip, Frames: 3, Test: -1}, nil)
		training := &Training{Clip: clip, Times: []float64{0, m.Clips[clip].Seconds}, Teacher: skinning.DQS}
		_, envelope := Envelope(context.Background(), m, EnvelopeSpec{Method: "enveloping", Training: training, Proxies: 5, Test: -1})
		for _, err := range []error{blend, envelope} {
			if (err != nil) != refused || refused && !strings.Contains(err.Error(), "m away") {
				t.Errorf("%g m away: %v", away, err)
			}
		}
	}
}
