package models

import (
	"sync"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/deltamush"
)

// mush is Delta Mush, with the options that Maya has for a new node, over the skins of the models that are shown. What
// it needs of a model is made when a shape is first asked for, which goroutines do that measure.
type mush struct {
	mu   sync.Mutex
	made [2]*deltamush.Deformer // of the models that were asked for last, the newest first
	of   [2]*skinning.Model
}

func (m *mush) String() string { return deltamush.Name }

// Positions is [deltamush.Deformer.Positions].
func (m *mush) Positions(f *skinning.Frame) []mgl64.Vec3 { return m.deformer(f.Model).Positions(f) }

func (m *mush) deformer(of *skinning.Model) *deltamush.Deformer {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of[0] != of {
		m.of[0], m.of[1] = m.of[1], m.of[0]
		m.made[0], m.made[1] = m.made[1], m.made[0]
	}
	if m.of[0] != of {
		m.of[0], m.made[0] = of, deltamush.New(of, deltamush.Default())
	}
	return m.made[0]
}
