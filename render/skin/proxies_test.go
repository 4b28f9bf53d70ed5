package skin

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// TestFarProxiesAreSolvedOnTheCPU: of a model far from the origin, by its size, float32 cannot hold the matrices.
func TestFarProxiesAreSolvedOnTheCPU(t *testing.T) {
	m := &skinning.Model{Rigs: []skinning.Rig{&rig.Enveloping{Proxies: []int{1}}}}
	m.Skin.Positions = []mgl32.Vec3{{100, 0, 0}, {101, 0, 0}}
	if p := newProxyMatrices(nil, m, 1<<20); p != nil {
		t.Errorf("%v of a model a hundred times its size from the origin", p)
	}
}
